import { describe, expect, it } from 'vitest';
import { isWholeDivision, typeOf } from '../../src/expression/check.ts';
import { functions } from '../../src/expression/functions.ts';
import type { Type } from '../../src/expression/type.ts';
import { parse, scope, typed } from './scope.ts';

const typeIs = (text: string): string => {
  const { type, faults } = typed(text);
  expect([text, faults]).toEqual([text, []]);
  return type;
};
const faults = (text: string): string[] => typed(text).faults;

describe('an expression has a type', () => {
  it.each([
    ['1', 'an integer'],
    ['1.0', 'a number'],
    ["'a'", 'text'],
    ['true', 'true or false'],
    ['null', 'null'],
    ['[]', 'a list of any value'],
    ['[1, 2.5]', 'a list of a number'],
    ["[1, 'a']", 'a list of any value'],
    ['[null, 1]', 'a list of an integer'],
    ["{'a': 1}", 'an object'],
    ["{'a': 1}.a", 'an integer'],
    ['whole + 1', 'an integer'],
    ['whole + 1.5', 'a number'],
    ["text + 'a'", 'text'],
    ['texts + texts', 'a list of text'],
    ['any + 1', 'any value'],
    ['-whole', 'an integer'],
    ['whole / 2', 'an integer'],
    ['any / 2', 'a number'],
    ['whole % 2', 'an integer'],
    ['whole < number', 'true or false'],
    ['todo.title == nothing', 'true or false'],
    ['todo.title in texts', 'true or false'],
    ["'a' == 'b'", 'true or false'],
    ["'a' in ['b']", 'true or false'],
    ["'a' in object", 'true or false'],
    ['flag ? 1 : 2.5', 'a number'],
    ['flag ? null : text', 'text'],
    ['!flag && flag || any', 'true or false'],
    ['object.name', 'text'],
    ["object['name']", 'text'],
    ['more.other', 'any value'],
    ['any.x.y[0]', 'any value'],
    ['nothing.x', 'any value'],
    ['unknown.whatever', 'any value'],
    ['texts[0]', 'text'],
    ['Todo', 'the items of Todo'],
    ['Todo.filter(t, t.done)', 'a list of an item of Todo'],
    ['Todo.exists(t, t.done)', 'true or false'],
    ['texts.map(t, size(t))', 'a list of an integer'],
    ['texts.filter(t, t != text)', 'a list of text'],
    ['texts.all(t, t in texts)', 'true or false'],
    ['Todo(todo)', 'any value'],
    ['Todo(Todo)', 'a list of any value'],
    ['has(todo.title)', 'true or false'],
    ["has(object['name'])", 'true or false'],
    ['time < time', 'true or false'],
    ['time - time', 'a duration'],
    ['any - time', 'a duration'],
    ['time - any', 'any value'],
    ["any - duration('PT1H')", 'any value'],
    ["time + duration('PT1H')", 'a time'],
    ["time - duration('PT1H') < time", 'true or false'],
    ["timestamp('2026-11-01T00:00:00Z') > time", 'true or false'],
    ['sequence(todo)', 'an integer'],
  ])('%s is %s', (text, type) => {
    expect(typeIs(text)).toBe(type);
  });

  it.each([
    ["size('a')", 'an integer'],
    ['texts.size()', 'an integer'],
    ["text.startsWith('a')", 'true or false'],
    ["text.endsWith('a')", 'true or false'],
    ["text.contains('a')", 'true or false'],
    ['lower(text)', 'text'],
    ['text.upper()', 'text'],
    ['trim(text)', 'text'],
    ['slug(text)', 'text'],
    ['substring(text, 1)', 'text'],
    ['text.substring(1, whole)', 'text'],
    ["replace(text, 'a', 'b')", 'text'],
    ["split(text, ' ')", 'a list of text'],
    ['int(text)', 'an integer'],
    ['double(whole)', 'a number'],
    ['round(number)', 'an integer'],
    ['string(whole)', 'text'],
    ["timestamp('2026-11-01T00:00:00Z')", 'a time'],
    ["duration('PT1S')", 'a duration'],
    ['[1, 2].sum()', 'an integer'],
    ['numbers.min()', 'a number'],
    ['texts.max()', 'text'],
    ["texts.join(', ')", 'text'],
    ['texts.join()', 'text'],
    ['texts.sort()', 'a list of text'],
    ['texts.distinct()', 'a list of text'],
    ['[[1], [2]].flatten()', 'a list of an integer'],
    ['uuid()', 'text'],
    ['uuid(7)', 'text'],
    ['random(12)', 'text'],
    ['merge(object, more)', 'an object'],
    ['merge(nothing)', 'an object'],
    ['merge(object, any)', 'an object'],
    ['keys(object)', 'a list of text'],
    ["object([['a', 1]])", 'an object'],
    ['type(any)', 'text'],
    ['pick(object, texts)', 'an object'],
    ['pick([object], null)', 'a list of an object'],
    ['omit(any, texts)', 'any value'],
    ['sha256(text)', 'an object'],
    ['httpDate(time)', 'text'],
  ])('%s gives %s', (text, type) => {
    expect(typeIs(text)).toBe(type);
    const name = /(\w+)\([^()]*\)$/.exec(text)?.[1] as string;
    expect([name, functions.has(name)]).toEqual([name, true]);
  });
});

describe('an object keeps the types of its members (language §G.4)', () => {
  it.each([
    ["merge({'a': 1}, {'b': 'x'}).a", 'an integer'],
    ["merge({'a': 1}, {'a': 'x'}).a", 'any value'],
    ["merge({'a': 1}, more).a", 'any value'],
    ["merge(more, {'a': 1}).other", 'any value'],
    ["merge({'a': 1}, any).a", 'any value'],
    ["merge({'a': 1}, null).a", 'an integer'],
    ["merge({'a': 1}, flag ? {'b': whole} : {}).b", 'an integer'],
    ["(flag ? {} : {'b': 1}).b", 'an integer'],
    ["pick({'a': 1, 'b': {'c': text, 'd': 1}}, ['b.c']).b.c", 'text'],
    ["pick({'a': 1}, texts).a", 'an integer'],
    ["pick([{'a': 1}], ['a'])[0].a", 'an integer'],
    ["omit({'a': 1, 'b': 'x'}, ['a']).b", 'text'],
    ['sha256(text).hex', 'text'],
    ['shown(todo).title', 'text'],
    ['shown(Todo)[0].title', 'text'],
    ["merge(shown(todo), {'by': whole}).title", 'text'],
  ])('%s is %s', (text, type) => {
    const within = {
      ...scope,
      shows: new Set(['shown']),
      shownAs: () => ({ kind: 'object', members: scope.membersOf('Todo'), more: false }) as Type,
    };
    expect(typed(text, within)).toEqual({ type, faults: [] });
  });

  it.each([
    ["pick({'a': 1, 'b': 1}, ['a']).b", "pick({'a': 1, 'b': 1}, ['a']).b: an object has no b; it has a"],
    ["omit({'a': 1, 'b': 1}, ['b']).b", "omit({'a': 1, 'b': 1}, ['b']).b: an object has no b; it has a"],
    ["merge({'a': 1}, {'b': 1}).c", "merge({'a': 1}, {'b': 1}).c: an object has no c; it has a, b"],
    ['merge()', 'merge(): merge takes 1 or more values, and 0 are given'],
    ['merge(object, text)', 'text: this is text, and an object is wanted'],
    ['merge(todo)', 'todo: this is an item of Todo, and an object is wanted'],
    [
      'pick(todo, texts)',
      'todo: this is an item of Todo, and an object or a list of objects is wanted; Todo(x) shows one',
    ],
    ["omit(texts, ['a'])", 'texts: this is a list of text, and an object or a list of objects is wanted'],
    [
      "type(whole) == 'int'",
      "'int': it is never 'int'; it is one of string, integer, number, boolean, object, array, null",
    ],
  ])('%s', (text, fault) => {
    expect(faults(text)[0]).toBe(fault);
  });
});

describe('an expression that does not fit is refused, at the words that do not', () => {
  it.each([
    ['todo.titel', 'todo.titel: an item of Todo has no titel; did you mean title?'],
    ['text.length', 'text.length: text has no members'],
    ['whole && flag', 'whole: this is an integer, and true or false is wanted'],
    ['!text', 'text: this is text, and true or false is wanted'],
    ['-text', 'text: this is text, and a number is wanted'],
    ['text == whole', 'text == whole: text and an integer are never equal'],
    ['time == text', 'time == text: a time and text are never equal'],
    ['flag < whole', 'flag < whole: true or false and an integer have no order'],
    ['text + 1', 'text + 1: text and an integer cannot be added'],
    ['object + object', 'object + object: an object and an object cannot be added'],
    ['time + 1', 'time + 1: a time and an integer cannot be added'],
    ['time - 1', 'time: this is a time, and a number is wanted'],
    ['text * 2', 'text: this is text, and a number is wanted'],
    ['text ? 1 : 2', 'text: this is text, and true or false is wanted'],
    ["texts['a']", "texts['a']: a list of text has no members"],
    ['texts[text]', 'text: this is text, and an integer is wanted'],
    ['whole[0]', 'whole[0]: an integer has no elements'],
    ['whole in text', 'text: this is text, and a list is wanted'],
    ['{1: 2}', '1: this is an integer, and text is wanted'],
    ['text.map(t, t)', 'text: this is text, and a list is wanted'],
    ['texts.filter(t, size(t))', 'size(t): this is an integer, and true or false is wanted'],
    ['lower(whole)', 'whole: this is an integer, and text is wanted'],
    ['random(1001)', '1001: random(n) makes 1 to 1000 letters and digits'],
    ['random(0)', '0: random(n) makes 1 to 1000 letters and digits'],
    ['split(text)', 'split(text): split takes 2 values, and 1 are given'],
    ["substring(text, 'a')", "'a': this is text, and an integer is wanted"],
    ['lower()', 'lower(): lower takes 1 values, and 0 are given'],
    ["join(texts, 'a', 'b')", "join(texts, 'a', 'b'): join takes 1 to 2 values, and 3 are given"],
    ['Todo(todo, todo)', 'Todo(todo, todo): Todo(x) takes one item, or a list of them'],
    ['nope(1)', 'nope(1): there is no function nope, and no resource or view of this name'],
    [
      'trimm(text)',
      'trimm(text): there is no function trimm, and no resource or view of this name; did you mean trim?',
    ],
    [
      'exists(Article, a, a == this)',
      'exists(Article, a, a == this): exists stands behind what it goes through: Article.exists(a, …)',
    ],
    ['has(todo)', 'has(todo): has(x.y) takes one member'],
    ['has()', 'has(): has(x.y) takes one member'],
    ['todo.has()', 'todo.has(): has(x.y) takes one member'],
    ['has(texts[whole])', 'has(texts[whole]): has(x.y) takes one member'],
    ["(flag ? 'a' : 'b') == 'c'", "'c': it is never 'c'; it is one of a, b"],
    ["(flag ? 'a' : 'b') in ['a', 'c']", "'c': it is never 'c'; it is one of a, b"],
    ['uuid(5)', '5: there are uuid(4) and uuid(7)'],
    ['9007199254740992', '9007199254740992: integers are exact between ±(2⁵³−1), and this is past them'],
    ['5u', '5u: there are no bytes and no unsigned integers here'],
    ["b'a'", "b'a': there are no bytes and no unsigned integers here"],
  ])('%s', (text, fault) => {
    expect(faults(text)[0]).toBe(fault);
  });

  it('a name that nobody has, with the names that there are', () => {
    expect(faults('nobody')[0]).toMatch(
      /^nobody: nothing is called nobody here; known here: any, flag, whole, /,
    );
  });

  it('all its faults are told at once', () => {
    expect(faults('todo.a + nobody + lower(1)')).toHaveLength(3);
  });

  it('what makes something new is refused where that has no place', () => {
    expect(typed('uuid()', { ...scope, makers: false }).faults).toEqual([
      'uuid(): uuid() makes something new, and may stand only in set, with, an answer, or a view',
    ]);
  });
});

describe('a division is whole', () => {
  const isWhole = (text: string): boolean => {
    const { syntax } = parse(text);
    typeOf(syntax, scope, () => undefined);
    return isWholeDivision(syntax);
  };

  it('where both operands are integers by their types, and nowhere else', () => {
    expect(['7 / 2', 'whole / size(texts)', 'todo.order / 2', 'int(text) / 2'].map(isWhole)).toEqual(
      Array(4).fill(true),
    );
    expect(['double(7) / 2', '7.0 / 2', '7 / 2.0', 'any / 2', 'number / 2', '7 * 2'].map(isWhole)).toEqual(
      Array(6).fill(false),
    );
    expect(isWholeDivision(parse('7 / 2').syntax)).toBe(false);
  });
});
