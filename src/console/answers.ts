import { answered, edited } from '../assist/answered.ts';
import { readFound, sourcesOf } from '../load/files.ts';
import { added, ledgerBeside, openLedger, readAssumed, saveLedger } from '../load/ledger.ts';
import { Refused } from '../load/refused.ts';
import { writeWhole } from '../load/writing.ts';
import { plain, pretty } from '../source/diagnostic.ts';
import { whole } from '../source/markdown.ts';
import { type Json, json } from '../source/node.ts';
import { text } from '../source/text.ts';
import { readYaml } from '../source/yaml.ts';
import type { Reader, Source } from '../specification/read.ts';
import { type Context, type Given, textOf, textsOf } from './context.ts';
import { type Effect, effectOf } from './effect.ts';

/** What an answer comes to. */
export interface Answer {
  readonly effect: Effect;
  /** The file that holds it, or would. */
  readonly file: string;
  /** The line of the document in which it stands; null: it stands in a ledger. */
  readonly line: number | null;
  /** What stands there then. */
  readonly excerpt: string;
}

/**
 * Answers open points: in the document, or of a description in another format in its ledger. With `isTried` nothing is
 * written, and it is told what the answer would come to.
 *
 * @throws Refused if the document would have an error then, or the points would stay open: nothing is written
 */
export async function answer(given: Given, context: Context): Promise<Answer> {
  const addresses = textsOf(given, 'addresses');
  const typed = textOf(given, 'value');
  const isTried = given['isTried'] === true;
  const { desk } = context;
  const before = desk.read();
  if (before.isImported) {
    const why = typeof given['why'] === 'string' ? given['why'].trim() : '';
    return assume(addresses, typed, { why, isTried }, context);
  }
  const value = typedValue(typed);
  const sources = sourcesOf(readFound(desk.document));
  const after = stating(sources, addresses, value, context);
  const effect = effectOf(before.specification, after.reader.specification);
  if (!isTried) {
    for (const [file, content] of after.texts) writeWhole(file, content);
    await desk.follow();
  }
  return { effect, ...after.place };
}

/** The value as it was typed: YAML or JSON. */
function typedValue(typed: string): Json {
  const read = readYaml(whole(text('the answer', typed)));
  if (read.diagnostics.length > 0) throw new Refused(told(read.diagnostics));
  if (read.node === undefined) throw new Refused('an answer needs a value');
  return json(read.node);
}

interface Stating {
  readonly reader: Reader;
  readonly texts: ReadonlyMap<string, string>;
  readonly place: Pick<Answer, 'file' | 'line' | 'excerpt'>;
}

/** The document with the answers, as it would be read. */
function stating(
  sources: readonly Source[],
  addresses: readonly string[],
  value: Json,
  { desk }: Context,
): Stating {
  const before = desk.read();
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
    reader = desk.readWith(texts);
    place ??= placeOf(edit.file, content, edit.start);
  }
  if (place === null) throw new Refused('there is nothing to answer');
  const fresh = reader.diagnostics.filter(
    (one) => one.severity === 'error' && !before.diagnostics.some(({ message }) => message === one.message),
  );
  if (fresh.length > 0) throw new Refused(told(fresh));
  const [first = ''] = addresses;
  const point = reader.specification.points.get(first);
  const isAsking = typeof value === 'string' && value.startsWith('(open)');
  if (point?.state === 'open' && !isAsking) throw new Refused(`${first} would stay open`);
  return { reader, texts, place };
}

function placeOf(file: string, content: string, start: number): Stating['place'] {
  const before = content.slice(0, start).split('\n');
  // What is added as a line of its own begins with a line break.
  const line = before.length + (/^\r?\n/.test(content.slice(start)) ? 1 : 0);
  return { file, line, excerpt: (content.split('\n')[line - 1] ?? '').trim() };
}

interface Assuming {
  readonly why: string;
  readonly isTried: boolean;
}

/** Answers points of a description, which says nothing of tacet's own: beside it. */
async function assume(
  addresses: readonly string[],
  typed: string,
  { why, isTried }: Assuming,
  { desk, now }: Context,
): Promise<Answer> {
  if (why === '') throw new Refused('say why: whoever reads the ledger will want to know');
  const before = readAssumed(desk.document, openLedger(desk.ledger ?? ledgerBeside(desk.document)));
  let assumed = before;
  for (const address of addresses) {
    const after = added(desk.document, assumed, { address, value: typed, why }, now());
    if ('refused' in after) throw new Refused(told(after.refused));
    assumed = after;
  }
  const { file, assumptions } = assumed.ledger;
  if (!isTried) {
    saveLedger(file, assumptions);
    await desk.follow(file);
  }
  const effect = effectOf(before.specification, assumed.specification);
  return { effect, file, line: null, excerpt: JSON.stringify(assumptions.at(-1)?.value) };
}

function told(diagnostics: Reader['diagnostics']): string {
  return diagnostics.map((one) => pretty(one, plain)).join('\n\n');
}
