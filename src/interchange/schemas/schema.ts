import { type Json, setMember } from '../../source/node.ts';

/**
 * A JSON Schema (2020-12) of what a specification says; true takes anything, false nothing. A name is
 * `{ $ref: '#/$defs/Name' }`, and `others` beside `properties` is as `schemaOf` has it: by its `rule`, whether an
 * object may have members besides.
 */
export type Schema = boolean | { readonly [keyword: string]: Json };

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isOptional: boolean;
}

/** An object with these members; `more`: it may have any others besides. */
export function schemaOfMembers(members: readonly Member[], more: boolean): Schema {
  const properties: Record<string, Json> = {};
  for (const { name, schema } of members) setMember(properties, name, schema);
  return {
    type: 'object',
    properties,
    required: members.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    others: { rule: more ? 'keep' : null },
  };
}

/** A value and nothing else. Members of objects are closed. */
export function schemaOfLiteral(value: Json): Schema {
  return { const: value };
}

export function named(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** A list of as many elements as there are schemas, each in its place. */
export function tupleOf(items: readonly Schema[]): Schema {
  const [minItems, maxItems] = [items.length, items.length];
  return items.length === 0
    ? { type: 'array', maxItems }
    : { type: 'array', prefixItems: items, items: false, minItems, maxItems };
}

/** What one of several takes. Any is one with any other. */
export function union(schemas: readonly Schema[]): Schema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  if (distinct.some(isAnything)) return true;
  const all = distinct.filter((schema) => schema !== false);
  if (all.length <= 1) return all[0] ?? false;
  const values = all.map((schema) => (typeof schema === 'object' ? literal(schema) : undefined));
  return values.every((value) => value !== undefined) ? { enum: values } : { anyOf: all };
}

/** The value that is all that a schema takes; undefined: it takes more. */
function literal(schema: { readonly [keyword: string]: Json }): Json | undefined {
  return Object.keys(schema).length === 1 ? schema['const'] : undefined;
}

const typing = ['$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'];

/** Whether a schema says nothing of the type of a value. */
export function isAnything(schema: Schema): boolean {
  return typeof schema === 'object' ? !typing.some((keyword) => keyword in schema) : schema;
}

/** The schema, and null besides. */
export function orNull(schema: Schema): Schema {
  if (typeof schema === 'boolean' || takesNull(schema)) return schema;
  const { type, enum: values } = schema;
  if (type === undefined || 'const' in schema) return union([schema, { type: 'null' }]);
  const nullable = { ...schema, type: [...[type as Json].flat(), 'null'] as Json };
  return Array.isArray(values) ? { ...nullable, enum: [...values, null] } : nullable;
}

export function takesNull(schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  const { type, enum: values, anyOf } = schema;
  if ('const' in schema) return schema['const'] === null;
  if (Array.isArray(values)) return values.includes(null);
  if (Array.isArray(anyOf)) return (anyOf as readonly Schema[]).some(takesNull);
  return [type ?? []].flat().includes('null');
}
