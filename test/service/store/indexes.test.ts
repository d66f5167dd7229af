import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  compare,
  field,
  matchesCaseless,
  type Node,
  parameter,
  query,
  rowOf,
  type ValueKind,
} from '../../../src/expression/query.ts';
import { connect } from '../../../src/service/store/sqlite/open.ts';
import { print } from '../../../src/service/store/sqlite/sql.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { type Index, type IndexField, StoreRefused, type Table } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';
import { done, opened } from './stores.ts';

const account = (...indexes: Index[]): Table => ({ name: 'Account', keyFields: ['id'], indexes });
const unique = (...fields: IndexField[]): Index => ({ fields, unique: true });
const row = (id: number, members: object) => ({ key: [id], text: JSON.stringify(members) });

const email = unique({ path: ['email'], caseless: true });

describe('a unique index', () => {
  it('keeps a second row out, and the plan is told by which fields', async () => {
    const pair = unique({ path: ['team'] }, { path: ['profile', 'name'] });
    const store = opened([account(email, pair)]);
    const insert = (id: number, members: object) =>
      done(store, (tx) => tx.insert('Account', row(id, members)));
    expect((await insert(1, { email: 'Straße@x', team: 1, profile: { name: 'a' } })).status).toBe(201);
    expect(await insert(2, { email: 'sTRASSE@x' })).toMatchObject({ status: 201 });
    expect(await insert(3, { email: 'STRAßE@X' })).toMatchObject({ status: 409, body: 'Account: email' });
    expect(await insert(1, { email: 'other' })).toMatchObject({ status: 409, body: 'Account: id' });
    expect(await insert(4, { team: 1, profile: { name: 'b' } })).toMatchObject({ status: 201 });
    expect(await insert(5, { team: 1, profile: { name: 'a' } })).toMatchObject({
      status: 409,
      body: 'Account: team, profile.name',
    });
    const changed = await done(store, (tx) => tx.update('Account', row(2, { email: 'straße@X' })));
    expect(changed).toMatchObject({ status: 409, body: 'Account: email' });
  });

  it('is one where two statements ask for it alike', async () => {
    const store = opened([account(email, email)]);
    expect((await done(store, (tx) => tx.insert('Account', row(1, { email: 'a' })))).status).toBe(201);
    expect((await done(store, (tx) => tx.insert('Account', row(2, { email: 'a' })))).status).toBe(409);
  });

  it('takes rows that lack a member, or have null there, for different ones', async () => {
    const store = opened([account(email)]);
    for (const [id, members] of [{}, {}, { email: null }, { email: null }].entries())
      expect((await done(store, (tx) => tx.insert('Account', row(id, members)))).status).toBe(201);
  });

  it('tells values of different kinds apart', async () => {
    const store = opened([account(unique({ path: ['code'], type: 'unknown' }))]);
    for (const [id, code] of [1, '1', true, [1], { 1: 1 }].entries())
      expect((await done(store, (tx) => tx.insert('Account', row(id, { code })))).status).toBe(201);
    for (const [id, code] of [1, '1', true, [1], { 1: 1 }].entries())
      expect((await done(store, (tx) => tx.insert('Account', row(10 + id, { code })))).status).toBe(409);
  });
});

describe('indexes of a file that was laid out before', () => {
  const names = (data: string): unknown => {
    const database = new Database(data, { readonly: true });
    const found = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      .pluck()
      .all();
    database.close();
    return found;
  };

  it('are made where they are new, removed where they are asked for no more, and left where they stay', () => {
    const data = dataFile();
    openSqlite(data, [account(email)]).close();
    const first = names(data) as string[];
    openSqlite(data, [account(email)]).close();
    expect(names(data)).toEqual(first);
    openSqlite(data, [account({ ...email, unique: false })]).close();
    const second = names(data) as string[];
    expect([first.length, second.length, second.includes(first[0] as string)]).toEqual([1, 1, false]);
    openSqlite(data, [account()]).close();
    expect(names(data)).toEqual([]);
  });

  it('are refused, and nothing is changed, where rows are alike; with the rows', async () => {
    const data = dataFile();
    const store = openSqlite(data, [account()]);
    const emails = ['a', 'b', 'A', null, null, 'c', 'B'];
    for (const [id, one] of emails.entries())
      await done(store, (tx) => tx.insert('Account', row(id, { email: one })));
    store.close();
    const refused = (): unknown => openSqlite(data, [account(email)]);
    expect(refused).toThrow(StoreRefused);
    expect(refused).toThrow(
      'keeps 4 items that the specification does not admit; nothing was changed:\n  Account 0: email (unique)\n  Account 1: email (unique)\n  Account 2: email (unique)\n  Account 6: email (unique)\n',
    );
    expect(names(data)).toEqual([]);
  });
});

describe('an index', () => {
  const table = account();
  const rows = rowOf(table);
  const of = (name: string, type: ValueKind): Node => field(rows, name, type);
  const cases: [string, IndexField, Node][] = [
    ['texts', { path: ['name'], type: 'text' }, compare('matches', of('name', 'text'), parameter(0, 'text'))],
    [
      'texts whatever their case',
      { path: ['name'], caseless: true },
      matchesCaseless(of('name', 'text'), parameter(0, 'text')),
    ],
    [
      'numbers',
      { path: ['weight'], type: 'number' },
      compare('matches', of('weight', 'number'), parameter(0, 'number')),
    ],
    [
      'a range of numbers',
      { path: ['weight'], type: 'number' },
      compare('<', of('weight', 'number'), parameter(0, 'number')),
    ],
    ['instants', { path: ['at'], time: true }, compare('<=', of('at', 'time'), parameter(0, 'time'))],
    [
      'values of any kind',
      { path: ['code'], type: 'unknown' },
      compare('matches', of('code', 'unknown'), parameter(0, 'unknown')),
    ],
  ];

  it.each(cases)('serves a search by %s', (_, indexed, where) => {
    const data = dataFile();
    openSqlite(data, [account({ fields: [indexed], unique: false })]).close();
    const connection = connect(data);
    const { sql, bind } = print(query(rows, { where, gives: { kind: 'count' } }));
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bind(['a'])) as { detail: string }[];
    connection.close();
    expect(plan.map(({ detail }) => detail).join()).toMatch(/SEARCH .*USING COVERING INDEX _account /);
  });
});
