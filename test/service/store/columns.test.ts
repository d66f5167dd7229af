import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, field, type Node, parameter, query, rowOf } from '../../../src/expression/query.ts';
import { columnNames } from '../../../src/service/store/sqlite/members.ts';
import { openSqlite, type SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { type MemberColumn, StoreRefused, type Table } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { statementsOf } from '../statements.ts';
import { done, opened } from './stores.ts';

const title: MemberColumn = { path: ['title'], type: 'text' };
const count: MemberColumn = { path: ['count'], type: 'number' };
const isDone: MemberColumn = { path: ['done'], type: 'boolean' };
const city: MemberColumn = { path: ['place', 'city'], type: 'text' };
const all = [title, count, isDone, city];

const tagged = { fields: [{ path: ['tags'] }, { path: ['title'] }], unique: false, each: true };
const unique = { fields: [{ path: ['title'] }], unique: true };
const note = (columns: readonly MemberColumn[], ...indexes: NonNullable<Table['indexes']>): Table => ({
  name: 'Note',
  keyFields: ['id'],
  columns,
  indexes,
});
const row = rowOf(note([]));
const insert = (store: SqliteStore, id: number, members: object) =>
  done(store, (tx) => tx.insert('Note', { key: [id], text: JSON.stringify(members) }));

/** The notes in whose member a value is, each by its key, place and text. */
function having(store: SqliteStore, { path, type }: MemberColumn, value: unknown): readonly unknown[] {
  const where = compare('==', field(row, path, type), parameter(0, type));
  return store.rows(store.prepare(query(row, { where })), [value]);
}

/** The columns of the table of notes, as SQLite has them. */
function columnsIn(data: string): unknown[] {
  const connection = new Database(data, { readonly: true });
  const names = connection.prepare("SELECT name FROM pragma_table_xinfo('_note')").pluck().all();
  connection.close();
  return names;
}

describe('members that are kept in columns of their own besides', () => {
  it('are what statements read, and not the text', async () => {
    const store = opened([note([title])]);
    const { reads } = await statementsOf(() => Promise.resolve(having(store, title, 'a')));
    expect(reads).toEqual([expect.stringContaining('WHERE t0.c0 IS ? ORDER BY')]);
    expect(reads.join()).not.toContain('->');
  });

  it('are, whatever they hold, what the text says', async () => {
    const value = fc.constantFrom<unknown>(null, '', 'a', '1', 1, 1.5, 2 ** 60, true, false, [1], {
      city: 1,
    });
    const members = fc.record(
      { title: value, count: value, done: value, place: fc.oneof(value, fc.record({ city: value })) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(members, { maxLength: 6 }), async (notes) => {
        const [plain, besides] = [openSqlite(dataFile(), [note([])]), openSqlite(dataFile(), [note(all)])];
        for (const [id, one] of notes.entries())
          for (const store of [plain, besides]) expect((await insert(store, id, one)).status).toBe(201);
        const truth = (node: Node) => query(row, { where: node });
        for (const one of all) {
          for (const asked of [null, '', 'a', '1', 1, 1.5, 2 ** 60, true, false])
            expect(having(besides, one, asked)).toEqual(having(plain, one, asked));
          const holds = truth(field(row, one.path, one.type));
          expect(besides.rows(besides.prepare(holds), [])).toEqual(plain.rows(plain.prepare(holds), []));
        }
        plain.close();
        besides.close();
      }),
      { numRuns: 15, seed: 20_261_121 },
    );
  });

  it('come to a file that was kept without them, and go from it, and nothing is lost', async () => {
    const data = dataFile();
    const keep = async (columns: readonly MemberColumn[], id: number): Promise<readonly unknown[]> => {
      const store = openSqlite(data, [note(columns, tagged)]);
      await insert(store, id, { title: `t${id}`, tags: ['x'], place: { city: 'Bonn' } });
      const found = store.rows(store.prepare(query(row)), []);
      expect(having(store, title, `t${id}`)).toEqual([found.at(-1)]);
      expect(having(store, city, 'Bonn')).toEqual(found);
      store.close();
      return found;
    };
    const before = await keep([], 1);
    const connection = new Database(data);
    connection.exec(`UPDATE _note SET place = 7, aside = '{"former":1}'`);
    connection.close();
    await keep([title, city], 2);
    expect(columnsIn(data)).toEqual(['place', 'key0', 'c0', 'c1', 'members', 'aside']);
    const after = await keep([city], 3);
    expect(columnsIn(data)).toEqual(['place', 'key0', 'c0', 'members', 'aside']);
    expect(after.slice(0, 2)).toEqual([
      { ...(before[0] as object), place: 7 },
      { key: [2], text: '{"title":"t2","tags":["x"],"place":{"city":"Bonn"}}', place: 8 },
    ]);
    const file = new Database(data, { readonly: true });
    expect(file.prepare('SELECT aside FROM _note WHERE place = 7').pluck().get()).toBe('{"former":1}');
    const elements = file
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE '_note each %' AND type = 'table'")
      .pluck();
    expect(elements.all()).toHaveLength(1);
    expect(file.prepare(`SELECT count(*) FROM "${elements.get()}"`).pluck().get()).toBe(3);
    file.close();
  });

  it('leave a file as it was where its rows are refused', async () => {
    const data = dataFile();
    const store = openSqlite(data, [note([])]);
    await insert(store, 1, { title: 'a' });
    await insert(store, 2, { title: 'a' });
    store.close();
    expect(() => openSqlite(data, [note([title], unique)])).toThrow(StoreRefused);
    expect(columnsIn(data)).toEqual(['place', 'key0', 'members', 'aside']);
  });

  it('may be unique, and a plan is told which were not', async () => {
    const pair = { fields: [{ path: ['title'] }, { path: ['count'] }], unique: true };
    const store = opened([note([title, count], unique, pair)]);
    expect((await insert(store, 1, { title: 'a', count: 1 })).status).toBe(201);
    expect(await insert(store, 2, { title: 'a', count: 2 })).toMatchObject({
      status: 409,
      body: 'Note: title',
    });
    const other = opened([note([title, count], pair)]);
    expect((await insert(other, 1, { title: 'a', count: 1 })).status).toBe(201);
    expect((await insert(other, 2, { title: 'a', count: 2 })).status).toBe(201);
    expect(await insert(other, 3, { title: 'a', count: 2 })).toMatchObject({
      status: 409,
      body: 'Note: title, count',
    });
    expect(await insert(other, 3, { title: 'b', count: 2 })).toMatchObject({ status: 201 });
    expect(await insert(other, 3, { title: 'c', count: 2 })).toMatchObject({ status: 409, body: 'Note: id' });
  });

  it('have one column for what is read of them alike', () => {
    const columns = [title, { path: ['title'], type: 'time' }, isDone] as const;
    expect([...columnNames(note(columns)).values()]).toEqual(['c0', 'c1']);
  });
});
