import type { Json } from '../../source/node.ts';
import { isRecord } from './record.ts';

/** A value of a statement as an implementation might get it wrong. */
export interface OtherValue {
  readonly says: string;
  readonly value: unknown;
}

/** A JSON Schema with one keyword left out, or with another bound, at any depth (language §H.1). */
export function deviatingSchemas(schema: Json): OtherValue[] {
  if (Array.isArray(schema))
    return schema.flatMap((each: Json, place) =>
      deviatingSchemas(each).map(({ says, value }) => ({ says, value: schema.with(place, value as Json) })),
    );
  if (!isRecord(schema)) return [];
  return Object.entries(schema as Readonly<Record<string, Json>>).flatMap(([keyword, value]) => {
    const { [keyword]: _, ...others } = schema as Readonly<Record<string, Json>>;
    const changed = (says: string, other: unknown): OtherValue => ({
      says,
      value: { ...schema, [keyword]: other },
    });
    if (annotations.has(keyword)) return [];
    return [
      ...(inOthers.has(keyword) ? [] : [{ says: `${keyword} is left out`, value: others }]),
      ...(typeof value === 'number'
        ? [value + 1, value - 1].map((near) => changed(`${keyword} is ${near}`, near))
        : []),
      ...(keyword === 'enum' && Array.isArray(value)
        ? value.map((word: Json, place) => ({
            says: `${JSON.stringify(word)} is refused`,
            // No list of values is empty (JSON Schema, Validation 6.1.2).
            value: value.length > 1 ? { ...schema, enum: value.toSpliced(place, 1) } : { ...others, not: {} },
          }))
        : []),
      ...(within.has(keyword) ? deviatingSchemas(value) : []).map((inner) =>
        changed(inner.says, inner.value),
      ),
      ...(named.has(keyword) ? namedSchemas(value) : []).map((inner) => changed(inner.says, inner.value)),
    ];
  });
}

function namedSchemas(schemas: Json): OtherValue[] {
  return Object.entries(schemas as Readonly<Record<string, Json>>).flatMap(([name, schema]) =>
    deviatingSchemas(schema).map(({ says, value }) => ({
      says: `${name}: ${says}`,
      value: { ...(schemas as object), [name]: value },
    })),
  );
}

const annotations = new Set([
  'title',
  'description',
  'examples',
  'deprecated',
  '$comment',
  'default',
  '$ref',
]);
const inOthers = new Set(['then', 'else']);
const within = new Set(
  'items, contains, not, if, then, else, propertyNames, additionalProperties, allOf, anyOf, oneOf, prefixItems'.split(
    ', ',
  ),
);
const named = new Set(['properties', 'patternProperties', 'dependentSchemas']);
