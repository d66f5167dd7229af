import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../src/conformance/search/reasons/pattern-texts.ts';

describe('the texts that a pattern admits', () => {
  it.each([
    ['^([01][0-9]|2[0-3]):[03]0$', { hasLetters: false, least: 5, most: 5 }],
    ['^[a-z][a-z0-9-]{1,19}$', { hasLetters: true, least: 2, most: 20 }],
    ['^\\d{3}-\\d{4}$', { hasLetters: false, least: 8, most: 8 }],
    ['^[0-9]+$', { hasLetters: false, least: 1, most: Number.POSITIVE_INFINITY }],
    ['^[+-]?[0-9]{1,3}(?:\\.[0-9]{2})?$', { hasLetters: false, least: 1, most: 7 }],
    ['^[0-9A-F]{8}$', { hasLetters: true, least: 8, most: 8 }],
    ['^[0-z]$', { hasLetters: true, least: 1, most: 1 }],
    ['^[\\w]$', { hasLetters: true, least: 1, most: 1 }],
    ['^(a|bc|)$', { hasLetters: true, least: 0, most: 2 }],
    ['^[é]$', { hasLetters: true, least: 1, most: 1 }],
  ])('are known of %s', (pattern, texts) => {
    expect(textsOf(pattern)).toEqual(texts);
  });

  it.each([
    ['not from the beginning', '[0-9]$'],
    ['not to the end', '^[0-9]'],
    ['to a character that is escaped', '^[0-9]\\$'],
    ['of one of two', '^1|2$'],
    ['of all but some', '^[^a]$'],
    ['of any', '^.$'],
    ['looked ahead', '^(?=1)1$'],
    ['of a class by name', '^\\p{L}$'],
    ['of a control character', '^\\cA$'],
  ])('are not known if the pattern is %s', (_, pattern) => {
    expect(textsOf(pattern)).toBeNull();
  });
});
