import type { World } from '../../semantics/world/world.ts';
import type { Pool } from './pool.ts';

/** How many times in a hundred time passes between two requests. */
const often = 3;

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
  if (soon.length > 0 && pool.often(90)) return pool.random.pick(soon);
  // Only where time costs nothing, it passes for no reason.
  return Number.isFinite(mostMs) ? 0 : pool.random.pick([1, 1000, 60_000, 3_600_000]);
}
