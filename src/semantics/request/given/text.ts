import type { Json } from '../../../source/node.ts';
import type { Value } from '../../value/value.ts';

export type Schema = Readonly<Record<string, Json>>;

const integer = /^-?(0|[1-9]\d*)$/;
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A text as a value of the type of a schema; a text that is none stays a text, and does not fit. Undefined: the schema
 * is a list, an object or a named shape, which this does not read.
 */
export function typedAs(schema: Schema, text: string): Value | undefined {
  const types = [schema['type'] ?? []].flat();
  if ('$ref' in schema || 'allOf' in schema) return undefined;
  if (types.includes('string') || types.length === 0) return text;
  if (types.includes('array') || types.includes('object')) return undefined;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.includes('number');
  if (!isNumber && !types.includes('integer')) return text;
  if (integer.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  return isNumber && number.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
