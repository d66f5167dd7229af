import type { World } from '../../semantics/world/world.ts';
import type { Pool } from './pool.ts';

/** How many times in a hundred time passes between two requests. */
const often = 20;

/**
 * How long to wait before the next request, in milliseconds: mostly not at all, else until just before or just after an item
 * moves by itself, or for a while.
 */
export function nextWait(world: World, pool: Pool): number {
  if (!pool.often(often)) return 0;
  const { at } = world.received;
  const dues = world.timers.flatMap(({ due }) => [due.least - 2, due.most, due.most + 1000]);
  const waits = dues.map((time) => time - at.most).filter((ms) => ms > 0 && Number.isFinite(ms));
  return pool.random.pick(waits.length > 0 && pool.often(80) ? waits : [1, 1000, 60_000, 3_600_000]);
}
