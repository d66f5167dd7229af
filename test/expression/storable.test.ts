import { describe, expect, it } from 'vitest';
import { storableFaults } from '../../src/expression/storable.ts';
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
      "this.name.upper() == 'A' && size(this.tags) > 3",
      [
        'this.name.upper(): upper(…) cannot be worked out where rows are found or counted',
        'size(this.tags): size(…) cannot be worked out where rows are found or counted',
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
      'this.tags.exists(t, t == 1)',
      ['this.tags: exists goes over the items of a resource, or over a list in the request'],
    ],
    [
      'this.tags.map(t, t + 1)',
      ['this.tags.map(t, t + 1): map(…) cannot be worked out where rows are found or counted'],
    ],
    [
      'this.tags.filter(t, t > 1).size() > 0',
      ['this.tags.filter(t, t > 1).size(): size(…) cannot be worked out where rows are found or counted'],
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
