import { once } from '../../source/once.ts';
import { exhaustedIn } from '../../specification/model/exhausted.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Duration, durationOf } from '../../specification/reading/duration.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Machine, Transition } from '../../specification/vocabulary/parts/states.ts';
import { equal } from '../value/compare.ts';
import { millisecondsOf } from '../value/times.ts';
import { type Item, Made, NotComputable, Range, seen, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { type Clock, receivedWhen } from '../world/received.ts';
import type { Stored } from '../world/stored.ts';
import { always, type Timer } from '../world/timer.ts';
import { itemOf, snapshot, type World } from '../world/world.ts';
import { startsFrom } from './move.ts';

/** A transition that happens although nobody asks for it. */
export interface OwnMove {
  readonly kind: Exclude<Timer['kind'], 'doubt'>;
  readonly field: string;
  readonly name: string;
  readonly transition: Transition;
  /** Of `exhausted`: the field that holds the address. Else empty. */
  readonly holder: string;
}

/** The moves that items of a resource make by themselves: by timers, by the work of states, and when attempts are exhausted. */
export const ownMoves = once((specification: Specification, { name }: Resource): readonly OwnMove[] =>
  [...machinesOf(specification, name)].flatMap(([field, machine]): OwnMove[] => {
    const attempts = exhaustedIn(specification).filter(({ resource }) => resource === name);
    return movesIn(machine, field, new Map(attempts.map((each) => [each.transition, each.field])));
  }),
);

/** @param holders by the transition that is asked for when attempts are exhausted, the field with the address */
function movesIn(machine: Machine, field: string, holders: ReadonlyMap<string, string>): OwnMove[] {
  const byWork = new Set(
    [...(stated(machine.work)?.values() ?? [])].flatMap((said) =>
      (stated(stated(said)?.may) ?? []).map(({ verb }) => verb),
    ),
  );
  return [...transitionsIn(machine)].flatMap(([name, transition]): OwnMove[] => {
    const kinds: OwnMove['kind'][] = [
      ...(transition.after.kind === 'stated' ? (['after'] as const) : []),
      ...(transition.at.kind === 'stated' ? (['at'] as const) : []),
      ...(byWork.has(name) ? (['work'] as const) : []),
      ...(holders.has(name) ? (['exhausted'] as const) : []),
    ];
    return kinds.map((kind) => ({ kind, field, name, transition, holder: holders.get(name) ?? '' }));
  });
}

/** The move that a timer makes. */
export function moveBy({ specification }: World, { kind, resource, move }: Timer): OwnMove | undefined {
  const of = specification.resourcesByName.get(resource);
  return of && ownMoves(specification, of).find((each) => each.kind === kind && each.name === move);
}

/**
 * Sets and clears the timers of the items that a request, or another timer, wrote (language §3.3).
 *
 * @param before the world before
 * @param at when they were written, in milliseconds since 1970 by the tester's clock
 */
export function setTimers(before: World, at: Range, moment: Moment): void {
  const { world } = moment;
  for (const resource of world.specification.resourcesByName.values()) {
    const all = ownMoves(world.specification, resource);
    if (all.length === 0) continue;
    // Attempts are counted from an event, not from a write.
    const moves = all.filter(({ kind }) => kind !== 'exhausted');
    const former = before.all(resource.name);
    const items = world.all(resource.name);
    for (const timer of world.timers)
      if (timer.resource === resource.name && !items.some(({ handle }) => handle === timer.handle))
        world.dropTimer(timer);
    for (const stored of items) {
      const old = former.find(({ handle }) => handle === stored.handle);
      if (old === stored) continue;
      for (const move of moves) follow(move, resource, old, stored, at, moment);
    }
  }
  world.leaveEntries();
}

/** Sets and clears the timers. False: a time cannot be computed, and the language does not say what comes of that. */
export function areTimersSet(...written: Parameters<typeof setTimers>): boolean {
  try {
    setTimers(...written);
    return true;
  } catch (error) {
    if (error instanceof NotComputable) return false;
    throw error;
  }
}

function follow(
  move: OwnMove,
  resource: Resource,
  before: Stored | undefined,
  stored: Stored,
  at: Range,
  moment: Moment,
): void {
  const { kind, field, name } = move;
  const { world } = moment;
  const state = stored.members.get(field) ?? null;
  const enters =
    world.hasEntered(stored, field) || !before || equal(before.members.get(field) ?? null, state) !== true;
  const known = world.timers.find(
    (timer) =>
      timer.kind === kind &&
      timer.resource === resource.name &&
      timer.handle === stored.handle &&
      timer.move === name,
  );
  if (!enters && kind !== 'at') return;
  const waits = startsFrom(move.transition, state) !== false;
  const item = itemOf(stored, resource);
  const time = kind === 'at' && waits ? timeOf(move, item, moment) : null;
  if (kind === 'at' && waits && before && !wasElsewhere(move, before)) {
    // A time comes once: what happened then, or did not, is not made up for by a later write.
    const former = timeOf(move, snapshot(before, resource), moment);
    if (equal(former, time, 'time') === true) return;
  }
  if (known) world.dropTimer(known);
  const due = waits ? dueOf(move, time, item, at, moment) : null;
  if (due !== null)
    world.setTimer({ kind, resource: resource.name, handle: stored.handle, move: name, due, time });
}

/** Whether an item was in a state from which the move does not start. */
function wasElsewhere({ field, transition }: OwnMove, { members }: Stored): boolean {
  return startsFrom(transition, members.get(field) ?? null) !== true;
}

/** The time that an item holds for `at`. */
function timeOf({ transition }: OwnMove, item: Item, moment: Moment): Value {
  const at = stated(transition.at);
  return at ? moment.value(at, { this: item }) : null;
}

/** When a move is due; null: never. */
function dueOf(
  { kind, transition }: OwnMove,
  time: Value,
  item: Item,
  at: Range,
  moment: Moment,
): Range | null {
  if (kind === 'work') return new Range(at.least, Number.POSITIVE_INFINITY);
  if (kind === 'at') {
    const due = dueAt(time, moment.world.received);
    // A time that is past already is due at once.
    return due && new Range(Math.max(due.least, at.least), Math.max(due.most, at.most));
  }
  const after = stated(transition.after);
  const { offMs } = moment.world.received;
  if (after?.kind !== 'expression')
    return later(at, after?.kind === 'duration' ? after.duration : undefined, offMs);
  const span = seen(moment.value(after.expression, { this: item }));
  if (span === null) return null;
  return later(at, typeof span === 'string' ? durationOf(span) : undefined, offMs);
}

function dueAt(time: Value, clock: Clock): Range | null {
  if (time === null) return null;
  // When the service made a time is known better than what its clock showed.
  if (time instanceof Made && time.when) return time.when.received;
  const text = seen(time);
  const ms = typeof text === 'string' ? millisecondsOf(text) : undefined;
  if (ms !== undefined) return receivedWhen(ms, clock);
  return always;
}

const day = 86_400_000;

/** So long after a time; undefined: some time. If nobody knows the service's date, a month has 28 to 31 days. */
function later({ least, most }: Range, duration: Duration | undefined, offMs: number): Range {
  if (duration === undefined) return new Range(least, Number.POSITIVE_INFINITY);
  const { months, rest } = duration;
  if (months === 0 || offMs > 0)
    return new Range(least + months * 28 * day + rest, most + months * 31 * day + rest);
  return new Range(monthsAfter(least, months) + rest, monthsAfter(most, months) + rest);
}

/** The same day of a later month, or its last if it has no such day. */
function monthsAfter(ms: number, months: number): number {
  if (!Number.isFinite(ms)) return ms;
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
