import { describe, expect, it } from 'vitest';
import {
  all,
  assumed,
  type Kleene,
  known,
  not,
  some,
  unknown,
  unseen,
  verdict,
  yes,
} from '../../src/conformance/verdict.ts';

describe('a verdict on guard ⇒ claim (language §F.2)', () => {
  const table: readonly (readonly [Kleene, Kleene, string])[] = [
    [true, true, 'conforms'],
    [true, false, 'violates'],
    [true, null, 'not stated'],
    [null, true, 'conforms'],
    [null, false, 'not stated'],
    [null, null, 'not stated'],
    [false, true, 'not exercised'],
    [false, false, 'not exercised'],
    [false, null, 'not exercised'],
  ];

  it.each(table)('guard %s, claim %s: %s', (guard, claim, expected) => {
    expect(verdict(guard, claim)).toBe(expected);
  });

  it('stays a violation, or turns from not stated into one, whatever an unknown is answered (F.4)', () => {
    const answers = (value: Kleene): readonly boolean[] => (value === null ? [true, false] : [value]);
    for (const [guard, claim, now] of table)
      for (const g of answers(guard))
        for (const c of answers(claim)) {
          const later = verdict(g, c);
          if (now === 'violates') expect(later).toBe('violates');
          if (now === 'conforms') expect(['conforms', 'not exercised']).toContain(later);
        }
  });
});

describe('strong Kleene logic', () => {
  const values = [known(true), known(false), unknown('a.point')] as const;

  it('knows a conjunction as soon as one part is false, a disjunction as soon as one is true', () => {
    const conjunction = values.map((a) => values.map((b) => all(a, b).value));
    const disjunction = values.map((a) => values.map((b) => some(a, b).value));
    expect(conjunction).toEqual([
      [true, false, null],
      [false, false, false],
      [null, false, null],
    ]);
    expect(disjunction).toEqual([
      [true, true, true],
      [true, false, null],
      [true, null, null],
    ]);
    expect(values.map((one) => not(one).value)).toEqual([false, true, null]);
  });

  it('names the open points that keep it from being known, each once, and none where it is known', () => {
    expect(all(unknown('a', 'b'), yes, unknown('b', 'c')).points).toEqual(['a', 'b', 'c']);
    expect(all(unknown('a'), known(false)).points).toEqual([]);
    expect(some(unknown('a'), yes).points).toEqual([]);
  });

  it('tells why it is not true', () => {
    expect(all(yes, known(false, 'the answer was 404')).why).toBe('the answer was 404');
    expect(all(yes, unseen('nothing shows it')).why).toBe('nothing shows it');
    expect(some(known(false, 'no'), yes).why).toBeNull();
  });

  it('keeps beside each value the one that it has with assumptions taken as open', () => {
    const resting = all(yes, assumed(known(true)));
    expect([resting.value, resting.firm]).toEqual([true, null]);
    const settled = all(assumed(known(true)), known(false));
    expect([settled.value, settled.firm]).toEqual([false, false]);
    expect(some(assumed(known(false)), yes).firm).toBe(true);
  });
});
