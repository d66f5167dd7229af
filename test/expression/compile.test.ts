import { describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile, compileTemplate, type Frame, type Item, type Show } from '../../src/expression/compile.ts';
import { isFault } from '../../src/expression/expression.ts';
import { CannotWorkOut } from '../../src/expression/functions.ts';
import { parseText, type Template } from '../../src/expression/template.ts';
import { parse, scope } from './scope.ts';

const kept: Record<string, unknown> = { id: 7, title: 'tea', order: null };

/** An item of these members, known by its id, or referred to by another field. */
function item(members: Readonly<Record<string, unknown>>, resource: string, by: string | null = 'id'): Item {
  return {
    resource,
    by,
    key: by === null ? [members['a'], members['b']] : members[by],
    same: (other) => other.resource === resource && other.member('id') === members['id'],
    member: (name) => (Object.hasOwn(members, name) ? members[name] : null),
    has: (name) => Object.hasOwn(members, name),
  };
}

const todo = item(kept, 'Todo', 'title');

const frame: Frame = {
  names: {
    any: 'anything',
    flag: true,
    whole: 7,
    number: 0.5,
    text: 'text',
    time: '2026-11-01T12:00:00.000Z',
    nothing: null,
    texts: ['b', 'a', 'b'],
    numbers: [1, 2.5],
    object: { name: 'x' },
    more: { empty: null },
    todo,
    twin: item({ id: 7, title: 'tea' }, 'Todo'),
    other: item({ id: 7, title: 'tea' }, 'Other', 'title'),
    pair: item({ id: 8, a: 'tea', b: 'tea' }, 'Todo', null),
  },
  makers: { uuid: (version) => `uuid-${version}`, random: (length) => 'r'.repeat(length) },
};

const show: Show = (name) =>
  name === 'Todo' ? (item) => ({ title: (item as Item).member('title') }) : undefined;

/** The value of an expression, typed before as in a specification; `none`: it cannot be worked out. */
function value(text: string): unknown {
  const expression = parse(text);
  typeOf(expression.syntax, scope, () => undefined);
  try {
    return compile(expression, show)(frame);
  } catch (error) {
    if (error instanceof CannotWorkOut) return 'none';
    throw error;
  }
}

const cases = (title: string, rows: readonly (readonly [string, unknown])[]): void => {
  describe(title, () => {
    it.each(rows.map(([text, expected]) => [text, expected]))('%s is %j', (text, expected) => {
      expect(value(text as string)).toEqual(expected);
    });
  });
};

cases('arithmetic', [
  ['1 + 2 * 3 - 4', 3],
  ['7 / 2', 3],
  ['-7 / 2', -3],
  ['7 / -2', -3],
  ['double(7) / 2', 3.5],
  ['7.0 / 2', 3.5],
  ['whole / 2', 3],
  ['whole % 4', 3],
  ['-7 % 4', -3],
  ['any.missing / 2', 'none'],
  ['1 / 0', 'none'],
  ['1.0 / 0', 'none'],
  ['1 % 0', 'none'],
  ['0 / -1', 0],
  ['9007199254740991 + 1', 'none'],
  ['-9007199254740991 - 1', 'none'],
  ['3037000500 * 3037000500', 'none'],
  ['1e308 * 10.0', 'none'],
  ['1e300 + 1e300', 2e300],
  ['-(1 - 1)', 0],
  ['nothing + 1', 'none'],
  ['-nothing', 'none'],
  ['text + "!"', 'text!'],
  ['texts + ["c"]', ['b', 'a', 'b', 'c']],
  ['any + 1', 'none'],
]);

cases('comparisons have two values', [
  ['nothing == null', true],
  ['nothing == 1', false],
  ['nothing != 1', true],
  ['nothing < 1', false],
  ['nothing >= 1', false],
  ['1 < nothing', false],
  ['nothing <= nothing', false],
  ['any < 1', false],
  ['any == 1', false],
  ['1 == 1.0', true],
  ['[1, [2]] == [1, [2]]', true],
  ["{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", true],
  ["{'a': 1} == {'a': 1, 'b': null}", false],
  ["[] == {'a': 1}.a", false],
  ['todo == todo', true],
  ['todo == twin', true],
  ['todo == other', false],
  ["todo == 'tea'", true],
  ["'tea' != todo", false],
  ['todo == 7', false],
  ['twin == 7', true],
  ['todo == nothing', false],
  ["'tea' in [other, todo]", true],
  ['todo in [other, twin]', true],
  ["pair == 'tea'", false],
  ['pair == pair', true],
  ['[1] <= [1]', false],
  ['todo <= twin', false],
  ["'B' < 'a'", true],
  ['false < true', true],
]);

cases('text is ordered by code point', [
  ["'\\uFFFD' < '\\U0001D4B3'", true],
  ["['\\U0001D4B3', '\\uE000', 'z'].sort()", ['z', '\uE000', '𝒳']],
  ["'' < 'a'", true],
  ["'ab' < 'abc'", true],
]);

cases('times are instants', [
  ["time == timestamp('2026-11-01T13:00:00+01:00')", true],
  ["time == timestamp('2026-11-01T12:00:00Z')", true],
  ["time < timestamp('2026-11-01T12:00:00.0001Z')", true],
  ["timestamp('2026-11-01T12:00:00.5Z') > timestamp('2026-11-01T12:00:00.0009Z')", true],
  ["timestamp('2026-11-01T11:59:60Z') == time", true],
  ["time > timestamp('2026-11-01T12:00:00+01:00')", true],
  ['time < nothing', false],
  ["timestamp('yesterday')", 'none'],
  ["timestamp('2026-13-01T00:00:00Z')", 'none'],
  ['time', '2026-11-01T12:00:00.000Z'],
]);

cases('times and durations are reckoned with, to the microsecond', [
  ["time + duration('PT1H30M')", '2026-11-01T13:30:00.000000Z'],
  ["duration('P1DT0.000001S') + time", '2026-11-02T12:00:00.000001Z'],
  ["time - duration('P1W')", '2026-10-25T12:00:00.000000Z'],
  ["timestamp('2026-11-01T12:00:00.1234567+01:00') - duration('PT0S')", '2026-11-01T11:00:00.123456Z'],
  ["timestamp('1969-12-31T23:59:59.999999Z') - duration('PT0.000001S')", '1969-12-31T23:59:59.999998Z'],
  ["timestamp('2024-02-28T00:00:00Z') + duration('P1D')", '2024-02-29T00:00:00.000000Z'],
  ["timestamp('0001-01-01T00:00:00Z') - duration('P366D')", '0000-01-01T00:00:00.000000Z'],
  ["timestamp('9999-12-31T23:59:59Z') + duration('PT1S')", 'none'],
  ["timestamp('0000-01-01T00:00:00Z') - duration('PT1S')", 'none'],
  ["time - timestamp('2026-10-31T10:58:59.5Z')", 'P1DT1H1M0.5S'],
  ["timestamp('2026-11-01T11:00:00Z') - time", '-PT1H'],
  ['time - time', 'PT0S'],
  ["duration('PT90M') + duration('45s')", 'PT1H30M45S'],
  ["duration('PT1M') - duration('PT1H')", '-PT59M'],
  ["duration('P1D')", 'P1D'],
  ["duration('1h30m')", 'PT1H30M'],
  ["duration('-1.5h')", '-PT1H30M'],
  ["duration('1.5ms')", 'PT0.0015S'],
  ["duration('0')", 'PT0S'],
  ["duration('P1M')", 'none'],
  ["duration('P1Y')", 'none'],
  ["duration('P')", 'none'],
  ["duration('an hour')", 'none'],
  ["duration('PT24H') == duration('P1D')", true],
  ["duration('PT90S') > duration('1m')", true],
  ["duration('PT10S') > duration('PT9S')", true],
  ["time - timestamp('2026-10-31T12:00:00Z') >= duration('P1D')", true],
  ["timestamp('9999-12-31T23:59:59Z') - time > duration('P2000D')", true],
  ["int(timestamp('1970-01-02T00:00:00.9Z'))", 86400],
  ["int(timestamp('1969-12-31T23:59:58.5Z'))", -2],
  ["int(duration('-PT1.5S'))", -1],
  ["string(timestamp('2026-11-01T13:00:00+01:00'))", '2026-11-01T13:00:00+01:00'],
  ["string(duration('P1D'))", 'P1D'],
  ['time + duration(nothing)', 'none'],
  ["any + duration('P1D')", 'none'],
  ["timestamp('2026-02-30T00:00:00Z')", 'none'],
  ["timestamp('2026-11-01T24:00:00Z')", 'none'],
  ["timestamp('9999-12-31T23:59:59-01:00') > timestamp('9999-12-31T23:59:59Z')", true],
  ["timestamp('2026-11-01T13:00:00+01:00') in [time]", true],
  ["[timestamp('2026-11-01T13:00:00+01:00')] == [time]", true],
  [
    "[time, timestamp('2026-11-01T12:30:00+01:00'), timestamp('2026-11-01T11:45:00Z')].sort()",
    ['2026-11-01T12:30:00+01:00', '2026-11-01T11:45:00Z', '2026-11-01T12:00:00.000Z'],
  ],
  ["[time, timestamp('2026-11-01T12:30:00+01:00')].min()", '2026-11-01T12:30:00+01:00'],
  ["[timestamp('2026-11-01T12:30:00+01:00'), time].max()", '2026-11-01T12:00:00.000Z'],
  ["[duration('PT24H'), duration('P2D'), duration('P1D')].distinct()", ['PT24H', 'P2D']],
  ["[duration('PT10S'), duration('PT9S')].max()", 'PT10S'],
]);

cases('where true or false is wanted, null is not true', [
  ['!nothing', true],
  ['nothing && true', false],
  ['nothing || true', true],
  ['nothing ? 1 : 2', 2],
  ['false && 1 / 0 == 1', false],
  ['true || 1 / 0 == 1', true],
]);

cases('members that are not there read as null', [
  ['todo.title', 'tea'],
  ['todo.order', null],
  ['todo.other', null],
  ['nothing.a.b', null],
  ['object.constructor', null],
  ["object['__proto__']", null],
  ['text.length', null],
  ['texts.length', null],
  ['texts[0]', 'b'],
  ['texts[9]', null],
  ['texts[-1]', null],
  ["'name' in object", true],
  ["'constructor' in object", false],
  ["{'toString': 1} in object", false],
  ['1 in object', false],
  ['"a" in texts', true],
  ['null in [1, null]', true],
  ['has(object.name)', true],
  ['has(object.other)', false],
  ['has(more.empty)', true],
  ["has(object['name'])", true],
  ['has(todo.order)', true],
  ['has(todo.other)', false],
  ['has(nothing.a)', false],
]);

cases('macros go through a list', [
  ['texts.map(t, t + "!")', ['b!', 'a!', 'b!']],
  ['texts.filter(t, t == "b")', ['b', 'b']],
  ['texts.exists(t, t == "a")', true],
  ['texts.all(t, t == "a")', false],
  ['[].all(t, false)', true],
  [
    '[1, 2].map(a, [10, 20].map(b, a * b))',
    [
      [10, 20],
      [20, 40],
    ],
  ],
  ['[1].map(a, [2].map(a, a))', [[2]]],
  ['nothing.map(t, t)', 'none'],
  ['any.map(t, t)', 'none'],
]);

cases('functions', [
  ['size("a𝒳")', 2],
  ['texts.size()', 3],
  ['size(object)', 1],
  ['size(nothing)', 'none'],
  ['size(7)', 'none'],
  ['"abc".startsWith("ab")', true],
  ['"abc".endsWith("bc")', true],
  ['"abc".contains("d")', false],
  ['"nullable".contains(nothing)', 'none'],
  ['any.missing.startsWith("a")', 'none'],
  ['more.empty.lower()', 'none'],
  ['lower("ÄB")', 'äb'],
  ['"äb".upper()', 'ÄB'],
  ['trim(" a ")', 'a'],
  ["trim('\\u0085\\u3000a b\\u2028\\n')", 'a b'],
  ["trim('\\uFEFFa\\u200b')", '\uFEFFa\u200b'],
  ["trim(' ')", ''],
  ['slug(" Crème  Brûlée: 2! ")', 'crème-brûlée-2'],
  ['slug("---")', ''],
  ['substring("abcdef", 2)', 'cdef'],
  ['"abcdef".substring(1, 3)', 'bc'],
  ['substring("abcdef", -2)', 'ef'],
  ['substring("abcdef", 0, -1)', 'abcde'],
  ['substring("abc", 2, 9)', 'c'],
  ['substring("abc", 2, 1)', ''],
  ['substring("a😀b", 1, 2)', '😀'],
  ['substring(nothing, 0)', 'none'],
  ['replace("a.b.c", ".", "-")', 'a-b-c'],
  ['replace("a.b", ".", "$&")', 'a$&b'],
  ['replace("abc", "x", "-")', 'abc'],
  ['replace("abc", "", "-")', 'none'],
  ['split("read write", " ")', ['read', 'write']],
  ['"a,,b".split(",")', ['a', '', 'b']],
  ['split("", ",")', ['']],
  ['split("ab", "")', 'none'],
  ['split(nothing, ",")', 'none'],
  ['int("7")', 7],
  ['int(-2.9)', -2],
  ['int("x")', 'none'],
  ['int("")', 'none'],
  ['double("1e3")', 1000],
  ['double("0x10")', 'none'],
  ['double("1e999")', 'none'],
  ['round(2.5)', 3],
  ['round(-2.5)', -3],
  ['round(1e300)', 'none'],
  ['string(1.5)', '1.5'],
  ['string(true)', 'true'],
  ['string(null)', ''],
  ['string([1])', 'none'],
  ['numbers.sum()', 3.5],
  ['[].sum()', 0],
  ['[null, 3].sum()', 3],
  ['[9007199254740991, 1].sum()', 'none'],
  ['numbers.min()', 1],
  ['texts.max()', 'b'],
  ['[].min()', null],
  ['[null, 3, 2].min()', 2],
  ['texts.join("-")', 'b-a-b'],
  ['texts.join()', 'bab'],
  ['["a", null].join("-")', 'a-'],
  ['texts.sort()', ['a', 'b', 'b']],
  ['texts.distinct()', ['b', 'a']],
  ['[[1], [1], [2]].distinct()', [[1], [2]]],
  ['[[1], [2, 3]].flatten()', [1, 2, 3]],
  ['uuid()', 'uuid-4'],
  ['uuid(7)', 'uuid-7'],
  ['random(3)', 'rrr'],
  ['random(0)', 'none'],
  ['random(1001)', 'none'],
  ['sequence()', 'none'],
  ['Todo(todo)', { title: 'tea' }],
  ['Todo([todo, todo])', [{ title: 'tea' }, { title: 'tea' }]],
  ['Todo(nothing)', null],
]);

cases('objects (language §G.4)', [
  ["merge({'a': 1, 'b': 1}, {'b': 2}, null, {'c': null})", { a: 1, b: 2, c: null }],
  ['merge(null)', {}],
  ["merge({'a': {'b': 1}}, {'a': {'c': 1}})", { a: { c: 1 } }],
  ['merge(any)', 'none'],
  ['merge(todo)', 'none'],
  ["keys({'b': 1, 'a': null, '\uE000': 1, '😀': 1})", ['a', 'b', '\uE000', '😀']],
  ['keys(nothing)', 'none'],
  ["object([['a', 1], ['b', null], ['a', 2]])", { a: 2, b: null }],
  ["object([['__proto__', 1]]).keys()", ['__proto__']],
  ["object([['a']])", 'none'],
  ['object([[1, 2]])', 'none'],
  ['object([null])', 'none'],
  [
    "[type(null), type('a'), type(1), type(1.0), type(0.5)]",
    ['null', 'string', 'integer', 'integer', 'number'],
  ],
  ['[type(true), type({}), type([]), type(todo)]', ['boolean', 'object', 'array', 'object']],
  ["pick({'a': 1, 'b': {'c': 1, 'd': 2}}, ['a', 'b.c', 'b.x', 'x', 'a.y'])", { a: 1, b: { c: 1 } }],
  ["pick({'a': 1, 'b': {'c': 1}}, ['b.x', 'a.x'])", {}],
  ["pick({'a.b': 1, 'a': {'b': 2}}, ['a.b'])", { 'a.b': 1 }],
  ["pick({'a': {'b': 1, 'c': 1}}, ['a', 'a.b'])", { a: { b: 1, c: 1 } }],
  [
    "pick({'r': [{'a': 1, 'b': 1}, {'b': 1}, null], 's': [1], 'e': []}, ['r.a', 's.a', 'e.a'])",
    { r: [{ a: 1 }, {}, null], e: [] },
  ],
  ["pick([{'a': 1, 'b': 1}], ['a'])", [{ a: 1 }]],
  ["pick({'a': 1}, null)", { a: 1 }],
  ["pick({'a': 1}, [])", {}],
  ["pick(null, ['a'])", null],
  ["omit({'a': 1, 'b': {'c': 1, 'd': 2}}, ['a', 'b.c', 'x.y'])", { b: { d: 2 } }],
  ["omit({'r': [{'a': 1, 'b': 1}, 2]}, ['r.a'])", { r: [{ b: 1 }, 2] }],
  ["omit({'a': 1}, null)", { a: 1 }],
  ["sha256('').hex", 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ["sha256('é').base64", 'SplVfkAzw1Od4utlRyAXytX5VX96BiWgnxw/biumnEw='],
  ['sha256(nothing)', 'none'],
  ["httpDate(timestamp('1994-11-06T09:49:37.999+01:00'))", 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ["httpDate(timestamp('1969-12-31T23:59:59.5Z'))", 'Wed, 31 Dec 1969 23:59:59 GMT'],
  ['httpDate(any)', 'none'],
]);

describe('a template', () => {
  const written = (template: Template): unknown => {
    try {
      return compileTemplate(template, show)(frame);
    } catch (error) {
      return error instanceof CannotWorkOut ? 'none' : Promise.reject(error);
    }
  };
  const text = (of: string): Template => {
    const parsed = parseText(of);
    if (isFault(parsed)) throw new Error(parsed.message);
    return parsed;
  };

  it('keeps the type of what is wholly one expression', () => {
    expect(['${whole}', '${nothing}', '${texts}', '${flag}'].map((one) => written(text(one)))).toEqual([
      7,
      null,
      ['b', 'a', 'b'],
      true,
    ]);
  });

  it('writes results into other text, null as nothing', () => {
    expect(written(text('<${whole} ${number} ${flag} ${nothing} ${text}>'))).toBe('<7 0.5 true  text>');
  });

  it('cannot write a list or an object into text', () => {
    expect(written(text('a ${texts}'))).toBe('none');
    expect(written(text('a ${object}'))).toBe('none');
  });

  it('is filled at any depth, with members of any name', () => {
    expect(
      written({
        kind: 'object',
        members: new Map<string, Template>([
          ['__proto__', text('${whole}')],
          ['list', { kind: 'list', items: [text('a'), text('${flag}')] }],
        ]),
        rest: null,
      }),
    ).toEqual(JSON.parse('{"__proto__": 7, "list": ["a", true]}'));
  });
});
