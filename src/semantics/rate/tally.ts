import { equal } from '../value/compare.ts';
import type { Range, Value } from '../value/value.ts';
import { merged, type Window } from './window.ts';

/** What a rate counted of the requests of one key (language §8.1, rule 3). */
export interface Tally {
  readonly rate: string;
  /** Undefined: it is not known with whose requests they are counted, nor whether they are. */
  readonly key: Value | undefined;
  /** When requests were received that were surely counted; without a key, those that may have been. */
  readonly times: readonly Range[];
  /** If all requests of the key are known, the service holds one of these windows. */
  readonly windows: readonly Window[];
  /** The windows before the first request of the key. */
  readonly first: readonly Window[];
}

/** Whether a rate counts requests together. If that is not known, it is not so. */
export function isOfKey({ rate, key }: Tally, name: string, of: Value | undefined): boolean {
  if (rate !== name || key === undefined || of === undefined) return rate === name && key === of;
  return equal(key, of) === true;
}

/** Whether the same is known of what rates counted. */
export function areSameTallies(some: readonly Tally[], others: readonly Tally[]): boolean {
  if (some === others) return true;
  const isThere = (tally: Tally): boolean => {
    const other = others.find((each) => isOfKey(each, tally.rate, tally.key));
    return other !== undefined && (tally === other || known(tally) === known(other));
  };
  return some.length === others.length && some.every(isThere);
}

function known({ times, windows }: Tally): string {
  return JSON.stringify([times, windows]);
}

/** What is known if one of these is so, and nobody knows which. */
export function joinedTallies(all: readonly (readonly Tally[])[]): readonly Tally[] {
  const [first = [], ...others] = all;
  if (others.every((each) => each === first)) return first;
  const found: Tally[] = [];
  for (const tally of all.flat())
    if (!found.some((each) => isOfKey(each, tally.rate, tally.key))) found.push(joined(tally, all));
  return found;
}

function joined(tally: Tally, all: readonly (readonly Tally[])[]): Tally {
  const same = all.map((tallies) => tallies.find((each) => isOfKey(each, tally.rate, tally.key)));
  const times = same.map((each) => each?.times ?? []);
  return {
    ...tally,
    times:
      tally.key === undefined
        ? [...new Set(times.flat())]
        : tally.times.filter((time) => times.every((each) => each.includes(time))),
    windows: merged(same.flatMap((each) => each?.windows ?? tally.first)),
  };
}
