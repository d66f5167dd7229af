import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Syntax } from '../../src/expression/expression.ts';
import { foundBy, foundIn, ran, typed } from './answers.ts';
import { expression, kept, names } from './arbitrary.ts';
import { type Postgres, postgres } from './postgres.ts';
import type { Kept, Members } from './stored.ts';

/** A schema of PostgreSQL's, or why there is none. */
const store = await postgres();
const missing = typeof store === 'string' ? store : null;
afterAll(async () => {
  if (typeof store !== 'string') await store.close();
});

/** The notes for which a condition is true; null where that cannot be worked out of one of them. */
function trueOf(syntax: Syntax, of: Kept, more: Members): unknown[] | null {
  const all = ran(syntax, of, more);
  if (all.includes('none')) return null;
  return of.Note.flatMap(({ id }, index) => (all[index] === true ? [id] : []));
}

const conditions = [
  'this.author.name == request.query.q',
  'request.query.q == this.author.name',
  'this.author.name == null',
  "this.author.name == 'Ada'",
  'this.author.name == this.title',
  'this.author.boss.name == request.query.q',
  'this.author.boss == actor',
  'this.author.rank == request.query.n',
  'this.author.any == request.query.any',
  'this.author.born == request.query.at',
  'this.editor.rank == request.query.n',
  'this.editor.boss.id == request.query.q',
  'this.author.name != request.query.q',
  '!(this.author.name == request.query.q)',
  'this.done || this.author.name == request.query.q',
  'Author.exists(y, y == this.author && y.rank == request.query.n)',
  'Author.exists(y, y.boss == this.author && y.name == request.query.q)',
  'Author.exists(y, y.boss == this.editor && y.rank == 1)',
  'Author.exists(y, y == this.author && y.boss == actor)',
  'Author.exists(y, y.name == this.title && y.rank == request.query.n)',
  'Author.exists(y, y.id == this.title && y.boss.name == request.query.q)',
  'Author.exists(y, y.any == this.any && y.name == request.query.q)',
  '!Author.exists(y, y == this.author && y.rank == request.query.n)',
  'Note.exists(z, z.author == this.author && z.title == request.query.q)',
  'Note.exists(z, z.author == this.author && z.editor == this.editor && z.n == 1)',
  'Note.exists(z, z.id == this.n && z.author.name == request.query.q)',
  'request.query.q in this.tags',
  'request.query.any in this.tags',
  'request.query.q in this.any',
  'request.query.n in this.any',
  'null in this.tags',
  '!(request.query.q in this.tags)',
  "'a1' in this.tags",
  'this.author.id in this.tags && this.n == 1',
  'Note.exists(z, this.title in z.tags)',
  'Note.exists(z, z.n == 1 && request.query.q in z.tags)',
  'Note.filter(z, this.author.id in z.tags).size() == 1',
  'Author.exists(y, y.id in this.tags && y == this.author)',
];

const where = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...conditions) }, expression);
const runs = process.env['TACET_LONG'] ? 40_000 : 1000;

describe('what is found by a condition is what it is true of (language §G.5)', () => {
  it('where each condition is one', () => {
    expect(conditions.filter((text) => typed(text) === null)).toEqual([]);
  });

  it('where several have a value alike', () => {
    const of: Kept = {
      Author: [{ id: 'a1', rank: 2 }, { id: 'a2', rank: 2 }, { id: 'a3' }],
      Note: [{ id: 1, author: 'a1' }, { id: 2, author: 'a2' }, { id: 3, author: 'a3' }, { id: 4 }],
    };
    const given = (n: number | null): Members => ({ now: '', actor: null, request: { query: { n } } });
    const byRank = typed('this.author.rank == request.query.n') as Syntax;
    expect(foundBy(byRank, of, given(2))).toEqual([1, 2]);
    expect(foundBy(byRank, of, given(null))).toEqual([3, 4]);
  });

  it('in SQLite', () => {
    let asked = 0;
    fc.assert(
      fc.property(where, kept, names, (text, of, more) => {
        const syntax = typed(text);
        const expected = syntax && trueOf(syntax, of, more);
        if (syntax === null || expected === null) return;
        asked += 1;
        expect(foundBy(syntax, of, more)).toEqual(expected);
      }),
      { numRuns: runs, seed: 20_261_131 },
    );
    expect(asked).toBeGreaterThan(runs / 2);
  }, 600_000);

  it.skipIf(missing !== null)(
    `in PostgreSQL${missing === null ? '' : ` (skipped: ${missing})`}`,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(where, { minLength: 10, maxLength: 10 }),
          kept,
          names,
          async (all, of, more) => {
            await (store as Postgres).keep(of);
            for (const text of all) {
              const syntax = typed(text);
              const expected = syntax && trueOf(syntax, of, more);
              if (syntax !== null && expected !== null)
                expect(await foundIn(store as Postgres, syntax, of, more)).toEqual(expected);
            }
          },
        ),
        { numRuns: runs / 20, seed: 20_261_132 },
      );
    },
    3_600_000,
  );
});
