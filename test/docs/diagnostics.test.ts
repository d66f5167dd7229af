import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differingExamples } from '../../src/load/examples.ts';
import { type Code, codes } from '../../src/source/codes.ts';
import { at } from '../../src/source/text.ts';
import { readerLimits } from '../../src/source/yaml.ts';
import type { Assumption } from '../../src/specification/openness/ledger.ts';
import { read, readFolder, type Source } from '../../src/specification/read.ts';
import { place } from '../specification/documents.ts';
import { link } from './chapters.ts';

const folder = new URL('../../docs/diagnostics/', import.meta.url);
const known = Object.keys(codes) as Code[];

/** A document, or those of a folder, and the assumptions that are laid into it. */
interface Example {
  readonly sources: readonly Source[];
  readonly assumptions: readonly Assumption[];
}

interface Page {
  readonly prose: string;
  readonly wrong: Example & { readonly at: string };
  readonly right: Example;
}

const heading = '# To-do list\n\n## Resources and their fields\n\n```yaml\nLong:\n  identifier: (none)\n';

/** The wrong documents that are too large to be printed on their pages. */
const unprinted: Partial<Record<Code, { content: string; at: string }>> = {
  'too-large': { content: `# To-do list\n\n${'x'.repeat(readerLimits.bytes)}\n`, at: '1:1' },
  'too-deep': {
    content: `${heading}  items: ${'{ items: '.repeat(readerLimits.depth)}{}${' }'.repeat(readerLimits.depth)}\n\`\`\`\n`,
    at: `8:${1 + '  items: '.length + '{ items: '.length * (readerLimits.depth - 1)}`,
  },
  'patterns-too-large': {
    content: `${heading}  oneOf:\n${Array.from({ length: 100 }, (_, i) => `    - { type: string, pattern: "a{1000}${i}" }\n`).join('')}\`\`\`\n`,
    at: '108:32',
  },
  'too-many-values': {
    content: `${heading}  enum:\n${Array.from({ length: 0.6 * readerLimits.nodes }, (_, i) => `    - t${i}\n`).join('')}\`\`\`\n`,
    at: '100001:7',
  },
};

/** One document, or those of a folder, each with its name after the language of its fence. */
const documents = (name: string): string =>
  `(?<${name}>\`{4}(?:markdown|yaml|json)(?: \\S+)?\\n[\\s\\S]*?^\`{4}\\n(?:\\n\`{4}\\w+ \\S+\\n[\\s\\S]*?^\`{4}\\n)*)`;
const ledger = '\\n.+:\\n\\n`{4}json\\n(?<ledger>[\\s\\S]*?)^`{4}\\n';
const form = new RegExp(
  `^# (?<code>\\S+)\\n\\n(?<prose>.*\\n[\\s\\S]*?)\\n## Wrong\\n\\n` +
    `(?:${documents('wrong')}(?:${ledger})?\\nat (?<at>\\S+)\\n|(?<words>[^\`#\\n].*\\n(?:.+\\n)*))` +
    `\\n## Right\\n\\n(?:.+\\n\\n)?${documents('right')}$`,
  'm',
);

function sourcesOf(fences: string): Source[] {
  return [...fences.matchAll(/^`{4}(\w+)(?: (\S+))?\n([\s\S]*?)^`{4}$/gm)].map(
    ([, language, file, content]) => ({
      file: file ?? `x.${language === 'markdown' ? 'md' : language}`,
      content: content as string,
    }),
  );
}

/** Reads a page, all of whose parts must be there. */
function page(code: Code): Page {
  const text = readFileSync(new URL(`${code}.md`, folder), 'utf8');
  const match = form.exec(text);
  if (match?.groups === undefined || match[0] !== text) throw new Error(`${code}.md lacks one of its parts`);
  const { groups } = match;
  if (groups['code'] !== code) throw new Error(`${code}.md is headed ${groups['code']}`);
  const unshown = unprinted[code];
  const sources = unshown ? [{ file: 'x.md', content: unshown.content }] : sourcesOf(groups['wrong'] ?? '');
  const at = unshown?.at ?? groups['at'];
  if (sources.length === 0 || at === undefined) throw new Error(`${code}.md shows no wrong document`);
  const assumptions = (groups['ledger'] ?? '').split('\n').filter((line) => line !== '');
  return {
    prose: groups['prose'] as string,
    wrong: { sources, at, assumptions: assumptions.map((line) => JSON.parse(line) as Assumption) },
    right: { sources: sourcesOf(groups['right'] as string), assumptions: [] },
  };
}

/** Every fault of a document, as its page tells it. */
function found({ sources, assumptions }: Example): string[] {
  const [only, second] = sources as [Source, Source?];
  if (second === undefined) {
    const { specification, diagnostics } = read(only.file, only.content, assumptions);
    const isRight = diagnostics.every(({ severity }) => severity !== 'error');
    const all = [...diagnostics, ...(isRight ? differingExamples(specification) : [])];
    return all.map((one) => `${one.code} at ${place(one.span)}`);
  }
  return readFolder('x', sources, assumptions).diagnostics.map((one) => `${one.code} at ${at(one.span)}`);
}

describe('docs/diagnostics', () => {
  it('has a page for each code, and none besides', () => {
    expect(readdirSync(folder).sort()).toEqual(known.map((code) => `${code}.md`).sort());
  });

  it('prints every wrong document that can be printed', () => {
    const silent = known.filter(
      (code) => !/^at \S*\d:\d/m.test(readFileSync(new URL(`${code}.md`, folder), 'utf8')),
    );
    expect(silent.sort()).toEqual(Object.keys(unprinted).sort());
  });

  it.each(known)('%s: the page says what it means, where that stands, and how to mend it', (code) => {
    const paragraphs = page(code).prose.split('\n\n');
    expect(paragraphs).toHaveLength(2);
    expect(paragraphs[0]).toContain(link(codes[code].section));
    expect(paragraphs[1]).toMatch(/^\*\*To mend it:\*\* \S/);
  });

  it.each(known)('%s: the wrong document has this one fault, where the page says', (code) => {
    const { wrong } = page(code);
    expect(found(wrong)).toEqual([`${code} at ${wrong.at}`]);
  });

  it.each(known)('%s: the right document has none', (code) => {
    expect(found(page(code).right)).toEqual([]);
  });
});
