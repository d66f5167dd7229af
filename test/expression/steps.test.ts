import { describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile } from '../../src/expression/compile.ts';
import { stepsAtMost } from '../../src/expression/cost.ts';
import type { Syntax } from '../../src/expression/expression.ts';
import { mostSteps, TooManySteps } from '../../src/expression/steps.ts';
import { list, object, type Type, textOf, textType } from '../../src/expression/type.ts';
import { makers, stored, typed as typedSyntax } from './answers.ts';
import { parse, scope } from './scope.ts';

const item = { resource: 'Thing', has: () => true };
const ones = (n: number): number[] => Array.from({ length: n }, () => 1);

/** Whether an expression takes too many steps over these values. */
function takesTooMany(text: string, names: Readonly<Record<string, unknown>>): boolean {
  const run = compile(parse(text), () => undefined);
  try {
    run({ names, makers });
    return false;
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}

describe('an expression takes a million steps at most (language §G.7)', () => {
  const most = mostSteps;
  it.each<[string, string, (n: number) => Readonly<Record<string, unknown>>, number]>([
    ['an element that a macro visits', 'a.all(x, true)', (n) => ({ a: ones(n) }), most],
    ['a visit within a visit', 'a.map(x, a.map(y, 1))', (n) => ({ a: ones(n) }), 999],
    ['an element that `in` goes through', 'a.all(x, !(x + 1 in a))', (n) => ({ a: ones(n) }), 999],
    [
      'a member at any depth',
      'b.all(x, x == [o, o])',
      (n) => ({ b: ones(n).map(() => [{ c: [1] }, { c: [1] }]), o: { c: [1] } }),
      Math.floor(most / 9),
    ],
    ['a hundred characters read', 'size(t)', (n) => ({ t: 'x'.repeat(n) }), 100 * most + 99],
    [
      'a hundred characters compared',
      'a.all(x, t <= t)',
      (n) => ({ a: ones(n), t: 'x'.repeat(900) }),
      100_000,
    ],
    ['ten characters joined', 'a.join(t)', (n) => ({ a: ['', ''], t: 'x'.repeat(n) }), 9_000_000],
    ['an element made', 'a.all(x, [1, 1, 1] != null)', (n) => ({ a: ones(n) }), most / 4],
    ['lists added', 'a.all(x, [] + a != null)', (n) => ({ a: ones(n) }), 999],
    ['what is sorted, log₂ n times', 'a.sort()', (n) => ({ a: ones(n) }), 60_000],
    ['objects told apart, n times', 'a.distinct()', (n) => ({ a: ones(n).map((_, x) => [x]) }), 700],
  ])('one for %s', (_, text, names, n) => {
    expect([takesTooMany(text, names(n)), takesTooMany(text, names(n * 2))]).toEqual([false, true]);
  });
});

describe('what stands within counts, and what stood before does not', () => {
  const a = ones(600);

  it('of the expressions that one is made of', () => {
    const inner = compile(parse('a.all(x, a.all(y, true))'), () => undefined);
    const within = { ...item, member: () => inner({ names: { a }, makers }) };
    expect(takesTooMany('i.n', { a, i: within })).toBe(false);
    expect(takesTooMany('i.n && i.n', { a, i: within })).toBe(false);
    expect(takesTooMany('i.n && i.n && i.n', { a, i: within })).toBe(true);
  });

  it('of one after the other', () => {
    for (let i = 0; i < 5; i++) expect(takesTooMany('a.map(x, a.map(y, 1))', { a })).toBe(false);
  });

  it('though what cannot be worked out counts for nothing', () => {
    expect(takesTooMany('false && a.map(x, a.map(y, 1)) == null', { a: ones(2000) })).toBe(false);
  });
});

describe('SQLite counts the elements of a list in the request, for each row', () => {
  const asked = (text: string, rows: number, elements: number): unknown => {
    const kept = { Author: ones(rows).map((_, id) => ({ id: `${id}`, name: 'x' })), Note: [{ id: 1 }] };
    const more = { now: '', actor: null, request: { query: { tags: ones(elements).map((_, i) => `${i}`) } } };
    return stored(typedSyntax(text) as Syntax, kept, more);
  };
  const within = 'Author.exists(y, request.query.tags.exists(t, t == y.name))';

  it('and takes no more than an expression does', () => {
    expect(asked(within, 100, 9_999)).toEqual([false]);
    expect(() => asked(within, 100, 10_001)).toThrow(TooManySteps);
    expect(() => asked('Author.exists(y, request.query.tags.all(t, y.rank == 1 / 0))', 1, 1)).not.toThrow();
  });

  it('of each statement by itself', () => {
    for (let i = 0; i < 3; i++) expect(asked(within, 100, 9_000)).toEqual([false]);
  });
});

describe('no text is made that is longer', () => {
  it.each([
    ['replace(t, "x", t)', { t: 'x'.repeat(100_000) }],
    ['join(split(t, "x"), t)', { t: 'x'.repeat(100_000) }],
    ['[t].map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a)', { t: 'x'.repeat(1_000_000) }],
  ])('%s', (text, names) => {
    expect(takesTooMany(text, names)).toBe(true);
  });
});

describe('what may be too many is told by the lengths that are stated', () => {
  const text = textOf(1000);
  const names = new Map<string, Type>([
    ['tens', list(textType, 10)],
    ['thousands', list(text, 1000)],
    ['open', list(textType)],
    ['rows', list(object([['tags', list(textType, 5)]]), 100)],
    ['lists', list(list(textType, 5), 100)],
    ['text', text],
    ['any', { kind: 'any' }],
  ]);
  const steps = (of: string): number => {
    const { syntax } = parse(of);
    typeOf(syntax, { ...scope, names }, ({ message }) => expect(message).toBe(''));
    return stepsAtMost(syntax);
  };

  it.each([
    ['1 + 2', 0],
    ['tens.all(x, true)', 10],
    ['tens.all(x, x == text)', 10],
    ['open.all(x, true)', 1],
    ['any.all(x, true)', 1],
    ['open.all(x, tens.exists(y, y == x))', 11],
    ['tens.all(x, tens.exists(y, y == x))', 110],
    ['thousands.all(x, thousands.exists(y, y == x))', 1_000 + 1_000 * 1_000 * 11],
    ["'a' in thousands", 11_000],
    ['rows.all(r, r.tags.all(t, true))', 600],
    ['rows.map(r, r.tags).all(t, t == [])', 200],
    ['lists == lists', 600],
    ['size(text)', 10],
    ['text.contains(text)', 20],
    ['sort(tens)', 35],
    ['distinct(tens)', 10],
    ['distinct(lists)', 60_000],
    ['(tens + tens).all(x, true)', 20],
    ['(any ? tens : thousands).all(x, true)', 1000],
    ['[1, 2, 3].all(x, true)', 3],
    ['any.x.y.all(x, x in any)', 1],
    [`${'any.exists(x, '.repeat(60)}true${')'.repeat(60)}`, 60],
    [`any${'.filter(x, true)'.repeat(60)}`, 60],
  ])('%s: %d', (of, expected) => {
    expect(Math.ceil(steps(of))).toBe(expected);
  });
});
