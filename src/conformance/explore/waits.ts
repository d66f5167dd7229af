import { lengthOf } from '../../semantics/value/times.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { Timer } from '../../semantics/world/timer.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { literalsOf } from '../requests/literals.ts';
import type { Pool } from '../requests/pool.ts';
import { makesOneOf, movesToNew } from './moves.ts';

/** How many times in a hundred time passes between two requests. */
const often = 4;

/** The same, if a timer is due that brings an item into a state in which none is. */
const oftenForNew = 20;

/** How many of the waits that are the soonest to end are chosen from, mostly, and how long others are at the most. */
const [soonest, longMs] = [4, 86_400_000];

/** No wait is longer than ten years, in milliseconds: few services can tell times apart that are thousands of years away. */
const mostYearsMs = 10 * 366 * 86_400_000;

/** How long to wait, in milliseconds, and the timer for which; null: for none. */
export interface Wait {
  readonly ms: number;
  readonly timer: Timer | null;
  /** Whether it ends before the timer may fire. Default: after it surely did, or has nothing to do with one */
  readonly isBefore?: boolean;
}

/** A wait as a plan has it: it ends about a move of any item, at another time in each run. */
export interface PlannedWait {
  readonly ms: number;
  readonly until?: Pick<Timer, 'resource' | 'move'> & { readonly isBefore: boolean };
}

export function plannedWait({ ms, timer, isBefore = false }: Wait): PlannedWait {
  return timer ? { ms, until: { resource: timer.resource, move: timer.move, isBefore } } : { ms };
}

/** A request may take so long to come, in milliseconds. */
const travelMs = 50;

/**
 * How long to wait in a run, in milliseconds. Requests take longer there than in memory, so a wait until just before a move,
 * or just after it, ends where the run has the move that is the nearest.
 */
export function waitAsPlanned({ ms, until }: PlannedWait, { timers, received: { at } }: World): number {
  if (until === undefined) return ms;
  const ends = timers
    .filter(({ resource, move }) => resource === until.resource && move === until.move)
    .map(({ due }) => (until.isBefore ? due.least - travelMs : due.most + 1) - at.most)
    .filter((end) => end > 0 && Math.abs(end - ms) <= mostDriftMs)
    .toSorted((a, b) => Math.abs(a - ms) - Math.abs(b - ms));
  return ends[0] ?? ms;
}

/** A run is later than its plan by so much at the most, in milliseconds. */
const mostDriftMs = 20_000;

/**
 * How long to wait before the next request: mostly not at all, else until just before or just after an item moves by itself,
 * or for a while.
 *
 * @param patienceMs no wait is longer
 */
export function nextWait(world: World, pool: Pool, patienceMs: number): Wait {
  const { random } = pool;
  const mostMs = Math.min(patienceMs, mostYearsMs);
  if (!pool.often(often)) return waitForNew(world, pool, mostMs) ?? { ms: 0, timer: null };
  const dues = world.timers.flatMap((timer) => waitsFor(timer, world));
  const soon = dues.filter(({ ms }) => ms > 0 && ms <= mostMs && Number.isFinite(ms));
  const stated = spansIn(world.newest)
    .filter((ms) => ms <= mostMs)
    .map((ms): Wait => ({ ms, timer: null }));
  // Moves of which there are few have their turn as often as others.
  const moves = [
    ...Map.groupBy(soon, ({ timer }) => `${timer?.resource} ${timer?.kind} ${timer?.move}`).values(),
  ];
  const all = moves.length > 0 ? random.pick(moves).toSorted((a, b) => a.ms - b.ms) : [];
  // After a long time, little of what is known is still so.
  const timed = all.filter(({ ms }, place) => place < soonest || (ms <= longMs && pool.often(20)));
  const wanted = [timed, stated].filter((list) => list.length > 0);
  if (wanted.length > 0 && pool.often(90)) return random.pick(random.pick(wanted));
  // Only where time costs nothing, it passes for no reason.
  return { ms: Number.isFinite(patienceMs) ? 0 : random.pick([1, 1000, 60_000, 3_600_000]), timer: null };
}

/** Until an item surely came into a state in which none is; null: none does, or there is no wait now. */
function waitForNew(world: World, pool: Pool, mostMs: number): Wait | null {
  if (world.timers.length === 0 || !pool.often(oftenForNew)) return null;
  const moves = movesToNew(world);
  return soonEnough(
    world.timers.filter((timer) => makesOneOf(moves, timer)),
    world,
    pool,
    mostMs,
  );
}

/** Until just before a timer may fire, and just after it surely did, in milliseconds. */
function waitsFor(timer: Timer, { received: { at } }: World): Wait[] {
  const { least, most } = timer.due;
  return [
    { ms: least - 2 - at.most, timer, isBefore: true },
    { ms: most - at.most, timer },
    { ms: most + 1000 - at.most, timer },
  ];
}

/** Until one of some items surely moved; null: none will, or not soon enough. */
export function waitForMove(items: readonly Stored[], world: World, pool: Pool, mostMs: number): Wait | null {
  const isOf = ({ resource, handle }: Timer): boolean =>
    items.some((each) => each.resource === resource && each.handle === handle);
  return soonEnough(world.timers.filter(isOf), world, pool, mostMs);
}

function soonEnough(timers: readonly Timer[], world: World, pool: Pool, mostMs: number): Wait | null {
  const waits = timers.map((timer): Wait => ({ ms: timer.due.most - world.received.at.most, timer }));
  const able = waits.filter(({ ms }) => ms > 0 && ms <= Math.min(mostMs, longMs));
  return able.length > 0 ? pool.random.pick(able) : null;
}

/** A little less than each duration that expressions name, and a little more, in milliseconds. */
const spansIn = once((specification: Specification): readonly number[] => {
  const lengths = literalsOf(specification).map((literal) =>
    typeof literal === 'string' ? lengthOf(literal) : undefined,
  );
  return lengths.flatMap((length) => {
    const ms = Number(length ?? 0n) / microseconds;
    return ms > slackMs ? [ms - slackMs, ms + slackMs] : [];
  });
});

/** Some requests may be sent in this time. */
const slackMs = 100;
const microseconds = 1000;
