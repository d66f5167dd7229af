import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isKeptBytes } from '../../expression/bytes.ts';
import { type Json, setMember } from '../../source/node.ts';

/** Keywords of our own that hold bytes against their shape, and the keywords that a document writes for them. */
export const bytesKeywords: Readonly<Record<string, string>> = {
  areBytes: 'type',
  minBytes: 'minLength',
  maxBytes: 'maxLength',
};

/** A schema in which shapes of `format: binary` say so by keywords of our own: bytes are no JSON (language §H.1). */
export function withBytes(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withBytes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const of = schema as Readonly<Record<string, Json>>;
  if (of['format'] === 'binary' && typeof of['type'] !== 'object') return bytesSchema(of, 'always');
  if (of['format'] === 'binary' && Array.isArray(of['type']))
    return bytesSchema(of, of['type'].includes('null') ? 'or null' : 'always');
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(of))
    setMember(result, key, literals.includes(key) ? value : withBytes(value));
  return result;
}

/** Keywords whose values are no schemas. */
const literals: readonly string[] = ['enum', 'const', 'default', 'examples', 'others', 'required'];

function bytesSchema(of: Readonly<Record<string, Json>>, areBytes: 'always' | 'or null'): Json {
  const { minLength, maxLength } = of;
  return {
    areBytes,
    ...(minLength !== undefined && { minBytes: minLength }),
    ...(maxLength !== undefined && { maxBytes: maxLength }),
  };
}

export function addBytes(ajv: Ajv2020): void {
  const add = (keyword: string, validate: (of: never, value: unknown) => boolean): void =>
    void ajv.addKeyword({ keyword, validate: validate as (of: unknown, value: unknown) => boolean });
  add('areBytes', (of: string, value) => isKeptBytes(value) || (value === null && of === 'or null'));
  add('minBytes', (of: number, value) => !isKeptBytes(value) || value.size >= of);
  add('maxBytes', (of: number, value) => !isKeptBytes(value) || value.size <= of);
}
