import fc from 'fast-check';
import type { Json } from '../../src/source/node.ts';

export type Schema = Readonly<Record<string, Json>>;

/** Named shapes that schemas may refer to. */
export const definitions: Schema = {
  Letter: { type: 'string', maxLength: 1 },
  Tree: {
    type: 'object',
    properties: { a: { $ref: '#/$defs/Letter' }, b: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    additionalProperties: false,
  },
  Pair: { properties: { a: { type: 'integer' }, ab: { $ref: '#/$defs/Letter' } }, required: ['a'] },
};

/** A schema whose keyword `then` is no promise's. */
export const conditional = (parts: Schema, then: Json): Schema =>
  Object.fromEntries([...Object.entries(parts), ['then', then]]);

/** Every keyword of JSON Schema 2020-12 that a shape may hold, alone and with those that it works with. */
export const schemas: readonly Schema[] = [
  { type: 'integer' },
  { type: ['string', 'null'] },
  { type: ['number', 'boolean'], minimum: 1 },
  { enum: [1, 'a', null, [1], { a: 1 }] },
  { const: { a: [1, 2] } },
  { const: 0 },
  { multipleOf: 2 },
  { multipleOf: 0.5 },
  { minimum: 1, maximum: 3 },
  { exclusiveMinimum: 1, exclusiveMaximum: 3 },
  { minLength: 2, maxLength: 3 },
  { pattern: '^a+$' },
  { pattern: 'b' },
  { minItems: 1, maxItems: 2 },
  { uniqueItems: true },
  { items: { type: 'string' } },
  { items: false },
  { prefixItems: [{ type: 'integer' }, { type: 'string' }] },
  { prefixItems: [{ type: 'integer' }], items: { type: 'string' } },
  { prefixItems: [true, false], items: false },
  { contains: { type: 'string' } },
  { contains: { type: 'integer' }, minContains: 2 },
  { contains: { type: 'integer' }, maxContains: 1 },
  { contains: { type: 'integer' }, minContains: 0 },
  { contains: true, minContains: 0, maxContains: 1 },
  { minContains: 2 },
  { minProperties: 1, maxProperties: 2 },
  { required: ['a', 'b'] },
  { dependentRequired: { a: ['b', 'c'], b: [] } },
  { dependentSchemas: { a: { required: ['b'] }, b: false } },
  { properties: { a: { type: 'integer' }, b: true, c: false } },
  { patternProperties: { '^a': { type: 'integer' }, b$: { minimum: 1 } } },
  { properties: { a: true }, patternProperties: { b: true }, additionalProperties: { type: 'null' } },
  { properties: { a: {} }, additionalProperties: false },
  { propertyNames: { maxLength: 1 } },
  { propertyNames: { enum: ['a', 'b'] } },
  { allOf: [{ type: 'object' }, { required: ['a'] }, { properties: { a: { minimum: 2 } } }] },
  { anyOf: [{ type: 'string' }, { minimum: 2 }, { required: ['a'] }] },
  { oneOf: [{ type: 'integer' }, { minimum: 2 }, { maxLength: 1 }] },
  { not: { type: ['integer', 'object'] } },
  conditional({ if: { type: 'object' }, else: { type: 'string' } }, { required: ['a'] }),
  conditional({ if: { required: ['a'] } }, { required: ['b'] }),
  { if: { type: 'string' }, else: false },
  { if: true },
  conditional({ else: false }, false),
  {
    properties: { a: true },
    anyOf: [{ properties: { b: true }, required: ['b'] }, true],
    unevaluatedProperties: false,
  },
  { allOf: [{ properties: { a: true } }], unevaluatedProperties: { type: 'integer' } },
  conditional(
    { if: { properties: { a: { const: 1 } }, required: ['a'] }, unevaluatedProperties: false },
    { properties: { b: true } },
  ),
  { allOf: [{ prefixItems: [true, { type: 'string' }] }], unevaluatedItems: { type: 'null' } },
  { prefixItems: [{ type: 'integer' }], contains: { type: 'string' }, unevaluatedItems: false },
  { contains: { type: 'string' }, minContains: 0, unevaluatedItems: { type: 'integer' } },
  {
    allOf: [{ contains: { minimum: 2 } }, { contains: { maxLength: 1 } }],
    unevaluatedItems: { contains: { type: 'string' } },
  },
  { if: { contains: { type: 'string' } }, unevaluatedItems: false },
  conditional(
    { if: { contains: { const: 'a' } }, else: { prefixItems: [true] }, unevaluatedItems: false },
    { if: { contains: { const: 'b' } }, unevaluatedItems: { type: 'integer' } },
  ),
  { oneOf: [{ prefixItems: [{ type: 'string' }] }, { items: { type: 'integer' } }], unevaluatedItems: false },
  { not: { prefixItems: [{ type: 'string' }] }, unevaluatedItems: { type: 'integer' } },
  { if: { properties: { a: { type: 'integer' } }, required: ['a'] }, unevaluatedProperties: false },
  conditional(
    { if: { required: ['a'] }, else: { patternProperties: { '^b': true } }, unevaluatedProperties: false },
    { properties: { a: true } },
  ),
  { dependentSchemas: { a: { properties: { a: true, b: true } } }, unevaluatedProperties: false },
  {
    properties: { a: { unevaluatedProperties: false, properties: { b: true } } },
    unevaluatedProperties: { minimum: 2 },
  },
  { anyOf: [{ $ref: '#/$defs/Pair' }, { required: ['b'] }], unevaluatedProperties: false },
  {
    allOf: [{ properties: { a: true }, additionalProperties: { type: 'integer' } }],
    unevaluatedProperties: false,
  },
  { unevaluatedProperties: { $ref: '#/$defs/Tree' } },
  { contentEncoding: 'base64', contentMediaType: 'application/json', contentSchema: { type: 'object' } },
  { $ref: '#/$defs/Tree' },
  { items: { $ref: '#/$defs/Tree' } },
  { anyOf: [{ $ref: '#/$defs/Letter' }, { $ref: '#/$defs/Tree' }] },
  { type: 'object', properties: { a: { $ref: '#/$defs/Letter' } }, required: ['a', 'b'], minProperties: 3 },
];

/** Values near what those schemas speak of. */
export const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 4, -1, 0.5, 1.5, 1e300),
    fc.constantFrom('', 'a', 'b', 'aa', 'ab', 'aab', 'ba', '😀', '😀😀', 'aaaa'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ab'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
