import type { Of } from '../change/also.ts';
import type { Doing } from '../change/doing.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';

/** A change that events may tell of: by the name of the operation, or of the transition as `R.name`. */
export interface Told {
  readonly by: string;
  /** Null: it was about no item. */
  readonly kept: KeptResource | null;
  readonly before: Row | null;
  /** As the change left it; null: it is gone, or there was none. */
  readonly after: Row | null;
}

/** What an operation's `does` came to (language §6.1). */
export interface Done {
  /** The items that it changed. */
  readonly told: readonly Told[];
  /** What is told where it changed none, and something else was changed. */
  readonly otherwise: Told;
  /** How many moves were made by then: those that belong to it. */
  readonly moves: number;
}

/** @param every the resource of which an operation changes several items */
export function doneBy(by: string, doing: Doing, of: Of, every: KeptResource | null): Done {
  const { moved, written } = doing.found;
  const { kept, before, after, outcome } = of;
  const otherwise: Told = { by, kept, before, after };
  const several = [...written.values()].flatMap(({ kept: one, first, row }) =>
    one === every && (first ?? row) ? [{ by, kept: one, before: first, after: row }] : [],
  );
  const isOne = every === null && outcome !== null && outcome !== 'unchanged';
  return { told: isOne ? [otherwise] : several, otherwise, moves: moved.length };
}
