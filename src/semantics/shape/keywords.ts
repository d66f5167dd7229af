import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json } from '../../source/node.ts';
import { compilePattern } from '../../specification/reading/pattern.ts';
import { equal, type Ordering, ordered } from '../value/compare.ts';
import { every, some, type Truth } from '../value/truth.ts';
import {
  Bytes,
  Collection,
  Item,
  isList,
  isObject,
  Made,
  Range,
  Text,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';

type Parts = { readonly [keyword: string]: Json };
/** Whether a value meets a keyword. */
type Meets = (limit: Json, value: Value, schema: Parts) => Truth;

/** The keywords that look at a value itself, and at no schema within them (JSON Schema Validation §6, §7). */
export const keywords: Readonly<Record<string, Meets>> = {
  type: (limit, value) => some([limit].flat() as readonly string[], (type) => isOfType(value, type)),
  enum: (limit, value) => some(limit as readonly Json[], (each) => equal(value, each as Value)),
  const: (limit, value) => equal(value, limit as Value),
  multipleOf: (limit, value) => ofNumber(value, (number) => isMultiple(number, limit as number)),
  minimum: bound('>='),
  maximum: bound('<='),
  exclusiveMinimum: bound('>'),
  exclusiveMaximum: bound('<'),
  minLength: (limit, value) => ofLength(value, (length) => length >= (limit as number)),
  maxLength: (limit, value) => ofLength(value, (length) => length <= (limit as number)),
  pattern: (limit, value) => ofText(value, (text) => patternOf(limit as string).test(text)),
  format: (limit, value) =>
    value instanceof Bytes ? limit === 'binary' : ofText(value, (text) => isOfFormat(text, limit as string)),
  minItems: (limit, value) => ofCount(value, isList, '>=', limit),
  maxItems: (limit, value) => ofCount(value, isList, '<=', limit),
  uniqueItems: (limit, value) => (limit === true ? isDistinct(value) : true),
  minProperties: (limit, value) => ofCount(value, isObject, '>=', limit),
  maxProperties: (limit, value) => ofCount(value, isObject, '<=', limit),
};

/** Each pattern is compiled once. */
const patterns = new Map<string, ReturnType<typeof compilePattern>>();

function patternOf(pattern: string): ReturnType<typeof compilePattern> {
  const compiled = patterns.get(pattern) ?? compilePattern(pattern);
  patterns.set(pattern, compiled);
  return compiled;
}

function isOfType(value: Value, type: string): Truth {
  if (value instanceof Unknown) return value;
  if (value instanceof Item) return isOfType(value.key, type);
  if (value instanceof Made) return isTypeOf(value.form === 'integer' ? 1 : '', type);
  if (value instanceof Text || value instanceof Bytes) return type === 'string';
  if (value instanceof Range) return type === 'integer' ? unknown([]) : type === 'number';
  return value instanceof Collection ? type === 'array' : isTypeOf(value, type);
}

function isTypeOf(value: Value, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isList(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function bound(comparison: Ordering): Meets {
  return (limit, value) => {
    if (value instanceof Unknown) return value;
    const isNumber =
      typeof value === 'number' ||
      value instanceof Range ||
      (value instanceof Made && value.form === 'integer');
    return isNumber ? ordered(value, comparison, limit as number) : true;
  };
}

function ofNumber(value: Value, is: (number: number) => boolean): Truth {
  if (typeof value === 'number') return is(value);
  const may =
    value instanceof Unknown || value instanceof Range || (value instanceof Made && value.form === 'integer');
  return may ? unknown([value]) : true;
}

function ofText(value: Value, is: (text: string) => Truth): Truth {
  if (typeof value === 'string') return is(value);
  if (value instanceof Item) return ofText(value.key, is);
  return value instanceof Unknown ||
    value instanceof Text ||
    (value instanceof Made && value.form !== 'integer')
    ? unknown([value])
    : true;
}

/** Of bytes, these are counted (language §H.1, rule 9). */
function ofLength(value: Value, is: (length: number) => boolean): Truth {
  return value instanceof Bytes
    ? is(value.content.byteLength)
    : ofText(value, (text) => is([...text].length));
}

function ofCount(
  value: Value,
  isCounted: (value: Value) => boolean,
  comparison: Ordering,
  limit: Json,
): Truth {
  if (value instanceof Unknown) return value;
  const isCollection = value instanceof Collection && isCounted([]);
  if (!isCollection)
    return isCounted(value)
      ? ordered(Object.keys(value as object).length, comparison, limit as number)
      : true;
  const least = value.items.length;
  return ordered(
    value.closed ? least : new Range(least, Number.POSITIVE_INFINITY),
    comparison,
    limit as number,
  );
}

function isDistinct(value: Value): Truth {
  if (value instanceof Unknown) return value;
  const items = isList(value) ? value : value instanceof Collection ? value.items : [];
  const known = every([...items.entries()], ([place, item]) => {
    const others = items.slice(0, place);
    return every(others, (other) => {
      const isEqual = equal(item, other);
      return isEqual instanceof Unknown ? isEqual : !isEqual;
    });
  });
  return known === true && value instanceof Collection && !value.closed ? unknown([value]) : known;
}

/** A format that nobody here judges is unknown. */
function isOfFormat(text: string, name: string): Truth {
  const format = (fullFormats as Readonly<Record<string, unknown>>)[name];
  if (format instanceof RegExp) return format.test(text);
  if (typeof format === 'function') return format(text) as boolean;
  const { validate } = (format ?? {}) as { readonly validate?: RegExp | ((text: string) => boolean) };
  if (validate instanceof RegExp) return validate.test(text);
  return validate ? validate(text) : unknown([]);
}

/** Whether a number is a multiple of another, both as they are written in decimal: 0.3 is one of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(step)];
  const places = Math.max(a.places, b.places);
  const scaled = ({ digits, places: own }: Decimal): bigint => digits * 10n ** BigInt(places - own);
  return scaled(a) % scaled(b) === 0n;
}

/** `digits` divided by ten to the power of `places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

function decimalOf(value: number): Decimal {
  const [coefficient = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = coefficient.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(power) };
}
