import type { Operation } from '../../specification/model/operation.ts';
import { operationRun } from '../../specification/model/run.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { allOf, type Emission } from '../event/event.ts';
import { absent } from '../value/evaluate.ts';
import { written } from '../value/functions.ts';
import {
  Collection,
  Item,
  isList,
  isObject,
  isPartial,
  seen,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { pathValues } from './given/parameters.ts';
import { type Schema, typedAs } from './given/text.ts';
import type { Prediction, Request } from './prediction.ts';
import type { Result } from './result.ts';

/** What comes of a request in this world, in one way. */
export type Ask = (world: World, request: Request) => Result;

/** What came of the requests that an operation sends. */
export interface Ran {
  readonly results: readonly Value[];
  /** What they emitted. */
  readonly events: Emission;
  /** The world after the last of them. */
  readonly world: World;
}

/**
 * Sends a request to another operation for each element of a list, each once the one before is answered (language §H.2,
 * rules 15 to 18). All are worked out before the first is sent.
 */
export function ran(by: Request, ask: Ask, moment: Moment): Ran {
  const { specification, ways } = moment.world;
  const qualifiers = stated(by.operation.does)?.qualifiers;
  const operation = operationRun(specification, by.operation);
  const list = qualifiers && stated(qualifiers.for);
  if (operation === undefined || list === undefined) return moment.world.leave(unknown([]));
  const elements = seen(moment.value(list));
  if (elements !== null && !isList(elements)) return moment.world.leave(unknown([elements]));
  const requests = (elements ?? []).map((value) => sentBy(by, operation, value, moment));
  const results: Value[] = [];
  const emissions: Emission[] = [];
  let { world } = moment;
  for (const request of requests) {
    const { prediction, events, world: after } = ask(world.fork(ways), request);
    if (after === null) return moment.world.leave(unknown([]));
    world = after.fork(ways);
    emissions.push(events);
    results.push(resultOf(prediction, world));
  }
  return { results, events: allOf(emissions), world };
}

/** A request for one element: by the same client, with its credentials, in its version (rule 17). */
function sentBy(by: Request, operation: Operation, value: Value, moment: Moment): Request {
  const sent = stated(stated(by.operation.does)?.qualifiers.request);
  const given = (said: Said<ReadonlyMap<string, Said<PlacedTemplate>>> | undefined): [string, Value][] =>
    [...(stated(said) ?? [])].flatMap(([name, each]): [string, Value][] => {
      const template = stated(each);
      return template ? [[name, plain(moment.value(template, { value }))]] : [];
    });
  const body = stated(sent?.body);
  const content = body && plain(moment.value(body, { value }));
  const present = ([, each]: [string, Value]): boolean => seen(each) !== null;
  return {
    ...by,
    operation,
    path: pathOf(operation, given(sent?.path), moment.world),
    query: Object.fromEntries(
      given(sent?.query)
        .filter(present)
        .map(([name, each]) => [name, read(each, parameterSchema(operation, 'query', name), moment.world)]),
    ),
    headers: Object.fromEntries(
      given(sent?.headers)
        .filter(present)
        .map(([name, each]) => [
          name.toLowerCase(),
          read(each, parameterSchema(operation, 'headers', name), moment.world),
        ]),
    ),
    content,
  };
}

/** The values of the path, as the other operation reads them. An empty one leads to another path. */
function pathOf(
  operation: Operation,
  given: readonly [string, Value][],
  world: World,
): Record<string, Value> {
  const partial = given.filter(([, value]) => isPartial(seen(value)));
  const texts = given
    .filter(([, value]) => !isPartial(seen(value)))
    .map(([name, value]) => [name, written(value)]);
  if (texts.some(([, text]) => text === '')) world.leave(unknown([]));
  const values = pathValues(operation, Object.fromEntries(texts), world.specification);
  return values instanceof Unknown ? world.leave(values) : { ...values, ...Object.fromEntries(partial) };
}

function parameterSchema({ request }: Operation, place: 'query' | 'headers', name: string): Schema {
  const parameters = request ? stated(request[place]) : undefined;
  const parameter = stated(parameters?.get(name));
  return parameter ? (schemaOf(parameter.shape) as Schema) : {};
}

/** A value as the other operation reads it: it is sent as a text, and has the type of the parameter again. */
function read(value: Value, schema: Schema, world: World): Value {
  const found = seen(value);
  if (isPartial(found)) return found;
  if (isList(found)) return found.map((element) => read(element, (schema['items'] ?? {}) as Schema, world));
  const typed = isObject(found) ? undefined : typedAs(schema, written(found));
  return typed ?? world.leave(unknown([]));
}

/** An answer as `results` lists it (rule 18). Which header fields it has besides those that are stated is unknown. */
function resultOf({ status, body, code }: Prediction, world: World): Value {
  const known: Value =
    status instanceof Unknown ? status : (status[world.ways.choose(status.length)] ?? null);
  return {
    status: known,
    headers: unknown([]),
    body: status instanceof Unknown ? status : body === absent ? null : plain(body as Value),
    code: status instanceof Unknown ? status : (code ?? null),
  };
}

/** A value as JSON has it: an item is its key. */
function plain(value: Value): Value {
  const found = seen(value);
  if (found instanceof Item) return plain(found.key);
  if (found instanceof Collection) {
    const { rest, ordered } = found;
    return new Collection(found.items.map(plain), { rest: rest === undefined ? rest : plain(rest), ordered });
  }
  if (isList(found)) return found.map(plain);
  if (!isObject(found)) return found;
  return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, plain(member)]));
}
