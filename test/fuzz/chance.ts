import { randomFrom } from '../random.ts';

/** Choices that are the same for the same seed. */
export interface Chance {
  /** True in so many of a hundred cases. */
  readonly percent: (share: number) => boolean;
  /** A whole number between two, both among them. */
  readonly between: (least: number, most: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Each element by itself, or not. */
  readonly some: <T>(list: readonly T[], share?: number) => T[];
  /** The members in so many of a hundred cases, else none: to be spread into a map. */
  readonly maybe: <T extends object>(share: number, members: () => T) => Partial<T>;
}

export function chanceOf(seed: number): Chance {
  const next = randomFrom(seed);
  const percent = (share: number): boolean => next() * 100 < share;
  return {
    percent,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    some: (list, share = 50) => list.filter(() => percent(share)),
    maybe: (share, members) => (percent(share) ? members() : {}),
  };
}
