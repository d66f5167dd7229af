import { isDeepStrictEqual } from 'node:util';
import { get, type Json, json, type Mapping, type Node, ownMember } from '../../source/node.ts';
import { compilePattern } from '../reading/pattern.ts';
import { kindOf, type Reading } from '../reading/reading.ts';
import { isMarker } from '../reading/said.ts';
import { holdsExpression } from '../reading/templates.ts';

/** The types of JSON Schema whose values a keyword says something of (JSON Schema Validation §6). */
const about: Readonly<Record<string, readonly string[]>> = {
  multipleOf: ['number'],
  maximum: ['number'],
  exclusiveMaximum: ['number'],
  minimum: ['number'],
  exclusiveMinimum: ['number'],
  maxLength: ['string'],
  minLength: ['string'],
  pattern: ['string'],
  format: ['string'],
  maxItems: ['array'],
  minItems: ['array'],
  uniqueItems: ['array'],
  items: ['array'],
  prefixItems: ['array'],
  contains: ['array'],
  maxContains: ['array'],
  minContains: ['array'],
  maxProperties: ['object'],
  minProperties: ['object'],
  properties: ['object'],
  patternProperties: ['object'],
  additionalProperties: ['object'],
  propertyNames: ['object'],
};

/** Pairs of bounds: a lower one, an upper one, and whether the two may be equal. */
const bounds: readonly (readonly [string, string, boolean])[] = [
  ['minimum', 'maximum', true],
  ['exclusiveMinimum', 'maximum', false],
  ['minimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
  ['minLength', 'maxLength', true],
  ['minItems', 'maxItems', true],
  ['minContains', 'maxContains', true],
  ['minProperties', 'maxProperties', true],
];

/** Whether the keywords of one shape agree with one another: bounds in order, about the stated type, a default within (language §H.1). */
export function checkAgreement(map: Mapping, reading: Reading): void {
  const literalAt = (name: string): Json | undefined => {
    const written = map.entries.get(name)?.value;
    return written === undefined || isMarker(written) ? undefined : json(written);
  };
  for (const [lower, upper, mayMeet] of bounds) {
    const [low, high] = [literalAt(lower), literalAt(upper)];
    if (typeof low !== 'number' || typeof high !== 'number') continue;
    if (low < high || (mayMeet && low === high)) continue;
    const problem = `${lower} ${low} and ${upper} ${high} leave no value`;
    const related = [(map.entries.get(lower) as { key: Node['span'] }).key];
    reading.report(
      'contradiction',
      (map.entries.get(upper) as { key: Node['span'] }).key,
      { problem },
      { related },
    );
  }
  checkTypes(map, literalAt('type'), reading);
  const fallback = get(map, 'default');
  if (fallback === undefined || isMarker(fallback) || holdsExpression(fallback)) return;
  const schema = Object.fromEntries(
    [...map.entries].flatMap(([name, { value }]) => (isMarker(value) ? [] : [[name, json(value)]])),
  );
  const keyword = refusedBy(schema, json(fallback));
  if (keyword)
    reading.report('bad-keyword', fallback.span, {
      keyword: 'default',
      wanted: `a value that ${keyword} beside it admits`,
      found: fallback.kind === 'scalar' ? fallback.written : kindOf(fallback),
    });
}

function checkTypes(map: Mapping, type: Json | undefined, reading: Reading): void {
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  // What is no type is told where it stands.
  if (types.length === 0 || !types.every((one) => typeof one === 'string')) return;
  for (const [keyword, { key }] of map.entries) {
    const wanted = Object.hasOwn(about, keyword) ? about[keyword] : undefined;
    const fits = wanted?.some(
      (one) => types.includes(one) || (one === 'number' && types.includes('integer')),
    );
    if (wanted && !fits) reading.report('idle-keyword', key, { keyword, type: types.join(' or ') });
  }
}

/** The text of a UUID (RFC 9562 §4), which has no prefix. */
export const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const formats: Readonly<Record<string, RegExp>> = {
  uuid: uuidForm,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT/i,
  ipv4: /^\d+(\.\d+){3}$/,
  email: /@/,
};

/**
 * The keyword by which a schema surely refuses a value; undefined where it may admit it. It looks at keywords that
 * are about the value itself, and at no shape within.
 */
export function refusedBy(schema: { readonly [keyword: string]: Json }, value: Json): string | undefined {
  const { const: only, enum: values, format, pattern } = schema;
  if (Array.isArray(values) && !values.some((one) => isDeepStrictEqual(one, value))) return 'enum';
  if (only !== undefined && !isDeepStrictEqual(only, value)) return 'const';
  const past = (size: number, lower: string, upper: string): string | undefined => {
    const [least, most] = [schema[lower], schema[upper]];
    if (typeof least === 'number' && size < least) return lower;
    return typeof most === 'number' && size > most ? upper : undefined;
  };
  if (typeof value === 'number') {
    const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
    if (typeof above === 'number' && value <= above) return 'exclusiveMinimum';
    if (typeof below === 'number' && value >= below) return 'exclusiveMaximum';
    return past(value, 'minimum', 'maximum');
  }
  if (Array.isArray(value)) return past(value.length, 'minItems', 'maxItems');
  if (typeof value !== 'string') return undefined;
  if (typeof format === 'string' && ownMember(formats, format)?.test(value) === false) return 'format';
  if (typeof pattern === 'string' && !matches(pattern, value)) return 'pattern';
  return past([...value].length, 'minLength', 'maxLength');
}

function matches(pattern: string, value: string): boolean {
  try {
    return compilePattern(pattern).test(value);
  } catch {
    return true;
  }
}

/** Whether a text in a path may be a value of this schema. */
export function mayBe(schema: { readonly [keyword: string]: Json }, text: string): boolean {
  const types = [schema['type']].flat();
  if (types.includes('integer') || types.includes('number'))
    return /^-?\d+(\.\d+)?$/.test(text) && refusedBy(schema, Number(text)) === undefined;
  return refusedBy(schema, text) === undefined;
}
