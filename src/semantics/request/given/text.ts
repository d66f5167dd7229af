import type { Json } from '../../../source/node.ts';
import type { Value } from '../../value/value.ts';

export type Schema = Readonly<Record<string, Json>>;

const integer = /^-?(0|[1-9]\d*)$/;
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * The text of a header field as a value of the type of a schema: of a list, its elements stand between commas (RFC 9110
 * §5.6.1). Undefined: this does not read it.
 */
export function fieldAs(schema: Schema, text: string): Value | undefined {
  if (schema['type'] !== 'array') return typedAs(schema, text);
  const elements = text.split(',').map((each) => typedAs((schema['items'] ?? {}) as Schema, each.trim()));
  return elements.some((element) => element === undefined) ? undefined : (elements as Value[]);
}

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
