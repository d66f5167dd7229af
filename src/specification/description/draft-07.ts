import type { Json } from '../../source/node.ts';
import type { Schema } from '../reading/form.ts';
import { byName, one, several } from './subschemas.ts';

/** What draft-07 calls by another name. */
const renamed: Readonly<Record<string, string>> = { $defs: 'definitions', dependentRequired: 'dependencies' };

/** Keywords of 2020-12 that draft-07 has not, and for which there is no rule here. */
const untold = [
  'prefixItems',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  'minContains',
];

/**
 * The same schema in draft-07, whose readers ignore what stands beside a `$ref`.
 *
 * @throws where the schema holds a keyword that this cannot tell in draft-07
 */
export function draft07(schema: Schema): Schema {
  return { ...told(schema), $schema: 'http://json-schema.org/draft-07/schema#' };
}

function told({ $ref, ...schema }: Schema): Schema {
  const result: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (untold.includes(keyword)) throw new Error(`no rule for ${keyword}`);
    result[renamed[keyword] ?? keyword] = inner(keyword, value);
  }
  if (typeof $ref !== 'string') return result;
  const reference = { $ref: $ref.replace('#/$defs/', '#/definitions/') };
  if (Object.keys(result).length === 0) return reference;
  return { ...result, allOf: [reference, ...((result['allOf'] as Schema[] | undefined) ?? [])] };
}

function inner(keyword: string, value: Json): Json {
  const schema = (of: Json): Json => (typeof of === 'object' ? told(of as Schema) : of);
  if (one.includes(keyword)) return schema(value);
  if (several.includes(keyword)) return (value as readonly Json[]).map(schema);
  if (byName.includes(keyword))
    return Object.fromEntries(Object.entries(value as Schema).map(([name, of]) => [name, schema(of)]));
  return value;
}
