import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { StoreRefused } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';

const inUse = /is in use by a service that runs; end that one, or name another file with --data$/;

/** A service in a process of its own, once it listens. */
async function running(data: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../child.ts'), data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  return {
    kill: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

describe('a file that a service uses', () => {
  it('is refused to another process, and free as soon as the first one is killed', async () => {
    const data = dataFile();
    const service = await running(data);
    expect(() => openSqlite(data, [])).toThrow(inUse);
    await service.kill();
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
