import { lengthOf } from '../../semantics/value/times.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { literalsOf } from './literals.ts';
import type { Pool } from './pool.ts';

/** How many times in a hundred time passes between two requests. */
const often = 4;

/**
 * How long to wait before the next request, in milliseconds: mostly not at all, else until just before or just after an item
 * moves by itself, or for a while.
 *
 * @param mostMs no wait is longer
 */
export function nextWait(world: World, pool: Pool, mostMs: number): number {
  if (!pool.often(often)) return 0;
  const { at } = world.received;
  const dues = world.timers.flatMap(({ due }) => [due.least - 2, due.most, due.most + 1000]);
  const waits = dues.map((time) => time - at.most).filter((ms) => ms > 0 && Number.isFinite(ms));
  const soon = waits.filter((ms) => ms <= mostMs);
  const stated = spansIn(world.newest).filter((ms) => ms <= mostMs);
  const wanted = [soon, stated].filter((list) => list.length > 0);
  if (wanted.length > 0 && pool.often(90)) return pool.random.pick(pool.random.pick(wanted));
  // Only where time costs nothing, it passes for no reason.
  return Number.isFinite(mostMs) ? 0 : pool.random.pick([1, 1000, 60_000, 3_600_000]);
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
