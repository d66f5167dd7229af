import { readFileSync } from 'node:fs';
import { carried } from '../load/carried.ts';
import { type Code, codes } from '../source/codes.ts';
import type { Paint } from '../source/diagnostic.ts';

/** Where the pages lie, seen from the package: what `--format json` refers to. */
export const pageFolder = 'docs/diagnostics';

/** The page of a code, in Markdown, as the package carries it. */
export function markdownPage(code: Code): string {
  return readFileSync(carried(`${pageFolder}/${code}.md`), 'utf8');
}

/** The first sentence of a page: what the code means, in one line. */
export function sentence(markdown: string): string {
  const prose = withoutLinks(markdown.split('\n\n')[1] ?? '').replaceAll('\n', ' ');
  return /^.*?[.](?=\s|$)/.exec(prose)?.[0] ?? prose;
}

/** A page for reading in a terminal: what is fenced is indented, and a link is its text. */
export function terminalPage(code: Code, markdown: string, paint: Paint): string {
  let isFenced = false;
  const lines = markdown.split('\n').flatMap((line) => {
    const fence = /^````(?:\w+ ?(.*))?$/.exec(line);
    if (fence) {
      isFenced = !isFenced;
      return isFenced && fence[1] ? [paint.dim(`    ── ${fence[1]} ──`)] : [];
    }
    if (isFenced) return [line === '' ? '' : `    ${line}`];
    if (line.startsWith('# ')) return [`${paint.bold(code)} (${codes[code].severity})`];
    if (line.startsWith('## ')) return [paint.bold(line.slice(3))];
    return [withoutLinks(line).replace(/^\*\*(.*?)\*\*/, (_all, strong: string) => paint.bold(strong))];
  });
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A Markdown text without its links, which lead nowhere outside the package. */
export function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
