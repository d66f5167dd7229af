import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matching } from '../../src/conformance/matching.ts';
import { bounds } from '../../src/conformance/probes.ts';
import { seeded } from '../../src/conformance/random.ts';
import { hostileValues, markedTexts } from '../../src/conformance/requests/hostile.ts';
import { type Schema, schemas } from '../../src/conformance/schema.ts';
import { values } from '../../src/conformance/values.ts';
import type { Json } from '../../src/source/node.ts';
import { read } from '../../src/specification/read.ts';
import { compilePattern } from '../../src/specification/reading/pattern.ts';
import { annotations, formats, keywords } from '../../src/specification/vocabulary/keywords.ts';

const found = schemas(read('none.yaml', 'resources: {}').specification);

function toolsOf(seed = 1) {
  return { ...found, ...values(found, seeded(seed)) };
}

/** What is tried of a schema: by keyword and place, what is inside and what is outside. */
function tried(schema: Schema): Record<string, readonly [readonly unknown[], readonly unknown[]]> {
  const entries = bounds(schema, toolsOf()).map(
    ({ keyword, place, inside, outside }) =>
      [
        [...place, keyword].join('.'),
        [inside.map((one) => one.value), outside.map((one) => one.value)],
      ] as const,
  );
  return Object.fromEntries(entries);
}

describe('a value at a bound, and just past it', () => {
  it('is one more or one less than a number says', () => {
    expect(tried({ type: 'integer', minimum: 3, maximum: 9 })).toMatchObject({
      minimum: [[3, 4], [2]],
      maximum: [[9, 8], [10]],
    });
    expect(tried({ type: 'integer', exclusiveMinimum: 3 })).toMatchObject({ exclusiveMinimum: [[4], [3]] });
    expect(tried({ type: 'number', maximum: 1, multipleOf: 0.25 })).toMatchObject({
      maximum: [[1, 0.75], [1.25]],
    });
  });

  it('counts characters as code points', () => {
    const { minLength, maxLength } = tried({ type: 'string', minLength: 3, maxLength: 4 });
    const lengths = (list: readonly unknown[] = []) => list.map((text) => [...(text as string)].length);
    expect([lengths(minLength?.[0]), lengths(minLength?.[1])]).toEqual([
      [3, 3],
      [2, 2],
    ]);
    expect([lengths(maxLength?.[0]), lengths(maxLength?.[1])]).toEqual([
      [4, 4],
      [5, 5],
    ]);
    expect(minLength?.[1]).toContain('𝄞𝄞');
  });

  it('is what looks like the type, and is of another', () => {
    expect(tried({ type: 'integer' })['type']?.[1]).toEqual(['5', 1.5, true, null, [5]]);
    expect(tried({ type: 'boolean' })['type']?.[1]).toContain('true');
    expect(tried({ type: ['string', 'null'] })['type']?.[1]).not.toContain(null);
  });

  it('misses one keyword alone, wherever one can', () => {
    const schema: Schema = { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' };
    for (const { keyword, outside } of bounds(schema, toolsOf())) {
      expect(outside.length).toBeGreaterThan(0);
      for (const { value } of outside)
        expect(found.failures(schema, value).map((one) => one.keyword)).toEqual([keyword]);
    }
  });

  it('is found at every depth', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        tags: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', maxLength: 2 } },
        place: {
          type: 'object',
          properties: { shelf: { type: 'integer', minimum: 0 } },
          required: ['shelf'],
        },
      },
    };
    const all = tried(schema);
    for (const place of [
      'tags.minItems',
      'tags.uniqueItems',
      'tags.items.maxLength',
      'place.required',
      'place.shelf.minimum',
    ])
      expect(all[place]?.[1].length, place).toBeGreaterThan(0);
  });

  it('is a member that a shape within the whole refuses', () => {
    const { specification } = read(
      'drawers.yaml',
      'resources: { Shelf: { identifier: (none), fields: { row: { type: integer } }, others: refuse } }',
      [],
    );
    const tools = { ...schemas(specification), ...values(schemas(specification), seeded(1)) };
    const schema: Schema = { type: 'object', properties: { shelf: { $ref: '#/$defs/Shelf' } } };
    const [others] = bounds(schema, tools).filter(({ keyword }) => keyword === 'others');
    expect(others?.place).toEqual(['shelf']);
    expect(others?.outside.map(({ failures }) => failures.map(({ path }) => path.join('.')))).toEqual([
      ['shelf.not stated'],
    ]);
  });

  it('is confirmed by the validator, for any bounds of numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.nat({ max: 1000 }),
        fc.integer(),
        (low, span, seed) => {
          const schema: Schema = { type: 'integer', minimum: low, maximum: low + span };
          const tools = toolsOf(seed);
          expect(found.failures(schema, tools.valid(schema, 'most') ?? null)).toEqual([]);
          for (const { inside, outside } of bounds(schema, tools)) {
            for (const { value } of inside) expect(found.failures(schema, value)).toEqual([]);
            for (const { value } of outside) expect(found.failures(schema, value)).not.toEqual([]);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** A shape in which each keyword decides; by the keyword that a value fails, where that is another one. */
const deciding: Readonly<Record<string, Schema>> = {
  type: { type: ['string', 'null'] },
  enum: { enum: ['a', null, 3] },
  const: { const: { a: 1 } },
  multipleOf: { type: 'number', multipleOf: 0.01 },
  maximum: { type: 'integer', maximum: 7, multipleOf: 3 },
  exclusiveMaximum: { type: 'number', exclusiveMaximum: 1 },
  minimum: { type: 'integer', minimum: 1.5 },
  exclusiveMinimum: { type: 'integer', exclusiveMinimum: 0, multipleOf: 3 },
  maxLength: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', maxLength: 40 },
  minLength: { type: 'string', pattern: '^#', minLength: 30 },
  pattern: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', minLength: 3, maxLength: 12 },
  format: { type: 'string', format: 'uri', pattern: '^https://' },
  maxItems: { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true },
  minItems: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 },
  uniqueItems: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
  contains: {
    type: 'array',
    items: { type: 'integer' },
    contains: { minimum: 5 },
    minContains: 2,
    maxContains: 3,
  },
  maxProperties: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 3 },
  minProperties: { type: 'object', properties: { a: { type: 'string' }, b: {} }, minProperties: 1 },
  required: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  dependentRequired: { type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } },
  'allOf.maximum': { allOf: [{ type: 'integer', minimum: 5 }, { maximum: 6 }] },
  anyOf: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'integer' }] },
  oneOf: {
    oneOf: [
      { type: 'integer', multipleOf: 3 },
      { type: 'integer', multipleOf: 5 },
    ],
  },
  not: { type: 'string', not: { enum: ['admin'] } },
  'then.n.maximum': {
    type: 'object',
    properties: { n: { type: 'integer' } },
    if: { required: ['n'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { n: { maximum: 5 } } },
  },
  'dependentSchemas.b.minimum': {
    type: 'object',
    properties: { a: {}, b: { type: 'integer' } },
    dependentSchemas: { a: { properties: { b: { minimum: 5 } } } },
  },
  'prefixItems.prefixItems.0.maxLength': { type: 'array', prefixItems: [{ type: 'string', maxLength: 3 }] },
  'items.items.maxLength': { type: 'array', items: { type: 'string', maxLength: 2 }, minItems: 1 },
  'properties.a.maxLength': { type: 'object', properties: { a: { type: 'string', maxLength: 2 } } },
  'patternProperties.patternProperties.^x-.maxLength': {
    type: 'object',
    patternProperties: { '^x-': { type: 'string', maxLength: 3 } },
  },
  'additionalProperties.additionalProperties.maximum': {
    type: 'object',
    additionalProperties: { type: 'integer', maximum: 5 },
  },
  propertyNames: { type: 'object', propertyNames: { pattern: '^[a-z]+$', maxLength: 5 } },
  unevaluatedItems: { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false },
  unevaluatedProperties: { type: 'object', properties: { a: {} }, unevaluatedProperties: false },
};

/** Keywords that say nothing by themselves, or whose bound is another one's. */
const silent = [
  ...annotations,
  'if',
  'else',
  'minContains',
  'maxContains',
  ...['Encoding', 'MediaType', 'Schema'].map((one) => `content${one}`),
];

describe('every keyword that a shape may hold', () => {
  it('has a shape here in which it decides', () => {
    const known = new Set(Object.keys(deciding).map((name) => name.split('.')[0]));
    // Of `then`, what is asked is found where the condition holds.
    expect(Object.keys(keywords).filter((one) => !known.has(one) && !silent.includes(one))).toEqual([]);
  });

  it.each(Object.entries(deciding))('%s is tried within its bound and past it', (name, schema) => {
    const at = Object.hasOwn(schema, name) ? name : name.slice(name.indexOf('.') + 1);
    const [inside = [], outside = []] = tried(schema)[at] ?? [];
    expect(outside.length).toBeGreaterThan(0);
    if (!['required', 'unevaluatedProperties'].includes(at)) expect(inside.length).toBeGreaterThan(0);
    for (const value of inside) expect(found.failures(schema, value as Json)).toEqual([]);
    for (const value of outside) expect(found.failures(schema, value as Json)).not.toEqual([]);
  });
});

describe('a text as long as may be, and one longer', () => {
  /** Of how many characters texts of a format can be, at the least and at the most, where that is bounded. */
  const bounded: Readonly<Record<string, readonly [number, number]>> = {
    'date-time': [20, 40],
    date: [10, 10],
    time: [9, 30],
    duration: [3, 11],
    email: [7, 250],
    hostname: [1, 250],
    ipv4: [7, 11],
    ipv6: [2, 35],
    uuid: [36, 36],
  };

  // Bytes are counted, and the tester makes none.
  const ofText = formats.filter((format) => format !== 'binary');

  it.each(ofText.map((format) => [format, ...(bounded[format] ?? [3, 2000])] as const))(
    'is of the format %s',
    (format, least, most) => {
      const [shortest, longest] = [
        tried({ type: 'string', format, minLength: least })['minLength'],
        tried({ type: 'string', format, maxLength: most })['maxLength'],
      ];
      const lengths = (all: readonly unknown[] = []) => [
        ...new Set(all.map((text) => [...(text as string)].length)),
      ];
      expect([lengths(shortest?.[0]), lengths(longest?.[0]), lengths(longest?.[1])]).toEqual([
        [least],
        [most],
        [most + 1],
      ]);
      if (least === most) return;
      for (const text of longest?.[1] ?? [])
        expect(found.failures({ type: 'string', format }, text as Json)).toEqual([]);
    },
  );

  it('keeps to a pattern beside the format', () => {
    const schema: Schema = { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2000 };
    const { maxLength } = tried(schema);
    expect(maxLength?.map((all) => (all[0] as string).length)).toEqual([2000, 2001]);
    for (const [text] of maxLength ?? []) expect(text).toMatch(/^https:\/\//);
  });

  it('is no mailbox that a mail server need not take', () => {
    const { maxLength } = tried({ type: 'string', format: 'email', maxLength: 254 });
    for (const text of maxLength?.[0] ?? [])
      expect((text as string).split(/[@.]/).every((one) => one.length <= 64)).toBe(true);
    expect(tried({ type: 'string', format: 'email', maxLength: 320 })['maxLength']?.[0]).toEqual([]);
  });
});

describe('a value within bounds', () => {
  const schemas: readonly Schema[] = [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'uuid' },
    { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3,5}$' },
    { enum: ['a', 2, null] },
    { const: { a: 1 } },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: 'number', minimum: 10, multipleOf: 0.5 },
    { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true },
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2, items: false },
    { type: 'array', contains: { const: 7 }, minContains: 2 },
    { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, minProperties: 2 },
    { allOf: [{ type: 'integer', minimum: 5 }, { maximum: 6 }] },
    {
      oneOf: [
        { type: 'integer', maximum: 1 },
        { type: 'integer', minimum: 9 },
      ],
    },
    {
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['a'],
      if: { properties: { a: { minimum: 9 } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['b'] },
    },
  ];

  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))(
    'is made for %s',
    (_, schema) => {
      for (const size of ['least', 'most'] as const) {
        const value = toolsOf().valid(schema, size);
        expect(value).not.toBeUndefined();
        expect(found.failures(schema, value ?? null)).toEqual([]);
      }
    },
  );

  it('is not made where there is none', () => {
    expect(toolsOf().valid({ type: 'integer', minimum: 2, maximum: 1 }, 'most')).toBeUndefined();
  });

  it('is the same for the same seed', () => {
    const schema: Schema = { type: 'string', minLength: 20 };
    expect(toolsOf(7).valid(schema, 'most')).toBe(toolsOf(7).valid(schema, 'most'));
    expect(toolsOf(7).valid(schema, 'most')).not.toBe(toolsOf(8).valid(schema, 'most'));
  });
});

describe('a text for a pattern', () => {
  it.each([
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^\\+?[1-9]\\d{1,14}$',
    '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
    '^(foo|ba[rz]){1,2}$',
    '^\\p{Lu}[\\p{L} .]*$',
    '(?i)^abc$',
    '^a{3}b?c+?$',
    '^[[:alpha:]]\\w*$',
    'x|y',
  ])('%s', (pattern) => {
    const random = seeded(3);
    const made = Array.from({ length: 30 }, () => matching(pattern)(random, 3));
    expect(made.filter((text) => !compilePattern(pattern).test(text))).toEqual([]);
  });
});

describe('what no keyword rules out', () => {
  it('is Unicode text, whatever else it looks like', () => {
    const texts = [...markedTexts, ...hostileValues].filter((value) => typeof value === 'string');
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain('\0');
    }
  });
});
