import { describe, expect, it } from 'vitest';
import { codes } from '../../src/source/codes.ts';
import { diagnose, excerpt, type Paint, pretty, sorted } from '../../src/source/diagnostic.ts';
import { span, text } from '../../src/source/text.ts';

const plain = (value: string): string => value;
const paint: Paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };

const of = text('x.md', 'first: 1\nsecond: two\nthird:\t3\n');
const there = (word: string) => span(of, of.content.indexOf(word), of.content.indexOf(word) + word.length);

describe('a diagnostic', () => {
  it('says where, what and what to do', () => {
    const one = diagnose('key-twice', there('second'), { key: 'second' }, { related: [there('first')] });
    expect(pretty(one, paint)).toMatchInlineSnapshot(`
      "x.md:2:1 error key-twice
        second stands twice
          2 | second: two
            | ^^^^^^
        see also x.md:1:1
          1 | first: 1
            | ^^^^^
        help: keep one of them"
    `);
  });

  it('says where it ends, where that is on another line', () => {
    const one = diagnose('not-a-map', span(of, 0, of.content.indexOf('two')), {});
    expect(pretty(one, paint).split('\n')[0]).toBe('x.md:1:1 to 2:9 error not-a-map');
  });

  it('may bring a hint of its own', () => {
    const one = diagnose(
      'unknown-key',
      there('third'),
      { key: 'third', where: 'x' },
      { hint: 'did you mean thing?' },
    );
    expect(one.hint).toBe('did you mean thing?');
  });

  it('has a line of its text, and a caret under what it is about', () => {
    expect(excerpt(there('3'), plain, paint)).toBe('    3 | third: 3\n      |        ^');
    const end = span(of, of.content.length, of.content.length);
    expect(excerpt(end, plain, paint)).toBe('    4 | \n      | ^');
  });

  it('shows a stretch of a long line', () => {
    const long = text('x.md', `${'a'.repeat(500)}HERE${'b'.repeat(500)}`);
    const [line, caret] = excerpt(span(long, 500, 504), plain, paint).split('\n') as [string, string];
    expect(line.length).toBeLessThan(130);
    expect(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE');
  });

  it('lets no control character of the document through to the terminal', () => {
    const evil = text('x.md', 'a: \u001b[2J\u0007\u009b0m');
    const shown = pretty(diagnose('unknown-key', span(evil, 0, 1), { key: '\u001b[2J', where: '\r' }), paint);
    expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('diagnostics', () => {
  it('stand in the order of the text, each once', () => {
    const one = diagnose('key-twice', there('second'), { key: 'second' });
    const two = diagnose('key-twice', there('first'), { key: 'first' });
    expect(sorted([one, two, one])).toEqual([two, one]);
  });

  it('each rest on a section of the language', () => {
    for (const [code, { section }] of Object.entries(codes)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(section).toMatch(/^([A-I](\.\d+)?|[1-9](\.\d)?)$/);
    }
  });
});
