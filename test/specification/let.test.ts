import { describe, expect, it } from 'vitest';
import { json } from '../../src/source/node.ts';
import { at } from '../../src/source/text.ts';
import { read } from '../../src/specification/read.ts';

/** Notation E.19: a name for an expression or a template is written out before anything is read. */
const document = (
  lets: string,
  where: string,
  body = '"${Note(page.items)}"',
  own = '',
  more = '',
): string => `
name: Notes
let:
${lets}
resources:
  Note:
    identifier: id
    fields:
      id: { type: integer }
      title: { type: string }
      state: { type: string }
      tags: { type: array, items: { type: string } }
endpoints:
  others: refuse
  GET /notes:
    ${own}
    does: { list: Note, where: ${JSON.stringify(where)} }
    request: { query: { q: { type: string }, from: { page: offset, type: integer, default: 0 } } }
    response: { status: 200, body: ${body} }
${more}`;

const told = (content: string): string[] =>
  read('x.yaml', content).diagnostics.map(
    ({ code, span, message, related }) =>
      `${at(span).slice('x.yaml:'.length)} ${code} ${message}${related.map((one) => ` ~ ${at(one).slice(7)}`).join('')}`,
  );

/** What stands in the list's `where`, and in its body, once all is written out. */
function out(content: string): { where: unknown; body: unknown } {
  const { specification, diagnostics } = read('x.yaml', content);
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual(
    [],
  );
  const endpoints = (json(specification.tree) as unknown as { endpoints: Record<string, unknown> }).endpoints;
  const endpoint = endpoints['GET /notes'] as { does: { where: unknown }; response: { body: unknown } };
  return { where: endpoint.does.where, body: endpoint.response.body };
}

describe('a use means the expression in parentheses, with the arguments put in (language §E.19)', () => {
  it.each<[string, string, string, string]>([
    [
      'itself',
      'a: "${this.id > 1 || this.id < 0}"',
      '${a && true}',
      '${(this.id > 1 || this.id < 0) && true}',
    ],
    [
      'an argument',
      'is(n, s): "${n.state == s}"',
      "${!is(this, 'a, (b')}",
      "${!((this).state == ('a, (b'))}",
    ],
    [
      'an argument that begins with a parenthesis',
      'over(x): "${x > 1}"',
      '${over((this.id + 1) * (2))}',
      '${((this.id + 1) * (2)) > 1}',
    ],
    [
      'lets within lets',
      'a(x): "${b(x) || b(x + 1)}"\n  b(y): "${y == 3}"',
      '${a(this.id)}',
      '${(((this.id)) == 3) || (((this.id) + 1) == 3)}',
    ],
    ['a use in an argument', 'not(x): "${!x}"', '${not(not(this.id == 1))}', '${!((!(this.id == 1)))}'],
    [
      'what a macro binds',
      'any(l, v): "${l.exists(x, x == v)}"',
      "${['a'].exists(x, any(this.tags, x))}",
      "${['a'].exists(x, ((this.tags).exists(x_1, x_1 == (x))))}",
    ],
    [
      'not what a macro binds elsewhere',
      'x: "${1}"',
      "${['a'].exists(x, x == this.title)}",
      "${['a'].exists(x, x == this.title)}",
    ],
    ['a comment', 'a: "${this.id == 1 // one\\n}"', '${a}', '${this.id == 1 // one\n}'],
    [
      'a literal',
      "most: 5\n  word: it's\n  flag: true",
      '${this.id < most && (flag || this.title == word)}',
      '${this.id < 5 && (true || this.title == "it\'s")}',
    ],
    [
      'a text',
      'path(n): "/n/${n}!"',
      '${this.title == path(1)}',
      '${this.title == ("/n/" + string(1) + "!")}',
    ],
  ])('%s', (_, lets, where, expected) => {
    const plain = (text: unknown): string => String(text).replaceAll(/[()]/g, '');
    const found = out(document(`  ${lets}`, where)).where;
    expect(plain(found)).toBe(plain(expected));
  });

  it('keeps the order of operations', () => {
    expect(out(document('  add(a, b): "${a + b}"', '${add(1, 2) * 3 == this.id}')).where).toBe(
      '${((1) + (2)) * 3 == this.id}',
    );
  });

  it('a template stands for itself, with literals, in a place of its own', () => {
    const lets =
      '  listed(rows): { data: "${rows}", from: "${page.offset}", v: 1, of: [a, "${word}!"] }\n  word: "${this_is}"';
    const found = out(
      document(lets.replace('${this_is}', "${'b'}"), '${true}', '"${listed(Note(page.items))}"'),
    ).body;
    expect(found).toEqual({
      data: '${(Note(page.items))}',
      from: '${page.offset}',
      v: 1,
      of: ['a', "${('b')}!"],
    });
  });

  it('an endpoint has its own, without parameters, and uses those of the head', () => {
    const lets = '  is(s): "${this.state == s}"';
    const found = out(document(lets, '${open}', undefined, 'let: { open: "${is(\'open\')}" }'));
    expect(found.where).toBe("${this.state == ('open')}");
  });
});

describe('faults', () => {
  it.each<[string, string, string[]]>([
    [
      'of a body are told where they stand, with each way there',
      document('  a(n): "${n.titel == 1}"\n  b: "${a(this)}"', '${b}'),
      [
        '4:12 expression-type in let b: in let a: an item of Note has no titel; did you mean title? ~ 18:35 ~ 5:9',
      ],
    ],
    [
      'of an argument, at the argument',
      document('  a(n): "${n + 1 == 1}"', '${a(this.titel)}'),
      ['17:37 expression-type an item of Note has no titel; did you mean title?'],
    ],
    [
      'a circle, once',
      document('  a: "${b}"\n  b: "${c}"\n  c: "${a}"', '${a}'),
      [
        '4:3 let-circle a is written with b, which is written with c, which is written with a, and so without end',
      ],
    ],
    [
      'what makes something new',
      document('  a: "${uuid()}"', '${a == this.title}'),
      ['4:9 let-made each use of this let would make a value of its own by uuid()'],
    ],
    [
      'a name that is taken',
      document('  now: 1\n  size(a): 1\n  a(this): 1\n  b(c, c): 1\n  Big: 1', '${true}'),
      [
        '4:3 bad-name now cannot be a name here',
        '5:3 bad-name size(a) cannot be a name here',
        '6:3 bad-name a(this) cannot be a name here',
        '7:3 bad-name b(c, c) cannot be a name here',
        '8:3 bad-name Big cannot be a name here',
      ],
    ],
    [
      'one name twice',
      document('  a: 1\n  a(b): 1', '${this.id == a}'),
      ['5:3 key-twice a stands twice ~ 4:3'],
    ],
    [
      'other arguments',
      document('  a(x, y): "${x == y}"', '${a(1)}'),
      ['17:35 expression-type a takes 2 values, and 1 are given'],
    ],
    [
      'a template within an expression',
      document('  a: { b: 1 }', '${a == null}'),
      ['17:35 expression-type a is a template, and stands by itself: "${a…}"'],
    ],
    ['nothing uses it', document('  a: 1', '${true}'), ['4:3 let-unused nothing uses a']],
    [
      'a parameter in an endpoint',
      document('  a: 1', '${this.id == a}', undefined, 'let: { b(c): 1 }'),
      ['16:12 bad-name b(c) cannot be a name here'],
    ],
    [
      'too large',
      document(
        '  m(x): "${[x, x, x, x, x, x, x, x, x, x]}"\n  n(x): "${m(m(m(m(m(m(m(m(x))))))))}"',
        '${size(n(1)) == 1}',
      ),
      [
        '18:32 let-too-large with each let written out, ${size(n(1)) == 1} has more than 10000 operators, names and values',
      ],
    ],
    [
      'a name that as binds',
      document(
        '  a: "${true}"',
        '${a}',
        undefined,
        '',
        '  DELETE /notes/{n}: { does: delete Note, request: { path: { n: Note.id as a } }, response: 204 }',
      ),
      ['20:65 bad-name a cannot be a name here ~ 4:3'],
    ],
  ])('%s', (_, content, expected) => {
    expect(told(content)).toEqual(expected);
  });
});
