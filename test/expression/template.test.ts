import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFault } from '../../src/expression/expression.ts';
import { parseText } from '../../src/expression/template.ts';
import { timed } from '../cpu.ts';

/** The pieces of a text: literal text as it is, expressions as `{ from: … }`; or where and why it cannot be read. */
function parsed(text: string): unknown {
  const found = parseText(text);
  if (isFault(found)) return `${found.start}–${found.end} ${found.message}`;
  if (found.kind === 'literal') return found.value;
  const pieces = found.kind === 'text' ? found.pieces : [found];
  return pieces.map((piece) => (typeof piece === 'string' ? piece : { [piece.from]: piece.expression.text }));
}

describe('a text is taken apart into text and expressions', () => {
  it('a text without one is itself', () => {
    expect(['', 'plain', '$', '${'.slice(1), '{}', '$a'].map(parsed)).toEqual([
      '',
      'plain',
      '$',
      '{',
      '{}',
      '$a',
    ]);
  });

  it('a text that is wholly one expression keeps its type', () => {
    expect(parseText('${a}')).toMatchObject({ kind: 'expression', from: 2 });
    expect(parseText(' ${a}')).toMatchObject({ kind: 'text' });
    expect(parseText('${a}${b}')).toMatchObject({ kind: 'text' });
  });

  it('each expression knows where it begins', () => {
    expect(parsed('x ${a} 𝒳 ${b.c}')).toEqual(['x ', { 4: 'a' }, ' 𝒳 ', { 12: 'b.c' }]);
  });

  it('$${ writes ${', () => {
    expect(parsed('$${')).toBe('${');
    expect(parsed('$${a}')).toBe('${a}');
    expect(parsed('$$')).toBe('$$');
    expect(parsed('$${a} ${b}')).toEqual(['${a} ', { 8: 'b' }]);
  });

  it('whatever the text, with its ${ doubled it writes itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '"', '\\', '𝒳') }), (text) => {
        expect(parsed(text.replaceAll('${', () => '$${'))).toBe(text);
      }),
    );
  });
});

describe('an expression ends at the brace that matches its first', () => {
  it('beyond braces of its own', () => {
    expect(parsed("${ {'a': {'b': 1}} }x")).toEqual([{ 2: " {'a': {'b': 1}} " }, 'x']);
  });

  it('beyond braces and quotation marks in texts of every form', () => {
    const texts = [
      '"}"',
      "'}'",
      '"\\"}"',
      "'\\'}'",
      `'"}'`,
      '"""}"}"""',
      "'''}'}'''",
      '"""\\"""}"""',
      'r"}\\d"',
      "R'}'",
    ];
    for (const text of texts) expect(parsed(`\${${text}}x`)).toEqual([{ 2: text }, 'x']);
  });

  it('and beyond comments, which end with their line', () => {
    expect(parsed('${a // }"\n}x')).toEqual([{ 2: 'a // }"\n' }, 'x']);
    expect(parsed('${a // }')).toBe('0–8 the brace of this ${ is never closed');
  });

  it('and is refused, with its place, where it does not end', () => {
    expect(parsed('x ${a')).toBe('2–5 the brace of this ${ is never closed');
    expect(parsed('${"a}')).toBe('2–5 the text that begins here is never closed');
    expect(parsed('${"""a"}')).toBe('2–8 the text that begins here is never closed');
  });

  it('and raw texts are refused where CEL and its parser do not agree on their end', () => {
    expect(parsed('${r"\\"}')).toBe('4–6 a raw text cannot hold a backslash before a quotation mark');
    expect(parsed("${r'\\'' }")).toBe('4–6 a raw text cannot hold a backslash before a quotation mark');
    expect(parsed('${bar"a"}')).toContain('Unexpected character');
  });
});

describe('what cannot be read as CEL is refused where it stands', () => {
  it.each([
    ['${}', '2–2 Unexpected token: its end'],
    ['${a b}', "4–5 Unexpected character: 'b'"],
    ['x ${1 +}', '7–7 Unexpected token: its end'],
    ['${a.for}', null],
    ['${for}', '2–5 Reserved identifier: for'],
    ["${'a\nb'}", '4–5 Newlines not allowed in single-quoted strings'],
    ['${a = b}', '4–5 Unexpected character: ='],
    ["${'\\q'}", '3–5 Invalid escape sequence: \\q'],
  ])('%s', (text, fault) => {
    if (fault === null) expect(parsed(text)).not.toEqual(expect.any(String));
    else expect(parsed(text)).toBe(fault);
  });

  it.each([
    ['parentheses', `${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['negations', `${'!'.repeat(9000)}a`],
    ['sums', `1${'+1'.repeat(4000)}`],
    ['members', `a${'.a'.repeat(4000)}`],
    ['lists', `${'['.repeat(3000)}${']'.repeat(3000)}`],
    ['conditions', 'a?b:'.repeat(2000)],
    ['macros', `${'[1].map(x,'.repeat(400)}1${')'.repeat(400)}`],
    ['characters', `'${'a'.repeat(20_000)}'`],
    ['elements', `[${'1,'.repeat(4000)}1]`],
  ])('too many %s are a fault, and no crash', (_what, expression) => {
    const { cpuMs } = timed(() => expect(parsed(`\${${expression}}`)).toEqual(expect.any(String)));
    expect(cpuMs).toBeLessThan(20_000);
  });
});
