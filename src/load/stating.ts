import { answered, edited } from '../assist/answered.ts';
import { plain, pretty } from '../source/diagnostic.ts';
import { whole } from '../source/markdown.ts';
import { type Json, json } from '../source/node.ts';
import { text } from '../source/text.ts';
import { readYaml } from '../source/yaml.ts';
import type { Reader, Source } from '../specification/read.ts';
import { Refused } from './refused.ts';

/** The value as somebody typed it: YAML or JSON. Throws {@link Refused} if it is none. */
export function typedValue(typed: string): Json {
  const read = readYaml(whole(text('the answer', typed)));
  if (read.diagnostics.length > 0) throw new Refused(shown(read.diagnostics));
  if (read.node === undefined) throw new Refused('an answer needs a value');
  return json(read.node);
}

/** What a document is with answers in it; nothing is written yet. */
export interface Stating {
  readonly reader: Reader;
  /** The texts that change, by the names of their files. */
  readonly texts: ReadonlyMap<string, string>;
  /** Where the answer stands, and its line. */
  readonly place: { readonly file: string; readonly line: number; readonly excerpt: string };
}

/**
 * States a value at open points of a document.
 *
 * @param addresses those that one answer is for; at least one
 * @param readWith reads the document as if the texts of some of its files were others
 *
 * @throws Refused if the document would have an error more, or the points would stay open
 */
export function stating(
  sources: readonly Source[],
  addresses: readonly string[],
  value: Json,
  before: Reader,
  readWith: (texts: ReadonlyMap<string, string>) => Reader,
): Stating {
  let reader = before;
  let now = sources;
  let place: Stating['place'] | null = null;
  const texts = new Map<string, string>();
  for (const address of addresses) {
    // One marker may leave several points open.
    if (place !== null && reader.specification.points.get(address)?.state === 'stated') continue;
    const edit = answered(now, address, value);
    if (edit === null)
      throw new Refused(`${address} cannot be stated by itself: edit the document, where it says more`);
    const content = edited(now, edit);
    now = now.map((source) => (source.file === edit.file ? { ...source, content } : source));
    texts.set(edit.file, content);
    reader = readWith(texts);
    place ??= placeOf(edit.file, content, edit.start);
  }
  if (place === null) throw new Refused('there is nothing to answer');
  const fresh = reader.diagnostics.filter(
    (one) => one.severity === 'error' && !before.diagnostics.some(({ message }) => message === one.message),
  );
  if (fresh.length > 0) throw new Refused(shown(fresh));
  const [first = ''] = addresses;
  const isAsking = typeof value === 'string' && value.startsWith('(open)');
  if (reader.specification.points.get(first)?.state === 'open' && !isAsking)
    throw new Refused(`${first} would stay open`);
  return { reader, texts, place };
}

function placeOf(file: string, content: string, start: number): Stating['place'] {
  const before = content.slice(0, start).split('\n');
  // What is added as a line of its own begins with a line break.
  const line = before.length + (/^\r?\n/.test(content.slice(start)) ? 1 : 0);
  return { file, line, excerpt: (content.split('\n')[line - 1] ?? '').trim() };
}

/** What diagnostics say, each with its place, as text without colours. */
export function shown(diagnostics: Reader['diagnostics']): string {
  return diagnostics.map((one) => pretty(one, plain)).join('\n\n');
}
