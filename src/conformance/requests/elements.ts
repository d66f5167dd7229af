import { path } from '../../expression/expression.ts';
import type { Template } from '../../expression/template.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Bytes, isObject, type Value } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { changesOf } from '../../specification/model/changes.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { operationRun } from '../../specification/model/run.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import { isMembers } from './bodies.ts';
import type { Pool } from './pool.ts';

/** How many of a hundred elements are such that what is done for each of them succeeds. */
const usually = 85;

/** So many elements a list has at the most, as a request usually has it. */
const most = 4;

/** A list in the body, for whose elements something is done one by one: its name, and what an element becomes. */
interface Batch {
  /** The member of the body; undefined: the body is the list. */
  readonly member: string | undefined;
  /** The operation to which a request is sent for each element (language §H.2, rule 15), and where its values come from. */
  readonly run: { readonly operation: Operation; readonly from: readonly From[] } | undefined;
  /** The references that are set from members of an element; of one without a name, from the element (language §H.2, `for`). */
  readonly references: readonly (readonly [member: string | undefined, Field])[];
}

/** Where a value of a request comes from: the template, and how the value is found in a request. */
interface From {
  readonly template: Template;
  readonly value: (request: Request) => Value | undefined;
}

/**
 * The body with elements for which what is done one by one mostly succeeds: as requests usually are to the operation that is
 * run, or with keys of items that there are.
 *
 * @param usual makes a usual request to an operation
 */
export function withElements(
  operation: Operation,
  body: Json | Bytes | undefined,
  world: World,
  pool: Pool,
  usual: (operation: Operation) => Request,
): Json | Bytes | undefined {
  if (body === undefined || body instanceof Bytes) return body;
  return batchesOf(pool.specification, operation).reduce<Json>((whole, batch) => {
    const { member } = batch;
    const given = member === undefined ? whole : isMembers(whole) ? whole[member] : undefined;
    if (!Array.isArray(given)) return whole;
    const elements = batch.run ? run(batch.run, given, pool, usual) : referring(batch, given, world, pool);
    return member === undefined ? elements : { ...(whole as object), [member]: elements };
  }, body);
}

function run(
  { operation, from }: NonNullable<Batch['run']>,
  given: readonly Json[],
  pool: Pool,
  usual: (operation: Operation) => Request,
): Json {
  const more = Array.from({ length: pool.random.whole(0, most) }, () => null);
  return [...given, ...more].slice(0, most).map((element) => {
    if (element !== null && !pool.often(usually)) return element;
    const request = usual(operation);
    return from.reduce<Value>((so, { template, value }) => placed(template, value(request), so), {}) as Json;
  });
}

/** An element out of which a template would make a value: the value of `value.a.b` goes there. */
function placed(template: Template, value: Value | undefined, element: Value): Value {
  if (value === undefined) return element;
  if (template.kind === 'object')
    return [...template.members].reduce(
      (so, [name, inner]) => placed(inner, isObject(value) ? value[name] : undefined, so),
      element,
    );
  const [root, ...names] = (template.kind === 'expression' && path(template.expression.syntax)) || [];
  return root === 'value' ? put(element, names, value) : element;
}

function put(element: Value, [name, ...names]: readonly string[], value: Value): Value {
  if (name === undefined) return isObject(element) && isObject(value) ? { ...element, ...value } : value;
  const members = isObject(element) ? element : {};
  return { ...members, [name]: put(members[name] ?? {}, names, value) };
}

function referring({ references }: Batch, given: readonly Json[], world: World, pool: Pool): Json {
  return given.map((element): Json => {
    const keys = references.flatMap(([member, field]): [string | undefined, Json][] => {
      const key = pool.often(usually) ? pool.keyFor(field, world) : undefined;
      return key === undefined ? [] : [[member, key]];
    });
    const whole = keys.find(([member]) => member === undefined);
    if (whole) return whole[1];
    return isMembers(element) ? { ...element, ...Object.fromEntries(keys) } : element;
  });
}

const batchesOf = once((specification: Specification, operation: Operation): readonly Batch[] =>
  changesOf(operation).flatMap(({ verb, subject, qualifiers }): Batch[] => {
    const list = stated(qualifiers.for)?.template;
    const [root, place, member, ...further] =
      (list?.kind === 'expression' && path(list.expression.syntax)) || [];
    if (root !== 'request' || place !== 'body' || further.length > 0) return [];
    if (verb === 'run') {
      const inner = operationRun(specification, operation);
      return inner ? [{ member, run: { operation: inner, from: sourcesIn(operation) }, references: [] }] : [];
    }
    const fields = specification.resourcesByName.get(subject.name ?? '')?.fields;
    const references = (stated(qualifiers.with) ?? []).flatMap(({ template }) =>
      template.kind === 'object'
        ? [...template.members].flatMap(([name, value]): [string | undefined, Field][] => {
            const field = fields?.get(name);
            const [from, own, ...deeper] =
              (value.kind === 'expression' && path(value.expression.syntax)) || [];
            const isReference = field !== undefined && stated(field.refers) !== undefined;
            return isReference && from === 'value' && deeper.length === 0 ? [[own, field]] : [];
          })
        : [],
    );
    return references.length > 0 ? [{ member, run: undefined, references }] : [];
  }),
);

/** Where the values come from that an operation sends to the one that it runs. */
function sourcesIn({ does }: Operation): readonly From[] {
  const sent = stated(stated(does)?.qualifiers.request);
  const body = sent && stated(sent.body);
  const named = (place: 'path' | 'query' | 'headers'): From[] =>
    [...((sent && stated(sent[place])) ?? [])].flatMap(([name, said]) => {
      const template = stated(said)?.template;
      const key = place === 'headers' ? name.toLowerCase() : name;
      return template ? [{ template, value: (request) => request[place][key] }] : [];
    });
  return [
    ...named('path'),
    ...named('query'),
    ...named('headers'),
    ...(body ? [{ template: body.template, value: ({ content }: Request) => content }] : []),
  ];
}
