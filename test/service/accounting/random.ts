import { randomFrom } from '../../random.ts';

/** Numbers that come out the same for the same seed. */
export interface Random {
  readonly below: (end: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
}

export function random(seed: number): Random {
  const next = randomFrom(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return { below, chance: (share) => next() < share, pick: (from) => from[below(from.length)] as never };
}
