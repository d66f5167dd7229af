import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { query, rowOf } from '../../../src/expression/query.ts';
import { bare } from '../../../src/service/message/reply.ts';
import { connect } from '../../../src/service/store/sqlite/open.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { NotRead, type Transaction } from '../../../src/service/store/store.ts';
import { ask, dataFile, start } from '../served.ts';

const notes = { name: 'Note', keyFields: ['id'] };
const mib = 1 << 20;
const text = JSON.stringify({ text: 'x'.repeat(mib / 4) });

describe('the write-ahead log', () => {
  it('is bounded while a list is read slowly: the list is cut, and the log begins anew', async () => {
    const data = dataFile();
    const store = openSqlite(data, [notes], connect, 20 * mib);
    onTestFinished(() => store.close());
    const write = (id: number): number => {
      const decide = (tx: Transaction) => {
        tx.insert('Note', { key: [id], text });
        return { keep: true, reply: bare(201) };
      };
      store.commit([{ decide, conflict: () => bare(400), fault: () => bare(500) }], () => 0);
      return statSync(`${data}-wal`).size / mib;
    };
    for (let id = 0; id < 1001; id += 1) {
      const tx = (tx: Transaction) => {
        tx.insert('Note', { key: [-id - 1], text: '{}' });
        return { keep: true, reply: bare(201) };
      };
      store.commit([{ decide: tx, conflict: () => bare(400), fault: () => bare(500) }], () => 0);
    }
    const slow = store.stream(store.prepare(query(rowOf(notes))), [])[Symbol.asyncIterator]();
    expect(((await slow.next()).value as unknown[]).length).toBe(1000);
    const sizes: number[] = [];
    for (let id = 0; id < 160; id += 1) sizes.push(write(id));
    expect(Math.max(...sizes)).toBeGreaterThan(19);
    expect(Math.max(...sizes)).toBeLessThan(21);
    expect(sizes.at(-1)).toBeLessThanOrEqual(16);
    await expect(slow.next()).rejects.toEqual(
      new NotRead('a list was read so slowly that the write-ahead log reached --max-log; it was cut'),
    );
    const all: number[] = [];
    for await (const piece of store.stream(store.prepare(query(rowOf(notes))), [])) all.push(piece.length);
    expect(all).toEqual([1000, 161]);
  });
});

describe('a plain SQLite', () => {
  const document = `
name: People
resources:
  Person: { identifier: id, fields: { id: { set: { create: "\${uuid()}" } }, email: { type: string, unique: caseless } } }
endpoints:
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: 201 }
`;

  it('checks the file of a service quickly, and whole in a copy without the indexes by functions', async () => {
    const data = dataFile();
    const service = await start(document, { data, open: (file, tables) => openSqlite(file, tables) });
    for (const email of ['Ada@example.org', 'ß@example.org'])
      expect((await ask(service, 'POST /people', { email })).status).toBe(201);
    const plain = new Database(data);
    expect(plain.pragma('quick_check', { simple: true })).toBe('ok');
    expect(() => plain.pragma('integrity_check')).toThrow('unknown function: tacet_fold()');
    const copy = dataFile();
    await plain.backup(copy);
    plain.close();
    const checked = new Database(copy);
    const names = checked
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql GLOB '*tacet_*(*'")
      .pluck()
      .all();
    expect(names.length).toBe(1);
    for (const name of names) checked.exec(`DROP INDEX "${name}"`);
    expect(checked.pragma('integrity_check', { simple: true })).toBe('ok');
    checked.close();
    await service.close();
    const again = await start(document, { data: copy, open: (file, tables) => openSqlite(file, tables) });
    expect((await ask(again, 'POST /people', { email: 'ADA@example.org' })).status).not.toBe(201);
  });
});
