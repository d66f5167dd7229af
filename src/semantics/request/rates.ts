import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Rate } from '../../specification/vocabulary/parts/limits.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import { unknown } from '../value/value.ts';
import { Ways } from '../world/ways.ts';
import type { World } from '../world/world.ts';

/** The rates that count requests to an operation. */
const ratesFor = once(
  ({ limits }: World['specification'], { name }: Operation): readonly (readonly [string, Rate])[] =>
    [...(stated(stated(limits)?.rates) ?? [])].flatMap(([key, said]) => {
      const rate = stated(said);
      const operations = rate && stated(rate.operations);
      const isCounted = !operations || operations.some(({ text }) => text === name);
      return rate && isCounted ? [[key, rate] as const] : [];
    }),
);

/** The world with a request counted. A request that a rate does not count is counted, too: this bounds the number from above. */
export function counted(world: World, operation: Operation): World {
  const rates = ratesFor(world.specification, operation);
  if (rates.length === 0) return world;
  const after = world.fork(new Ways());
  for (const [name] of rates) after.count(name);
  return after;
}

/**
 * The rates that may be exceeded (language §8.1). Whatever its `window` is, a rate refuses nothing while it has counted fewer
 * requests in the time of `every` than it allows.
 */
export function ratesExceeded(operation: Operation, world: World): readonly Refusal[] {
  for (const [name, rate] of ratesFor(world.specification, operation)) {
    const allow = stated(rate.allow);
    if (typeof allow !== 'number') return world.leave(unknown([]));
    if (
      world.tally(name, stated(rate.every) ?? Number.POSITIVE_INFINITY) <= allow ||
      !world.decide(unknown([]))
    )
      continue;
    const names = { rate: { limit: allow, remaining: 0, reset: unknown([]) } };
    return [{ ...refusal('rate exceeded', name), names }];
  }
  return [];
}
