import '@hyperjump/json-schema/formats';
import { registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/draft-2020-12';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripper, Validators } from '../../src/service/shape/validate.ts';
import { isMultiple } from '../../src/service/value/decimal.ts';
import type { Json } from '../../src/source/node.ts';
import { timed } from '../cpu.ts';
import { conditional, definitions, type Schema, schemas, value } from './shapes.ts';

const runs = process.env['TACET_LONG'] ? 5_000 : 150;

setShouldValidateFormat(true);
let registered = 0;

/** The second implementation: whether a schema admits a value. */
async function admits(schema: Schema): Promise<(value: unknown) => boolean> {
  registered += 1;
  const uri = `https://schemas.example/${registered}`;
  registerSchema(
    { ...schema, $defs: definitions } as never,
    uri,
    'https://json-schema.org/draft/2020-12/schema',
  );
  const found = await validate(uri);
  return (value) => found(value as never).valid;
}

const compile = (schema: Schema) => new Validators(definitions).compile(schema);

/** Failures, short: field, keyword. */
const failures = (schema: Schema, value: unknown): string[] =>
  (compile(schema)(value)?.failures ?? []).map(({ field, keyword }) => `${field}: ${keyword}`);

/** Texts near to the formats' forms. */
const texts: readonly string[] = [
  ...['', 'a', ' ', '1', '/', '#', '?', ':', '.', '~', '%', '{a}', '\\', '(', '[a', '^a$'],
  ...[
    '2024-02-29',
    '2023-02-29',
    '2023-13-01',
    '2023-1-01',
    '10000-01-01',
    '0000-01-01',
    '2023-12-31 ',
    '２023-12-31',
  ],
  ...[
    '12:00:00Z',
    '12:00:00',
    '24:00:00Z',
    '12:60:00Z',
    '23:59:60Z',
    '22:59:60Z',
    '12:00:00+01:00',
    '12:00:00.1Z',
  ],
  ...[
    '2023-12-31T12:00:00Z',
    '2023-12-31t12:00:00z',
    '2023-12-31 12:00:00Z',
    '2023-12-31T12:00:00',
    '2023-02-30T12:00:00Z',
  ],
  ...[
    '1990-12-31T23:59:60Z',
    '1990-12-31T22:59:60Z',
    '2023-12-31T12:00:00+24:00',
    '2023-12-31T12:00:00.123456789-08:00',
  ],
  ...['P1D', 'PT1H', 'P', 'PT', 'P1Y2M3DT4H5M6S', 'P1W', 'P1W1D', '1D', 'P1.5D', 'P1DT', 'P-1D'],
  ...[
    'a@b.example',
    'a@',
    '@b',
    'a b@c.example',
    '"a b"@c.example',
    'a@b@c',
    '.a@b.example',
    'a..b@c.example',
    'a@[127.0.0.1]',
  ],
  ...[
    'a.example',
    'a..example',
    '-a.example',
    'a-.example',
    `${'a'.repeat(63)}.example`,
    `${'a'.repeat(64)}.example`,
    'a_b.example',
    'A.EXAMPLE',
    '1.2',
  ],
  ...['127.0.0.1', '256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '0x7f.1.1.1', '1.2.3.4 '],
  ...[
    '::',
    '::1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7',
    '::1::',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
    '12345::',
    '[::1]',
  ],
  ...[
    'http://a.example',
    'http://a.example/b?c=d#e',
    'http://a b',
    'urn:a:b',
    '//a.example',
    '/a/b',
    'a/b',
    'http://[::1]/',
    'http://a.example/%zz',
    'mailto:a@b.example',
    'http://a\\b',
    ':a',
    'é:a',
  ],
  ...['http://a.example/{b}', '{a', 'a}', '{+a,b*}', '{a:3}', '{a:b}', '{}', '{?a}'],
  ...[
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6',
    'f81d4fae7dec11d0a76500a0c91e6bf6',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf',
    '00000000-0000-0000-0000-000000000000',
    '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}',
    'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  ],
  ...[
    '2023-12-31T12:00:00+01',
    '2016-12-31T24:59:60+01:00',
    '2016-12-31T23:59:60.5Z',
    '2017-01-01T00:59:60+01:00',
  ],
  ...['2023-12-31T12:00:59.999999999999999Z', '12:00:00+0100', '12:00:00-24:00', '00:29:60+00:30'],
  ...['P1Y2D', 'PT1H2S', 'P1M1D', 'P1DT1H', 'P1YT1S', 'P1DT', 'P1W2D', 'PT1M1H', 'P1Y1M1DT1H1M1S', 'PT36H'],
  ...['a@[127.0.0.300]', 'a@[1.2.3]', 'a.example.', 'example.', 'a'],
  ...['http://a.example:abc/', 'http://a.example:/', 'http:/[a]', 'http://[::ffff:1.2.3.04]/'],
  ...[
    '//a@b@c/',
    '//a:80/b',
    '//a:b',
    '/a"b',
    '/[a]',
    'http:a:b',
    '?a[b]',
    '#a"',
    'http://a/?b#c#d',
    'a//b',
    '//',
  ],
  ...['{a.b}', '{a..b}', '{.a}', "a'b", 'a\u007fb', '{a,}', '{a:0}', '{a*,b:9999}', '{%41}', '{|a}'],
  ...['/a/b', '/a~0b/~1', '/a~', '/~2', 'a/b', '/', '0', '1/a', '0#', '01/a', '-1/a', '1', '10/a~0'],
];

/** Where the two differ on a format, and what ours says: each because the RFC that the format names says so. */
const differing: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  // RFC 3339 §5.7: a leap second at the end of a day in UTC.
  time: { '23:59:60Z': true, '00:29:60+00:30': true },
};

describe('a value is admitted as a second implementation admits it', () => {
  for (const schema of schemas)
    it(JSON.stringify(schema), async () => {
      const ours = compile(schema);
      const theirs = await admits(schema);
      fc.assert(
        fc.property(value, (one) => {
          expect([one, ours(one) === null]).toEqual([one, theirs(one)]);
        }),
        { numRuns: runs },
      );
    });

  for (const format of [
    ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference'],
    ...['uri-template', 'uuid', 'json-pointer', 'relative-json-pointer', 'regex'],
  ])
    it(`format: ${format}`, async () => {
      const ours = compile({ format });
      const theirs = await admits({ format });
      const differ = texts.filter((text) => (ours(text) === null) !== theirs(text));
      expect(Object.fromEntries(differ.map((text) => [text, ours(text) === null]))).toEqual(
        differing[format] ?? {},
      );
      expect([ours(1), ours(null), ours({})]).toEqual([null, null, null]);
    });
});

describe('names that every object has are members as any others', () => {
  const alike = (text: string): unknown => JSON.parse(text) as unknown;
  const names = ['constructor', 'valueOf', 'toString', 'hasOwnProperty', '__proto__', '__defineGetter__'];

  it('for equality', () => {
    for (const name of names) {
      const one = `{"${name}":{"a":[1]}}`;
      expect(failures({ uniqueItems: true }, [alike(one), alike(one)])).toEqual([': uniqueItems']);
      expect(failures({ uniqueItems: true }, [alike(one), {}, alike(`{"${name}":1}`)])).toEqual([]);
      expect(failures({ enum: [alike(one) as Json] }, alike(one))).toEqual([]);
      expect(failures({ const: alike(one) as Json }, alike(one))).toEqual([]);
      expect(failures({ const: alike(one) as Json }, alike(`{"${name}":1}`))).toEqual([': const']);
    }
  });

  it('for what is required, named or counted', () => {
    for (const name of names) {
      const one = alike(`{"${name}":1}`);
      expect(failures({ required: [name] }, {})).toEqual([`${name}: required`]);
      expect(failures({ required: [name] }, one)).toEqual([]);
      expect(failures({ properties: { a: true }, additionalProperties: false }, one)).toEqual([
        `${name}: additionalProperties`,
      ]);
      expect(failures({ maxProperties: 0 }, one)).toEqual([': maxProperties']);
      expect(failures({ propertyNames: { maxLength: 1 } }, one)).toEqual([': propertyNames']);
      expect(failures({ dependentRequired: { [name]: ['b'] } }, {})).toEqual([]);
      expect(failures({ dependentRequired: Object.fromEntries([[name, ['b']]]) }, one)).toEqual([
        name === '__proto__' ? 'b: required' : 'b: dependentRequired',
      ]);
    }
  });

  it('for what shapes say of them', () => {
    for (const name of names) {
      const one = alike(`{"${name}":1}`);
      const of = (schema: Json): Json => Object.fromEntries([[name, schema]]);
      expect(failures({ properties: of({ type: 'string' }) }, one)).toEqual([`${name}: type`]);
      expect(failures({ items: { properties: of({ type: 'string' }) } }, [one])).toEqual([`0.${name}: type`]);
      expect(failures({ properties: of({ type: 'string' }) }, {})).toEqual([]);
      expect(failures({ properties: of({}), additionalProperties: false }, one)).toEqual([]);
      expect(failures({ dependentSchemas: of({ required: ['b'] }) }, one)).toEqual(['b: required']);
      expect(failures({ dependentSchemas: of({ required: ['b'] }) }, {})).toEqual([]);
      expect(failures({ unevaluatedProperties: false }, one)).toEqual([': unevaluatedProperties']);
      expect(failures({ properties: of(true), unevaluatedProperties: false }, one)).toEqual([]);
      expect(failures({ allOf: [{ properties: of(true) }], unevaluatedProperties: false }, one)).toEqual([]);
    }
  });
});

describe('a multiple is one in decimal', () => {
  it('as money is counted', () => {
    const cents = { multipleOf: 0.01 };
    for (const one of [19.99, 0.1, 0.07, 1.1, 4.35, 1e15 + 0.01, -8.2])
      expect(failures(cents, one)).toEqual([]);
    for (const one of [0.001, 19.999, 1e-7]) expect(failures(cents, one)).toEqual([': multipleOf']);
  });

  it('however large and small', () => {
    expect(isMultiple(1e308, 1e-300)).toBe(true);
    expect(isMultiple(1e-300, 1e308)).toBe(false);
    expect(isMultiple(0, 0.3)).toBe(true);
    expect(isMultiple(-6, 3)).toBe(true);
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 10_000 }), fc.nat(6), (factor, of, places) => {
        const scale = 10 ** places;
        expect(isMultiple(Number(`${factor * of}e-${places}`), of / scale)).toBe(true);
        fc.pre(of > 1);
        expect(isMultiple(Number(`${factor * of + 1}e-${places}`), of / scale)).toBe(false);
      }),
      { numRuns: runs },
    );
  });
});

describe('failures', () => {
  const person: Schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
      age: { minimum: 0, type: 'integer' },
      address: {
        type: 'object',
        properties: { town: { type: 'string', maxLength: 3 }, lines: { items: { type: 'string' } } },
        required: ['town'],
      },
    },
    required: ['age', 'name'],
    minProperties: 3,
  };

  it('stand in the order in which fields are written, then keywords, whatever the order of the value', () => {
    expect(failures(person, { address: { lines: [1, 'a', 2], town: 'long' }, age: -1.5, name: '1' })).toEqual(
      [
        'name: minLength',
        'name: pattern',
        'age: minimum',
        'age: type',
        'address.town: maxLength',
        'address.lines.0: type',
        'address.lines.2: type',
      ],
    );
  });

  it('of a member that is not there stand where it would', () => {
    expect(failures(person, { address: {} })).toEqual([
      ': minProperties',
      'name: required',
      'age: required',
      'address.town: required',
    ]);
  });

  it('say the value and the bound', () => {
    expect(compile(person)({ name: 'A', age: 1, address: {} })?.failures).toEqual([
      { field: 'name', keyword: 'minLength', value: 'A', limit: 2 },
      { field: 'name', keyword: 'pattern', value: 'A', limit: '^[a-z]+$' },
      { field: 'address.town', keyword: 'required', value: null, limit: null },
    ]);
  });

  it('of names with the marks of paths are told by the names', () => {
    const schema = {
      properties: { 'a/b': { type: 'string' }, 'c~d': { type: 'string' }, '': { type: 'string' } },
    };
    expect(failures(schema, { '': 1, 'c~d': 1, 'a/b': 1 })).toEqual(['a/b: type', 'c~d: type', ': type']);
  });

  it('of alternatives are one: that none fits', () => {
    const strict = { properties: { a: { type: 'string' } }, required: ['b'] };
    expect(failures({ properties: { x: { anyOf: [{ type: 'string' }, strict] } } }, { x: { a: 1 } })).toEqual(
      ['x: anyOf'],
    );
    expect(failures({ oneOf: [{ type: 'string' }, { $ref: '#/$defs/Tree' }] }, { b: [{ a: 'ab' }] })).toEqual(
      [': oneOf'],
    );
    expect(failures({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3)).toEqual([': oneOf']);
    expect(failures({ contains: { $ref: '#/$defs/Letter' } }, ['ab', 1])).toEqual([': contains']);
    expect(failures({ not: { type: 'string' } }, 'a')).toEqual([': not']);
  });

  it('beside alternatives are told too', () => {
    expect(
      failures(
        { properties: { a: { type: 'string' } }, anyOf: [{ required: ['b'] }, { required: ['c'] }] },
        { a: 1 },
      ),
    ).toEqual([': anyOf', 'a: type']);
  });

  it('of what holds together are those within', () => {
    expect(failures({ allOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 1)).toEqual([
      ': minimum',
      ': multipleOf',
    ]);
    const schema = conditional({ if: { required: ['a'] }, else: false }, { required: ['b'] });
    expect(failures(schema, { a: 1 })).toEqual(['b: required']);
    expect(failures(schema, {})).toEqual([': else']);
    expect(failures({ properties: { a: false } }, { a: 1 })).toEqual(['a: properties']);
    expect(failures({ prefixItems: [{ type: 'string' }], items: false }, [1, 2])).toEqual([
      ': items',
      '0: type',
    ]);
    expect(failures({ dependentRequired: { a: ['b'] } }, { a: 1 })).toEqual(['b: dependentRequired']);
  });

  it('are told of every pattern by its own', () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' }, c: { pattern: '^c$' } } };
    expect(failures(schema, { a: 'a', b: 'b', c: 'c' })).toEqual([]);
    expect(failures(schema, { a: 'b', b: 'c', c: 'a' })).toEqual(['a: pattern', 'b: pattern', 'c: pattern']);
  });
});

describe('a check takes time by the length of the value alone', () => {
  const within = (milliseconds: number, work: () => void): void => {
    expect(timed(work).cpuMs).toBeLessThan(milliseconds);
  };

  it('for a pattern that others search for ever', () => {
    for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a*)*b', '(x+x+)+y'])
      within(2_000, () => void compile({ pattern })(`${'a'.repeat(50_000)}!`));
  });

  it('for every format', () => {
    for (const format of [
      'email',
      'uri',
      'uri-reference',
      'uri-template',
      'hostname',
      'duration',
      'ipv6',
      'json-pointer',
    ])
      for (const text of [
        'a',
        'a-',
        'a.',
        ':',
        '1:',
        '%',
        '%41',
        '{',
        '{a',
        'a@',
        '1.',
        '/',
        '~',
        '-',
        '"',
        'P1',
      ])
        within(2_000, () => void compile({ format })(`${text.repeat(50_000)}!`));
  });

  it('for items that are to be unlike', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => [index]);
    within(2_000, () => expect(failures({ uniqueItems: true }, items)).toEqual([]));
  });
});

describe('members that nobody stated', () => {
  const shape = (rule: string | null): Schema =>
    ({
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: {} }, others: { known: ['b'], rule, address: 'A.others' } },
      },
      others: { known: ['a'], rule, address: 'others' },
    }) as unknown as Schema;
  const value = (): unknown => JSON.parse('{"x":1,"a":{"b":1,"y":2},"__proto__":3}') as unknown;

  it('are refused, each by its name, after those that are stated', () => {
    expect(compile(shape('refuse'))(value())).toEqual({
      unnamed: [],
      failures: [
        { field: 'a.y', keyword: 'others', value: 2, limit: null },
        { field: 'x', keyword: 'others', value: 1, limit: null },
        { field: '__proto__', keyword: 'others', value: 3, limit: null },
      ],
    });
  });

  it('are let pass where they are kept or ignored', () => {
    expect(compile(shape('keep'))(value())).toBeNull();
    expect(compile(shape('ignore'))(value())).toBeNull();
  });

  it('are no failures where the rule is open, but the points that it takes', () => {
    expect(compile(shape(null))(value())).toEqual({
      unnamed: [{ address: 'A.others' }, { address: 'others' }, { address: 'others' }],
      failures: [],
    });
    expect(compile(shape(null))({ a: { b: 1 } })).toBeNull();
  });

  it('are taken out where they are ignored, at any depth', () => {
    const one = value();
    stripper(shape('ignore') as Json, definitions)?.(one);
    expect(one).toEqual({ a: { b: 1 } });
    expect(stripper(shape('keep') as Json, definitions)).toBeUndefined();
  });
});
