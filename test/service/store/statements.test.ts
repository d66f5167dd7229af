import { describe, expect, it } from 'vitest';
import { query, rowOf } from '../../../src/expression/query.ts';
import { type Connection, connect } from '../../../src/service/store/sqlite/open.ts';
import { dataFile } from '../served.ts';
import { done, opened, plan } from './stores.ts';

const note = { name: 'Note', keyFields: ['book', 'page'] };
const notes = rowOf(note);

const row = (book: string, page: number, text = '{}') => ({ key: [book, page], text });

describe('what a store is asked by statements', () => {
  it('is given as rows in the order in which they were made, with their places, and as a value', async () => {
    const store = opened([note]);
    const all = store.prepare(query(notes));
    const count = store.prepare(query(notes, { gives: { kind: 'count' } }));
    expect([store.rows(all, []), store.value(count, [])]).toEqual([[], 0]);
    await done(store, (tx) => {
      tx.insert('Note', row('b', 2, '{"x":1}'));
      tx.insert('Note', row('a', 1));
    });
    expect(store.rows(all, [])).toEqual([
      { ...row('b', 2, '{"x":1}'), place: 1 },
      { ...row('a', 1), place: 2 },
    ]);
    expect(store.value(count, [])).toBe(2);
  });

  it('sees in a plan what the plan has written, and afterwards nothing of one that is undone', async () => {
    const store = opened([note]);
    const count = store.prepare(query(notes, { gives: { kind: 'count' } }));
    const seen: unknown[] = [];
    const reply = await done(store, (tx) => {
      tx.insert('Note', row('a', 1));
      seen.push(tx.value(count, []));
      tx.insert('Note', row('a', 2));
      seen.push(tx.rows(store.prepare(query(notes)), []).length);
      throw new Error('undone');
    });
    expect([reply.status, seen, store.value(count, [])]).toEqual([500, [1, 2], 0]);
  });

  it('is nothing of a plan whose later write meets a row, and all of those that it came with', async () => {
    const store = opened([note]);
    const writes = (...rows: ReturnType<typeof row>[]) =>
      plan((tx) => {
        for (const one of rows) tx.insert('Note', one);
      });
    const replies = await store.commit(
      [writes(row('a', 1), row('b', 1)), writes(row('c', 1), row('a', 1)), writes(row('d', 1))],
      () => 0,
    );
    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [201, null],
      [409, 'Note: book, page'],
      [201, null],
    ]);
    const all = store.rows(store.prepare(query(notes)), []);
    expect(all.map(({ key: [book] }) => book)).toEqual(['a', 'b', 'd']);
  });
});

describe('a stream of rows', () => {
  it('is of the moment of its first piece, whatever is written meanwhile', async () => {
    const store = opened([note]);
    const rows = Array.from({ length: 2500 }, (_, page) => row('a', page));
    await done(store, (tx) => {
      for (const one of rows) tx.insert('Note', one);
    });
    const pieces = store.stream(store.prepare(query(notes)), [])[Symbol.asyncIterator]();
    const first = await pieces.next();
    await done(store, (tx) => tx.removeEvery('Note'));
    const found = [...first.value];
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next())
      found.push(...piece.value);
    expect(found.map(({ key, text }) => ({ key, text }))).toEqual(rows);
    expect(store.rows(store.prepare(query(notes)), [])).toEqual([]);
  });

  it('that is left half way is over, and its connection closed', async () => {
    const connections: Connection[] = [];
    const store = opened([note], dataFile(), (file) => {
      const connection = connect(file);
      connections.push(connection);
      return connection;
    });
    await done(store, (tx) => {
      for (let page = 0; page < 1500; page++) tx.insert('Note', row('a', page));
    });
    for await (const piece of store.stream(store.prepare(query(notes)), [])) {
      expect([piece.length, connections.map(({ open }) => open)]).toEqual([1000, [true, true]]);
      break;
    }
    expect(connections.map(({ open }) => open)).toEqual([true, false]);
  });
});
