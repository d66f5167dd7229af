import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Syntax } from '../../src/expression/expression.ts';
import { evaluate } from '../../src/semantics/value/evaluate.ts';
import { Item, isKnown, NotComputable, Range, Unknown, type Value } from '../../src/semantics/value/value.ts';
import { ran, typed } from '../expression/answers.ts';
import { expression, kept, names } from '../expression/arbitrary.ts';
import type { Kept, Members } from '../expression/stored.ts';
import { type Hidden, nothingHidden, scopeOf } from './kept-world.ts';

const runs = process.env['TACET_LONG'] ? 100_000 : 1000;
const seed = 20_261_123;

/** What an expression comes to for each note; `none`: it cannot be computed. */
function valuesOf(syntax: Syntax, of: Kept, more: Members, hidden: Hidden): (Value | 'none')[] {
  return of.Note.map((note) => {
    try {
      const value = evaluate(syntax, scopeOf(of, note, more, hidden));
      return value === 0 ? 0 : value;
    } catch (error) {
      if (error instanceof NotComputable) return 'none';
      throw error;
    }
  });
}

const property = (
  check: (syntax: Syntax, of: Kept, more: Members, hidden: ReadonlySet<string>) => void,
): void => {
  const names_ = fc.subarray(hideable);
  fc.assert(
    fc.property(expression, kept, names, names_, (text, of, more, hidden) => {
      const syntax = typed(text);
      if (syntax !== null) check(syntax, of, more, new Set(hidden));
    }),
    { numRuns: runs, seed },
  );
};

const hideable = [
  ...['n', 'x', 'title', 'done', 'at', 'tags', 'lines', 'any', 'place', 'author', 'editor'].map(
    (name) => `Note.${name}`,
  ),
  ...['name', 'rank', 'any', 'born', 'boss'].map((name) => `Author.${name}`),
  ...['actor', 'now', 'request', 'request.query', 'request.query.q', 'request.query.n', 'request.query.any'],
  ...['a1', 'a2', 'a3'],
];

describe('an expression over partial knowledge (language §G)', () => {
  it('comes to what the service computes, if everything is known', () => {
    property((syntax, of, more) => {
      const found = valuesOf(syntax, of, more, nothingHidden).map(keyOfItem);
      expect(found).toEqual(ran(syntax, of, more).map(keyOfItem));
    });
  });

  it('says nothing that the service does not compute, whatever is hidden', () => {
    let known = 0;
    let all = 0;
    property((syntax, of, more, hidden) => {
      const found = valuesOf(syntax, of, more, {
        isHidden: (at) => hidden.has(at),
        isForeign: ({ id }) => hidden.has(String(id)),
      });
      const actual = ran(syntax, of, more);
      for (const [place, value] of found.entries()) {
        all += 1;
        if (isKnown(value)) {
          known += 1;
          expect(keyOfItem(value)).toEqual(keyOfItem(actual[place]));
        } else if (value instanceof Unknown && !value.mayFail) expect(actual[place]).not.toBe('none');
      }
    });
    // Unknown agrees with everything, so it is counted.
    expect(known / all).toBeGreaterThan(0.4);
  });

  it('says nothing that the service does not compute, if numbers are known within bounds', () => {
    const around = (value: Value): Value =>
      typeof value === 'number' && Number.isSafeInteger(value * 2) ? new Range(value - 1, value + 2) : value;
    property((syntax, of, more, hidden) => {
      const found = valuesOf(syntax, of, more, {
        isHidden: (at) => hidden.has(at),
        isForeign: () => false,
        known: around,
      });
      const actual = ran(syntax, of, more);
      for (const [place, value] of found.entries()) {
        const computed = actual[place] as Value;
        if (value instanceof Range)
          expect(computed).toSatisfy((n: number) => n >= value.least && n <= value.most);
        else if (isKnown(value)) expect(keyOfItem(value)).toEqual(keyOfItem(computed));
      }
    });
  });
});

/** An item by its key, as both evaluators have items of their own. */
function keyOfItem(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keyOfItem);
  if (value instanceof Item) return value.key;
  const isOther = typeof value === 'object' && value !== null && 'member' in value && 'key' in value;
  return isOther ? (value as { key: unknown }).key : value;
}
