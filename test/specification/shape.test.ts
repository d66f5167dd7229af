import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { compilePattern } from '../../src/specification/reading/pattern.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { annotations, formats, keywords } from '../../src/specification/vocabulary/keywords.ts';
import { objectSchema, schemaOf } from '../../src/specification/vocabulary/shape.ts';
import { timed } from '../cpu.ts';
import { document, faults, points, specification } from './documents.ts';
import { findings } from './findings.ts';

const shape = (rest: string): string =>
  document({ resources: `S: { identifier: (none), ${rest} }\nT: { identifier: (none), type: string }` });

const schema = (rest: string): unknown => {
  const entry = stated(stated(specification(shape(rest)).resources)?.get('S'));
  return entry?.kind === 'shape' ? schemaOf(entry.shape) : undefined;
};

describe('a shape is a JSON Schema in which names may stand for schemas (language §H.1)', () => {
  it.each<[string, unknown]>([
    ['type: [string, "null"], maxLength: 3', { type: ['string', 'null'], maxLength: 3 }],
    ['enum: [a, 1, null, { b: [] }]', { enum: ['a', 1, null, { b: [] }] }],
    ['const: { a: 1 }', { const: { a: 1 } }],
    ['items: T', { items: { $ref: '#/$defs/T' } }],
    ['items: { maxLength: 3 }', { items: { maxLength: 3 } }],
    ['items: false', { items: false }],
    ['allOf: [T, { maxLength: 3 }, true]', { allOf: [{ $ref: '#/$defs/T' }, { maxLength: 3 }, true] }],
    [
      'if: { type: string }, then: T, else: false',
      Object.fromEntries([
        ['if', { type: 'string' }],
        ['then', { $ref: '#/$defs/T' }],
        ['else', false],
      ]),
    ],
    [
      'properties: { a: T, constructor: true }',
      { properties: { a: { $ref: '#/$defs/T' }, constructor: true } },
    ],
    ['patternProperties: { "^a": T }', { patternProperties: { '^a': { $ref: '#/$defs/T' } } }],
    ['dependentRequired: { a: [b] }', { dependentRequired: { a: ['b'] } }],
    ['required: [a, b]', { required: ['a', 'b'] }],
    ['multipleOf: 0.5', { multipleOf: 0.5 }],
    ['title: a, description: b, deprecated: true, examples: [x], $comment: c', {}],
    ['maxLength: (none)', {}],
    ['maxLength: (open) how long?', {}],
    [
      'fields: { a: T, b: { fields: { c: (open) } } }, required: [a], others: refuse, minProperties: 1',
      {
        minProperties: 1,
        type: 'object',
        properties: {
          a: { $ref: '#/$defs/T' },
          b: {
            type: 'object',
            properties: { c: true },
            required: [],
            others: { known: ['c'], rule: null, address: 'resources.S.fields.b.others' },
          },
        },
        required: ['a'],
        others: { known: ['a', 'b'], rule: 'refuse', address: 'resources.S.others' },
      },
    ],
  ])('%s', (rest, expected) => {
    expect(schema(rest)).toEqual(expected);
  });

  it('members may have any name', () => {
    const found = schema('properties: { __proto__: T }') as { properties: object };
    expect(Object.keys(found.properties)).toEqual(['__proto__']);
    const entry = stated(
      stated(specification(shape('fields: { __proto__: T, toString: {} }')).resources)?.get('S'),
    );
    const object = entry?.kind === 'shape' ? entry.shape.object : null;
    expect(Object.keys(object ? (objectSchema(object)['properties'] as object) : {})).toEqual([
      '__proto__',
      'toString',
    ]);
  });

  it('each keyword that stands there is a point, below the shape that it is of, and what else could is one', () => {
    const found = points(
      specification(shape('allOf: [T, { maxLength: 3 }], fields: { a: { items: { type: string } } }')),
    );
    expect(Object.keys(found).filter((address) => address.startsWith('resources.S'))).toEqual([
      'resources.S.fields.a.items.type',
      'resources.S.fields.a.items.*',
      'resources.S.fields.a.*',
      'resources.S.fields.*',
      'resources.S.allOf[1].maxLength',
      'resources.S.allOf[1].*',
      'resources.S.*',
    ]);
  });
});

describe('a keyword that holds what it cannot is refused', () => {
  it.each([
    ['maxLength: -1', 'maxLength takes a whole number from 0, and this is a number'],
    ['maxLength: 1.5', 'maxLength takes a whole number from 0, and this is a number'],
    ['minimum: "1"', 'minimum takes a number, and this is text'],
    ['multipleOf: 0', 'multipleOf takes a number above 0, and this is a number'],
    ['uniqueItems: yes', 'uniqueItems takes true or false, and this is text'],
    ['pattern: 5', 'pattern takes text, and this is a number'],
    ['enum: a', 'enum takes a list of at least one value, and this is text'],
    ['enum: []', 'enum takes a list of at least one value, and this is a list'],
    ['enum: [a, b, a]', 'enum takes a list in which nothing stands twice, and this is a list'],
    [
      'enum: [{ a: 1, b: 2 }, { b: 2, a: 1 }]',
      'enum takes a list in which nothing stands twice, and this is a list',
    ],
    ['type: []', 'type takes types that differ, and this is a list'],
    ['type: [string, string]', 'type takes types that differ, and this is a list'],
    ['required: [a, a]', 'required takes a list of names that differ, and this is a list'],
    ['required: [1]', 'required takes a list of names that differ, and this is a list'],
    [
      'dependentRequired: { a: [1] }',
      'dependentRequired takes a map from names to lists of names that differ, and this is a map',
    ],
    ['allOf: []', 'allOf takes a list of shapes, and this is a list'],
    ['properties: [a]', 'properties takes a map from names to shapes, and this is a list'],
    ['items: [a]', 'a map is wanted here, and this is a list'],
    ['items: 5', 'a map is wanted here, and this is a number'],
    ['type: 5', '5 is no type of JSON Schema'],
    ['$ref: "#/x"', 'resources.S has no key $ref'],
    ['constructor: 1', 'resources.S has no key constructor'],
  ])('%s', (rest, message) => {
    const content = shape(rest);
    expect(faults(content)).toHaveLength(1);
    expect(messages(content)).toEqual([message]);
  });

  it('literals of another type than the stated one: most often a number that should be text', () => {
    const field = (rest: string) => document({ resources: `S: { fields: { a: { ${rest} } } }` });
    expect(messages(field('type: string, default: 1.10'))).toEqual([
      'default takes a value of type string, and this is a number',
    ]);
    expect(messages(field('type: string, enum: [no, 1.10, 0o17]'))).toHaveLength(2);
    expect(messages(field('type: [integer, "null"], default: x'))).toEqual([
      'default takes a value of type integer or null, and this is text',
    ]);
    expect(messages(field('type: integer, const: 5.0, default: 5'))).toEqual([]);
    expect(messages(field('type: string, default: no, enum: [no, "1.10", 2026-11-01]'))).toEqual([]);
    expect(messages(field('type: (open), default: 5'))).toEqual([]);
  });
});

function messages(content: string): string[] {
  return read('x.md', content).diagnostics.map((one) => one.message);
}

describe('every keyword and every format', () => {
  it('is read with a value of its kind', () => {
    const values: Record<string, string> = {
      type: 'string',
      list: '[a]',
      any: '1',
      number: '1',
      count: '1',
      text: 'x',
      flag: 'true',
      names: '[a]',
      'names map': '{ a: [b] }',
      schema: 'T',
      schemas: '[T]',
      'schema map': '{ a: T }',
    };
    for (const [name, { kind }] of Object.entries(keywords)) {
      const value = name === 'format' ? 'uuid' : values[kind];
      expect([name, faults(shape(`${name}: ${value}`))]).toEqual([name, []]);
      const said = Object.hasOwn(schema(`${name}: ${value}`) as object, name);
      expect([name, said]).toEqual([name, !annotations.includes(name)]);
    }
    // Bytes are no value of JSON.
    for (const format of formats.filter((one) => one !== 'binary'))
      expect(faults(shape(`format: ${format}`))).toEqual([]);
  });
});

it('a format of a name that every object has is none that is known', () => {
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(() => faults(shape(`format: ${name}, default: text`))).not.toThrow();
});

describe('a pattern runs in linear time', () => {
  it.each([
    '(?=a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(',
    'a{2000}',
    '((a{100}){100}){100}',
    '[z-a]',
    '*',
  ])('%s is refused', (pattern) => {
    const { cpuMs } = timed(() => {
      expect(faults(shape(`pattern: '${pattern}'`))).toEqual([`bad-pattern: '${pattern}'`]);
      expect(faults(shape(`patternProperties: { '${pattern}': T }`))).toEqual([`bad-pattern: '${pattern}'`]);
    });
    expect(cpuMs).toBeLessThan(20_000);
  });

  it('also one that a backtracking engine could not run', () => {
    const { cpuMs } = timed(() => {
      for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(.*a){20}$', '(x+x+)+y']) {
        expect(faults(shape(`pattern: '${pattern}'`))).toEqual([]);
        expect(compilePattern(pattern).test(`${'a'.repeat(20_000)}!`)).toBe(false);
        expect(compilePattern(pattern).test(`${'x'.repeat(20_000)}!`)).toBe(false);
      }
    });
    expect(cpuMs).toBeLessThan(20_000);
  });

  it('and is found anywhere in the text, by code point', () => {
    expect(compilePattern('b').test('abc')).toBe(true);
    expect(compilePattern('^b').test('abc')).toBe(false);
    expect(compilePattern('^.$').test('𝒳')).toBe(true);
    expect(compilePattern('^\\p{L}+$').test('äß𝒳')).toBe(true);
    expect(compilePattern('^[A-Z]{2}$').test('DE')).toBe(true);
  });
});

describe('who sees and gives a member of a shape with fields (language §H.1, §E.9)', () => {
  const card = (members: string) =>
    document({ resources: `Card: { identifier: (none), fields: { number: { type: string }, ${members} } }` });
  const access = (members: string) => {
    const found = specification(card(members));
    const entry = stated(stated(found.resources)?.get('Card'));
    const member = entry?.kind === 'shape' ? stated(entry.shape.object?.fields.get('cvc')) : undefined;
    return [member?.access?.readable, member?.access?.writable].map((said) => said && stated(said));
  };

  it.each([
    ['cvc: { writeOnly: true }', [false, undefined]],
    ['cvc: { readOnly: true }', [undefined, false]],
    ['cvc: { readable: false, writable: true }', [false, true]],
    ['cvc: { type: string }', [undefined, undefined]],
    ['cvc: { readOnly: (open) is it? }', [undefined, undefined]],
  ])('%s', (members, expected) => {
    expect(access(members)).toEqual(expected);
  });

  it('is a point', () => {
    const found = specification(card('cvc: { type: string, writeOnly: true, readOnly: (open) is it? }'));
    expect(points(found, 'resources.Card.fields.cvc.')).toEqual({
      'resources.Card.fields.cvc.type': 'stated',
      'resources.Card.fields.cvc.readable': 'stated',
      'resources.Card.fields.cvc.writable': 'open: is it?',
      'resources.Card.fields.cvc.*': 'open',
    });
  });

  it.each([
    ['cvc: { writeOnly: yes }', 'wrong-kind yes: true or false is wanted here, and this is text → null'],
    ['cvc: { writable: once }', 'wrong-kind once: true or false is wanted here, and this is text → null'],
    [
      'cvc: { readOnly: true, writable: true }',
      'key-twice readOnly: writable stands twice → keep one of them',
    ],
    [
      'cvc: { properties: { a: { writeOnly: true } } }',
      'unknown-key writeOnly: resources.Card.fields.cvc.properties.a has no key writeOnly → it is said of fields, and of members of a shape with `fields`',
    ],
  ])('%s is refused', (members, expected) => {
    expect(findings(card(members))).toEqual([expected]);
  });
});
