import { copyFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bare } from '../../../src/service/message/reply.ts';
import { FilesLost } from '../../../src/service/store/sqlite/files.ts';
import { type Connect, connect } from '../../../src/service/store/sqlite/open.ts';
import { openSqlite, type SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { FateUnknown, NotKept, NotRead, type Transaction } from '../../../src/service/store/store.ts';
import { answer, ask, dataFile, start } from '../served.ts';

const notes = `
name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { set: { create: "\${uuid()}" } } } }
endpoints:
  POST /notes: { operation: make, does: create Note, response: 201 }
  GET /notes: { operation: all, does: list Note, response: { status: 200, body: "\${page.total}" } }
`;

/** The name of a file in a folder of its own. */
function inFolder(): string {
  const folder = dataFile();
  mkdirSync(folder);
  return join(folder, 'data.sqlite');
}

/** What may become of a file while a service runs. */
const losses: readonly [string, (data: string) => void, RegExp][] = [
  ['the file is removed', (data) => rmSync(data), /^\S+data\.sqlite was removed or replaced/],
  [
    'another stands in its place',
    (data) => {
      copyFileSync(data, `${data}.copy`);
      renameSync(`${data}.copy`, data);
    },
    /^\S+data\.sqlite was removed or replaced/,
  ],
  ['its log is removed', (data) => rmSync(`${data}-wal`), /^\S+data\.sqlite-wal was removed/],
  ['its shared memory is removed', (data) => rmSync(`${data}-shm`), /^\S+data\.sqlite-shm was removed/],
  ['its lock is removed', (data) => rmSync(`${data}-lock`), /^\S+data\.sqlite-lock was removed/],
  [
    'its folder has another name',
    (data) => renameSync(dirname(data), `${dirname(data)}-moved`),
    /^\S+data\.sqlite, .* were removed or replaced/,
  ],
];

describe('a service whose files are lost', () => {
  it.each(losses)('keeps nothing more: %s', async (_what, lose, told) => {
    const data = inFolder();
    const service = await start(notes, { data, open: (file, tables) => openSqlite(file, tables) });
    expect((await ask(service, 'POST /notes')).status).toBe(201);
    lose(data);
    for (const line of ['POST /notes', 'POST /notes', 'GET /notes'])
      expect(await ask(service, line)).toEqual(answer(503));
    const faults = service.faults as readonly Error[];
    expect(faults.map((one) => one.constructor)).toEqual([NotKept, NotKept, NotRead]);
    for (const { cause } of faults) {
      expect((cause as Error).message).toMatch(told);
      expect((cause as Error).message).toMatch(/put the files back, and start it again$/);
    }
  });

  it('stays so when they are put back, and has all when it is started again', async () => {
    const data = inFolder();
    const open = (file: string, tables: Parameters<typeof openSqlite>[1]): SqliteStore =>
      openSqlite(file, tables);
    const service = await start(notes, { data, open });
    expect((await ask(service, 'POST /notes')).status).toBe(201);
    renameSync(dirname(data), `${dirname(data)}-moved`);
    expect(await ask(service, 'POST /notes')).toEqual(answer(503));
    renameSync(`${dirname(data)}-moved`, dirname(data));
    expect(await ask(service, 'POST /notes')).toEqual(answer(503));
    await service.close();
    const again = await start(notes, { data, open });
    expect(await ask(again, 'GET /notes')).toEqual(answer(200, 1));
  });

  it('does not acknowledge a write at whose COMMIT they are lost', () => {
    const data = inFolder();
    let lose = (): void => {};
    const connectTo: Connect = (file) => {
      const connection = connect(file);
      const prepare = connection.prepare.bind(connection);
      connection.prepare = ((sql: string) => {
        const made = prepare(sql);
        if (sql !== 'COMMIT') return made;
        const run = made.run.bind(made);
        made.run = (...given) => {
          lose();
          return run(...given);
        };
        return made;
      }) as typeof connection.prepare;
      return connection;
    };
    const store = openSqlite(data, [{ name: 'Note', keyFields: ['id'] }], connectTo);
    onTestFinished(() => void store.close());
    const plan = (id: number) => ({
      decide: (tx: Transaction) => {
        tx.insert('Note', { key: [id], text: '{}' });
        return { keep: true, reply: bare(201) };
      },
      conflict: () => bare(400),
      fault: () => bare(500),
    });
    expect(store.commit([plan(1)], () => 0)).toEqual([bare(201)]);
    lose = () => rmSync(data);
    const fate = ((): unknown => {
      try {
        return store.commit([plan(2)], () => 0);
      } catch (error) {
        return error;
      }
    })();
    expect(fate).toBeInstanceOf(FateUnknown);
    expect((fate as Error).cause).toBeInstanceOf(FilesLost);
  });
});

describe('the files of a service', () => {
  it('are for their owner alone', async () => {
    const data = inFolder();
    const service = await start(notes, { data, open: (file, tables) => openSqlite(file, tables) });
    expect((await ask(service, 'POST /notes')).status).toBe(201);
    const modes = ['', '-wal', '-shm', '-lock'].map((suffix) => statSync(data + suffix).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  });
});
