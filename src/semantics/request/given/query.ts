import { once } from '../../../source/once.ts';
import { headerParameters, type Operation, queryParameters } from '../../../specification/model/operation.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../../specification/reading/templates.ts';
import type { Parameter } from '../../../specification/vocabulary/request.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { type FieldFailure, type Refusal, refusal } from '../../change/refusal.ts';
import { pageParameter } from '../../list/asked.ts';
import { isSort } from '../../list/order.ts';
import { definitionsOf } from '../../shape/definitions.ts';
import { failuresOf, type Schema } from '../../shape/shape.ts';
import { attempt } from '../../value/truth.ts';
import { type Members, seen, unknown, type Value } from '../../value/value.ts';
import { Moment } from '../../world/moment.ts';
import type { World } from '../../world/world.ts';
import type { Request } from '../prediction.ts';

type Query = Readonly<Record<string, Value>>;

/** The parameters with their defaults. One that is not given is not there (language §G.3). */
export function withDefaults(operation: Operation, query: Query): Query {
  return Object.fromEntries(
    queryParameters(operation).flatMap(({ name, default: said }): [string, Value][] => {
      const value = query[name] ?? (stated(said) as Value | undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** How given values of parameters are converted, by where `request` has them and by name. */
const converting = once((operation: Operation) => {
  const conversions = (parameters: readonly Parameter[]): ReadonlyMap<string, PlacedTemplate> =>
    new Map(
      parameters.flatMap(({ name, roles }): [string, PlacedTemplate][] => {
        const taken = stated(roles.taken);
        return taken ? [[name, taken]] : [];
      }),
    );
  const headers = conversions(headerParameters(operation));
  return {
    path: conversions(pathParameters(operation)),
    query: conversions(queryParameters(operation)),
    headers: new Map([...headers].map(([name, taken]) => [name.toLowerCase(), taken])),
  };
});

/** `request` as expressions read it once it is known who asks: its parameters are converted (language §4.2, `taken`). */
export function withTaken(request: Request, names: Readonly<Record<string, Value>>, world: World): Value {
  const { path, query, headers } = converting(request.operation);
  const read = names['request'] as Members;
  // It may be the key of an item.
  if (path.size > 0) return world.leave(unknown([]));
  if (query.size + headers.size === 0) return read;
  const moment = new Moment(world, names);
  const converted = (given: Query, conversions: ReadonlyMap<string, PlacedTemplate>): Query =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]): [string, Value][] => {
        const taken = conversions.get(name);
        return taken ? [[name, attempt(() => moment.value(taken, { value }))]] : [];
      }),
    );
  return {
    ...read,
    query: { ...(read['query'] as Members), ...converted(request.query, query) },
    headers: { ...(read['headers'] as Members), ...converted(request.headers, headers) },
  };
}

/** Parameters of the query that do not fit, or that nobody states (language §4.2). */
export function queryRefusals({ operation, query }: Request, world: World): readonly Refusal[] {
  const parameters = queryParameters(operation);
  const further = Object.keys(query).filter(
    (name) => !parameters.some((parameter) => parameter.name === name),
  );
  const rule = operation.request && stated(stated(operation.request.others)?.query);
  if (further.length > 0 && (rule === undefined || rule === null)) world.leave(unknown([]));
  const others = rule === 'refuse' ? further : [];
  const failures = [
    ...failuresOfParameters(parameters, query, world),
    ...others.map(
      (field): FieldFailure => ({ field, keyword: 'others', value: query[field] ?? null, limit: null }),
    ),
  ];
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: 'query', failures }];
}

const pathParameters = once(({ bindings }: Operation): readonly Parameter[] =>
  [...bindings.values()].flatMap(({ parameter }) => parameter ?? []),
);

/** Parameters of the path that do not fit the shape that is stated of them. One that is bound to an item also finds it or not. */
export function pathRefusals({ operation, path }: Request, world: World): readonly Refusal[] {
  const failures = failuresOfParameters(pathParameters(operation), path, world);
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: 'path', failures }];
}

/** Header fields that are stated and do not fit. */
export function headerRefusals({ operation, headers }: Request, world: World): readonly Refusal[] {
  const failures = failuresOfParameters(headerParameters(operation), headers, world, (name) =>
    name.toLowerCase(),
  );
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: 'headers', failures }];
}

/** The page is larger than part 8 allows (condition 5; language §8.3). */
export function tooLarge({ operation, query }: Request, { specification }: World): readonly Refusal[] {
  const sizes = stated(stated(specification.limits)?.sizes);
  const most = sizes && stated(sizes.page);
  if (most === undefined) return [];
  const { name } = pageParameter(operation, 'size') ?? {};
  const size = name === undefined ? null : seen(withDefaults(operation, query)[name] ?? null);
  const isLarger = typeof size === 'number' && size > most;
  return isLarger ? [refusal('too large', 'page')] : [];
}

/** The least value of a parameter of a page (language §4.5). The others are cursors. */
export const leastOfPage: Readonly<Record<string, number>> = { size: 0, offset: 0, start: 1, number: 1 };

function failuresOfParameters(
  parameters: readonly Parameter[],
  given: Query,
  world: World,
  nameIn: (name: string) => string = (name) => name,
): readonly FieldFailure[] {
  const failures: FieldFailure[] = [];
  for (const { name, shape, required, roles } of parameters) {
    const value = given[nameIn(name)];
    if (value === undefined && stated(required) === true)
      failures.push({ field: name, keyword: 'required', value: null, limit: null });
    if (value === undefined) continue;
    const page = stated(roles.page);
    const fields = stated(roles.sort)?.map(({ text }) => text);
    // In which order a value is converted and judged by what it says of a list, nobody states.
    if (stated(roles.taken) && (fields || page)) world.leave(unknown([]));
    if (fields && !isSort(value, fields)) failures.push({ field: name, keyword: 'sort', value, limit: null });
    const least = page === undefined ? undefined : leastOfPage[page];
    const own = shape.keywords.has('minimum') ? schemaOf(shape)['minimum'] : undefined;
    const isLess = least !== undefined && typeof value === 'number' && value < least;
    // Which page this is, nobody states, unless the shape refuses the value.
    if (isLess && own !== undefined && !(typeof own === 'number' && value < own)) world.leave(unknown([]));
    if (isLess && own === undefined) failures.push({ field: name, keyword: 'minimum', value, limit: least });
    for (const { path, keyword, limit, holds } of failuresOf(
      schemaOf(shape) as Schema,
      value,
      definitionsOf(world.specification),
    ))
      if (world.decide(holds))
        failures.push({ field: [name, ...path].join('.'), keyword, value, limit: limit as Value });
  }
  return failures;
}
