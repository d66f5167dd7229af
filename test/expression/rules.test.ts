import { afterAll, describe, expect, it } from 'vitest';
import {
  any,
  bool,
  duration,
  integer,
  list,
  number,
  type Type,
  textType,
  timestamp,
} from '../../src/expression/type.ts';
import { rewritten } from './cel.ts';
import { type Postgres, postgres } from './postgres.ts';
import { askedInPostgres, askedInSqlite, ranOver, rowCase } from './row.ts';
import { parse } from './scope.ts';

/** The rules of language §G.3 and §G.6, one by one: each has one meaning, wherever it is worked out. */

const store = await postgres();
const missing = typeof store === 'string' ? store : null;
afterAll(async () => {
  if (typeof store !== 'string') await store.close();
});

const most = Number.MAX_SAFE_INTEGER;
const object = { a: 1, b: [null] };
const fields: Readonly<Record<string, readonly [Type, unknown]>> = {
  n: [integer, 7],
  m: [integer, -2],
  zero: [integer, 0],
  most: [integer, most],
  tenth: [number, 0.1],
  y: [number, 2.5],
  huge: [number, 1e308],
  tiny: [number, 5e-324],
  t: [textType, 'a'],
  cap: [textType, 'B'],
  empty: [textType, ''],
  one: [textType, '1'],
  near: [textType, '\uE000'],
  far: [textType, '\u{1F600}'],
  flag: [bool, true],
  off: [bool, false],
  at: [timestamp, '2026-01-01T00:00:00Z'],
  same: [timestamp, '2026-01-01T01:00:00.000+01:00'],
  later: [timestamp, '2026-01-01T00:00:00.000000001Z'],
  last: [timestamp, '9999-12-31T23:59:59Z'],
  day: [duration, 'PT24H'],
  also: [duration, 'P1D'],
  short: [duration, 'PT9S'],
  list: [list(any), [1, 'a', null]],
  alike: [list(any), [1, 'a', null]],
  object: [any, object],
  equal: [any, { b: [null], a: 1 }],
  anyOne: [any, 1],
  anyText: [any, '1'],
  anyTrue: [any, true],
  anyTime: [any, '2026-01-01T01:00:00+01:00'],
  noNumber: [integer, null],
  noText: [textType, null],
  noTruth: [bool, null],
  noTime: [timestamp, null],
  nothing: [any, null],
};
const types = new Map(Object.entries(fields).map(([name, [type]]) => [name, type]));
/** What is null is kept as null, or not at all. */
const values = Object.fromEntries(Object.entries(fields).map(([name, [, value]]) => [name, value]));
const without = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const rules: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  'null equals null, and no value': [
    ['nothing == null', true],
    ['noText == nothing', true],
    ['noNumber == noNumber', true],
    ['noText == t', false],
    ['noText != t', true],
    ['noText == empty', false],
    ['noNumber == zero', false],
    ['noTruth == false', false],
    ['noTime == at', false],
    ['n != null', true],
    ['null in list', true],
    ['nothing in [noText, t]', true],
    ['nothing in [t]', false],
  ],
  'an ordering with null is false': [
    ...['<', '<=', '>', '>='].flatMap((op): [string, unknown][] => [
      [`noNumber ${op} n`, false],
      [`n ${op} noNumber`, false],
      [`noNumber ${op} noNumber`, false],
      [`noText ${op} t`, false],
      [`noTime ${op} at`, false],
      [`noTruth ${op} flag`, false],
      [`nothing ${op} null`, false],
    ]),
    ['!(noNumber < n)', true],
  ],
  'an ordering between values of different kinds is false, and they are unequal': [
    ['anyOne < anyText', false],
    ['anyOne >= anyText', false],
    ['anyTrue > anyOne', false],
    ['anyTrue <= anyText', false],
    ['anyOne == anyText', false],
    ['anyOne != anyText', true],
    ['anyTrue == anyOne', false],
    ['anyText == n', false],
    ['anyText in [1, 2]', false],
    ["anyOne in ['1']", false],
  ],
  'so is one between what is not known and what is': [
    ['Note.map(x, anyOne).sum() < flag', false],
    ['flag > Note.map(x, anyOne).sum()', false],
    ['Note.map(x, anyOne).sum() < n', true],
    ['Note.map(x, anyOne).sum() < t', false],
  ],
  'lists and objects have no order, and are equal by what they hold': [
    ['list <= alike', false],
    ['object >= equal', false],
    ['list == alike', true],
    ['object == equal', true],
    ['list == [1, t, null]', true],
    ['list != [1, t]', true],
    ['list == [t, 1, null]', false],
    ['object != list', true],
  ],
  'where true or false is wanted, null is not true': [
    ['!noTruth', true],
    ['noTruth && flag', false],
    ['flag && noTruth', false],
    ['noTruth || flag', true],
    ['noTruth || off', false],
    ['noTruth ? 1 : 2', 2],
    ['!nothing', true],
  ],
  'a function of null cannot be worked out': [
    ['lower(noText)', 'none'],
    ["noText.startsWith('a')", 'none'],
    ['t.endsWith(noText)', 'none'],
    ['noText.contains(noText)', 'none'],
    ['noText + t', 'none'],
    ['noNumber + 1', 'none'],
    ['n - noNumber', 'none'],
    ['noNumber * n', 'none'],
    ['n / noNumber', 'none'],
    ['n % noNumber', 'none'],
    ['-noNumber', 'none'],
    ["noTime + duration('PT1H')", 'none'],
    ['at - noTime', 'none'],
  ],
  'sums and extremes leave nulls out': [
    ['Note.map(x, x.noNumber).sum()', 0],
    ['Note.map(x, x.noNumber).min()', null],
    ['Note.map(x, x.noText).max()', null],
    ['Note.map(x, x.n).sum()', 7],
    ['Note.map(x, x.off ? null : x.same).min() == at', true],
    ['Note.map(x, x.flag ? x.at : null).max() <= same', true],
    ['Note.map(x, x.at).max()', '2026-01-01T00:00:00Z'],
    ['Note.filter(x, x.noTruth).size()', 0],
    ['Note.all(x, x.noTruth)', false],
    ['Note.exists(x, !x.noTruth)', true],
  ],
  'text is ordered by code point': [
    ['cap < t', true],
    ['near < far', true],
    ['far > near', true],
    ['empty < t', true],
    ["t < 'aa'", true],
    ["t <= 'a' && t >= 'a'", true],
    ["'\u00E9' == 'e\u0301'", false],
  ],
  'false comes before true': [
    ['off < flag', true],
    ['flag > off', true],
    ['flag <= flag', true],
  ],
  'integers are exact between ±(2⁵³−1)': [
    ['most + 0', most],
    ['most + 1', 'none'],
    ['-most - 1', 'none'],
    ['most * 2', 'none'],
    ['most * 1', most],
    ['most - most', 0],
    ['-(most - most)', 0],
    ['m * n', -14],
  ],
  'other numbers are binary64': [
    ['tenth + 0.2', 0.1 + 0.2],
    ['tenth * 3.0', 0.1 * 3],
    ['y * 2', 5],
    ['huge * 10.0', 'none'],
    ['huge + huge', 'none'],
    ['-huge - huge', 'none'],
    ['tiny / 2.0', 0],
    ['tiny * tiny', 0],
    ['n == 7.0', true],
    ['anyOne == 1.0', true],
    ['n < 7.5', true],
  ],
  'a division of integers is whole, towards zero': [
    ['n / 2', 3],
    ['-n / 2', -3],
    ['n / m', -3],
    ['zero / m', 0],
    ['n / 2.0', 3.5],
    ['y / 2', 1.25],
    ['anyOne / 2', 0.5],
    ['n / zero', 'none'],
    ['zero / zero', 'none'],
    ['y / 0.0', 'none'],
    ['anyOne / zero', 'none'],
  ],
  'a remainder has the sign of the first': [
    ['n % 4', 3],
    ['-n % 4', -3],
    ['n % -4', 3],
    ['y % 1', 0.5],
    ['-y % 1', -0.5],
    ['-n % 7', 0],
    ['n % zero', 'none'],
    ['y % 0.0', 'none'],
  ],
  'what cannot be worked out counts where it stands, and not after what decides': [
    ['off && 1 / zero == 1', false],
    ['1 / zero == 1 && off', 'none'],
    ['flag || 1 / zero == 1', true],
    ['1 / zero == 1 || flag', 'none'],
    ['flag ? 1 : 1 / zero', 1],
    ['off ? 1 : 1 / zero', 'none'],
    ['1 / zero == 1 ? 1 : 2', 'none'],
    ['noNumber != null && noNumber + 1 > 0', false],
    ['!(off && 1 / zero == 1)', true],
    ['[1, 2].exists(x, x == 1 || 1 / zero == 1)', true],
    ['[2, 1].exists(x, x == 1 || x / zero == n)', 'none'],
    ['[1, 2].all(x, x == 2 && 1 / zero == 1)', false],
    ['[1, 2].all(x, x == 1 && flag || 1 / zero == 1)', 'none'],
    ['Note.exists(x, x.off && 1 / x.zero == 1)', false],
    ['Note.all(x, x.off && 1 / x.zero == 1)', false],
    ['1 / zero == nothing', 'none'],
    ['nothing == 1 / zero', 'none'],
    ['t in [t, lower(noText)]', 'none'],
  ],
  'times are instants, and durations lengths': [
    ['at == same', true],
    ['at < later', true],
    ['same <= at && same >= at', true],
    ['at in [same]', true],
    ['[at] == [same]', true],
    ['anyTime == at', true],
    ['day == also', true],
    ['short < day', true],
    ["day == duration('24h')", true],
    ["also in [duration('PT24H')]", true],
    ['at - same', 'PT0S'],
    ['later - at', 'PT0S'],
    ['at + day', '2026-01-02T00:00:00.000000Z'],
    ['at - also', '2025-12-31T00:00:00.000000Z'],
    ['same + short', '2026-01-01T00:00:09.000000Z'],
    ['short - also', '-PT23H59M51S'],
    ['last + also', 'none'],
    ['last - at > also', true],
  ],
  'what is not there reads as null': [
    ['object.z == null', true],
    ['object.a.z == null', true],
    ['nothing.a.b == null', true],
    ['object.a == 1', true],
    ['object.b == [null]', true],
    ["'a' in object", true],
    ["'z' in object", false],
    ['1 in object', false],
    ['1 in nothing', false],
  ],
  'texts are searched by their characters': [
    ["far.contains('\u{1F600}')", true],
    ["t.contains('')", true],
    ["empty.startsWith('')", true],
    ["lower('\u0130' + cap)", 'i\u0307b'],
    ["lower(cap) == 'b'", true],
    ["t.contains('%')", false],
    ["one.startsWith('_')", false],
  ],
};

/** In the rules fields stand by themselves. */
function ofRow(text: string): string {
  return rewritten(text, parse(text).syntax, (node) => {
    const name = node.op === 'id' && Object.hasOwn(fields, node.args) ? node.args : null;
    return name === null ? undefined : () => `this.${name}`;
  });
}

describe('each rule has one meaning', () => {
  const all = Object.entries(rules).flatMap(([rule, rows]) =>
    rows.map(([text, expected]) => [rule, text, expected] as const),
  );
  it.each(all)('%s: %s is %j', async (_, text, expected) => {
    for (const kept of [values, without]) {
      const found = rowCase(ofRow(text), types, kept);
      if (typeof found === 'string') throw new Error(found);
      expect(['a closure', ranOver(found)]).toEqual(['a closure', expected]);
      expect(['SQLite', askedInSqlite(found)]).toEqual(['SQLite', expected]);
      if (missing === null)
        expect(['PostgreSQL', await askedInPostgres(found, store as Postgres)]).toEqual([
          'PostgreSQL',
          expected,
        ]);
    }
  });
});
