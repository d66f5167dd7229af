import { type Result, type Scenario, witnessesOf } from '../check.ts';
import type { Client, Exchange } from '../http.ts';
import type { Random } from '../random.ts';
import { operationOf } from './asked.ts';
import type { Noted } from './journal.ts';
import { changes, type Evidence, sequenceOf } from './made.ts';
import { play } from './playing.ts';
import { compare } from './same.ts';
import type { Sequence } from './sequence.ts';

/** A violation, the scenario that found it, and where in the journal that began. */
export interface Violation {
  readonly result: Result;
  readonly scenario: Scenario;
  readonly from: number;
}

/** What is needed to look for a sequence. */
export interface Search extends Evidence {
  readonly client: Client;
  readonly random: Random;
  /** Begins anew, knowing nothing of what was there before. */
  readonly afresh: () => Promise<void>;
}

/** A sequence, with its exchanges as they were when it was found. */
export interface Shortest {
  readonly sequence: Sequence;
  readonly exchanges: readonly Exchange[];
}

/**
 * The fewest requests known to lead to a violation (language §F.6). The scenario is run once more, by itself, so that
 * its items are its own. Of what it sent, all that changes something stays, since what is stated may depend on it,
 * with what that depends on; what only looks stays where the verdict rests on it, or where the violation is not seen
 * without it.
 */
export async function shortest(search: Search, violation: Violation): Promise<Shortest | null> {
  const { result, from } = (await again(search, violation)) ?? violation;
  const rests = witnessesOf(result);
  const deciding = new Set(placesOf(search, rests?.exchanges ?? [], from));
  const last = Math.max(...deciding);
  if (rests === undefined || last < 0) return null;
  const window = [...search.entries.keys()].filter((index) => index >= from && index <= last);
  const acting = window.filter((index) => changes(entry(search, index)));
  const second = pairOf(search, deciding);
  if (second) {
    const pair = await tried(
      search,
      acting.filter((index) => second.has(index) || !deciding.has(index)),
      second,
    );
    if (pair.sequence.confirmed) return pair;
  }
  const first = await tried(search, acting, deciding);
  if (first.sequence.confirmed) return rests.isPlain ? await without(search, acting, deciding, first) : first;
  for (const more of [window, [...historyOf(search, last), ...window]]) {
    const whole = await tried(search, more, deciding);
    const free = rests.isPlain ? more : more.filter((index) => !acting.includes(index));
    if (whole.sequence.confirmed) return await without(search, free, deciding, whole);
  }
  return first;
}

/** Of requests that were sent together, two that succeeded; null where there are no such. */
function pairOf(search: Search, deciding: ReadonlySet<number>): ReadonlySet<number> | null {
  const places = [...deciding].sort((a, b) => a - b);
  const isTogether = places.some(
    (place, index) =>
      index > 0 && entry(search, place).sent < entry(search, places[index - 1] ?? place).answered,
  );
  const won = places.filter((place) => {
    const status = entry(search, place).exchange.response?.status ?? 0;
    return status >= 200 && status < 300;
  });
  return isTogether && won.length > 1 && places.length > 2 ? new Set(won.slice(0, 2)) : null;
}

/** What was changed before, where the last request is about one item: at its address. */
function historyOf({ of, url, entries }: Evidence, last: number): number[] {
  const { request } = (entries[last] as Noted).exchange;
  const operation = operationOf(of, request.method, request.url.slice(url.length));
  if (operation?.path.every((one) => 'literal' in one) !== false) return [];
  return [...entries.keys()].filter((index) => {
    const one = entries[index] as Noted;
    return index < last && changes(one) && one.exchange.request.url === request.url;
  });
}

const entry = ({ entries }: Evidence, index: number): Noted => entries[index] as Noted;

/** The same violation, found in a run of its scenario alone; null where it is not found so. */
async function again(search: Search, { result, scenario }: Violation): Promise<Violation | null> {
  await search.afresh();
  const from = search.entries.length;
  const results = await scenario.run();
  const isIt = (one: Result): boolean =>
    one.verdict === 'violates' && one.check === result.check && one.says === result.says;
  const found = results.find(isIt);
  return found ? { result: found, scenario, from } : null;
}

function placesOf({ entries }: Evidence, exchanges: readonly Exchange[], from: number): number[] {
  return exchanges.flatMap(({ request, response, failure }) => {
    const at = entries.findLastIndex(({ exchange: one }, index) =>
      response === null
        ? index >= from && one.failure === failure && one.request.body === request.body
        : one.response === response,
    );
    return at < 0 ? [] : [at];
  });
}

/** A sequence, played once by itself to see whether it comes to the same, and what in it varies. */
async function tried(
  search: Search,
  needed: readonly number[],
  deciding: ReadonlySet<number>,
): Promise<Attempted> {
  const { sequence, places } = sequenceOf(search, new Set(needed), deciding);
  const played = await play(sequence, search.client, search.url, search.random);
  const answers = played.exchanges.map(({ response }) => response);
  const { varies, other } = compare(sequence, answers, played.now);
  const exchanges = places.map((index) => entry(search, index).exchange);
  return { sequence: { ...sequence, varies, confirmed: other === null }, exchanges, places };
}

interface Attempted extends Shortest {
  readonly places: readonly number[];
}

/** Requests are left out, one after the other, as long as it comes to the same. */
async function without(
  search: Search,
  free: readonly number[],
  deciding: ReadonlySet<number>,
  whole: Attempted,
): Promise<Shortest> {
  let best = whole;
  for (const index of free) {
    if (deciding.has(index) || !best.places.includes(index)) continue;
    const fewer = best.places.filter((one) => one !== index);
    const { places } = sequenceOf(search, new Set(fewer), deciding);
    if (places.length >= best.places.length) continue;
    const found = await tried(search, fewer, deciding);
    if (found.sequence.confirmed) best = found;
  }
  return best;
}
