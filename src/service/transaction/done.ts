import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import type { Doing } from './doing.ts';
import type { Told } from './told.ts';

/** What a change was about, for those that follow it. */
export interface Of {
  readonly kept: KeptResource | null;
  readonly before: Row | null;
  readonly after: Row | null;
  readonly outcome: Outcome | null;
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
  const isOne = every === null && outcome !== null && outcome !== 'unchanged';
  const several = (): readonly Told[] =>
    written
      .all()
      .flatMap(({ kept: one, first, row }) =>
        one === every && (first ?? row) ? [{ by, kept: one, before: first, after: row }] : [],
      );
  return { told: isOne ? [otherwise] : several(), otherwise, moves: moved.length };
}
