import { describe, expect, it } from 'vitest';
import { maker } from '../../src/semantics/change/makers.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import { equal, ordered } from '../../src/semantics/value/compare.ts';
import { Made, seen, textOf, Unknown, type Value } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { specificationOf } from '../service/served.ts';

const made = (form: 'fresh' | 'integer' | 'time' = 'fresh', place = 1): Made => new Made(form, form, place);

function differencesOf(body: Value, found: Json) {
  const prediction = { status: [200], headers: {}, body, by: 'response' };
  return judge([{ prediction, events: [], world: null }], { status: 200, headers: {}, body: found })
    .differences;
}

describe('a text with a made value in it', () => {
  it('binds the value when the text is seen', () => {
    const id = made();
    expect(differencesOf({ url: textOf(['/notes/', id, '?all']) }, { url: '/notes/n.7?all' })).toEqual([]);
    expect(seen(id)).toBe('n.7');
  });

  it('differs from a text that is built otherwise', () => {
    const url = textOf(['/notes/', made()]);
    expect(differencesOf(url, '/note/7')).toEqual([
      { at: 'body', expected: '/notes/(fresh)', found: '/note/7', by: 'response.body' },
    ]);
  });

  it('is equal to the same text, and to no other that is made or given', () => {
    const [one, other] = [made(), made('fresh', 2)];
    expect(equal(textOf(['a_', one]), textOf(['a_', one]))).toBe(true);
    expect(equal(textOf(['a_', one]), textOf(['a_', other]))).toBe(false);
    expect(equal(textOf(['a_', one]), 'a_1')).toBe(false);
    expect(equal(textOf(['a_', made('integer')]), 'a_1')).toBeInstanceOf(Unknown);
  });
});

describe('a text that the service makes', () => {
  it('is a UUID, or so many letters and digits (language §G.4)', () => {
    const world = new World(specificationOf('complete: true'));
    const make = maker(world, null, {});
    const texts = (value: Value | undefined, found: readonly string[]) =>
      found.map((text) => differencesOf(value as Value, text).length);
    expect(texts(make('uuid', []), ['7', 'b4d4ae0e7b2a4b5b9c390d0b1c4a4c11'])).toEqual([1, 1]);
    expect(texts(make('uuid', []), ['B4D4AE0E-7b2a-4b5b-9c39-0d0b1c4a4c11'])).toEqual([0]);
    expect(texts(make('random', [8]), ['abcdefg', 'abcd-fgh', 'abcdefghi'])).toEqual([1, 1, 1]);
    expect(texts(make('random', [8]), ['aB3dEf7h'])).toEqual([0]);
    expect(texts(textOf(['t_', make('random', [4]) as Made]), ['t_abc', 'abcd', 't_abcd'])).toEqual([
      1, 1, 0,
    ]);
  });
});

describe('made values of one series', () => {
  it('differ, and later integers are greater, whether they were seen or not', () => {
    const [first, second] = [made('integer'), made('integer', 2)];
    first.bound = 4;
    expect(equal(first, second)).toBe(false);
    expect(ordered(first, '<', second)).toBe(true);
  });

  it('never come twice, if they are numbers of a sequence or texts that nobody can guess', () => {
    const world = new World(specificationOf('complete: true'));
    for (const [form, series, shown] of [
      ['fresh', 'uuid', 'b4d4ae0e-7b2a-4b5b-9c39-0d0b1c4a4c11'],
      ['fresh', 'random', 'tok_1'],
      ['integer', 'sequence of notes', 7],
    ] as const) {
      const [first, second] = [world.make(form, series), world.make(form, series)];
      expect(differencesOf(first, shown)).toEqual([]);
      expect(differencesOf(second, shown).map(({ at }) => at)).toEqual(['body']);
    }
    const cursors = [world.make('fresh', 'cursor'), world.make('fresh', 'cursor')];
    for (const cursor of cursors) expect(differencesOf(cursor, 'next')).toEqual([]);
  });
});
