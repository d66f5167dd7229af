import { symlinkSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { StoreRefused } from '../../../src/service/store/store.ts';
import { beginOne, end } from '../processes.ts';
import { dataFile } from '../served.ts';

const inUse = /is in use by a service that runs; end that one, or name another file with --data$/;

describe('a file that a service uses', () => {
  it('is refused to another process, and free as soon as the first one is killed', async () => {
    const data = dataFile();
    const service = await beginOne(data);
    expect(() => openSqlite(data, [])).toThrow(inUse);
    await end(service.child);
    openSqlite(data, []).close();
  });

  it('is refused within the process, by another name too, until it is closed', () => {
    const data = dataFile();
    const other = `${data}-by-another-name`;
    const store = openSqlite(data, []);
    symlinkSync(data, other);
    for (const name of [data, other]) expect(() => openSqlite(name, [])).toThrow(StoreRefused);
    store.close();
    openSqlite(other, []).close();
  });

  it('can be read by other programs while it is used', () => {
    const data = dataFile();
    const store = openSqlite(data, [{ name: 'Todo', keyFields: ['id'] }]);
    onTestFinished(() => store.close());
    const other = new Database(data, { readonly: true });
    expect(other.prepare('SELECT count(*) FROM "_todo"').pluck().get()).toBe(0);
    other.close();
  });

  it('is free again where it was refused for another reason', () => {
    const data = dataFile();
    const foreign = new Database(data);
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    for (const _ of [1, 2]) expect(() => openSqlite(data, [])).toThrow(/is a database of something else/);
  });
});
