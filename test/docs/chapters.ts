import { readdirSync, readFileSync } from 'node:fs';
import type { Source } from '../../src/specification/read.ts';

const root = new URL('../../', import.meta.url);

/** A page of the language reference: its path, and what stands in it. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

export const page = (path: string): Page => ({ path, text: readFileSync(new URL(path, root), 'utf8') });

/** The chapters of the reference, in their order. */
export const chapters: readonly Page[] = readdirSync(new URL('docs/language/', root))
  .sort()
  .map((name) => page(`docs/language/${name}`));

export const index = page('docs/language.md');

/** Every section of the reference with the chapter that holds its anchor: `A.1` by `<a id="a-1"></a>`. */
export const sections: ReadonlyMap<string, Page> = new Map(
  chapters.flatMap((chapter) => anchors(chapter).map((id) => [label(id), chapter])),
);

export function anchors({ text }: Page): string[] {
  return [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map((match) => match[1] as string);
}

function label(id: string): string {
  return id.toUpperCase().replace('-', '.');
}

/** Where a section is, seen from `docs/diagnostics`. */
export function link(section: string): string {
  const path = sections.get(section)?.path.replace('docs/', '../');
  return `[language §${section}](${path}#${section.toLowerCase().replace('.', '-')})`;
}

/** What a block between `<!-- keys: path -->` and `<!-- end keys -->` holds. */
export interface Block {
  readonly kind: string;
  readonly name: string;
  readonly table: string;
  readonly page: Page;
}

export const blocks: readonly Block[] = chapters.flatMap((one) =>
  [
    ...one.text.matchAll(
      /^<!-- (keys|functions|operators|conditions)(?:: (\S+))? -->\n([\s\S]*?)<!-- end \1 -->$/gm,
    ),
  ].map(([, kind, name, table]) => ({
    kind: kind as string,
    name: name ?? '',
    table: table as string,
    page: one,
  })),
);

/** The cells of a table, row by row, without its heading. */
export function rows(table: string): string[][] {
  return [...table.matchAll(/^\|(.*)\|$/gm)]
    .slice(2)
    .map(([, row]) => (row as string).split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

/** An example: a whole document in Markdown or YAML, or a snippet of the part that its fence names. */
export interface Example {
  readonly at: string;
  readonly source: Source;
  /** The part that the snippet is of; empty for a whole document. */
  readonly part: string;
}

export const examples: readonly Example[] = [index, ...chapters].flatMap(({ path, text }) =>
  [...text.matchAll(/^(`{3,4})(markdown|yaml)(?: (\w+))?\n([\s\S]*?)^\1$/gm)].map(
    ([, , language, part = '', content = ''], at) => ({
      at: `${path}, example ${at + 1}`,
      part,
      source:
        language === 'markdown'
          ? { file: 'x.md', content }
          : { file: 'x.yaml', content: part ? `${part}:\n${content.replace(/^(?=.)/gm, '  ')}` : content },
    }),
  ),
);
