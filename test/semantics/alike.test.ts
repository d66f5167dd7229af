import { expect, it } from 'vitest';
import { areAlike, Pairs } from '../../src/semantics/value/alike.ts';
import { Made } from '../../src/semantics/value/value.ts';

const made = (place: number, series = 'id', form: Made['form'] = 'fresh') => new Made(form, series, place);

it('values that two worlds made apart from one another may be the same, each of one other', () => {
  const pairs = new Pairs(4);
  expect(areAlike(made(5), made(7))).toBe(false);
  const [one, other] = [made(5), made(7)];
  expect(areAlike({ id: one, again: [one] }, { id: other, again: [other] }, pairs)).toBe(true);
  expect(areAlike(one, made(8), pairs)).toBe(false);
  expect(areAlike(made(6), other, pairs)).toBe(false);
});

it('values of another series or form are not, nor those that were made before', () => {
  expect(areAlike(made(5), made(7, 'time'), new Pairs(4))).toBe(false);
  expect(areAlike(made(5), made(7, 'id', 'integer'), new Pairs(4))).toBe(false);
  expect(areAlike(made(3), made(7), new Pairs(4))).toBe(false);
});
