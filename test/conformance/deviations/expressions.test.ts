import { describe, expect, it } from 'vitest';
import { deviatingExpressions } from '../../../src/conformance/deviations/expressions/expressions.ts';
import { type Expression, parseExpression } from '../../../src/expression/expression.ts';
import { evaluate } from '../../../src/semantics/value/evaluate.ts';
import { NotComputable, type Value } from '../../../src/semantics/value/value.ts';

const world = {
  member: () => null,
  has: () => false,
  memberOfAny: () => null,
  items: () => undefined,
  show: () => undefined,
  make: () => undefined,
  follow: () => null,
};

function computed({ syntax }: Expression, names: Readonly<Record<string, Value>>): Value | 'none' {
  try {
    return evaluate(syntax, { names, world });
  } catch (error) {
    if (error instanceof NotComputable) return 'none';
    throw error;
  }
}

/** Texts of which a field may hold one, and fields of the same kind. */
const siblings = {
  texts: new Map([
    ['owner', ['moderator', 'member']],
    ['member', ['owner', 'moderator']],
  ]),
  fields: new Map([['price', ['reserve', 'step']]]),
};

function valuesOf(text: string, names: Readonly<Record<string, Value>>): (Value | 'none')[] {
  const expression = parseExpression(text) as Expression;
  return [expression, ...deviatingExpressions(expression, siblings)].map((each) => computed(each, names));
}

describe('an expression as it might be got wrong', () => {
  it('says nothing twice that means the same', () => {
    const text = "role == 'owner' || role == 'member'";
    const others = deviatingExpressions(parseExpression(text) as Expression, siblings).map(
      (each) => each.text,
    );
    expect(others).toContain('role == "owner" || role == "moderator" || role == "member"');
    expect(others).not.toContain('role == "owner" || role == "member" || role == "member"');
    const [one, other] = ["a.b == 'owner' && c", "a.d == 'owner' && c"].map(
      (each) => deviatingExpressions(parseExpression(each) as Expression, siblings).length,
    );
    expect(one).toBe(other);
  });

  it('has each of its conditions dropped, and put together otherwise', () => {
    expect(valuesOf('a && b', { a: true, b: false })).toEqual([false, true, false, true]);
    expect(valuesOf('!a || b', { a: false, b: false })).toEqual([true, true, false, false, false]);
  });

  it('has each comparison turned, and its bound moved', () => {
    expect(valuesOf('a < 3', { a: 3 })).toEqual([false, true, true, true, false]);
    expect(valuesOf('a == "x"', { a: 'x' })).toEqual([true, false, false]);
  });

  it('takes one more of the texts that a field may hold', () => {
    expect(valuesOf('r == "owner"', { r: 'moderator' })).toEqual([false, true, true, false, false]);
    expect(valuesOf('r != "member"', { r: 'owner' })).toEqual([true, false, false, true, true]);
    expect(valuesOf('r in ["owner", "member"]', { r: 'moderator' })).toEqual([false, true, false, false]);
  });

  it('takes another field of the same kind', () => {
    const names = { this: { price: 1, reserve: 2, step: 3 }, request: { price: 4 } };
    expect(valuesOf('this.price', names)).toEqual([1, 2, 3]);
    expect(valuesOf('request.price', names)).toEqual([4]);
  });

  it('has each branch taken always, and each sum turned', () => {
    expect(valuesOf('a ? 1 + 1 : 5', { a: true })).toEqual([2, 2, 5, 0, 1, 3, 1, 3, 1, 2, 2]);
  });

  it('leaves out one side of what is worked out', () => {
    expect(valuesOf('a + b', { a: 5, b: 2 })).toEqual([7, 3, 5, 2]);
    expect(valuesOf('a - b', { a: 5, b: 2 })).toEqual([3, 7, 5]);
    expect(valuesOf('a * b', { a: 5, b: 2 })).toEqual([10, 5, 2]);
    expect(valuesOf('a % b', { a: 5, b: 2 })).toEqual([1, 5]);
  });

  it('leaves out a function of a text or a list', () => {
    expect(valuesOf('lower(a)', { a: 'Ab' })).toEqual(['ab', 'Ab']);
    expect(valuesOf('a.trim()', { a: ' b ' })).toEqual(['b', ' b ']);
  });

  it('leaves out a function of both texts that are compared', () => {
    const found = valuesOf('lower(a).contains(lower(b))', { a: 'AB', b: 'AB' });
    // As it stands; a prefix; neither is lower case; one of them is not.
    expect(found).toEqual([true, true, true, false, false]);
    expect(valuesOf('lower(a) == lower(b)', { a: 'AB', b: 'ab' })).toContain(false);
  });

  it('calls another function, and takes what is summed up for nothing', () => {
    const names = { a: 'xab', l: [3, 4] };
    expect(valuesOf('a.startsWith("ab")', names)).toEqual([false, true, false]);
    expect(valuesOf('l.min()', names)).toEqual([3, 4]);
    expect(valuesOf('l.sum() > 2', names)).toEqual([true, true, false, false, false, true, true]);
  });

  it('has each filter left out, and all for one', () => {
    const names = { l: [1, 2, 3] };
    expect(valuesOf('l.filter(x, x > 1).size()', names).slice(0, 2)).toEqual([2, 3]);
    expect(valuesOf('l.exists(x, x > 1)', names).slice(0, 2)).toEqual([true, false]);
  });

  it('deviates within members, lists, maps and calls, too', () => {
    expect(valuesOf('[1, true]', {})).toEqual([
      [1, true],
      [2, true],
      [0, true],
      [1, false],
    ]);
    expect(valuesOf("{'a': 1}", {})).toEqual([{ a: 1 }, { 'a~': 1 }, { a: 2 }, { a: 0 }]);
    expect(valuesOf('size("ab")', {})).toEqual([2, 3]);
    expect(valuesOf("{'a': false}.a", {})).toEqual([false, null, true]);
  });
});

describe('a search for words as it might be got wrong', () => {
  const texts = { a: 'Deep blue sea', b: ['Night sky'] as Value };
  const found = (search: string, given: Readonly<Record<string, Value>> = texts): (Value | 'none')[] =>
    valuesOf(search, given);

  it('takes one of the words for enough, and leaves a text out', () => {
    expect(found('matches("blue moon", a, b)').slice(0, 2)).toEqual([false, true]);
    expect(found('matches("blue night", a, b)').slice(2, 4)).toEqual([false, false]);
  });

  it('looks for them anywhere, for whole words, for words in a row, and in the case of the text', () => {
    const last = (q: string): unknown => found(`matches("${q}", a)`, texts).slice(2, 6);
    expect(last('lue')).toEqual([true, false, true, false]);
    expect(last('blu')).toEqual([true, false, true, true]);
    expect(last('sea deep')).toEqual([true, true, false, false]);
    expect(last('Deep blue')).toEqual([true, true, true, true]);
  });
});
