import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityTags, httpDate, names, secondOf } from '../../src/service/http/validators.ts';
import { later } from '../../src/service/value/clock.ts';
import { durationOf } from '../../src/specification/reading/duration.ts';

const strong = (opaque: string) => ({ isWeak: false, opaque });
const weak = (opaque: string) => ({ isWeak: true, opaque });
const inNovember1994 = Date.UTC(1994, 10, 1);

describe('the value of If-Match and If-None-Match (RFC 9110 §13.1.1)', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', [strong('a')]],
    ['W/"a"', [weak('a')]],
    ['""', [strong('')]],
    ['"a", W/"b" ,"c"', [strong('a'), weak('b'), strong('c')]],
    ['"a,b", "c"', [strong('a,b'), strong('c')]],
    ['"a\\", "b"', [strong('a\\'), strong('b')]],
    [',, "a",\t, "b",', [strong('a'), strong('b')]],
    ['', []],
    ['a', []],
    ['w/"a"', []],
    ['"a', []],
    ['"a" "b"', []],
    ['*, "a"', [strong('a')]],
    ['a, "b"', [strong('b')]],
    ['"a", "b', [strong('a')]],
    ['"a b"', []],
  ])('%j', (field, tags) => {
    expect(entityTags(field)).toEqual(tags);
  });

  it('gives back each tag of a list, whatever it is made of', () => {
    const opaque = fc.stringMatching(/^[\x21\x23-\x7e]*$/);
    fc.assert(
      fc.property(fc.array(fc.record({ isWeak: fc.boolean(), opaque })), (tags) => {
        const field = tags.map((tag) => `${tag.isWeak ? 'W/' : ''}"${tag.opaque}"`).join(', ');
        expect(entityTags(field)).toEqual(tags);
      }),
    );
  });

  it('reads a long field of nothing but the beginnings of tags in no time', () => {
    expect(entityTags('"a'.repeat(50_000))).toEqual([]);
    expect(entityTags(' '.repeat(50_000))).toEqual([]);
    expect(entityTags(`,${' '.repeat(50_000)}"`)).toEqual([]);
    expect(entityTags(`"a",${' \t'.repeat(50_000)}"b" "`)).toEqual([strong('a')]);
  });

  // The table of RFC 9110 §8.8.3.2.
  it.each([
    ['W/"1"', 'W/"1"', false, true],
    ['W/"1"', 'W/"2"', false, false],
    ['W/"1"', '"1"', false, true],
    ['"1"', 'W/"1"', false, true],
    ['"1"', '"1"', true, true],
  ])('compares %s with %s', (given, etag, isStrongly, isWeakly) => {
    const tags = entityTags(given) as Exclude<ReturnType<typeof entityTags>, '*'>;
    expect([names(tags, etag, 'strong'), names(tags, etag, 'weak')]).toEqual([isStrongly, isWeakly]);
  });
});

describe('an HTTP-date (RFC 9110 §5.6.7)', () => {
  it.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    ' Sun, 06 Nov 1994 08:49:37 GMT ',
  ])('is read in each of its forms: %s', (field) => {
    expect(secondOf(field, inNovember1994)).toBe(784_111_777);
  });

  it.each([
    '',
    'yesterday',
    '1994-11-06T08:49:37Z',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'sun, 06 nov 1994 08:49:37 gmt',
    'Sun, 31 Feb 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  ])('is not %j', (field) => {
    expect(secondOf(field, inNovember1994)).toBeNull();
  });

  it('takes two digits for a year that is at most 50 years ahead', () => {
    const now = Date.UTC(2026, 5, 1);
    expect(secondOf('Monday, 01-Jun-76 00:00:00 GMT', now)).toBe(Date.UTC(2076, 5, 1) / 1000);
    expect(secondOf('Tuesday, 02-Jun-76 00:00:00 GMT', now)).toBe(Date.UTC(1976, 5, 2) / 1000);
    expect(secondOf('Friday, 31-Dec-99 23:59:59 GMT', now)).toBe(Date.UTC(1999, 11, 31, 23, 59, 59) / 1000);
  });

  it('is read as it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (second) => {
        expect(secondOf(httpDate(second), inNovember1994)).toBe(second);
      }),
    );
  });
});

describe('a time that is so much later', () => {
  it.each([
    ['2026-03-01T12:00:00.000123Z', 'PT24H', '2026-03-02T12:00:00.000123Z'],
    ['2026-03-01T12:00:00.999999Z', 'PT0.5S', '2026-03-01T12:00:01.499999Z'],
    ['2026-01-31T12:00:00.000000Z', 'P1M', '2026-02-28T12:00:00.000000Z'],
    ['2024-02-29T12:00:00.000000Z', 'P1Y', '2025-02-28T12:00:00.000000Z'],
    ['2026-11-30T12:00:00.000000Z', 'P3M1DT1H', '2027-03-01T13:00:00.000000Z'],
  ])('%s and %s', (time, written, then) => {
    expect(later(time, durationOf(written) as NonNullable<ReturnType<typeof durationOf>>)).toBe(then);
  });
});
