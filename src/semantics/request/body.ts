import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { FieldFailure, Refusal } from '../change/refusal.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { failuresOf, type Schema } from '../shape/shape.ts';
import { isObject, Unknown, unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';
import type { Request } from './prediction.ts';

/** The body of a request, and why it is refused. */
export interface Body {
  readonly value: Value | undefined;
  readonly refusals: readonly Refusal[];
}

/** Holds the content against the stated body (language §4.2, §E.4). Only bodies of the subject are carried out. */
export function bodyOf({ operation, content }: Request, world: World): Body {
  const { subject, request } = operation;
  const body = request && stated(request.body);
  if (!request || !body)
    return content === undefined ? { value: undefined, refusals: [] } : world.leave(unknown([]));
  const isWhole =
    stated(body.shows) === undefined && stated(body.omits) === undefined && body.shape.keywords.size === 0;
  if (subject === null || body.of?.name !== subject.name || !isWhole) return world.leave(unknown([]));
  const under = stated(request.under);
  const given = under === undefined ? content : memberOf(content, under);
  if (given === undefined || !isObject(given))
    return given instanceof Unknown || (content !== undefined && isObject(content))
      ? world.leave(unknown([]))
      : malformed;
  const others = stated(request.others)?.body ?? subject.others;
  const fields = writable(operation, subject);
  const known = Object.entries(given).filter(([name]) => fields.has(name));
  const further = Object.keys(given).filter((name) => !fields.has(name));
  const rule = stated(others);
  if (further.length > 0 && rule !== 'refuse' && rule !== 'ignore') world.leave(unknown([]));
  const failures = [
    ...failuresWithin(fields, given, subject, operation, world),
    ...(rule === 'refuse'
      ? further.map(
          (name): FieldFailure => ({
            field: name,
            keyword: 'others',
            value: given[name] ?? null,
            limit: null,
          }),
        )
      : []),
  ];
  // The language does not say whether a reference to nothing is listed beside other failures.
  if (new Set(failures.map(({ keyword }) => keyword === 'refers')).size > 1) world.leave(unknown([]));
  const refusals =
    failures.length === 0 ? [] : [{ condition: 'invalid' as const, subject: subject.name, failures }];
  return { value: Object.fromEntries(known), refusals };
}

function memberOf(content: Value | undefined, name: string): Value | undefined {
  return content !== undefined && isObject(content) ? content[name] : undefined;
}

/** No body, or one that is no object, cannot be read (language §H.4, rule 9). */
const malformed: Body = {
  value: undefined,
  refusals: [{ condition: 'malformed', subject: '', failures: [] }],
};

/** The fields that a client may give in this operation. */
function writable({ bindings, does }: Operation, { fields }: Resource): ReadonlyMap<string, Field> {
  const bound = [...bindings.values()].flatMap((binding) =>
    binding.kind === 'subject' ? [binding.field] : [],
  );
  const creates = stated(does)?.verb === 'create';
  const isWritable = (field: Field): boolean => {
    const said = stated(field.writable);
    return said === true || (said === 'once' && creates);
  };
  return new Map([...fields].filter(([name, field]) => isWritable(field) && !bound.includes(name)));
}

function failuresWithin(
  fields: ReadonlyMap<string, Field>,
  given: { readonly [name: string]: Value },
  subject: Resource,
  { does }: Operation,
  world: World,
): FieldFailure[] {
  const required =
    stated(does)?.verb === 'update' ? [] : (stated(subject.required) ?? []).map(({ name }) => name);
  return [...fields].flatMap(([name, field]): FieldFailure[] => {
    if (!Object.hasOwn(given, name)) {
      const isMissing = required.includes(name);
      return isMissing ? [{ field: name, keyword: 'required', value: null, limit: null }] : [];
    }
    return ofField(name, field, given[name] as Value, world);
  });
}

function ofField(name: string, field: Field, value: Value, world: World): FieldFailure[] {
  if (stated(field.taken)) world.leave(unknown([]));
  const failures = failuresOf(schemaOf(field.shape) as Schema, value, definitionsOf(world.specification));
  const listed = failures
    .filter(({ holds }) => world.decide(holds))
    .map(({ path, keyword, limit }) => ({
      field: [name, ...path].join('.'),
      keyword,
      value: valueAt(value, path),
      limit: limit as Value,
    }));
  return [...listed, ...ofReference(name, field, value, world)];
}

/** A key that no item has (language §2.2, rule 7). Null is no key. */
function ofReference(name: string, { refers }: Field, value: Value, world: World): FieldFailure[] {
  const reference = stated(refers);
  if (reference === undefined || value === null) return [];
  const identifier = stated(world.specification.resourcesByName.get(reference.resource)?.identifier) ?? [];
  const by = reference.field ?? identifier[0]?.text;
  if (by === undefined || identifier.length !== 1) return world.leave(unknown([]));
  const found = world.find(reference.resource, new Map([[by, value]]));
  return found === null ? [{ field: name, keyword: 'refers', value, limit: null }] : [];
}

function valueAt(value: Value, path: readonly (string | number)[]): Value {
  return path.reduce<Value>(
    (at, name) => (at as { readonly [name: string]: Value })[String(name)] ?? null,
    value,
  );
}
