import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorsOf, type KeyValue, type Position } from '../../../src/service/list/cursor.ts';

const key = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  fc.boolean(),
  fc.constant(null),
);
const position: fc.Arbitrary<Position> = fc.record({
  side: fc.constantFrom('after', 'before'),
  at: fc.option(
    fc.record({ keys: fc.tuple(key, key) as fc.Arbitrary<readonly KeyValue[]>, place: fc.maxSafeInteger() }),
  ),
});
const own = cursorsOf(['listThings', '-size,name'], 2);

describe('a cursor', () => {
  it('is read as the position that it was written for, and has no character that an address would need to code', () => {
    fc.assert(
      fc.property(position, (at) => {
        const text = own.write(at);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(own.read(text)).toEqual(at);
      }),
    );
  });

  it('of another list is none of this one', () => {
    const text = cursorsOf(['listThings', 'size,name'], 2).write({ side: 'after', at: null });
    expect(own.read(text)).toBeNull();
  });

  it('that was cut, lengthened or changed in one character is none', () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.constantFrom('', 'A', '_', '=', ' ', '%', 'é'), (at, where, by) => {
        const text = own.write(at);
        const index = where % text.length;
        const changed = text.slice(0, index) + by + text.slice(index + 1);
        fc.pre(changed !== text);
        expect(own.read(changed)).toBeNull();
        expect(own.read(text + by)).toEqual(by === '' ? at : null);
      }),
    );
  });

  it('is no other value, and nothing that only looks like one', () => {
    for (const text of ['', 'x', '1', 'AAAA', 17, null, undefined, ['a'], {}])
      expect([text, own.read(text)]).toEqual([text, null]);
  });

  it('made up with other values than a list is put in order by is none', () => {
    const forge = (keys: unknown, place: unknown): string =>
      own.write({ side: 'after', at: { keys, place } as never });
    for (const [keys, place] of [
      [['a'], 1],
      [['a', 'b', 'c'], 1],
      [['a', { b: 1 }], 1],
      [['a', []], 1],
      [['a', 'b'], 1.5],
      [['a', 'b'], 'x'],
      [['a', 'b'], null],
    ] as const)
      expect([keys, place, own.read(forge(keys, place))]).toEqual([keys, place, null]);
  });
});
