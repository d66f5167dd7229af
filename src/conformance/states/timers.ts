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

/** A move that may happen by itself to an item while a run looks at it: a timer's, or after deliveries that failed; null where none does. */
export function movesByItself(of: Specification, resource: Resource, item: Item | null): Move | null {
  const unasked = machinesOf(of, resource).flatMap(({ moves }) =>
    moves.filter((move) => isTimer(move) || isAskedWhenExhausted(of, resource.name, move.name)),
  );
  const isNear = (move: Move): boolean => {
    const state = item?.known.get(move.of.field);
    if (state !== undefined && move.from?.includes(String(state)) === false) return false;
    const after = afterMs(move);
    return after === null || after < farMs;
  };
  return unasked.find(isNear) ?? null;
}

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
