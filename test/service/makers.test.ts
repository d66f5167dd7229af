import { describe, expect, it } from 'vitest';
import { makers } from '../../src/service/value/makers.ts';

/** The UUIDs of version 7 that are made while a clock shows these times, in milliseconds. */
function made(times: readonly number[]): readonly string[] {
  let now = 0;
  const { uuid } = makers(undefined, () => now);
  return times.map((time) => {
    now = time;
    return uuid(7);
  });
}

describe('a UUID of version 7', () => {
  it('is of the form of RFC 9562, and tells the time', () => {
    const [uuid = ''] = made([1_700_000_000_123.9]);
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(1_700_000_000_123);
  });

  it.each<[string, readonly number[]]>([
    ['in later milliseconds', [5, 6, 600, 70_000_000_000]],
    ['in one millisecond', [5, 5.2, 5.9, 5, 5]],
    ['where the clock is set back', [5, 5, 3, 1, 4, 5, 6, 6]],
    ['where there are more in a millisecond than are counted', Array.from({ length: 10_000 }, () => 5)],
  ])('is greater than the one before %s', (_, times) => {
    const all = made(times);
    expect(all.toSorted()).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });
});
