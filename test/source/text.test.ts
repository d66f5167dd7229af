import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, lineText, position, span, text } from '../../src/source/text.ts';

describe('a text', () => {
  it('counts lines and columns from 1, whatever ends its lines', () => {
    const of = text('x.md', 'one\ntwo\r\nthree\rfour');
    expect(['one', 'two', 'three', 'four'].map((word) => position(of, of.content.indexOf(word)))).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ]);
    expect([1, 2, 3, 4, 5].map((line) => lineText(of, line))).toEqual(['one', 'two', 'three', 'four', '']);
  });

  it('counts columns in UTF-16 code units, as editors do', () => {
    const of = text('x.md', 'ä 𝒳 z');
    expect(at(span(of, of.content.indexOf('z'), of.content.length))).toBe('x.md:1:6');
  });

  it('has no span that leaves it, or that ends before it begins', () => {
    const of = text('x.md', 'abc');
    const spans = [span(of, 1, 9), span(of, 7, 9), span(of, 2, 1)];
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [1, 3],
      [3, 3],
      [2, 2],
    ]);
  });

  it('does not count a byte order mark, which editors do not show', () => {
    const of = text('x.md', '\uFEFF# A\nb');
    expect([0, 1, 2, 5].map((offset) => position(of, offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
    ]);
    expect(lineText(of, 1)).toBe('# A');
  });

  it('has a place for every offset, and back', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r', '\r\n', '𝒳', '\t')), fc.nat(), (pieces, pick) => {
        const of = text('x.md', pieces.join(''));
        const offset = pick % (of.content.length + 1);
        const { line, column } = position(of, offset);
        expect((of.lineStarts[line - 1] as number) + column - 1).toBe(offset);
        expect(offset).toBeLessThan(of.lineStarts[line] ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});
