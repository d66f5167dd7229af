import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compile } from '../../src/expression/compile.ts';
import type { Syntax } from '../../src/expression/expression.ts';
import { storableFaults } from '../../src/expression/storable.ts';
import { compileSets } from '../../src/service/list/sets.ts';
import {
  expectAlike,
  frameOf,
  isResource,
  makers,
  outcome,
  ran,
  stored,
  storedIn,
  typed,
} from './answers.ts';
import { expression, kept, names } from './arbitrary.ts';
import { type Postgres, postgres } from './postgres.ts';
import { answer, database, itemOf, type Kept, type Members, model } from './stored.ts';

/** A schema of PostgreSQL's, or why there is none. */
const store = await postgres();
const missing = typeof store === 'string' ? store : null;
afterAll(async () => {
  if (typeof store !== 'string') await store.close();
});

const ada = { id: 'a1', name: 'Ada', rank: 2, born: '2026-01-01T01:00:00+01:00' };
const few: Kept = {
  Author: [ada, { id: 'a2', boss: 'a1', born: '2026-01-01T00:30:00Z' }, { id: 'a3', name: 'é', any: 1 }],
  Note: [
    { id: 1, author: 'nobody', x: 2 ** 60, at: '2026-01-01T00:00:00Z', any: [{ b: 2, a: 1 }], tags: ['a1'] },
  ],
};
const given = {
  now: '2026-01-01T00:30:00.000001Z',
  actor: { id: 'a1' },
  request: { query: { any: 2 ** 60, rows: [], times: ['2026-01-01T01:00:00+01:00'], q: null } },
};

const facts: [string, unknown][] = [
  ['this.x == request.query.any', true],
  ["this.any == [{'a': 1, 'b': 2}]", true],
  ['this.editor == null', true],
  ['Author.exists(y, y == this.editor)', false],
  ['Author.exists(y, y == this.author)', false],
  ['Author.filter(y, y.boss == actor).size()', 1],
  ["this.author == 'nobody'", true],
  ["matches('A', this.tags)", true],
  ['matches(request.query.q, this.tags)', true],
  ["Author.exists(y, matches('ÉX é', y.name, ['éxy']))", true],
  ["Author.filter(y, matches('ad', y.name, null)).size()", 1],
  ["matches('a', this.x)", 'none'],
  ['this.author.id', 'nobody'],
  ['this.author.name', null],
  ['actor in this.tags', true],
  ["startsWith(actor, 'a')", 'none'],
  ['startsWith(actor, this.author.id)', 'none'],
  ['Author.exists(y, actor <= y.id)', false],
  ['this.at in request.query.times', true],
  ['[this.at] == request.query.times', true],
  ["this.at == timestamp('2026-01-01T01:00:00+01:00')", true],
  ['Author.map(y, y.born).max()', '2026-01-01T00:30:00Z'],
  ['Author.map(y, y.born).min()', '2026-01-01T01:00:00+01:00'],
  ['Author.map(y, y.rank).sum()', 2],
  ["Author.filter(y, y.born != null).map(y, y.born + duration('PT0S')).max()", '2026-01-01T00:30:00.000000Z'],
  [
    "Author.map(y, y.rank == 2 ? timestamp('2026-01-01T02:00:00+01:00') : this.at + duration('PT1H')).min()",
    '2026-01-01T02:00:00+01:00',
  ],
  [
    "Author.map(y, y.rank == 2 ? timestamp('2026-01-01T02:00:00+01:00') : null).max()",
    '2026-01-01T02:00:00+01:00',
  ],
  ['Author.map(y, y.any).sum() < this.done', false],
  ['Author.filter(y, y.rank > 5).map(y, 0 % this.n).min()', null],
  ["request.query.rows.exists(z, startsWith((true ? null : null), (true ? 'a' : this.title)))", false],
  ['Author.filter(y, y.rank > 5).map(y, lower(this.title)).max()', null],
  ['request.query.q == null || this.title.contains(lower(request.query.q))', true],
  ['request.query.q != null && this.title.contains(lower(request.query.q))', false],
  ['request.query.q == null && this.title.contains(lower(request.query.q))', 'none'],
  ['Author.exists(y, y.rank > 0 && 1 / (y.rank - 2) > 0)', 'none'],
  ['Author.exists(y, y.rank > 2 && 1 / (y.rank - 2) > 0)', false],
  ['this.title < null', false],
  ["this.tags.exists(t, t == 'a1')", true],
  ["this.tags.all(t, t != 'a1')", false],
  ['this.tags.filter(t, t == actor.id).size()', 1],
  ['size(this.tags) + size(this.any)', 2],
  ["size('\u0000é😀')", 3],
  ['size(this.title)', 'none'],
  ["this.any.exists(t, t.a == 1 && t['b'] == 2)", true],
  ['this.any.map(t, t.b).sum()', 2],
  ['this.lines != null && this.lines.exists(l, true)', false],
  ['this.lines == null || this.lines.all(l, false)', true],
  ['this.lines.exists(l, true)', 'none'],
  ['Author.exists(y, this.tags.exists(t, t == y.id))', true],
  ['this.tags.exists(t, Author.exists(y, y.id == t))', true],
  ['!(this.title < "a")', true],
];

describe('a store and an expression have one answer', () => {
  it.each(facts)('%s is %j', (text, expected) => {
    const syntax = typed(text) as Syntax;
    expect(ran(syntax, few, given)).toEqual([expected]);
    expect(stored(syntax, few, given)).toEqual([expected]);
  });

  it.skipIf(missing !== null).each(facts)('in PostgreSQL, too: %s is %j', async (text, expected) => {
    await (store as Postgres).keep(few);
    expect(await storedIn(store as Postgres, typed(text) as Syntax, few, given)).toEqual([expected]);
  });
});

/** Others than always, where `TACET_SEED` is a number. */
const seed = Number(process.env['TACET_SEED'] ?? 20_261_101);
const runs = process.env['TACET_LONG'] ? 100_000 : 1000;

describe('SQLite works a storable expression out as an expression runs (language §G.5, §G.6)', () => {
  it('whatever it is, and whatever is kept', () => {
    let asked = 0;
    fc.assert(
      fc.property(expression, kept, names, (text, of, more) => {
        const syntax = typed(text);
        if (syntax === null) return;
        expect(storableFaults(syntax, ['this'], isResource)).toEqual([]);
        asked += 1;
        expectAlike(stored(syntax, of, more), ran(syntax, of, more), of);
      }),
      { numRuns: runs, seed },
    );
    expect(asked).toBeGreaterThan(runs / 2);
  }, 3_600_000);

  it('also where it is compiled to statements of its own', () => {
    fc.assert(
      fc.property(expression, kept, names, (text, of, more) => {
        const syntax = typed(text);
        if (syntax === null || !/Author|Note/.test(text)) return;
        const connection = database(of);
        try {
          const sets = compileSets(
            (one) => one,
            model,
            (resource, row: Members) => itemOf(of, resource as keyof Kept, row),
          );
          const run = compile({ text, syntax }, { show: () => undefined, sets });
          const reads = {
            value: answer.bind(null, connection),
            rows: answer.bind(null, connection),
          };
          const found = of.Note.map((note) =>
            outcome(() => {
              const { names: all } = frameOf(of, note, more);
              const { Author, Note, ...others } = all as Members & { Author: unknown; Note: unknown };
              return run({ names: others, makers, reads });
            }),
          );
          expectAlike(found, ran(syntax, of, more), of);
        } finally {
          connection.close();
        }
      }),
      { numRuns: runs / 4, seed: seed + 1 },
    );
  }, 600_000);
});

const together = process.env['TACET_LONG'] ? 100_000 : 1000;
/** So many expressions are tried over the same rows. */
const batch = 10;

describe(`PostgreSQL works it out alike${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  it.skipIf(missing !== null)(
    'whatever it is, and whatever is kept',
    async () => {
      let asked = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(expression, { minLength: batch, maxLength: batch }),
          kept,
          names,
          async (texts, of, more) => {
            await (store as Postgres).keep(of);
            for (const text of texts) {
              const syntax = typed(text);
              if (syntax === null) continue;
              asked += 1;
              const expected = ran(syntax, of, more);
              expectAlike(await storedIn(store as Postgres, syntax, of, more), expected, of);
              expectAlike(stored(syntax, of, more), expected, of);
            }
          },
        ),
        { numRuns: together / batch, seed: seed + 20 },
      );
      expect(asked).toBeGreaterThan(together / 2);
    },
    3_600_000,
  );
});
