import type { Specification } from '../../specification/model/specification.ts';
import type { Item } from '../partly.ts';
import type { Move } from './machines.ts';
import { afterMs, movesUnasked, timerOf } from './timers.ts';

/** Between which times an item entered a state, in milliseconds. */
export interface Since {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Since when an item is in the state of each of its machines, by the machine's field. */
type SinceByField = ReadonlyMap<string, Since>;

const entered = new WeakMap<Item, SinceByField>();
/** Between when it was asked for and was shown. */
const seenAt = new WeakMap<Item, Since>();

/** Notes since when an item is in its states. */
export function noteSince(item: Item, since: SinceByField): void {
  entered.set(item, since);
}

/** Since when it is; undefined where nobody noted it. */
export function sinceOf(item: Item): SinceByField | undefined {
  return entered.get(item);
}

/** Notes when an answer showed an item that was asked about; where a request may have moved it, it did so meanwhile. */
export function noteSeen(item: Item, asked: Item, when: Since, isMoved: boolean): void {
  seenAt.set(item, when);
  const before = sinceOf(asked);
  const isAsBefore = ([field]: readonly [string, Since]): boolean =>
    item.known.get(field) === asked.known.get(field);
  if (before === undefined || entered.has(item)) return;
  if (isMoved || [...before].every(isAsBefore))
    noteSince(item, new Map([...before].map((one) => [one[0], isAsBefore(one) ? one[1] : when])));
}

/** Whether nothing can have moved an item by itself from when it was asked to move until it was seen so each time. */
export function isUnmoved(of: Specification, looks: readonly Item[]): boolean {
  const [first] = looks;
  const begunMs = first && seenAt.get(first)?.earliestMs;
  if (first === undefined || begunMs === undefined) return false;
  const timers = movesUnasked(of, first.resource, null).map((move) => timerOf(of, move));
  const shortestMs = Math.min(...timers.map((timer) => (timer && afterMs(timer)) ?? 0));
  return looks.every((item) => {
    const [since, seenMs] = [sinceOf(item), seenAt.get(item)?.latestMs];
    if (since === undefined || seenMs === undefined || seenMs - begunMs >= shortestMs) return false;
    return movesUnasked(of, item.resource, item).every((move) => (atMs(of, since, move) ?? 0) > seenMs);
  });
}

/** The timer that moves an item on first, and when that may be, in milliseconds; null where none does, or it is not known. */
export function movesOn(
  of: Specification,
  item: Item,
  since = sinceOf(item),
): { readonly timer: Move; readonly atMs: number } | null {
  if (since === undefined) return null;
  const all = movesUnasked(of, item.resource, item).flatMap((move) => {
    const [timer, at] = [timerOf(of, move), atMs(of, since, move)];
    return timer === null || at === null ? [] : [{ timer, atMs: at }];
  });
  return all.sort((a, b) => a.atMs - b.atMs)[0] ?? null;
}

/** When a move may happen by itself at the earliest; null where that is not known. */
function atMs(of: Specification, since: SinceByField, move: Move): number | null {
  const timer = timerOf(of, move);
  const [after, from] = [timer && afterMs(timer), since.get(move.of.field)];
  return after === null || from === undefined ? null : from.earliestMs + after;
}
