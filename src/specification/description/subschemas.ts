import type { Json } from '../../source/node.ts';
import type { Schema } from '../reading/form.ts';

/** Keywords whose value is a schema. */
export const one = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'];
/** Keywords whose value is a list of schemas. */
export const several = ['anyOf', 'allOf', 'oneOf'];
/** Keywords whose value is a map of schemas. */
export const byName = ['properties', 'patternProperties', '$defs'];

/** The schemas that stand directly in a schema, but `true` and `false`, each with where it stands. */
export function subschemas(of: Schema): [string, Schema][] {
  const found = Object.entries(of).flatMap(([keyword, value]): [string, Json][] => {
    if (one.includes(keyword)) return [[keyword, value]];
    if (!several.includes(keyword) && !byName.includes(keyword)) return [];
    return Object.entries(value as object).map(([key, schema]) => [`${keyword}/${key}`, schema as Json]);
  });
  return found.filter((entry): entry is [string, Schema] => typeof entry[1] === 'object');
}
