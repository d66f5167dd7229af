import type { Request } from '../../semantics/request/prediction.ts';
import { definitionsOf } from '../../semantics/shape/definitions.ts';
import { type Definitions, fits } from '../../semantics/shape/shape.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { type Deviation, keyOf, restated } from '../deviations/deviation.ts';
import { isMembers, withBody } from '../requests/bodies.ts';
import type { Pool } from '../requests/pool.ts';
import { spelled } from '../requests/requests.ts';
import { fieldSchema, type Schema } from '../schema.ts';

/** A value of a request, its schema as it is stated, and as a deviation has it. */
interface Place {
  readonly at: 'body' | 'query' | 'path';
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
export const judgedIn = once(
  (deviation: Deviation, operation: Operation, specification: Specification): Judged => {
    const { said, other } = deviation;
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
      return isOther || isNamed(place.schema, named) ? [{ ...place, other: instead.schema }] : [];
    });
    const [needed, neededThere] = [requiredIn(operation, specification), requiredIn(there, deviating)];
    const lacking =
      keyOf(said) === 'required'
        ? [...needed, ...neededThere].filter((name) => needed.has(name) !== neededThere.has(name))
        : [];
    return { places, lacking };
  },
);

/** Whether a deviation judges values of requests to an operation by another schema. */
export function judgesIn(deviation: Deviation, operation: Operation, specification: Specification): boolean {
  const { places, lacking } = judgedIn(deviation, operation, specification);
  return places.length > 0 || lacking.length > 0;
}

/** The request with a value that fits by what is stated or by the deviation, but not by both; undefined: none is known. */
export function withTellingValue(deviation: Deviation, request: Request, pool: Pool): Request | undefined {
  const { specification } = pool;
  const { places, lacking } = judgedIn(deviation, request.operation, specification);
  const [name] = lacking;
  if (name !== undefined) return withBody(request, (body) => without(body, pool.random.pick(lacking)));
  if (places.length === 0 || deviation.other === undefined) return undefined;
  const place = pool.random.pick(places);
  const there = definitionsOf(restated(deviation.said, deviation.other, specification));
  const here = definitionsOf(specification);
  const probes = [...pool.atBounds(place.schema), ...pool.atBounds(resolved(place.other, there))];
  const telling = probes.filter(
    (value) => fits(place.schema, value, here) !== fits(place.other, value, there),
  );
  return telling.length === 0 ? undefined : withValue(request, place, pool.random.pick(telling), pool);
}

function without(body: Json, name: string): Json | undefined {
  if (!isMembers(body)) return undefined;
  const { [name]: _, ...others } = body;
  return others;
}

function withValue(request: Request, { at, name, schema }: Place, value: Json, pool: Pool): Request {
  if (at === 'body')
    return withBody(request, (body) => (isMembers(body) ? { ...body, [name]: value } : body));
  const [text] = spelled([value], schema, pool);
  return text === undefined ? request : { ...request, [at]: { ...request[at], [name]: text } };
}

/** The values that a request to an operation holds, each with its schema. */
function schemasOf(operation: Operation, specification: Specification): readonly Omit<Place, 'other'>[] {
  const members = Object.entries(bodyOf(specification, operation)?.schema['properties'] ?? {});
  const bindings = [...operation.bindings];
  return [
    ...members.map(([name, schema]) => ({ at: 'body' as const, name, schema: schema as Schema })),
    ...queryParameters(operation).map(({ name, shape }) => ({
      at: 'query' as const,
      name,
      schema: schemaOf(shape) as Schema,
    })),
    ...bindings.flatMap(([name, binding]) => {
      const field = binding.kind === 'subject' ? operation.subject?.fields.get(binding.field) : undefined;
      return field ? [{ at: 'path' as const, name, schema: fieldSchema(specification, field) }] : [];
    }),
  ];
}

function requiredIn(operation: Operation, specification: Specification): ReadonlySet<string> {
  const required = bodyOf(specification, operation)?.schema['required'];
  return new Set(Array.isArray(required) ? (required as string[]) : []);
}

/** The named shapes that differ, or use one that does. */
function changedNames(one: Definitions, other: Definitions): ReadonlySet<string> {
  const found = new Set(
    Object.keys(one).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name])),
  );
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [name, schema] of Object.entries(one)) if (isNamed(schema as Schema, found)) found.add(name);
  }
  return found;
}

function isNamed(schema: Schema, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  const text = JSON.stringify(schema);
  return [...names].some((name) => text.includes(`"#/$defs/${name}"`));
}

/** The schema itself, where it is only a name for one. */
function resolved(schema: Schema, definitions: Definitions): Schema {
  const { $ref, ...own } = schema;
  const named = typeof $ref === 'string' ? definitions[$ref.slice('#/$defs/'.length)] : undefined;
  return typeof named === 'object' ? { ...(named as Schema), ...own } : schema;
}
