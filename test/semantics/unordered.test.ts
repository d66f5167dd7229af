import { describe, expect, it } from 'vitest';
import { call } from '../../src/semantics/value/functions.ts';
import { Collection, Unknown, unknown, type Value } from '../../src/semantics/value/value.ts';

/** All of these, in an order that nobody knows. */
const some = (...items: readonly Value[]): Collection =>
  new Collection(items, { rest: undefined, ordered: false });

describe('a function of a list of which the order is not known (language §G.4)', () => {
  it('`distinct` leaves out what is there twice, in an order that nobody knows', () => {
    const found = call('distinct', [some('b', 'a', 'b')], 'plain') as Collection;
    expect(found).toBeInstanceOf(Collection);
    expect(found).toMatchObject({ items: ['b', 'a'], closed: true, ordered: false });
  });

  it('`distinct` is not known if it is not known whether two are equal', () => {
    expect(call('distinct', [some('a', unknown([]))], 'plain')).toBeInstanceOf(Unknown);
    expect(call('distinct', [new Collection(['a'], { rest: 'b', ordered: true })], 'plain')).toBeInstanceOf(
      Unknown,
    );
  });

  it('`sort`, `min` and `max` do not hang on it', () => {
    expect(call('sort', [some('b', 'c', 'a')], 'plain')).toEqual(['a', 'b', 'c']);
    expect(call('sort', [some(3, 1, 2)], 'plain')).toEqual([1, 2, 3]);
    expect(call('min', [some('b', 'a')], 'plain')).toBe('a');
    expect(call('max', [some(1, 2)], 'plain')).toBe(2);
  });

  it('`sort` of times does: two texts may be one instant', () => {
    const times = some('2026-11-28T10:00:00Z', '2026-11-28T11:00:00+01:00');
    expect(call('sort', [times], 'time')).toBeInstanceOf(Unknown);
  });

  it('`flatten` keeps what the lists hold', () => {
    expect(call('flatten', [some(['a', 'b'], null, ['c'])], 'plain')).toMatchObject({
      items: ['a', 'b', null, 'c'],
      ordered: false,
    });
    expect(call('flatten', [some(['a'], unknown([]))], 'plain')).toBeInstanceOf(Unknown);
  });
});
