import { describe, expect, it } from 'vitest';
import { type Step, steps } from '../../src/report/steps.ts';

/** Steps of operations `name: points`, each as `points -> operations (in all)`. */
const order = (waiting: Record<string, string>): string[] =>
  steps(Object.entries(waiting).map(([name, points]) => ({ name, waitsFor: [...points] }))).map(
    ({ answer, runs, inAll }: Step) => `${answer.join('')} -> ${runs.join(' ')} (${inAll})`,
  );

describe('in which order to answer open points', () => {
  it('none, where no operation waits', () => {
    expect(steps([])).toEqual([]);
    expect(order({ one: '' })).toEqual([]);
  });

  it('first the point that lets most operations run', () => {
    expect(order({ one: 'a', two: 'b', three: 'b' })).toEqual(['b -> two three (2)', 'a -> one (3)']);
  });

  it('points together, where operations wait for them together', () => {
    expect(order({ one: 'abc', two: 'abc', three: 'abc', four: 'abc', five: 'd' })).toEqual([
      'abc -> one two three four (4)',
      'd -> five (5)',
    ]);
  });

  it('with a set all that waits for a part of it', () => {
    expect(order({ one: 'ab', two: 'a', three: 'b', four: 'c' })).toEqual([
      'ab -> one two three (3)',
      'c -> four (4)',
    ]);
  });

  it('what was answered in a step before is not asked again', () => {
    expect(order({ one: 'a', two: 'ab', three: 'abc', four: 'd', five: 'd' })).toEqual([
      'd -> four five (2)',
      'a -> one (3)',
      'b -> two (4)',
      'c -> three (5)',
    ]);
  });

  it('among equals the smaller set, then what is stated first', () => {
    expect(order({ one: 'ab', two: 'ab', three: 'c' })).toEqual(['c -> three (1)', 'ab -> one two (3)']);
    expect(order({ one: 'b', two: 'a' })).toEqual(['b -> one (1)', 'a -> two (2)']);
  });

  it('the same set is the same in whichever order it is named', () => {
    expect(order({ one: 'ab', two: 'ba' })).toEqual(['ab -> one two (2)']);
  });

  it('until every operation runs, each once', () => {
    const names = 'abcdefghijkl';
    const waiting = Object.fromEntries(
      [...names].map((name, index) => [name, names.slice(index % 5, (index % 5) + 1 + (index % 4))]),
    );
    const found = steps(Object.entries(waiting).map(([name, points]) => ({ name, waitsFor: [...points] })));
    expect(found.flatMap((step) => step.runs).sort()).toEqual([...names]);
    expect(found.at(-1)?.inAll).toBe(names.length);
    const answered = new Set<string>();
    for (const step of found) {
      for (const point of step.answer) answered.add(point);
      for (const name of step.runs)
        expect([...(waiting[name] as string)].every((point) => answered.has(point))).toBe(true);
    }
  });
});
