import type { Request } from '../../semantics/request/prediction.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { Completeness } from '../../specification/reading/completeness.ts';
import type { Said } from '../../specification/reading/said.ts';
import { isStated } from '../deviations/changed.ts';
import { implementing } from '../deviations/deviation.ts';

/**
 * The statements that are read to say what may come of a request. A deviation of another statement changes nothing of it.
 * Each request reads a specification of its own: what follows from a document is worked out once, and would be read once.
 */
export function statementsRead(world: World, request: Request): ReadonlySet<Said<unknown>> {
  const read = new Set<Said<unknown>>();
  implementing(watched(world.specification, read))(world, request);
  return read;
}

/** The same specification, which notes each statement that is looked at. */
function watched(specification: Specification, read: Set<Said<unknown>>): Specification {
  const known = new WeakMap<object, object>();
  const watch = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null || 'template' in part) return part;
    if (part instanceof Completeness) return part;
    const before = known.get(part);
    if (before) return before;
    const made =
      part instanceof Map
        ? new Map([...part].map(([key, value]) => [key, watch(value)]))
        : new Proxy(part, handler);
    known.set(part, made);
    return made;
  };
  const handler: ProxyHandler<object> = {
    get: (part, key) => {
      if (key === 'kind' && isStated(part)) read.add(part);
      return watch(Reflect.get(part, key));
    },
  };
  return watch(specification) as Specification;
}
