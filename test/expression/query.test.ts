import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeOf } from '../../src/expression/check.ts';
import { compile, type Frame } from '../../src/expression/compile.ts';
import type { Syntax } from '../../src/expression/expression.ts';
import { compare, field, literal, query, rowOf } from '../../src/expression/query.ts';
import { translator } from '../../src/expression/query-syntax.ts';
import { storableFaults } from '../../src/expression/storable.ts';
import { CannotWorkOut } from '../../src/expression/values.ts';
import { attempt, compileSets } from '../../src/service/sets.ts';
import { expression, kept, names } from './arbitrary.ts';
import { parse } from './scope.ts';
import { answer, database, itemOf, type Kept, type Members, model, scope, tables } from './stored.ts';

const makers = { uuid: () => '', random: () => '' };
const isResource = (name: string): boolean => name in tables;

/** What comes of something; `none`: it cannot be worked out. */
function outcome(run: () => unknown): unknown {
  try {
    return run() ?? null;
  } catch (error) {
    if (error instanceof CannotWorkOut) return 'none';
    throw error;
  }
}

/** The frame in which an expression about a note is worked out from items alone. */
function frameOf(of: Kept, note: Members | null, more: Members): Frame {
  const { actor } = more as { readonly actor: unknown };
  const author = of.Author.find(({ id }) => id === (actor as Members | null)?.['id']);
  return {
    names: {
      ...more,
      this: note && itemOf(of, 'Note', note),
      actor: author ? itemOf(of, 'Author', author) : typeof actor === 'object' ? null : actor,
      Author: of.Author.map((one) => itemOf(of, 'Author', one)),
      Note: of.Note.map((one) => itemOf(of, 'Note', one)),
    },
    makers,
  };
}

function typed(text: string): Syntax | null {
  const { syntax } = parse(text);
  const faults: string[] = [];
  typeOf(syntax, scope, ({ message }) => faults.push(message));
  return faults.length > 0 ? null : syntax;
}

/** What each note comes to by an expression, as SQLite works it out. */
function stored(syntax: Syntax, of: Kept, more: Members): unknown[] {
  const { node, parameters } = translator(model, (one, mayFail) => {
    const step = compile({ text: '', syntax: one }, () => undefined);
    return mayFail ? attempt((frame) => step(frame)) : (frame: Frame) => step(frame);
  });
  const from = rowOf(tables.Note);
  const value = node(syntax, new Map([['this', { resource: 'Note', from }]]));
  const connection = database(of);
  try {
    return of.Note.map((note) => {
      const frame = frameOf(of, null, more);
      const where = compare('==', field(from, 'id', 'number'), literal(note['id'] as number));
      return outcome(() => {
        const given = parameters.map((one) => one(frame, []));
        return answer(connection, query(from, { where, gives: { kind: 'value', of: value } }), given);
      });
    });
  } finally {
    connection.close();
  }
}

/** The same, worked out from items. */
function ran(syntax: Syntax, of: Kept, more: Members): unknown[] {
  const run = compile({ text: '', syntax }, () => undefined);
  return of.Note.map((note) => outcome(() => run(frameOf(of, note, more))));
}

/** What cannot be worked out beforehand may be told also where there is no row for which it is needed. */
function expectAlike(found: unknown[], expected: unknown[], { Author }: Kept): void {
  const isEager = (one: unknown): boolean => one === 'none' && Author.length === 0;
  expect(found).toEqual(expected.map((one, index) => (isEager(found[index]) ? 'none' : one)));
}

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
  request: { query: { any: 2 ** 60, times: ['2026-01-01T01:00:00+01:00'], q: null } },
};

describe('a store and an expression have one answer', () => {
  it.each<[string, unknown]>([
    ['this.x == request.query.any', true],
    ["this.any == [{'a': 1, 'b': 2}]", true],
    ['this.editor == null', true],
    ['Author.exists(y, y == this.editor)', false],
    ['Author.exists(y, y == this.author)', false],
    ['Author.filter(y, y.boss == actor).size()', 1],
    ["this.author == 'nobody'", true],
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
    ['request.query.q == null || this.title.contains(lower(request.query.q))', true],
    ['request.query.q != null && this.title.contains(lower(request.query.q))', false],
    ['request.query.q == null && this.title.contains(lower(request.query.q))', 'none'],
    ['Author.exists(y, y.rank > 0 && 1 / (y.rank - 2) > 0)', 'none'],
    ['Author.exists(y, y.rank > 2 && 1 / (y.rank - 2) > 0)', false],
    ['this.title < null', false],
    ['!(this.title < "a")', true],
  ])('%s is %j', (text, expected) => {
    const syntax = typed(text) as Syntax;
    expect(ran(syntax, few, given)).toEqual([expected]);
    expect(stored(syntax, few, given)).toEqual([expected]);
  });
});

const runs = process.env['TACET_LONG'] ? 40_000 : 2000;

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
      { numRuns: runs, seed: 20_261_101 },
    );
    expect(asked).toBeGreaterThan(runs / 2);
  }, 600_000);

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
      { numRuns: runs / 4, seed: 20_261_102 },
    );
  }, 600_000);
});
