import type { Client, Exchange } from '../http.ts';
import { type Recorded, recording } from '../judged.ts';
import type { Random } from '../random.ts';
import type { Result } from '../result.ts';
import { rewritten } from './hiding.ts';
import type { Noted } from './journal.ts';
import { changes, type Evidence, sequenceOf } from './made.ts';
import { groupsIn, play } from './playing.ts';
import { compare } from './same.ts';
import type { Found, Sequence } from './sequence.ts';

/** No search for the fewest requests begins after this time, in milliseconds. */
const longestMs = 15_000;

/** What is needed to look for a sequence. */
export interface Search extends Evidence {
  readonly client: Client;
  readonly random: Random;
  readonly now: () => number;
  /** The last result of a kind that groups of exchanges, each sent at once, come to; null: none does. */
  readonly judge: (
    isMeant: (result: Result) => boolean,
    groups: readonly (readonly Recorded[])[],
  ) => Result | null;
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
  const attempt = (places: readonly number[]): Promise<Tried> => triedApart(search, places, last, result);
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
    const fewer = best.places.filter((each) => each !== place);
    const isOfRace = isRace(best.sequence);
    const found = await tried(search, fewer, last, result, { isExact: true, isApart: !isOfRace, isOfRace });
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
  /** Whether some of the requests were sent at once. */
  readonly isRaced: boolean;
}

const isRace = ({ steps }: Sequence): boolean => steps.some(({ together }) => together);

/**
 * Whether a result is of the statement that a violation cites. Of requests that were sent at once, any violation is: which
 * statement an answer is held against depends on their order.
 */
export function meaning(
  { statement }: Pick<Result, 'statement'>,
  sequence: Sequence,
): (result: Result) => boolean {
  const isRaced = isRace(sequence);
  return (result) =>
    result.statement.address === statement.address || (isRaced && result.verdict === 'violates');
}

/** So often requests are sent at once: a service that gets their order wrong may get it right by chance. */
const mostRaces = 5;

/** Requests that were sent at once may lead to the violation one after another, too: then they are told so. */
async function triedApart(
  search: Search,
  places: readonly number[],
  last: number,
  result: Result,
): Promise<Tried> {
  const first = await tried(search, places, last, result, { isApart: true });
  if (first.sequence.confirmed || !first.isRaced) return first;
  let found = await tried(search, places, last, result);
  for (let race = 1; race < mostRaces && !found.sequence.confirmed; race++)
    found = await tried(search, places, last, result);
  return found;
}

interface Trying {
  /** Whether nothing is part of it only since it gave the same text first. Default: false */
  readonly isExact?: boolean;
  /** Whether each request waits for the answer of the one before it. Default: false */
  readonly isApart?: boolean;
  /**
   * Whether it is what is left of requests that were sent at once: the last answer of one alone may be the same, and right.
   * Default: false
   */
  readonly isOfRace?: boolean;
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
  { isExact = false, isApart = false, isOfRace = false }: Trying = {},
): Promise<Tried> {
  const made = sequenceOf(search, new Set(needed), new Set([last]), isExact);
  const { places } = made;
  const sequence = isApart ? apart(made.sequence) : made.sequence;
  const client = recording(search.client, search.now);
  const played = await play(sequence, client, search.url, search.random);
  const answers = played.exchanges.map(({ response }) => response);
  const decides = sequence.steps.findIndex((step) => step.decides);
  const { varies, other } = compare(sequence, answers, played.now);
  const violates = (): boolean =>
    search.judge(meaning({ statement }, made.sequence), groupsIn(sequence, played, client.recorded))
      ?.verdict === 'violates';
  const isRaced = isRace(made.sequence);
  const isSame =
    place === 'status'
      ? answers.length === sequence.steps.length &&
        answers[decides]?.status === sequence.steps[decides]?.answer?.status &&
        violates()
      : other === null && (!(isRaced || isOfRace) || violates());
  const exchanges = places.map((place) => entryAt(search, place).exchange);
  return {
    sequence: { ...sequence, varies, confirmed: isSame },
    ...{ exchanges, places, isRaced },
  };
}

/** The same requests, each sent once the one before it was answered. */
function apart(sequence: Sequence): Sequence {
  return { ...sequence, steps: sequence.steps.map(({ together, ...step }) => step) };
}

/** A violation with its sequence, as it is told and written. */
export function foundOf(result: Result, sequence: Sequence, hide: (text: string) => string): Found {
  const { check, says, statement, expected = '', found = '' } = result;
  const about = { check, says, statement, expected: hide(expected), found: hide(found) };
  return { version: 1, ...about, sequence: rewritten(sequence, hide) };
}
