import { isDeepStrictEqual } from 'node:util';
import { get, type Json, json, type Mapping, type Node } from '../source/node.ts';
import { compilePattern } from './pattern.ts';
import { kindOf, type Reading } from './reading.ts';
import { isMarker } from './said.ts';

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
  const schema = Object.fromEntries(
    [...map.entries].flatMap(([name, { value }]) => (isMarker(value) ? [] : [[name, json(value)]])),
  );
  for (const [lower, upper, mayMeet] of bounds) {
    const [low, high] = [schema[lower], schema[upper]];
    if (typeof low !== 'number' || typeof high !== 'number') continue;
    if (low < high || (mayMeet && low === high)) continue;
    const problem = `no value is both within ${lower} ${low} and ${upper} ${high}`;
    const related = [(map.entries.get(lower) as { key: Node['span'] }).key];
    reading.report(
      'contradiction',
      (map.entries.get(upper) as { key: Node['span'] }).key,
      { problem },
      { related },
    );
  }
  checkTypes(map, schema['type'], reading);
  const fallback = get(map, 'default');
  if (fallback && !isMarker(fallback) && !isExpression(fallback) && !admits(schema, json(fallback)))
    reading.report('bad-keyword', fallback.span, {
      keyword: 'default',
      wanted: 'a value that the shape around it admits',
      found: fallback.kind === 'scalar' ? fallback.written : kindOf(fallback),
    });
}

function checkTypes(map: Mapping, type: Json | undefined, reading: Reading): void {
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  if (types.length === 0) return;
  for (const [keyword, { key }] of map.entries) {
    const wanted = about[keyword];
    const fits = wanted?.some(
      (one) => types.includes(one) || (one === 'number' && types.includes('integer')),
    );
    if (wanted && Object.hasOwn(about, keyword) && !fits)
      reading.report('idle-keyword', key, { keyword, type: types.join(' or ') });
  }
}

function isExpression(node: Node): boolean {
  return node.kind === 'scalar' && typeof node.value === 'string' && node.value.includes('${');
}

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT/i,
  ipv4: /^\d+(\.\d+){3}$/,
  email: /@/,
};

/** False where a schema surely refuses a value; true where it may admit it. It looks at the value's own keywords alone. */
export function admits(schema: { readonly [keyword: string]: Json }, value: Json): boolean {
  const number = (keyword: string): number | undefined =>
    typeof schema[keyword] === 'number' ? (schema[keyword] as number) : undefined;
  const within = (found: number, lower: string, upper: string): boolean =>
    found >= (number(lower) ?? -Infinity) && found <= (number(upper) ?? Infinity);
  if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => isDeepStrictEqual(one, value)))
    return false;
  if ('const' in schema && !isDeepStrictEqual(schema['const'], value)) return false;
  if (typeof value === 'number')
    return (
      within(value, 'minimum', 'maximum') &&
      value > (number('exclusiveMinimum') ?? -Infinity) &&
      value < (number('exclusiveMaximum') ?? Infinity)
    );
  if (Array.isArray(value)) return within(value.length, 'minItems', 'maxItems');
  if (typeof value !== 'string') return true;
  const { format, pattern } = schema;
  if (!within([...value].length, 'minLength', 'maxLength')) return false;
  if (typeof format === 'string' && formats[format]?.test(value) === false) return false;
  return typeof pattern !== 'string' || matches(pattern, value);
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
    return /^-?\d+(\.\d+)?$/.test(text) && admits(schema, Number(text));
  return admits(schema, text);
}
