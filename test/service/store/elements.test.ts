import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, field, parameter, place, query, rowOf } from '../../../src/expression/query.ts';
import { statement } from '../../../src/service/store/rows.ts';
import { openSqlite, type SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import type { Table, Transaction } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { planOf, scansOf, statementsOf } from '../statements.ts';
import { done, opened } from './stores.ts';

const note = (...lists: string[]): Table => ({
  name: 'Note',
  keyFields: ['id'],
  indexes: lists.map((name) => ({ fields: [{ path: [name] }], unique: false, each: true })),
});
/** The same, in whose indexes the notes stand in an order. */
const ordered: Table = {
  ...note(),
  indexes: [{ fields: [{ path: ['tags'] }, { path: ['n'], type: 'number' }], unique: false, each: true }],
};
const row = rowOf(note());
const tagged = (type: 'text' | 'number') =>
  statement(query(row, { where: call('among', parameter(0, type), field(row, 'tags')) }));
const byText = tagged('text');
const byNumber = tagged('number');

const page = statement(
  query(row, {
    where: call('among', parameter(0, 'text'), field(row, 'tags')),
    order: [
      { by: field(row, 'n', 'number'), descending: true },
      { by: place(row), descending: true },
    ],
    limit: parameter(1, 'number'),
    offset: parameter(2, 'number'),
  }),
);

/** The keys of the notes that have it among their tags. */
const found = (store: SqliteStore, tag: unknown): unknown[] =>
  store.rows(typeof tag === 'number' ? byNumber : byText, [tag]).map(({ key }) => key[0]);

const made = (id: number, tags: unknown) => ({ key: [id], text: JSON.stringify({ tags }) });

/** How many elements are kept in the table that stands beside that of notes; null: there is none. */
function kept(data: string): number | null {
  const connection = new Database(data, { readonly: true });
  const names = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '_note each %'")
    .pluck()
    .all();
  const count = names.map((name) => connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
  connection.close();
  return (count[0] ?? null) as number | null;
}

describe('an index of the elements of lists', () => {
  it('finds the rows that have a text or a number among them, and nothing else', async () => {
    const data = dataFile();
    const store = opened([note('tags')], data);
    const lists = [['a', 'b'], ['b', 'b', 1], 'a', { a: 'a' }, null, [], ['A', true, null, ['a'], 1.0]];
    for (const [id, tags] of lists.entries()) await done(store, (tx) => tx.insert('Note', made(id, tags)));
    expect(found(store, 'a')).toEqual([0]);
    expect(found(store, 'b')).toEqual([0, 1]);
    expect(found(store, 'c')).toEqual([]);
    expect(found(store, 1)).toEqual([1, 6]);
    // Null is asked for in another way.
    expect(found(store, null)).toEqual([6]);
    expect(kept(data)).toBe(6);
  });

  it('serves', async () => {
    const data = dataFile();
    const store = opened([note('tags')], data);
    const { reads } = await statementsOf(() => Promise.resolve(found(store, 'a')));
    expect(reads.flatMap((sql) => scansOf(planOf(data, sql)))).toEqual([]);
    expect(reads).toEqual([expect.stringContaining('place IN (SELECT place FROM "_note each ')]);
  });

  it('is as the rows are, whatever is done to them, and undone', async () => {
    const act = fc.record({
      verb: fc.constantFrom('insert', 'update', 'remove', 'removeEvery', 'undone'),
      id: fc.integer({ min: 0, max: 3 }),
      tags: fc.option(fc.array(fc.constantFrom('a', 'b', 1), { maxLength: 3 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const data = dataFile();
        const store = openSqlite(data, [note('tags')]);
        const rows = new Map<number, readonly unknown[]>();
        for (const { verb, id, tags } of acts) {
          const run = (tx: Transaction): void => {
            if (verb === 'removeEvery') tx.removeEvery('Note');
            else if (verb === 'remove') tx.remove('Note', [id]);
            else if (verb === 'update' || rows.has(id)) tx.update('Note', made(id, tags));
            else tx.insert('Note', made(id, tags));
            if (verb === 'undone') throw new Error('undone');
          };
          await done(store, run).catch(() => undefined);
          if (verb === 'removeEvery') rows.clear();
          if (verb === 'remove') rows.delete(id);
          if (verb === 'insert' || (verb === 'update' && rows.has(id))) rows.set(id, tags ?? []);
        }
        const having = (tag: unknown) => [...rows].filter(([, all]) => all.includes(tag)).map(([id]) => id);
        for (const tag of ['a', 'b', 1]) expect(found(store, tag).sort()).toEqual(having(tag).sort());
        const elements = [...rows.values()].reduce((sum, all) => sum + new Set(all).size, 0);
        expect(kept(data)).toBe(elements);
        store.close();
      }),
      { numRuns: 60, seed: 20_261_141 },
    );
  });

  it('finds them in their order, whatever becomes of that', async () => {
    const act = fc.record({
      id: fc.integer({ min: 0, max: 4 }),
      n: fc.option(fc.integer({ min: 0, max: 2 })),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const data = dataFile();
        const store = openSqlite(data, [ordered]);
        const rows = new Map<number, { readonly n: number | null; readonly tags: readonly string[] }>();
        for (const { id, n, tags } of acts) {
          const one = { key: [id], text: JSON.stringify({ n, tags }) };
          await done(store, (tx) => (rows.has(id) ? tx.update('Note', one) : tx.insert('Note', one)));
          rows.set(id, { n, tags });
        }
        const those = [...rows].filter(([, { tags }]) => tags.includes('a')).toReversed();
        those.sort(([, one], [, other]) => (other.n ?? -1) - (one.n ?? -1));
        const ids = those.map(([id]) => id);
        const found = (limit: number, offset: number) =>
          store.rows(page, ['a', limit, offset]).map(({ key }) => key[0]);
        expect([found(9, 0), found(2, 1)]).toEqual([ids, ids.slice(1, 3)]);
        expect(kept(data)).toBe([...rows.values()].reduce((sum, { tags }) => sum + new Set(tags).size, 0));
        store.close();
      }),
      { numRuns: 60, seed: 20_261_142 },
    );
  });

  it('tells a page without a scan or a sort, and a count without a row', async () => {
    const data = dataFile();
    const store = opened([ordered], data);
    const counted = statement({ ...byText.query, gives: { kind: 'count' } });
    const { reads } = await statementsOf(async () => [
      store.rows(page, ['a', 1, 0]),
      store.value(counted, ['a']),
    ]);
    const steps = reads.flatMap((sql) => planOf(data, sql));
    expect(steps.filter((step) => /^SCAN|TEMP B-TREE|SEARCH _note$/.test(step))).toEqual([]);
    expect(reads[1]).toMatch(/^SELECT count\(\*\) FROM "_note each /);
  });

  it('is made of the rows that are there where it is new, and goes where it is asked for no more', async () => {
    const data = dataFile();
    const first = openSqlite(data, [note()]);
    await done(first, (tx) => tx.insert('Note', made(1, ['a', 'b'])));
    expect(found(first, 'a')).toEqual([1]);
    first.close();
    const second = openSqlite(data, [note('tags')]);
    expect([found(second, 'a'), kept(data)]).toEqual([[1], 2]);
    await done(second, (tx) => tx.insert('Note', made(2, ['a'])));
    second.close();
    const third = openSqlite(data, [note('tags')]);
    expect([found(third, 'a'), kept(data)]).toEqual([[1, 2], 3]);
    third.close();
    openSqlite(data, [note()]).close();
    expect(kept(data)).toBeNull();
  });
});
