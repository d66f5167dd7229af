import type { Request } from '../../semantics/request/prediction.ts';
import { definitionsOf } from '../../semantics/shape/definitions.ts';
import { type Definitions, fits } from '../../semantics/shape/shape.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { headerParameters, type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import type { Said } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { type Deviation, keyOf, nothing, restated } from '../deviations/deviation.ts';
import { doneAllTheSame } from '../deviations/refused-and-done.ts';
import { isMembers, withBody, withoutMember } from '../requests/bodies.ts';
import { sendable } from '../requests/message.ts';
import type { Pool } from '../requests/pool.ts';
import { spelled } from '../requests/requests.ts';
import { fieldSchema, resolvedIn, type Schema } from '../schema.ts';

/** A value of a request, its schema as it is stated, and as a deviation has it. */
interface Place {
  readonly at: 'body' | 'query' | 'headers' | 'path';
  readonly name: string;
  readonly schema: Schema;
  readonly other: Schema;
}

/** What a deviation of a shape changes in the requests of an operation. */
interface Judged {
  readonly places: readonly Place[];
  /** The members of the body that have to be there by one of the two alone. */
  readonly lacking: readonly string[];
}

const none: Judged = { places: [], lacking: [] };

/** The keywords that say which values fit (language §H.1). */
const judging =
  /\.(type|format|(min|max)(Length|Items|Properties)|pattern|enum|const|(exclusive)?(Min|Max|min|max)imum|multipleOf|uniqueItems|required)$|\.items\b/;

/** Where requests of an operation hold what a deviation judges by another schema. */
const judgedIn = once((deviation: Deviation, operation: Operation, specification: Specification): Judged => {
  const { said } = deviation;
  const other = otherOf(deviation);
  if (other === undefined || !judging.test(said.address)) return none;
  const deviating = restated(said, other, specification);
  const there = deviating.operations.find(({ address }) => address === operation.address);
  if (there === undefined) return none;
  const named = changedNames(definitionsOf(specification), definitionsOf(deviating));
  const [stating, otherwise] = [schemasOf(operation, specification), schemasOf(there, deviating)];
  const places = stating.flatMap((place, index): Place[] => {
    const instead = otherwise[index];
    if (instead?.name !== place.name) return [];
    const isOther = JSON.stringify(place.schema) !== JSON.stringify(instead.schema);
    const isNamed = namesIn(place.schema).some((name) => named.has(name));
    return isOther || isNamed ? [{ ...place, other: instead.schema }] : [];
  });
  const [needed, neededThere] = [requiredIn(operation, specification), requiredIn(there, deviating)];
  const lacking =
    keyOf(said) === 'required'
      ? [...needed, ...neededThere].filter((name) => needed.has(name) !== neededThere.has(name))
      : [];
  return { places, lacking };
});

/** What is stated instead, or would have to be for what is done; undefined: nobody can say. */
function otherOf({ said, says, other }: Deviation): Said<unknown> | undefined {
  return other ?? (says === doneAllTheSame ? nothing(said) : undefined);
}

/** The operations whose requests hold a value of the shape in which a keyword stands; none: it stands in no resource. */
export function holding(said: Said<unknown>, specification: Specification): readonly Operation[] {
  const [, entry, part = ''] = /^(resources\.\w+)(\.fields\.[^.]+|\.required)?/.exec(said.address) ?? [];
  if (entry === undefined || !judging.test(said.address)) return [];
  const holders = holdersOf(specification);
  const all = [entry, entry + part].flatMap((address) => holders.get(address as Address) ?? []);
  return [...new Set(all)];
}

/** By the address of a shape, of a field, or of the required members of a resource: the operations whose requests hold it. */
const holdersOf = once((specification: Specification): ReadonlyMap<Address, readonly Operation[]> => {
  const pairs = specification.operations.flatMap((operation) =>
    heldIn(operation, specification).map((address) => [address, operation] as const),
  );
  return new Map(
    [...Map.groupBy(pairs, ([address]) => address)].map(([at, all]) => [at, all.map(([, of]) => of)]),
  );
});

function heldIn(operation: Operation, specification: Specification): readonly Address[] {
  const { subject, bindings } = operation;
  const body = bodyOf(specification, operation);
  const bound = [...bindings.values()].flatMap((binding) =>
    binding.kind === 'subject' ? (subject?.fields.get(binding.field) ?? []) : [],
  );
  const schemas = [body?.schema ?? {}, ...schemasOf(operation, specification).map(({ schema }) => schema)];
  const isWhole = body?.name === subject?.name && requiredIn(operation, specification).size > 0;
  return [
    ...[...(body?.fields.values() ?? []), ...bound].map(({ shape }) => shape.address),
    ...namedIn(schemas, definitionsOf(specification)).map((name) => step('resources', name)),
    ...(subject && isWhole ? [step(subject.address, 'required')] : []),
  ];
}

/** The request with a value that fits by what is stated or by the deviation, but not by both; undefined: none is known. */
export function withTellingValue(deviation: Deviation, request: Request, pool: Pool): Request | undefined {
  const { specification } = pool;
  const { places, lacking } = judgedIn(deviation, request.operation, specification);
  if (lacking.length > 0) return withoutMember(request, pool.random.pick(lacking));
  const other = otherOf(deviation);
  if (places.length === 0 || other === undefined) return undefined;
  const place = pool.random.pick(places);
  const there = definitionsOf(restated(deviation.said, other, specification));
  const here = definitionsOf(specification);
  const probes = [...pool.atBounds(place.schema), ...pool.atBounds(resolvedIn(there, place.other))];
  const telling = probes.filter(
    (value) => fits(place.schema, value, here) !== fits(place.other, value, there),
  );
  return telling.length === 0 ? undefined : withValue(request, place, pool.random.pick(telling), pool);
}

function withValue(request: Request, { at, name, schema }: Place, value: Json, pool: Pool): Request {
  if (at === 'body')
    return withBody(request, (body) => (isMembers(body) ? { ...body, [name]: value } : body));
  const [text] = spelled([value], schema, pool);
  const isSent = text !== undefined && sendable[at].test(String(text));
  return !isSent ? request : { ...request, [at]: { ...request[at], [name]: text } };
}

/** The values that a request to an operation holds, each with its schema. */
function schemasOf(operation: Operation, specification: Specification): readonly Omit<Place, 'other'>[] {
  const members = Object.entries(ofBody(operation, specification)['properties'] ?? {});
  const bindings = [...operation.bindings];
  return [
    ...members.map(([name, schema]) => ({ at: 'body' as const, name, schema: schema as Schema })),
    ...queryParameters(operation).map(({ name, shape }) => ({
      at: 'query' as const,
      name,
      schema: schemaOf(shape) as Schema,
    })),
    ...headerParameters(operation).map(({ name, shape }) => ({
      at: 'headers' as const,
      name: name.toLowerCase(),
      schema: schemaOf(shape) as Schema,
    })),
    ...bindings.flatMap(([name, binding]) => {
      if (binding.kind === 'text' && binding.parameter)
        return { at: 'path' as const, name, schema: schemaOf(binding.parameter.shape) as Schema };
      const field = binding.kind === 'subject' ? operation.subject?.fields.get(binding.field) : undefined;
      return field ? [{ at: 'path' as const, name, schema: fieldSchema(specification, field) }] : [];
    }),
  ];
}

/** The schema of the body; none: there is none, or any fits. */
function ofBody(operation: Operation, specification: Specification): Schema {
  const body = bodyOf(specification, operation);
  return body === null ? {} : resolvedIn(definitionsOf(specification) as Record<string, Json>, body.schema);
}

function requiredIn(operation: Operation, specification: Specification): ReadonlySet<string> {
  const { required } = ofBody(operation, specification);
  return new Set(Array.isArray(required) ? (required as string[]) : []);
}

/** The named shapes that differ, or use one that does. */
function changedNames(one: Definitions, other: Definitions): ReadonlySet<string> {
  const names = Object.keys(one);
  const changed = names.filter((name) => one[name] !== other[name]);
  if (changed.length === 0) return new Set();
  return new Set(
    names.filter((name) => namedIn([one[name] as Schema], one, [name]).some((use) => changed.includes(use))),
  );
}

/**
 * The named shapes that schemas use, at any depth.
 *
 * @param found those that are known to be used. Default: none
 */
function namedIn(
  schemas: readonly Schema[],
  definitions: Definitions,
  found: readonly string[] = [],
): readonly string[] {
  const names = schemas.flatMap(namesIn).filter((name) => !found.includes(name));
  if (names.length === 0) return found;
  const used = [...new Set(names)];
  return namedIn(
    used.map((name) => (definitions[name] ?? {}) as Schema),
    definitions,
    [...found, ...used],
  );
}

const namesIn = once((schema: Schema): readonly string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name as string),
);
