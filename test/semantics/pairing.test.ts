import { describe, expect, it } from 'vitest';
import { mayBeInOrder } from '../../src/semantics/judge/pairing.ts';
import { codePointOrder } from '../../src/semantics/value/compare.ts';

const isIt = (expected: string, came: string): boolean => expected === came;

describe('what comes in an order', () => {
  const isInOrder = (expected: string, came: string, free = ''): boolean | null =>
    mayBeInOrder(
      [...expected],
      [...came],
      isIt,
      (each) => (each === each.toUpperCase() ? 'capital' : 'small'),
      (first, second) => !(free.includes(first) && free.includes(second)),
    );

  it('comes so in each lane, whatever stands between', () => {
    expect(isInOrder('ab', 'ab')).toBe(true);
    expect(isInOrder('ab', 'ba')).toBe(false);
    expect(isInOrder('aBc', 'Bac')).toBe(true);
    expect(isInOrder('aba', 'aab')).toBe(false);
  });

  it('may come in any order where nobody knows which is before the other', () => {
    expect(isInOrder('abc', 'bac', 'ab')).toBe(true);
    expect(isInOrder('abc', 'bca', 'ab')).toBe(false);
  });
});

describe('texts', () => {
  it('have the order of their code points, also past U+FFFF', () => {
    const sorted = ['', 'a', 'ab', 'a\u{ffff}', 'a\u{1f600}', 'a\u{1f601}', 'b'];
    expect(sorted.toReversed().toSorted(codePointOrder)).toEqual(sorted);
  });
});
