import type { Taken } from '../message/tally.ts';
import { type Rate, type Window, windowOf } from './window.ts';

/** A rate, and whose requests under it are counted together. */
export interface Counted {
  readonly rate: Rate;
  readonly whose: string;
}

/** What may run at once, and whose requests under it are counted together (language §8.2). */
export interface Entering {
  readonly name: string;
  readonly allow: number;
  readonly whose: string;
}

/** Where requests are counted: in this process, or where several processes count together. */
export interface Counter {
  /** Whether what it tells has to be waited for. */
  readonly isShared: boolean;
  /**
   * Counts a request under each of these, one after the other up to the first that refuses it; no more are told of.
   * A shared one rejects with `NotRead` where it cannot be asked.
   */
  readonly take: (counted: readonly Counted[]) => readonly Taken[] | Promise<readonly Taken[]>;
  /** Lets a request in among those that run; null: there are as many as there may be. Else what ends it. */
  readonly enter: (entering: Entering) => (() => void) | null | Promise<(() => void) | null>;
  readonly close: () => void | Promise<void>;
}

/** The least number of windows at which those that are empty are looked for. */
const leastSwept = 1024;

/** Counts in this process, and forgets with it; `size` is how many windows and places it keeps. */
export function processCounter(milliseconds: () => number): Counter & { readonly size: () => number } {
  /** By the name of the rate, and then by whose. */
  const windows = new Map<string, Map<string, Window>>();
  let size = 0;
  const running = new Map<string, number>();
  let latest = 0;
  let sweepAt = leastSwept;
  /** Those that count nothing any more go, once there are twice as many as were left the last time. */
  const sweep = (now: number): void => {
    if (size < sweepAt) return;
    for (const own of windows.values())
      for (const [whose, window] of own) if (window.isEmpty(now) && own.delete(whose)) size -= 1;
    sweepAt = Math.max(leastSwept, size * 2);
  };
  const of = ({ rate, whose }: Counted, now: number): Window => {
    const known = windows.get(rate.name)?.get(whose);
    if (known) return known;
    sweep(now);
    const made = windowOf(rate);
    const own = windows.get(rate.name) ?? new Map<string, Window>();
    windows.set(rate.name, own.set(whose, made));
    size += 1;
    return made;
  };
  return {
    isShared: false,
    take: (counted) => {
      latest = Math.max(latest, milliseconds());
      const taken: Taken[] = [];
      for (const one of counted) {
        const told = of(one, latest).take(latest);
        taken.push(told);
        if (!told.isAllowed) break;
      }
      return taken;
    },
    enter: ({ name, allow, whose }) => {
      const place = `${name} ${whose}`;
      const there = running.get(place) ?? 0;
      if (there >= allow) return null;
      running.set(place, there + 1);
      return () => {
        const left = (running.get(place) as number) - 1;
        if (left > 0) running.set(place, left);
        else running.delete(place);
      };
    },
    close: () => {},
    size: () => size + running.size,
  };
}
