import type { Deviation } from '../../deviations/deviation.ts';

/** The two neighbours of a stated list that a deviation exchanges; empty: it exchanges none. */
export function exchanged<T>({ said, says }: Pick<Deviation, 'said' | 'says'>): readonly T[] {
  const [, first] = /^elements (\d+) and \d+ are in the other order$/.exec(says) ?? [];
  if (first === undefined || said.kind !== 'stated' || !Array.isArray(said.value)) return [];
  return said.value.slice(Number(first) - 1, Number(first) + 1);
}
