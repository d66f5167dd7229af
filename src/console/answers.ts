import { readFound, sourcesOf } from '../load/files.ts';
import { added, ledgerBeside, openLedger, readAssumed, saveLedger } from '../load/ledger.ts';
import { Refused } from '../load/refused.ts';
import { stating, typedValue } from '../load/stating.ts';
import { writeWhole } from '../load/writing.ts';
import { plain, pretty } from '../source/diagnostic.ts';
import type { Reader } from '../specification/read.ts';
import { type Context, fixed, type Given, textOf, textsOf } from './context.ts';
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
  if (desk.isFixed && !isTried) throw new Refused(fixed);
  const before = desk.read();
  if (before.isImported) {
    const why = typeof given['why'] === 'string' ? given['why'].trim() : '';
    return assume(addresses, typed, { why, isTried }, context);
  }
  const value = typedValue(typed);
  const sources = sourcesOf(readFound(desk.document));
  const after = stating(sources, addresses, value, before, desk.readWith);
  const effect = effectOf(before.specification, after.reader.specification);
  if (!isTried) {
    for (const [file, content] of after.texts) writeWhole(file, content);
    await desk.follow();
  }
  return { effect, ...after.place };
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
