import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { FieldFailure, Refusal } from '../change/refusal.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { failuresOf, type Schema } from '../shape/shape.ts';
import { unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';
import type { Request } from './prediction.ts';

type Query = Readonly<Record<string, Value>>;

/** The parameters with their defaults. One that is not given is null (language §G.3). */
export function withDefaults(operation: Operation, query: Query): Query {
  return Object.fromEntries(
    queryParameters(operation).map(({ name, default: said }) => [
      name,
      query[name] ?? (stated(said) as Value | undefined) ?? null,
    ]),
  );
}

/** Parameters that do not fit, or that nobody states (language §4.2). */
export function queryRefusals({ operation, query }: Request, world: World): readonly Refusal[] {
  const parameters = queryParameters(operation);
  if (Object.keys(query).some((name) => !parameters.some((parameter) => parameter.name === name)))
    return world.leave(unknown([]));
  const failures: FieldFailure[] = [];
  for (const { name, shape, required } of parameters) {
    const value = query[name];
    if (value === undefined && stated(required) === true)
      failures.push({ field: name, keyword: 'required', value: null, limit: null });
    if (value === undefined) continue;
    for (const { keyword, limit, holds } of failuresOf(
      schemaOf(shape) as Schema,
      value,
      definitionsOf(world.specification),
    ))
      if (world.decide(holds)) failures.push({ field: name, keyword, value, limit: limit as Value });
  }
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: 'query', failures }];
}
