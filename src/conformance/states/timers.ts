import { once } from '../../source/once.ts';
import { isAskedWhenExhausted } from '../../specification/model/exhausted.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
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

/** How long after entry it is seen by whoever looks, in milliseconds; null where that is not told (language §3.1, `within`). */
export function dueMs(move: Move): number | null {
  const after = afterMs(move);
  return after === null ? null : after + (stated(move.transition.within)?.milliseconds ?? 0);
}

/** How long is waited beyond when a timer is due, in milliseconds: clocks run, and answers travel. */
export const marginMs = 30;

/** Whether a timer is within the tester's patience. */
export function isWaitedFor({ patienceMs }: Pick<Trial, 'patienceMs'>, move: Move): boolean {
  return (dueMs(move) ?? Number.POSITIVE_INFINITY) <= patienceMs;
}

/** Why a timer is not waited for, and what would have it be. */
export function tooLong(move: Move): string {
  const seconds = (dueMs(move) ?? 0) / 1000;
  const after = stated(move.transition.after);
  const isPlain = after?.kind === 'duration' && after.duration.milliseconds === dueMs(move);
  const patience = isPlain ? after.duration.text : `PT${seconds}S`;
  return `${move.name} is due after ${seconds} s, which is not waited for: --patience ${patience} would do`;
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
  const isNear = (move: Move): boolean => {
    const timer = timerOf(of, move);
    return ((timer && afterMs(timer)) ?? 0) < withinMs;
  };
  return movesUnasked(of, resource, item).find((move) => move !== but && isNear(move)) ?? null;
}

/**
 * The timer by which a move happens by itself: its own, or the soonest that asks for it besides what it does (language
 * §H.2, `also`); null where none does.
 */
export const timerOf = once((of: Specification, move: Move): Move | null => {
  const found = timersOf(of, move, new Set());
  return found.sort((a, b) => (afterMs(a) ?? 0) - (afterMs(b) ?? 0))[0] ?? null;
});

function timersOf(of: Specification, move: Move, seen: Set<Move>): Move[] {
  if (isTimer(move)) return [move];
  seen.add(move);
  const asking = [...of.resourcesByName.values()]
    .flatMap((resource) => machinesOf(of, resource))
    .flatMap(({ moves }) => moves.filter((other) => !seen.has(other) && asksFor(other, move)));
  return asking.flatMap((other) => timersOf(of, other, seen));
}

/** Whether what follows a move may ask for another one. */
function asksFor({ transition }: Move, { name, of }: Move): boolean {
  return (stated(transition.also) ?? []).some(
    ({ verb, subject }) => verb === name && (subject.name === null || subject.name === of.resource.name),
  );
}

/** The moves that may happen by themselves to an item as it is, as far as that is known. */
export function movesUnasked(of: Specification, resource: Resource, item: Item | null): readonly Move[] {
  const leadsOut = (move: Move): boolean => {
    const state = item?.known.get(move.of.field);
    return state === undefined || move.from?.includes(String(state)) !== false;
  };
  return machinesOf(of, resource).flatMap(({ moves }) =>
    moves.filter(
      (move) => (timerOf(of, move) || isAskedWhenExhausted(of, resource.name, move.name)) && leadsOut(move),
    ),
  );
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
