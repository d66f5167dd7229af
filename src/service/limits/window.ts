import type { Taken } from '../message/tally.ts';

/** How many requests a rate allows, and in what time (language §8.1). */
export interface Rate {
  readonly name: string;
  readonly allow: number;
  readonly everyMs: number;
  readonly window: 'fixed' | 'sliding' | 'bucket';
}

/** The requests that are counted together; times are those of one clock that never goes back, in milliseconds. */
export interface Window {
  readonly take: (nowMs: number) => Taken;
  /** Whether it is as if no request had ever been counted. */
  readonly isEmpty: (nowMs: number) => boolean;
}

export function windowOf(rate: Rate): Window {
  switch (rate.window) {
    case 'fixed':
      return fixed(rate);
    case 'sliding':
      return sliding(rate);
    case 'bucket':
      return bucket(rate);
  }
}

/** Starts with the first counted request. */
function fixed({ allow, everyMs }: Rate): Window {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    take: (now) => {
      if (now - start >= everyMs) [start, used] = [now, 0];
      const isAllowed = used < allow;
      if (isAllowed) used += 1;
      return { isAllowed, remaining: allow - used, resetMs: everyMs - (now - start) };
    },
    isEmpty: (now) => now - start >= everyMs,
  };
}

/** No more in any such time: the times of all that count are kept. */
function sliding({ allow, everyMs }: Rate): Window {
  let times: number[] = [];
  /** Where those begin that still count. */
  let first = 0;
  const forget = (now: number): void => {
    while (first < times.length && now - (times[first] as number) >= everyMs) first += 1;
    if (first * 2 < times.length) return;
    times = times.slice(first);
    first = 0;
  };
  return {
    take: (now) => {
      forget(now);
      const isAllowed = times.length - first < allow;
      if (isAllowed) times.push(now);
      return {
        isAllowed,
        remaining: allow - (times.length - first),
        resetMs: everyMs - (now - (times[first] as number)),
      };
    },
    isEmpty: (now) => {
      forget(now);
      return first === times.length;
    },
  };
}

/** So many at once, of which each comes back after its share of the time. */
function bucket({ allow, everyMs }: Rate): Window {
  // What is owed is counted in shares of a millisecond: a request owes `everyMs`, a millisecond pays `allow`.
  let owed = 0;
  let at = 0;
  const pay = (now: number): void => {
    owed = Math.max(0, owed - (now - at) * allow);
    at = now;
  };
  return {
    take: (now) => {
      pay(now);
      const isAllowed = owed + everyMs <= everyMs * allow;
      if (isAllowed) owed += everyMs;
      const used = Math.ceil(owed / everyMs);
      return { isAllowed, remaining: allow - used, resetMs: (owed - (used - 1) * everyMs) / allow };
    },
    isEmpty: (now) => {
      pay(now);
      return owed === 0;
    },
  };
}
