import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParsedJson, parseJson } from '../../src/service/http/json.ts';
import { timed } from '../cpu.ts';

const runs = process.env['TACET_LONG'] ? 100_000 : 2_000;
const limits = { depth: 32, nodes: 10_000 };
const parse = (text: string | Uint8Array, within = limits): ParsedJson =>
  parseJson(Buffer.from(text), within);
const value = (of: unknown): unknown => ({ kind: 'value', value: of });
const malformed = { kind: 'malformed' };
const tooDeep = { kind: 'too large', limit: 'jsonDepth' };
const tooMany = { kind: 'too large', limit: 'jsonNodes' };

/** Texts of RFC 8259, and what they say. */
const valid: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['0', 0],
  ['-0', -0],
  ['-1', -1],
  ['5.0', 5],
  ['0.1', 0.1],
  ['1e2', 100],
  ['1E+2', 100],
  ['1.5e-3', 0.0015],
  ['123456789.5e-1', 12345678.95],
  ['0e400', 0],
  ['-0.0e-400', -0],
  ['0.1234567890123456789', 0.12345678901234568],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', 9007199254740992],
  ['9007199254740991.0', 9007199254740991],
  ['9007199254740991000e-3', 9007199254740991],
  ['1000000000000000000000', 1e21],
  ['100000000000000000000000', 1e23],
  ['20544741268875910', 20544741268875910],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['5e-324', 5e-324],
  ['""', ''],
  ['"a"', 'a'],
  ['"\\u0061"', 'a'],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
  ['"\\ud83d\\ude00"', '😀'],
  ['"😀"', '😀'],
  ['"\u007f\u2028\u2029\ufeff\uffff"', '\u007f\u2028\u2029\ufeff\uffff'],
  ['"[{,:}]"', '[{,:}]'],
  ['"a\\\\"', 'a\\'],
  ['[]', []],
  ['{}', {}],
  [' \t\r\n[ 1 , 2 ] \t\r\n', [1, 2]],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] }],
  ['{"":1," ":2}', { '': 1, ' ': 2 }],
  ['{"a" \n : 1}', { a: 1 }],
  ['["a","a"]', ['a', 'a']],
  ['{"a":"b","b":"a"}', { a: 'b', b: 'a' }],
  ['{"constructor":{"prototype":1}}', { constructor: { prototype: 1 } }],
];

/** Texts that are no JSON, or that would not be read as they were written. */
const invalid: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
  'nothing at all': ['', ' ', '\n'],
  'two values': ['{}{}', '1 2', '[] []', 'null,null', '{},'],
  'a comma too many': ['[1,]', '[,1]', '[,]', '[1,,2]', '{"a":1,}', '{,}'],
  'something left out': [
    '[1 2]',
    '{"a" 1}',
    '{"a":}',
    '{:1}',
    '{"a"}',
    '[',
    ']',
    '{',
    '}',
    '[1',
    '{"a":1',
    '[}',
    '{]',
  ],
  'a name that is no text': ['{a:1}', '{1:1}', '{null:1}', "{'a':1}", '{[]:1}'],
  comments: ['/**/1', '1//', '[1/*,*/]', '# a', '{"a":1 // b\n}'],
  'words of other languages': [
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'True',
    'nul',
    'nulll',
    "'a'",
    '`a`',
    '@',
  ],
  'numbers of other languages': [
    '+1',
    '.5',
    '5.',
    '01',
    '-01',
    '0x10',
    '1_000',
    '1e',
    '1e+',
    '--1',
    '-',
    '1.e2',
    '１',
  ],
  'white space of other languages': ['\u00a0[]', '[\u000b]', '[\u000c]', '[\u2028]', '\u0085[]'],
  'control characters in a text': ['"\n"', '"\t"', '"\u001f"', '"\u0000"'],
  'escapes of other languages': ['"\\x41"', '"\\a"', '"\\u00"', '"\\u{41}"', '"\\U0041"', '"\\', '"\\"', '"'],
  'a member twice': [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"a":2}',
    '{"a":1,"b":2,"a":3}',
    '[{"x":{"a":1,"a":2}}]',
    '{"a":{"a":1},"a" : 2}',
    '{"":1,"":2}',
    '{"__proto__":1,"\\u005f_proto__":2}',
    '{"\\"":1,"\\u0022":2}',
  ],
  'half of a surrogate pair': ['"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"a\\ud83dz"', '{"\\ud800":1}'],
  'U+0000': ['"\\u0000"', '"a\\u0000b"', '{"\\u0000":1}'],
  'a whole number that would be rounded': [
    '9007199254740993',
    '-9007199254740993',
    '[9007199254740993]',
    '9007199254740993.0',
    '9007199254740993e0',
    '90071992547409930e-1',
    '9.007199254740993e15',
    '123456789012345678901234567890',
  ],
  'a number past the range of binary64': ['1e400', '-1e400', '1e-400', '-1e-400', `1${'0'.repeat(400)}`],
  'a byte order mark': ['\ufeff{}', '\ufeff', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
  'bytes that are no UTF-8': [
    new Uint8Array([0x22, 0xff, 0x22]),
    new Uint8Array([0x22, 0xc0, 0xaf, 0x22]),
    new Uint8Array([0x22, 0xe0, 0x80, 0xaf, 0x22]),
    new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
    new Uint8Array([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
    new Uint8Array([0x22, 0xe2, 0x82, 0x22]),
    new Uint8Array([0x5b, 0x80, 0x5d]),
  ],
};

describe('a JSON text', () => {
  for (const [text, says] of valid)
    it(`is read: ${JSON.stringify(text)}`, () => {
      expect(parse(text)).toEqual(value(says));
    });

  for (const [what, texts] of Object.entries(invalid))
    it(`is malformed for ${what}`, () => {
      expect(texts.map((text) => [text, parse(text)])).toEqual(texts.map((text) => [text, malformed]));
    });

  it('keeps a member named __proto__ as any other, and changes no prototype', () => {
    const read = parse('{"__proto__":{"polluted":true},"a":1}') as { value: Record<string, unknown> };
    expect(Object.entries(read.value)).toEqual([
      ['__proto__', { polluted: true }],
      ['a', 1],
    ]);
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('is read as deep as the host reads, and no deeper, whatever it holds', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(nested(32)).kind).toBe('value');
    expect(parse(nested(33))).toEqual(tooDeep);
    expect(parse('{"a":'.repeat(32) + 1 + '}'.repeat(32)).kind).toBe('value');
    expect(parse('{"a":'.repeat(33) + 1 + '}'.repeat(33))).toEqual(tooDeep);
    expect(parse('['.repeat(100_000))).toEqual(tooDeep);
    expect(parse('[]'.repeat(40))).toEqual(malformed);
  });

  it('is read as large as the host reads, and no larger', () => {
    const list = (count: number): string => `[${Array.from({ length: count }, () => 1).join(',')}]`;
    expect(parse(list(10_000)).kind).toBe('value');
    expect(parse(list(10_001))).toEqual(tooMany);
    expect(parse(`[${'[],'.repeat(350_000)}1]`)).toEqual(tooMany);
    expect(parse(`"${','.repeat(20_000)}"`).kind).toBe('value');
  });

  it('takes time by its length alone', () => {
    const million = 1_000_000;
    const texts = [
      `"${'\\"'.repeat(million / 2)}"`,
      `"${'\\u0061'.repeat(million / 6)}"`,
      '0'.repeat(million),
      `0.${'0'.repeat(million)}1`,
      `1${'0'.repeat(million)}`,
      `1e${'9'.repeat(million)}`,
      '"'.repeat(million),
      `{"a"${' '.repeat(million)}:1}`,
      '-'.repeat(million),
      '1.'.repeat(million / 2),
      `[${' '.repeat(million)}]`,
    ];
    expect(timed(() => texts.map((text) => parse(text))).cpuMs).toBeLessThan(20_000);
  });
});

/** Values as they may come: any text but halves of pairs and U+0000, any number but those past the bounds. */
const json = fc.letrec<{ json: unknown }>((tie) => {
  const text = fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed() && !one.includes('\u0000'));
  return {
    json: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(null, true, false),
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
      fc.maxSafeInteger(),
      fc.array(tie('json')),
      fc.array(fc.tuple(text, tie('json'))).map((members) => Object.fromEntries(members)),
    ),
  };
}).json;

describe('parseJson', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(json, (one) => {
        const text = JSON.stringify(one);
        expect(parse(text, { depth: 100, nodes: 1_000_000 })).toEqual(value(JSON.parse(text)));
      }),
      { numRuns: runs },
    );
  });

  it('reads a text, with a member or a character changed, as JSON.parse does, or not at all', () => {
    const character = fc.constantFrom(...'{}[],:"\\ue0159.-+ \n\u0000\ud800tfn/'.split(''));
    fc.assert(
      fc.property(json, fc.nat(), fc.nat(3), character, (one, at, cut, put) => {
        const text = JSON.stringify(one);
        const from = at % (text.length + 1);
        const changed = text.slice(0, from) + put + text.slice(from + cut);
        const found = parse(changed);
        if (found.kind === 'value') expect(found.value).toEqual(JSON.parse(Buffer.from(changed).toString()));
      }),
      { numRuns: runs },
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const found = parse(bytes);
        if (found.kind === 'value') expect(found.value).toEqual(JSON.parse(Buffer.from(bytes).toString()));
      }),
      { numRuns: runs },
    );
  });
});
