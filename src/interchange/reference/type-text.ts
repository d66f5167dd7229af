import type { Json } from '../../source/node.ts';
import type { Schema } from '../schemas/schema.ts';

/** A piece of the text of a type: as it is, or the name of a resource, view or shape. */
export type TypePiece = string | { readonly name: string };

type Keywords = { readonly [keyword: string]: Json };

/** What a schema takes, in a few words: `string (uuid)`, `list of Parcel`, `integer or null`. */
export function typeText(schema: Json | undefined): readonly TypePiece[] {
  if (schema === false) return ['nothing'];
  if (!isKeywords(schema)) return ['any value'];
  const { $ref: reference, const: only, enum: values, anyOf, oneOf, allOf } = schema;
  if (typeof reference === 'string') return [{ name: reference.slice('#/$defs/'.length) }];
  if (only !== undefined) return [JSON.stringify(only)];
  if (Array.isArray(values)) return [values.map((value) => JSON.stringify(value)).join(' | ')];
  const some = [anyOf, oneOf].find((list) => Array.isArray(list));
  if (Array.isArray(some)) return joined(some.map(typeText), ' or ');
  if (Array.isArray(allOf) && schema['type'] === undefined) return joined(allOf.map(typeText), ' and ');
  const types = [schema['type'] ?? []].flat();
  return types.length === 0
    ? ['any value']
    : joined(
        types.map((type) => ofType(String(type), schema)),
        ' or ',
      );
}

function ofType(type: string, schema: Keywords): readonly TypePiece[] {
  const { items, prefixItems, format, properties, additionalProperties } = schema;
  if (type === 'array') {
    if (Array.isArray(prefixItems)) return ['list of ', ...joined(prefixItems.map(typeText), ', then ')];
    return items === undefined ? ['list'] : ['list of ', ...typeText(items)];
  }
  if (type === 'object' && properties === undefined && isKeywords(additionalProperties))
    return ['object, each member ', ...typeText(additionalProperties)];
  return [typeof format === 'string' && type !== 'null' ? `${type} (${format})` : type];
}

function joined(all: readonly (readonly TypePiece[])[], between: string): readonly TypePiece[] {
  return all.flatMap((pieces, index) => (index === 0 ? pieces : [between, ...pieces]));
}

export function isKeywords(schema: Json | Schema | undefined): schema is Keywords {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

/** Keywords whose meaning the text of the type has, or that stand in rows of their own. */
const told = [
  ...['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', 'type', 'format', 'items', 'prefixItems'],
  ...['properties', 'required', 'others', 'description', 'title', 'examples', 'default'],
];

/** What a schema asks beside its type: `1 to 120 characters`, `matches ^[A-Z]{2}$`. */
export function boundsOf(schema: Json | undefined): readonly string[] {
  if (!isKeywords(schema)) return [];
  const pairs = [
    ['minLength', 'maxLength', 'character'],
    ['minimum', 'maximum', ''],
    ['minItems', 'maxItems', 'element'],
    ['minProperties', 'maxProperties', 'member'],
  ] as const;
  const isTuple = Array.isArray(schema['prefixItems']);
  const bounds = pairs.flatMap(([least, most, unit]) =>
    isTuple && unit === 'element' ? [] : between(schema[least], schema[most], unit),
  );
  const known = new Set<string>([...told, ...pairs.flat()]);
  const others = Object.entries(schema).flatMap(([keyword, value]) => {
    if (known.has(keyword)) return [];
    if (keyword === 'uniqueItems') return value === true ? ['each element once'] : [];
    if (keyword === 'pattern') return [`matches ${value}`];
    if (keyword === 'exclusiveMinimum') return [`more than ${value}`];
    if (keyword === 'exclusiveMaximum') return [`less than ${value}`];
    if (keyword === 'multipleOf') return [`a multiple of ${value}`];
    if (keyword === 'additionalProperties') return value === false ? ['no other members'] : [];
    return [`${keyword}: ${JSON.stringify(value)}`];
  });
  const ofItems = isKeywords(schema['items'])
    ? boundsOf(schema['items']).map((bound) => `each ${bound}`)
    : [];
  return [...bounds, ...others, ...ofItems];
}

function between(least: Json | undefined, most: Json | undefined, unit: string): readonly string[] {
  const of = (number: Json): string => {
    if (unit === '') return String(number);
    return number === 1 ? `1 ${unit}` : `${number} ${unit}s`;
  };
  if (least !== undefined && most !== undefined)
    return [least === most ? of(least) : `${least} to ${of(most)}`];
  if (least !== undefined) return [`at least ${of(least)}`];
  return most === undefined ? [] : [`at most ${of(most)}`];
}
