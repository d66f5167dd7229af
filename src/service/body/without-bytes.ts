import type { Json } from '../../source/node.ts';
import type { BodySchemas, Schema } from './schema.ts';

/** Whether a shape is that of bytes, or of a list of them. */
export function isOfBytes(schema: Json | undefined): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
  const { format, items } = schema as Schema;
  return format === 'binary' || (items !== undefined && isOfBytes(items));
}

/** The members of a body that are bytes, which only a body in parts has (language §E.4). */
export function membersOfBytes({ given }: Pick<BodySchemas, 'given'>): readonly string[] {
  const properties = (given['properties'] ?? {}) as Schema;
  return Object.keys(properties).filter((name) => isOfBytes(properties[name]));
}

/** What a body that is not in parts may hold. */
export function withoutBytes(schemas: BodySchemas): BodySchemas {
  const names = membersOfBytes(schemas);
  if (names.length === 0) return schemas;
  return { ...schemas, given: without(schemas.given, names) };
}

function without(schema: Schema, names: readonly string[]): Schema {
  const stays = (name: string): boolean => !names.includes(name);
  const properties = Object.entries((schema['properties'] ?? {}) as Schema).filter(([name]) => stays(name));
  const { others } = schema as { readonly others?: { readonly known: readonly string[] } };
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: ((schema['required'] ?? []) as string[]).filter(stays),
    ...(others && { others: { ...others, known: others.known.filter(stays) } }),
  };
}
