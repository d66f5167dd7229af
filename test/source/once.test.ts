import { expect, test, vi } from 'vitest';
import { once } from '../../src/source/once.ts';

test('what follows from the arguments alone is worked out once for each', () => {
  const work = vi.fn((of: object, name: string) => [of, name]);
  const known = once(work);
  const [one, other] = [{}, {}];

  expect(known(one, 'a')).toBe(known(one, 'a'));
  expect(known(one, 'b')).toEqual([one, 'b']);
  expect(known(other, 'a')).toEqual([other, 'a']);
  expect(work).toHaveBeenCalledTimes(3);
});

test('nothing is a value like any other, of an argument and of what is worked out', () => {
  const work = vi.fn((_of: object | null | undefined, _more?: string) => undefined);
  const known = once(work);

  for (const of of [null, undefined, null, undefined]) expect(known(of)).toBeUndefined();
  known(null, 'a');
  expect(work).toHaveBeenCalledTimes(3);
});

test('what fails is tried again', () => {
  const work = vi.fn((): number => {
    if (work.mock.calls.length === 1) throw new Error('not yet');
    return 1;
  });
  const known = once(work);

  expect(known).toThrow('not yet');
  expect(known()).toBe(1);
});
