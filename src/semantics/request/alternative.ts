import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { truthOf } from '../value/truth.ts';
import type { Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { unsupportedMedia } from './content/media.ts';
import { tooLargeBody } from './content/size.ts';
import { namesOf } from './given/names.ts';
import { withDefaults } from './given/query.ts';
import type { Request } from './prediction.ts';

/** The operation that a request means, of those on its path (language §4.1, rule 10); null: none of them. */
export function meant(request: Request, world: World, now: Value): Operation | null {
  const { operation, query } = request;
  if (stated(operation.endpoint.when) === undefined && !hasAlternatives(operation, world.specification))
    return operation;
  const isRead = unsupportedMedia(request).length + tooLargeBody(request, world).length === 0;
  const names = namesOf(request, isRead, world, now);
  for (const each of world.specification.operations.filter(({ key }) => key === operation.key)) {
    const when = stated(each.endpoint.when);
    const read = { ...(names['request'] as object), query: withDefaults(each, query) };
    const holds = when ? truthOf(new Moment(world, { ...names, request: read }).value(when)) : true;
    if (world.decide(holds)) return each;
  }
  return null;
}

const hasAlternatives = once(({ key, name }: Operation, { operations }: Specification): boolean =>
  operations.some((other) => other.key === key && other.name !== name),
);
