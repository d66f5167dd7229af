import { once } from '../../source/once.ts';
import { isAskedWhenExhausted } from '../../specification/exhausted.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Item } from '../partly.ts';
import type { Trial } from '../trial.ts';
import { type Move, machinesOf } from './machines.ts';

/** How long a run may keep an item before it looks at it again, in milliseconds: a timer beyond it does not bear. */
const farMs = 600_000;

/** How long after entry a transition happens by itself, in milliseconds; null where that is not told, or it does not. */
export function afterMs({ transition }: Move): number | null {
  const after = stated(transition.after);
  return after?.kind === 'duration' ? after.duration.milliseconds : null;
}

/** Whether a transition happens by itself (language §3.3). */
export function isTimer({ transition }: Move): boolean {
  return [transition.after, transition.at].some((said) => said.kind === 'stated' || said.kind === 'any');
}

/**
 * A move that may happen by itself to an item within so many milliseconds: a timer's, or after deliveries that failed;
 * null where none does.
 *
 * @param but a move that is left out of account
 */
export function movesByItself(
  of: Specification,
  resource: Resource,
  item: Item | null,
  withinMs = farMs,
  but?: Move,
): Move | null {
  const unasked = machinesOf(of, resource).flatMap(({ moves }) =>
    moves.filter((move) => isTimer(move) || isAskedWhenExhausted(of, resource.name, move.name)),
  );
  const isNear = (move: Move): boolean => {
    const state = item?.known.get(move.of.field);
    if (state !== undefined && move.from?.includes(String(state)) === false) return false;
    const after = afterMs(move);
    return after === null || after < withinMs;
  };
  return unasked.find((move) => move !== but && isNear(move)) ?? null;
}

/** When what a run knows of the items that are kept was last forgotten. */
const forgottenAt = new WeakMap<Trial, number>();

/** Forgets the items that are kept to try things on: a timer may have moved them. */
export function forgotten(trial: Trial): void {
  for (const kept of [trial.seenLists, trial.spares, trial.stock, trial.seen]) kept.clear();
  forgottenAt.set(trial, trial.now());
}

/** Forgets them where more time has passed than a run keeps an item for, and there are timers. Tells whether it did. */
export function forgottenInTime(trial: Trial): boolean {
  const since = forgottenAt.get(trial) ?? trial.now();
  forgottenAt.set(trial, since);
  const isFar = trial.now() - since >= farMs && hasTimers(trial.of);
  if (isFar) forgotten(trial);
  return isFar;
}

const hasTimers = once((of: Specification): boolean =>
  [...of.resourcesByName.values()].some((resource) =>
    machinesOf(of, resource).some(({ moves }) => moves.some(isTimer)),
  ),
);

/** What waits for timers begins together, so that all of it is waited for once. */
const batches = new WeakMap<Trial, (() => Promise<void>)[]>();

/** Begins when the first of its batch is come to; what it gives is told when it is asked for. */
export function begunTogether<T>(trial: Trial, begin: () => Promise<T>): () => Promise<T> {
  const batch = batches.get(trial) ?? [];
  batches.set(trial, batch);
  let begun: Promise<T> | undefined;
  const once = (): Promise<T> => {
    begun ??= begin();
    return begun;
  };
  batch.push(async () => void (await once().catch(() => undefined)));
  return async () => {
    for (const one of batch) await one();
    return await once();
  };
}
