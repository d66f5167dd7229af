import { inOrder, type Judge, type Slot } from '../judge/judge.ts';
import type { Refusals } from '../judge/refusals.ts';
import type { Judged } from '../message/refusal.ts';
import type { Request } from './request.ts';

/** The reasons to refuse of an operation, in the order in which they answer (language §H.4). */
export interface Order {
  readonly all: readonly Slot<Request>[];
  /** Those that are judged before anything is read of what is kept. */
  readonly early: readonly Slot<Request>[];
  /** All others: they are judged in the transaction of the request. */
  readonly late: readonly Slot<Request>[];
  /** Of these, those before the first that only the change tells. */
  readonly beforeChange: readonly Slot<Request>[];
}

export function compileOrder(judges: readonly Judge<Request>[], refusals: Refusals): Order {
  const all = inOrder(judges, refusals);
  const [early, late] = splitAt(all, ({ judge }) => judge.kept);
  const [beforeChange] = splitAt(late, ({ judge }) => judge.byChange);
  return { all, early, late, beforeChange };
}

/** The place of a condition, or of a row's own expression; −1: it is not judged. */
export function placeOf({ all }: Order, condition: Judged, code: string | null): number {
  return all.findIndex(({ judge }) => judge.condition === condition && judge.code === code);
}

function splitAt<T>(list: readonly T[], starts: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  const at = list.findIndex(starts);
  return at === -1 ? [list, []] : [list.slice(0, at), list.slice(at)];
}
