import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connection, connect } from '../../../src/service/store/sqlite/open.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import { NotKept } from '../../../src/service/store/store.ts';
import { ask, dataFile, type Served, start } from '../served.ts';
import { dump } from './failing.ts';

const notes = `
resources:
  Note: { identifier: id, fields: { id: { type: integer }, text: { type: string } } }
endpoints:
  others: refuse
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  GET /ids: { does: list Note, response: { status: 200, body: "\${page.items.map(n, n.id)}" } }
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
`;

const text = 'x'.repeat(10_000);

/** Creates notes until one is not; the identifiers of those that were. */
async function filled(service: Served): Promise<readonly number[]> {
  const made: number[] = [];
  for (let id = 1; ; id++) {
    const { status } = await ask(service, 'POST /notes', { id, text });
    if (status !== 201) {
      expect(status).toBe(503);
      return made;
    }
    made.push(id);
    expect(id).toBeLessThan(1000);
  }
}

/** What holds of a full disk, however it came about: writes are refused, reads go on, and room is enough to heal. */
async function holdsWhenFull(service: Served, makeRoom: () => void): Promise<void> {
  const made = await filled(service);
  expect(made.length).toBeGreaterThan(3);
  for (const id of [5000, 5001]) expect((await ask(service, 'POST /notes', { id, text })).status).toBe(503);
  expect(await ask(service, 'GET /ids')).toMatchObject({ status: 200, body: made });
  expect(await ask(service, 'GET /notes/1')).toMatchObject({ status: 200, body: { id: 1, text } });
  expect(service.faults.length).toBe(3);
  for (const fault of service.faults) expect(fault).toBeInstanceOf(NotKept);
  makeRoom();
  expect((await ask(service, 'POST /notes', { id: 5000, text })).status).toBe(201);
  expect((await ask(service, 'GET /ids')).body).toEqual([...made, 5000]);
  await service.close();
  expect(dump(service.data)).toContain('5000');
}

/** A file system of 512 KiB, gone after the test; null where it may not be made. */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-full-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
  onTestFinished(() => {
    if (status === 0) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return status === 0 ? folder : null;
}

describe('a disk that is full', () => {
  it('is answered 503 by writes, while reads go on; and is healed by room, as a database that may not grow', async () => {
    const connections: Connection[] = [];
    const service = await start(notes, {
      open: (file, tables) =>
        openSqlite(file, tables, (name) => {
          const connection = connect(name);
          connection.pragma('max_page_count = 60');
          connections.push(connection);
          return connection;
        }),
    });
    await holdsWhenFull(service, () => void connections[0]?.pragma('max_page_count = 1000'));
  });

  it('is answered so where it is a file system', async ({ skip }) => {
    const folder = smallDisk();
    if (folder === null) return skip('no file system may be made here');
    const ballast = join(folder, 'ballast');
    writeFileSync(ballast, Buffer.alloc(200_000));
    const service = await start(notes, { data: join(folder, 'data.sqlite') });
    await holdsWhenFull(service, () => rmSync(ballast));
  });
});

describe('a file that another program writes to', () => {
  it('is answered 503 by writes until that ends, while reads go on', async () => {
    const service = await start(notes);
    expect((await ask(service, 'POST /notes', { id: 1 })).status).toBe(201);
    const other = new Database(service.data);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    expect((await ask(service, 'POST /notes', { id: 2 })).status).toBe(503);
    expect((await ask(service, 'GET /ids')).body).toEqual([1]);
    other.exec('COMMIT');
    expect((await ask(service, 'POST /notes', { id: 2 })).status).toBe(201);
    expect((await ask(service, 'GET /ids')).body).toEqual([1, 2]);
  });

  it('is refused at the start where it cannot be laid out meanwhile', () => {
    const data = dataFile();
    const other = new Database(data);
    onTestFinished(() => void other.close());
    other.pragma('journal_mode = WAL');
    other.exec('BEGIN IMMEDIATE');
    expect(() => openSqlite(data, [])).toThrow(/cannot be used as a store: database is locked/);
    other.exec('ROLLBACK');
    openSqlite(data, []).close();
  });
});
