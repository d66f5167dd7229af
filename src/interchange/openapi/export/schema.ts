import { type Json, setMember } from '../../../source/node.ts';

export type JsonObject = { readonly [name: string]: Json };

/** Keywords that hold a schema, a list of schemas, and schemas by name (JSON Schema 2020-12). */
export const [single, listed, mapped] = [
  ['items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'],
  ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  ['properties', 'patternProperties', 'dependentSchemas'],
];

/** A schema as OpenAPI 3.1 has it: names are components, and who reads and writes a member stands at the member. */
export function written(schema: Json): Json {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return schema;
  const found: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'others') continue;
    if (keyword === '$ref') found['$ref'] = String(value).replace('#/$defs/', '#/components/schemas/');
    else if (keyword === 'required' && (value as readonly Json[]).length === 0) continue;
    // Tools want to see a schema of what follows, and its number is bounded besides.
    else if (keyword === 'items' && value === false && 'maxItems' in schema) found['items'] = {};
    else if (single.includes(keyword)) found[keyword] = typeof value === 'boolean' ? value : written(value);
    else if (listed.includes(keyword)) found[keyword] = (value as readonly Json[]).map(written);
    else if (mapped.includes(keyword)) found[keyword] = eachWritten(value as JsonObject);
    else found[keyword] = value;
  }
  return withAccess(found, schema['others'] as JsonObject | undefined);
}

function eachWritten(schemas: JsonObject): JsonObject {
  const found: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(schemas)) setMember(found, name, written(schema));
  return found;
}

/** What is said of the members of an object that is written with `fields` (language §H.1). */
function withAccess(found: Record<string, Json>, others: JsonObject | undefined): Json {
  if (others === undefined) return found;
  if (others['rule'] === 'refuse') found['additionalProperties'] = false;
  const properties = { ...(found['properties'] as JsonObject | undefined) };
  for (const [list, mark] of [
    ['unreadable', 'writeOnly'],
    ['unwritable', 'readOnly'],
  ] as const)
    for (const name of (others[list] ?? []) as readonly string[])
      if (isObject(properties[name]))
        properties[name] = { ...(properties[name] as JsonObject), [mark]: true };
  return { ...found, properties };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A map of what is there: members that are undefined are left out. */
export function defined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, Json] => member[1] !== undefined),
  );
}

/** The same, or undefined where nothing is in it. */
export function unlessEmpty(members: JsonObject): JsonObject | undefined {
  return Object.keys(members).length > 0 ? members : undefined;
}
