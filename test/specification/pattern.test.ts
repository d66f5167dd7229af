import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/specification/reading/pattern.ts';

/** What a pattern may be read otherwise by, each with a few that stand near it. */
const patterns: readonly string[] = [
  'a.b',
  '^.$',
  '[.]',
  '[^.]',
  '\\.',
  '\\s',
  '\\S',
  '^\\s+$',
  '[\\s]',
  '[^\\s]',
  '[\\S]',
  '[^\\S]',
  '[a\\s]',
  '[\\sa-c]',
  '[\\Sa]',
  '\\\\s',
  '[\\\\s]',
  '[[]',
  '[^[]',
  '[a[b]',
  '[\\]\\s]',
  '\\u00e9',
  '[\\u00e0-\\u00ff]',
  '\\u{1F600}',
  '\\ud83d\\ude00',
  '^[\\ud83d\\ude00]$',
  '\\u0041\\u0042',
  '\\cJ',
  '\\cj',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\bа',
  '\\p{L}',
  '\\p{Letter}',
  '\\P{Letter}',
  '[\\p{Lu}\\p{Nd}]',
  '\\p{Lowercase_Letter}',
  '\\p{gc=Decimal_Number}',
  '\\p{digit}',
  '\\p{General_Category=Lu}',
  '\\p{Script=Greek}',
  '\\p{sc=Cyrillic}',
  '\\p{Space_Separator}',
  '(?<year>\\d{2})',
  '(?:a|b)+$',
  'a{2,3}',
  '^$',
  '$',
];

const character = fc.oneof(
  fc.constantFrom(...'aAbB.sS[]\\é😀а0٣αЯ_-'),
  fc.constantFrom(
    '\n',
    '\r',
    '\t',
    '\v',
    '\f',
    ' ',
    '\u00a0',
    '\u2003',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u180e',
    '\u200b',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 6 }).map((all) => all.join('').toWellFormed());

describe('a pattern is that of ECMA-262 (language §H.1)', () => {
  it.each(patterns)('%s', (pattern) => {
    const ours = compilePattern(pattern);
    const theirs = new RegExp(pattern, 'u');
    fc.assert(
      fc.property(text, (one) => {
        expect([one, ours.test(one)]).toEqual([one, theirs.test(one)]);
      }),
      { numRuns: 400 },
    );
  });

  it('but for look-around and back-references, which take more than time by length', () => {
    for (const pattern of ['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'])
      expect(() => compilePattern(pattern), pattern).toThrow();
  });

  it('any character is one where the pattern says so', () => {
    expect(compilePattern('a(?s:.)b').test('a\nb')).toBe(true);
    expect(compilePattern('a.b').test('a\u2028b')).toBe(false);
  });
});
