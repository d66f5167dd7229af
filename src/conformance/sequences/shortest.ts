import type { Client, Exchange } from '../http.ts';
import { type Recorded, recording } from '../judged.ts';
import type { Random } from '../random.ts';
import type { Result } from '../result.ts';
import { rewritten } from './hiding.ts';
import type { Noted } from './journal.ts';
import { changes, type Evidence, sequenceOf } from './made.ts';
import { play } from './playing.ts';
import { compare } from './same.ts';
import type { Found, Sequence } from './sequence.ts';

/** No search for the fewest requests begins after this time, in milliseconds. */
const longestMs = 15_000;

/** What is needed to look for a sequence. */
export interface Search extends Evidence {
  readonly client: Client;
  readonly random: Random;
  readonly now: () => number;
  /** What a statement, by its address, comes to by some exchanges; null: they say nothing of it. */
  readonly judge: (address: string, exchanges: readonly Recorded[]) => Result | null;
}

/** A sequence, with its exchanges as they were when it was found. */
export interface Shortest {
  readonly sequence: Sequence;
  readonly exchanges: readonly Exchange[];
}

/**
 * The fewest requests known to lead to each violation (language §F.6), for the first of each statement.
 *
 * @param most how many are looked for
 */
export async function* shortestOf(
  violations: readonly Result[],
  search: Search,
  most: number,
): AsyncIterable<readonly [Result, Shortest]> {
  const { now } = search;
  const begun = now();
  const first = new Map(violations.map((each) => [each.statement.address, each] as const).toReversed());
  for (const result of [...first.values()].toReversed().slice(0, most)) {
    if (now() - begun > longestMs) return;
    const found = await shortest(search, result);
    if (found) yield [result, found];
  }
}

/** So many requests before a violation are tried, if those that it is known to depend on do not lead to it. */
const mostBefore = 60;

/**
 * The exchanges that are known to lead to a violation, played once by themselves; or else with what changed something at the
 * same address, or with all that changed something lately. If they lead to it, those are left out without which they still do.
 *
 * @returns null: what an answer shows does not decide
 */
async function shortest(search: Search, result: Result): Promise<Shortest | null> {
  const { check, sequence = [] } = result;
  if (check !== 'answer.permitted') return null;
  const leading = sequence.flatMap((exchange) => placeOf(search, exchange));
  const last = leading.at(-1);
  if (last === undefined) return null;
  const attempt = (places: readonly number[]): Promise<Tried> => tried(search, places, last, result);
  const before = [...search.entries.keys()].filter((each) => each < last && changes(entryAt(search, each)));
  const { url } = entryAt(search, last).exchange.request;
  const beside = before.filter((each) => entryAt(search, each).exchange.request.url === url);
  let best = await attempt(leading);
  for (const more of [beside, before.slice(-mostBefore)])
    if (!best.sequence.confirmed) best = await attempt([...new Set([...leading, ...more])]);
  if (!best.sequence.confirmed) return await attempt(leading);
  // What a later one needs can be left out only after that one.
  for (const place of best.places.filter((each) => each !== last).toReversed()) {
    if (!best.places.includes(place)) continue;
    const found = await tried(
      search,
      best.places.filter((each) => each !== place),
      last,
      result,
      true,
    );
    if (found.sequence.confirmed && found.places.length < best.places.length) best = found;
  }
  return best;
}

const entryAt = ({ entries }: Search, place: number): Noted => entries[place] as Noted;

function placeOf({ entries }: Search, { request, response }: Exchange): number[] {
  const place = entries.findLastIndex(({ exchange }) =>
    response === null ? exchange.request === request : exchange.response === response,
  );
  return place < 0 ? [] : [place];
}

interface Tried extends Shortest {
  readonly places: readonly number[];
}

/**
 * A sequence, played once by itself to see whether it comes to the same, and what in it varies. Where the status decides, the
 * last answer has to have the same status, and to violate by what the sequence alone says: without the request that deletes an
 * item, the item may be shown.
 */
async function tried(
  search: Search,
  needed: readonly number[],
  last: number,
  { place, statement }: Result,
  isExact = false,
): Promise<Tried> {
  const { sequence, places } = sequenceOf(search, new Set(needed), new Set([last]), isExact);
  const client = recording(search.client, search.now);
  const played = await play(sequence, client, search.url, search.random);
  const answers = played.exchanges.map(({ response }) => response);
  const { varies, other } = compare(sequence, answers, played.now);
  const isSame =
    place === 'status'
      ? answers.length === sequence.steps.length &&
        answers.at(-1)?.status === sequence.steps.at(-1)?.answer?.status &&
        search.judge(statement.address, client.recorded)?.verdict === 'violates'
      : other === null;
  const exchanges = places.map((place) => entryAt(search, place).exchange);
  return { sequence: { ...sequence, varies, confirmed: isSame }, exchanges, places };
}

/** A violation with its sequence, as it is told and written. */
export function foundOf(result: Result, sequence: Sequence, hide: (text: string) => string): Found {
  const { check, says, statement, expected = '', found = '' } = result;
  const about = { check, says, statement, expected: hide(expected), found: hide(found) };
  return { version: 1, ...about, sequence: rewritten(sequence, hide) };
}
