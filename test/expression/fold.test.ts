import { describe, expect, it } from 'vitest';
import { fold } from '../../src/expression/fold.ts';

/** Every character that some change of case touches. */
const cased = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{CWL}\p{CWU}\p{CWT}\p{CWCF}]/u.test(character));

describe('caseless is Unicode simple case folding (language §G.6)', () => {
  it('brings together just the characters that a pattern without case does', () => {
    const classes = Map.groupBy(cased, fold as (character: string) => string);
    const all = cased.join('');
    const wrong = [...classes.values()].filter((alike) => {
      const code = (alike.join('').codePointAt(0) as number).toString(16);
      return all.match(new RegExp(`\\u{${code}}`, 'giu'))?.join('') !== alike.join('');
    });
    expect(cased.length).toBeGreaterThan(2500);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['STRASSE', 'straße', false],
    ['Groß', 'GROẞ', true],
    ['ΟΔΟΣ', 'οδος', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['\u212Aelvin', 'KELVIN', true],
    ['I', 'ı', false],
    ['İ', 'i', false],
    ['\u{10400}', '\u{10428}', true],
  ])('%s and %s: %s', (a, b, alike) => {
    expect(fold(a) === fold(b)).toBe(alike);
  });

  it('leaves what is no text as it is', () => {
    expect([null, 1, true].map(fold)).toEqual([null, 1, true]);
  });
});
