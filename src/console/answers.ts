import { saveLedger } from '../load/ledger.ts';
import { Refused } from '../load/refused.ts';
import { writeWhole } from '../load/writing.ts';
import { type Context, edited, fixed, type Given, textOf, textsOf } from './context.ts';
import type { Tried } from './editing/edited.ts';

/** What an answer comes to. */
export type Answer = Omit<Tried, 'texts' | 'assumptions'>;

/**
 * Answers open points: in the document, or of a description in another format in its ledger. With `isTried` nothing is
 * written, and it is told what the answer would come to.
 *
 * @throws Refused if the document would have an error then, or the points would stay open: nothing is written
 */
export async function answer(given: Given, { desk, edits, now }: Context): Promise<Answer> {
  const isTried = given['isTried'] === true;
  if (desk.isFixed && !isTried) throw new Refused(fixed);
  const why = typeof given['why'] === 'string' ? given['why'].trim() : '';
  const { texts, assumptions, ...found } = await edits.ask('answer', {
    ...edited(desk),
    ...{ addresses: textsOf(given, 'addresses'), value: textOf(given, 'value'), why, now: now() },
  });
  if (isTried) return found;
  for (const { file, content } of texts) writeWhole(file, content);
  if (assumptions) saveLedger(found.file, assumptions);
  await desk.follow(assumptions ? found.file : undefined);
  return found;
}
