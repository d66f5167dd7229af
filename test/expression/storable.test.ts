import { describe, expect, it } from 'vitest';
import { functionNames, isStorable } from '../../src/expression/functions.ts';
import { macros } from '../../src/expression/macros.ts';
import { storableFaults } from '../../src/expression/storable.ts';
import { typed } from './answers.ts';
import { parse } from './scope.ts';

/** What cannot be asked of a store where `this` is the row, and Like and Tag are sets of items. */
function faults(text: string): string[] {
  const found = storableFaults(parse(text).syntax, ['this'], (name) => ['Like', 'Tag'].includes(name));
  return found.map(({ message, start, end }) => `${text.slice(start, end)}: ${message}`);
}

describe('what a store works out is admitted (language §G.5)', () => {
  it.each([
    'true',
    'this.done',
    'this',
    "this.author.name == 'ada'",
    "this['a field'] != null",
    'this.a < 1 && this.b <= 2 || this.c > 3 && !(this.d >= 4)',
    '-this.a + 2 * this.b - this.c / 3 % 4 > 0',
    'this.done ? this.a : this.b',
    "this.state in ['a', 'b']",
    'this.a in [this.b, 5]',
    'request.query.tag in this.tags',
    "this.name.startsWith('a') || endsWith(this.name, 'b') || this.name.contains(lower(this.author.name))",
    'this.author == actor && this.at < now',
    "this.at < now - duration('P1D')",
    "this.at + duration('P1D') < now",
    'Like.exists(l, l.article == this)',
    'Like.all(l, l.article != this || l.by == actor)',
    'Like.size() > 3',
    'Like.filter(l, l.article == this && l.at < now).size()',
    'Like.filter(l, l.article == this).map(l, l.weight).sum()',
    'Like.map(l, l.weight).max() - Like.filter(l, l.by == this.author).map(l, l.weight + 1).min()',
    'request.query.tags.exists(t, t in this.tags)',
    'request.body.words.all(w, this.title.contains(w) && this.text.contains(lower(w)))',
    "['a', 'b'].exists(w, this.title.startsWith(w))",
  ])('%s', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

describe('what reads neither a row nor a set may be anything', () => {
  it.each([
    'this.slug == slug(trim(request.query.q))',
    'this.tag in request.body.tags.filter(t, size(t) > 3).map(t, upper(t))',
    'this.a == request.body.list[0]',
    "this.a == {'x': 1}.x",
    'request.body.rows.map(r, r.cells.exists(c, c == 1)).size() == this.rows',
    'has(request.query.all) || this.done',
  ])('%s', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

describe('what a store does not work out is refused, at its words', () => {
  it.each<[string, string[]]>([
    [
      "trim(this.name) == 'a'",
      ['trim(this.name): trim(…) cannot be worked out where rows are found or counted'],
    ],
    [
      "this.name.upper() == 'A' && round(this.n) > 3",
      [
        'this.name.upper(): upper(…) cannot be worked out where rows are found or counted',
        'round(this.n): round(…) cannot be worked out where rows are found or counted',
      ],
    ],
    ['has(this.name)', ['has(this.name): has(…) cannot be worked out where rows are found or counted']],
    [
      'this.tags[0] == 1',
      ['this.tags[0]: an element by its place cannot be worked out where rows are found or counted'],
    ],
    [
      "this.a == {'x': this.b}",
      ["{'x': this.b}: an object cannot be worked out where rows are found or counted"],
    ],
    [
      'this.tags.sort().exists(t, t == 1)',
      [
        'this.tags.sort(): exists goes over the items of a resource, a list in the request, or a list that the item keeps',
      ],
    ],
    [
      'this.tags.map(t, t + 1)',
      ['this.tags.map(t, t + 1): map(…) cannot be worked out where rows are found or counted'],
    ],
    [
      'this.tags.sort().filter(t, t > 1).size() > 0',
      [
        'this.tags.sort().filter(t, t > 1).size(): size(…) cannot be worked out where rows are found or counted',
      ],
    ],
    [
      'this.at < now - duration(this.term)',
      ['duration(this.term): duration(…) cannot be worked out where rows are found or counted'],
    ],
    ['Like', ['Like: a set of items cannot be worked out where rows are found or counted']],
    [
      'Like.map(l, l.weight)',
      ['Like.map(l, l.weight): map(…) cannot be worked out where rows are found or counted'],
    ],
    [
      'Like.filter(l, l.article == this)',
      ['Like.filter(l, l.article == this): filter(…) cannot be worked out where rows are found or counted'],
    ],
    [
      "Like.map(l, l.name).join(', ')",
      ["Like.map(l, l.name).join(', '): join(…) cannot be worked out where rows are found or counted"],
    ],
    [
      'Like.filter(l, trim(l.name) == this.name).size()',
      ['trim(l.name): trim(…) cannot be worked out where rows are found or counted'],
    ],
    [
      'Like.map(l, round(l.weight)).sum()',
      ['round(l.weight): round(…) cannot be worked out where rows are found or counted'],
    ],
    [
      'Like.exists(l, upper(l.name) == this.name)',
      ['upper(l.name): upper(…) cannot be worked out where rows are found or counted'],
    ],
    [
      'Like.exists(l, Tag.exists(t, t.like == l))',
      ['Tag.exists(t, t.like == l): items are looked for among items one level deep, and no deeper'],
    ],
    [
      'Like.exists(l, Tag.filter(t, t.like == l).size() > 1)',
      ['Tag.filter(t, t.like == l).size(): items are looked for among items one level deep, and no deeper'],
    ],
    [
      'Like.filter(l, Tag.size() > 1).size()',
      ['Tag.size(): items are looked for among items one level deep, and no deeper'],
    ],
    [
      'Like.map(l, Tag.size()).sum()',
      ['Tag.size(): items are looked for among items one level deep, and no deeper'],
    ],
    ['this.lines.exists(l, l.sku == request.query.sku)', []],
    ['this.lines.all(l, l.n > 0) && size(this.lines) < 3', []],
    ['this.lines.filter(l, l.n > 0).size() > 1', []],
    ['this.lines.filter(l, l.n > 0).map(l, l.n).sum() > 1', []],
    ['Like.exists(l, l.lines.exists(x, x.sku == this.sku))', []],
    ['this.lines.exists(l, Like.exists(k, k.sku == l.sku))', []],
    ['request.body.words.exists(w, this.lines.exists(l, l.sku == w))', []],
    [
      'this.lines.exists(l, l.tags.exists(t, t == this.tag))',
      [
        'l.tags.exists(t, t == this.tag): the elements of a list are looked through one level deep, and no deeper',
      ],
    ],
    ['request.body.words.exists(w, Like.exists(l, l.word == w))', []],
    [
      'request.body.words.exists(w, trim(this.title) == w)',
      ['trim(this.title): trim(…) cannot be worked out where rows are found or counted'],
    ],
  ])('%s', (text, expected) => {
    expect(faults(text)).toEqual(expected);
  });
});

it('each of several rows is one', () => {
  const { syntax } = parse('trim(this.a) == trim(event.b)');
  const told = storableFaults(syntax, ['this', 'event'], () => false).map((one) => one.start);
  expect(told).toEqual([0, 'trim(this.a) == '.length]);
});

const kept = 'keep what it comes to in a field that is set, and compare that';
const counted =
  'of items, and of a list that the item keeps, R.exists(x, …), R.all(x, …) and R.filter(x, …).size() are worked out here, and sum(), min() and max() of R.filter(x, …).map(x, x.f)';
const among = 'whether a list that is kept holds a value is told by: value in this.list';

const objects = 'compare members of it, one by one';

/** Of each function that a store does not work out: its use, and what is said to stand instead. */
const refused: Readonly<Record<string, readonly [string, string]>> = {
  has: ['has(this.a)', 'compare with null: this.a != null'],
  upper: ['upper(this.a)', 'compare in lower case, by lower(…)'],
  trim: ['trim(this.a)', kept],
  slug: ['slug(this.a)', kept],
  substring: ['substring(this.a, 1)', `say startsWith(…), endsWith(…) or contains(…); or ${kept}`],
  replace: ["replace(this.a, 'b', 'c')", kept],
  split: ["split(this.a, ' ')", `keep the list in a field that is set; ${among}`],
  int: ['int(this.a)', `numbers and times are compared as they are; or ${kept}`],
  double: ['double(this.a)', 'multiply by 1.0 instead, and a division is not whole'],
  round: ['round(this.a)', `numbers are compared as they are; or ${kept}`],
  string: ['string(this.a)', `compare the value as it is; or ${kept}`],
  timestamp: ['timestamp(this.a)', 'give the field the format date-time, and it is a time as it is'],
  duration: ['duration(this.a)', 'give the field the format duration, and it is a duration as it is'],
  sum: ['sum(this.a)', `${counted}; of a list, ${kept}`],
  min: ['min(this.a)', `${counted}; of a list, ${kept}`],
  max: ['max(this.a)', `${counted}; of a list, ${kept}`],
  join: ["join(this.a, '')", kept],
  sort: ['sort(this.a)', kept],
  distinct: ['distinct(this.a)', kept],
  flatten: ['flatten(this.a)', kept],
  merge: ['merge(this.a)', objects],
  keys: ['keys(this.a)', `whether a map holds a name is told by: name in this.map; or ${kept}`],
  object: ['object(this.a)', objects],
  type: ['type(this.a)', kept],
  pick: ["pick(this.a, ['b'])", objects],
  omit: ["omit(this.a, ['b'])", objects],
  sha256: ['sha256(this.a)', `of bytes, sha256(x).hex is worked out here; of a text, ${kept}`],
  httpDate: ['httpDate(this.a)', 'times are compared as they are'],
  group: ['this.a.group(x, x.b)', `${counted}; ${among}`],
  filter: ['this.a.filter(x, x == 1)', `${counted}; ${among}`],
  map: ['this.a.map(x, x + 1)', `${counted}; ${among}`],
  exists: [
    "split(this.a, ' ').exists(x, x == 1)",
    `${among}; of R.filter(x, a).exists(x, b), write R.exists(x, a && b)`,
  ],
  all: [
    "split(this.a, ' ').all(x, x == 'b')",
    `${kept}; of R.filter(x, a).all(x, b), write R.all(x, !(a) || b)`,
  ],
};

/** What makes something new has no place where rows are found, and `absent()` reads none. */
const elsewhere = ['uuid', 'random', 'sequence', 'unique', 'issue', 'jwks', 'absent'];

function hints(text: string): (string | undefined)[] {
  return storableFaults(parse(text).syntax, ['this'], (name) => name === 'Like').map(({ hint }) => hint);
}

describe('what is refused is told what to write instead', () => {
  it.each(Object.entries(refused))('%s', (_, [text, hint]) => {
    expect(hints(text)).toEqual([hint]);
  });

  it('of every function of the language that a store does not work out', () => {
    const known = functionNames.filter((name) => !isStorable(name) && !elsewhere.includes(name));
    expect([...known, ...macros, 'has'].sort()).toEqual(Object.keys(refused).sort());
  });

  it.each([
    ['Parcel(this) == null', 'name a field of the item'],
    ['this.a in Like', `${counted}; x in R is R.exists(y, y == x)`],
    ['this.a[0] == 1', among],
    ['this.a[0].b == 1', among],
    ['(this.a ? this.b : this.c).d == 1', 'choose between the members: c ? a.f : b.f'],
    ["{'a': this.a} == {'a': 1}", 'compare its members, one by one'],
    ["{'a': this.a}.a == 1", 'compare its members, one by one'],
    ['Like.exists(l, Like.exists(k, k == l))', kept],
    ['Like.exists(l, Like.size() > 1)', kept],
    ['this.a.exists(x, x.b.exists(y, y == 1))', kept],
    ['this.a.exists(x, this.b.filter(y, y == x).size() > 0)', kept],
    ['this.a.map(x, x.b) == []', `${counted}; ${among}`],
  ])('%s: %s', (text, hint) => {
    expect(hints(text)).toEqual([hint]);
  });
});

it('items have no sum and no order', () => {
  const syntax = typed('Author.map(y, y.boss).max() == this.author');
  expect(syntax && storableFaults(syntax, ['this'], (name) => name === 'Author')).toEqual([
    { message: 'items have no sum and no order', hint: 'name a field of theirs', start: 14, end: 20 },
  ]);
});
