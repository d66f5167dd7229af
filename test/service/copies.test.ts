import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { backUp, move, restore } from '../../src/service/copies.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import { sourceAt, targetAt } from '../../src/service/store/transfer/places.ts';
import {
  type Copied,
  type PlacedRow,
  TransferRefused,
  transfer,
} from '../../src/service/store/transfer/transfer.ts';
import { follow } from './events/reader.ts';
import { receiver } from './events/receiver.ts';
import { rowsAt } from './places.ts';
import { ask, dataFile, type Served, specificationOf, start } from './served.ts';
import { absence, schema, schemaOf } from './store/postgres.ts';

const missing = await absence();

/** A service that stores something of every kind. */
const depot = `
name: Depot
resources:
  Parcel:
    identifier: id
    fields:
      id: { type: string }
      code: { type: string, unique: ever }
      number: { type: integer, set: { create: "\${sequence()}" } }
      text: { type: string }
      tags: { type: array, items: { type: string } }
      state: { type: string }
      content: { type: string, format: binary, maxLength: 10 }
  Shelf: { identifier: [row, any], fields: { row: { type: integer }, any: { type: [string, integer] }, note: { type: string } } }
  Hook: { identifier: id, fields: { id: { type: string }, url: { type: string } } }
states:
  Parcel.state:
    states: [registered, lost]
    initial: registered
    transitions: { lose: { from: registered, to: lost, after: P1D } }
endpoints:
  others: refuse
  POST /parcels:
    operation: register
    does: create Parcel
    idempotency: { header: Idempotency-Key, required: false, life: PT240H, per: key, remembers: successes }
    request: { body: Parcel }
    response: { status: 201, body: Parcel }
  GET /parcels/{id}: { does: read Parcel, response: { status: 200, body: Parcel } }
  DELETE /parcels/{id}: { does: delete Parcel, response: 204 }
  PUT /parcels/{id}/content:
    does: { update: Parcel, with: { content: "\${request.body}" } }
    request: { media: (any), body: { type: string, format: binary, maxLength: 10 } }
    response: 204
  GET /parcels/{id}/content:
    does: read Parcel
    response: { status: 200, media: text/plain, body: "\${this.content}" }
  GET /parcels:
    does: list Parcel
    request:
      query:
        tag: { type: string, filter: "\${request.query.tag in this.tags}" }
        text: { type: string, filter: "\${matches(request.query.text, this.text)}" }
    response: { status: 200, body: "\${page.items.map(p, p.id)}" }
  POST /shelves: { does: create Shelf, request: { body: Shelf }, response: 201 }
  POST /hooks: { does: create Hook, request: { body: Hook }, response: 201 }
  GET /feed: { does: (none), response: 200 }
errors: { codes: { taken: { when: not unique, status: 409 } } }
authentication: (none)
events:
  kinds: { registered: { by: [register], body: { id: "\${this.id}" } } }
  envelope: cloudevents
  source: depot
  delivery: { feed: { stream: GET /feed }, hooks: { webhook: Hook.url } }
`;

const specification = specificationOf(depot);
const day = 86_400_000;
const first = Date.parse('2026-11-01T12:00:00Z');

function serving(data: string, at = first, options: Partial<ServiceOptions> = {}): Promise<Served> {
  return start(depot, { data, milliseconds: () => at, allowPrivate: ['127.0.0.1'], ...options });
}

/** Registers parcels and more, so that every table of the service has rows. Nobody takes in what is told of them. */
async function filled(data: string): Promise<Served> {
  const service = await serving(data);
  const hook = await receiver((_, response) => void response.writeHead(500).end());
  const send = async (line: string, body: unknown, ...fields: string[]) =>
    expect(await ask(service, line, body, fields)).toMatchObject({
      status: line.startsWith('DELETE') ? 204 : 201,
    });
  await send('POST /hooks', { id: 'h', url: hook.url });
  for (const [index, id] of ['a', 'b\u0001', 'ß', 'gone'].entries())
    await send(
      'POST /parcels',
      { id, code: `c${index}`, text: `quick ${id} fox`, tags: ['all', id] },
      `Idempotency-Key: k${index}`,
    );
  await send('DELETE /parcels/gone', undefined);
  const put = await fetch(`${service.address}/parcels/a/content`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/plain' },
    body: Buffer.from([0, 255, 10]),
  });
  expect(put.status).toBe(204);
  for (const any of ['x\u0001', 7, 2 ** 50]) await send('POST /shelves', { row: 2 ** 40, any, note: 'n' });
  await hook.count(4);
  return service;
}

type Rows = Readonly<Record<string, readonly unknown[]>>;

/** What tests read of all tables by themselves, alike for both stores, without what a store keeps besides. */
async function tablesAt(data: string): Promise<Rows> {
  const kept = (await rowsAt(data)).filter(
    ([name]) => !/^(tacet|sqlite_|indexes$)| (each|words) /.test(name),
  );
  return Object.fromEntries(
    kept
      .filter(([, rows]) => rows.length > 0)
      .map(([name, rows]): [string, unknown[]] => [
        name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        rows
          .map(([place, ...columns]) => [Number(place), ...columns.map(plain)])
          .sort(([a], [b]) => Number(a) - Number(b)),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** PostgreSQL has no U+0000, and writes the first characters otherwise. */
function plain(column: unknown): unknown {
  if (column instanceof Uint8Array) return Buffer.from(column).toString('hex');
  return typeof column === 'string'
    ? column.replaceAll('\u0001\u0002\u0002', '\u0000').replaceAll('\u0001\u0002\u0003', '\u0001')
    : column;
}

const stores = { SQLite: async () => dataFile(), PostgreSQL: async () => (await schema()).address } as const;
type Kind = keyof typeof stores;

const everyTable = [
  'Hook',
  'Parcel',
  'Shelf',
  'answered',
  'bytes',
  'delivery',
  'event',
  'sequence',
  'taken',
  'timer',
];

/** What a service does with what was copied. */
async function goesOn(data: string, before: readonly string[]): Promise<void> {
  const service = await serving(data, first + 1000);
  const lines = async (line: string): Promise<unknown> => (await ask(service, line)).body;
  expect(await lines('GET /parcels?tag=all')).toEqual(['a', 'b\u0001', 'ß']);
  expect(await lines('GET /parcels?text=fox%20qui')).toEqual(['a', 'b\u0001', 'ß']);
  const content = await fetch(`${service.address}/parcels/a/content`);
  expect([...new Uint8Array(await content.arrayBuffer())]).toEqual([0, 255, 10]);
  // A repeat is answered as it was, and makes nothing.
  const again = await ask(
    service,
    'POST /parcels',
    { id: 'a', code: 'c0', text: 'quick a fox', tags: ['all', 'a'] },
    ['Idempotency-Key: k0'],
  );
  expect([again.status, (again.body as { number: number }).number]).toEqual([201, 1]);
  expect((await ask(service, 'POST /parcels', { id: 'z', code: 'c3' })).status).toBe(409);
  expect((await ask(service, 'POST /parcels', { id: 'n', code: 'n' })).body).toMatchObject({ number: 5 });
  const reader = await follow(`${service.address}/feed`, { 'Last-Event-ID': before[2] as string });
  expect(
    (await reader.take(2)).map(({ data: text }) => (JSON.parse(text) as { data: { id: string } }).data.id),
  ).toEqual(['gone', 'n']);
  reader.close();
  await service.close();
  const later = await serving(data, first + 2 * day);
  expect((await ask(later, 'GET /parcels/a')).body).toMatchObject({ state: 'lost' });
  expect(later.faults).toEqual([]);
  await later.close();
}

const counts = (copied: readonly Copied[]): Readonly<Record<string, number>> =>
  Object.fromEntries(copied.filter(({ count }) => count > 0).map(({ table, count }) => [table.name, count]));

async function eventIds(data: string): Promise<readonly string[]> {
  return ((await tablesAt(data))['event'] as [number, string][]).map(([, id]) => id);
}

/** A backup that was made while nothing was noted by itself, as of deliveries; and all rows at that time. */
async function backedUpAtRest(data: string) {
  for (;;) {
    const before = await tablesAt(data);
    const file = `${dataFile()}.backup`;
    const backedUp = await backUp(specification, data, file, '2026-11-01T00:00:00Z');
    if (JSON.stringify(await tablesAt(data)) === JSON.stringify(before)) return { file, before, backedUp };
  }
}

const pairs: readonly (readonly [Kind, Kind])[] = [
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
  ['SQLite', 'SQLite'],
  ['PostgreSQL', 'PostgreSQL'],
];

describe.skipIf(missing !== null).each(pairs)('stored data, from %s to %s', (from, to) => {
  it('is backed up while the service runs, and restored row by row', async () => {
    const source = await stores[from]();
    const service = await filled(source);
    const { file, before, backedUp } = await backedUpAtRest(source);
    expect(Object.keys(before)).toEqual(expect.arrayContaining(everyTable));
    // What the service does afterwards is not in it.
    expect((await ask(service, 'POST /parcels', { id: 'later', code: 'later' })).status).toBe(201);
    const ids = await eventIds(source);
    await service.close();
    const target = await stores[to]();
    const restored = await restore(specification, file, target);
    expect(counts(restored)).toEqual(counts(backedUp));
    expect(restored.map(({ digest }) => digest)).toEqual(backedUp.map(({ digest }) => digest));
    expect(await tablesAt(target)).toEqual(before);
    await goesOn(target, ids);
  });

  it('is moved row by row', async () => {
    const source = await stores[from]();
    await (await filled(source)).close();
    const before = await tablesAt(source);
    const target = await stores[to]();
    const moved = await move(specification, source, target);
    expect(counts(moved)).toEqual(
      Object.fromEntries(Object.entries(before).map(([name, rows]) => [name, rows.length])),
    );
    expect(await tablesAt(target)).toEqual(before);
    expect(await tablesAt(source)).toEqual(before);
    await goesOn(target, await eventIds(source));
  });
});

describe.skipIf(missing !== null).each(['SQLite', 'PostgreSQL'] as const)('a backup of %s', (kind) => {
  it('is of one moment, whatever is written meanwhile', async () => {
    const data = await stores[kind]();
    const service = await serving(data);
    let isOver = false;
    const writing = (async () => {
      for (let index = 0; !isOver; index += 1)
        await ask(service, 'POST /parcels', { id: String(index), code: String(index) });
    })();
    const events: (readonly [number, number])[] = [];
    for (let time = 0; time < 5; time += 1) {
      const file = `${dataFile()}.backup`;
      const of = counts(await backUp(specification, data, file, ''));
      events.push([of['event'] ?? 0, of['Parcel'] ?? 0]);
    }
    isOver = true;
    await writing;
    expect(events.map(([event]) => event)).toEqual(events.map(([, parcel]) => parcel));
    expect(events.at(-1)?.[0]).toBeGreaterThan(events[0]?.[0] as number);
  });

  it('has the rows of resources that the document does not have any more', async () => {
    const data = await stores[kind]();
    await (await filled(data)).close();
    const other = specificationOf(depot.replace(/ {2}Shelf: .*\n/, '').replace(/ {2}POST \/shelves.*\n/, ''));
    const file = `${dataFile()}.backup`;
    await backUp(other, data, file, '');
    const target = dataFile();
    await restore(other, file, target);
    expect((await tablesAt(target))['Shelf']).toEqual((await tablesAt(data))['Shelf']);
  });
});

/** The code of a refusal, and the rest of its message. */
async function refusal(act: () => Promise<unknown>): Promise<string> {
  const error = await act().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TransferRefused);
  return (error as TransferRefused).message;
}

/** A backup of one parcel. */
async function backup(): Promise<string> {
  const data = dataFile();
  const service = await serving(data);
  expect((await ask(service, 'POST /parcels', { id: 'a', code: 'a' })).status).toBe(201);
  const file = `${dataFile()}.backup`;
  await backUp(specification, data, file, '');
  await service.close();
  return file;
}

/** The same file with other lines. */
function changed(file: string, change: (text: string) => string): string {
  const other = `${dataFile()}.backup`;
  writeFileSync(other, gzipSync(change(gunzipSync(readFileSync(file)).toString())));
  return other;
}

describe('a backup that cannot be restored is refused, and the place stays as it is', () => {
  const refused = async (file: string, text = depot): Promise<string> => {
    const target = dataFile();
    const told = await refusal(() => restore(specificationOf(text), file, target));
    expect(existsSync(target)).toBe(false);
    return told.replace(file, 'FILE');
  };

  it('because it is not there, or is none', async () => {
    expect(await refused('/nowhere')).toBe('source-missing: there is no FILE; name the backup with --from');
    const none = 'not-a-backup: FILE is no backup of tacet; name one that tacet backup made';
    for (const content of ['text', gzipSync('text\n'), gzipSync('{"a":1}\n'), gzipSync('')]) {
      const file = `${dataFile()}.backup`;
      writeFileSync(file, content);
      expect(await refused(file)).toBe(none);
    }
  });

  it('because it is of another document', async () => {
    const file = await backup();
    expect(await refused(file, depot.replace('Depot', 'Harbour'))).toBe(
      'other-document: FILE is of the document Depot, and this one is Harbour; name the document that it was made with',
    );
    expect(
      await refused(
        file,
        depot
          .replace(
            'identifier: id\n    fields:\n      id: { type: string }\n      code',
            'identifier: code\n    fields:\n      id: { type: string }\n      code',
          )
          .replaceAll('{id}', '{code}'),
      ),
    ).toBe(
      'other-document: FILE has Parcel under the identifier id, which the document does not state; name the document that stored it',
    );
  });

  it('because its format is another', async () => {
    const file = await backup();
    expect(await refused(changed(file, (text) => text.replace('"format":1', '"format":2')))).toMatch(
      /^newer-format: FILE was made by a later tacet .*; restore it with that tacet$/,
    );
    expect(await refused(changed(file, (text) => text.replace('"format":1', '"format":0')))).toMatch(
      /^older-format: FILE was made by an earlier tacet .*; restore it with that tacet, start this one on the data, and make a backup again$/,
    );
  });

  it('because it is cut off, or another row than was written', async () => {
    const file = await backup();
    const damaged =
      'damaged-backup: FILE is cut off or was changed since it was written; take another backup';
    const whole = readFileSync(file);
    for (const left of [whole.length - 1, whole.length - 30, Math.floor(whole.length / 2)]) {
      const cut = `${dataFile()}.backup`;
      writeFileSync(cut, whole.subarray(0, left));
      expect([left, await refused(cut)]).toEqual([left, damaged]);
    }
    const changes: readonly ((text: string) => string)[] = [
      (text) => text.replace('\\"number\\":1', '\\"number\\":2'),
      (text) => text.replace(/\n\[1,\["a"\].*/, ''),
      (text) => text.replace(/\{"end":true\}\n$/, ''),
      (text) => text.replace(/\{"table":"event".*\n/, ''),
    ];
    for (const [index, change] of changes.entries())
      expect([index, await refused(changed(file, change))]).toEqual([index, damaged]);
    // The control: what is written again as it was is taken.
    const target = dataFile();
    expect(
      counts(
        await restore(
          specification,
          changed(file, (text) => text),
          target,
        ),
      ),
    ).toMatchObject({ Parcel: 1 });
  });
});

describe('a file of SQLite', () => {
  it('is not copied to while it stores anything, or a service runs on it', async () => {
    const file = await backup();
    const data = dataFile();
    const service = await serving(data);
    expect(await refusal(() => restore(specification, file, data))).toBe(
      `target-in-use: a service runs on ${data}; end that service first`,
    );
    expect(await refusal(() => move(specification, data, dataFile()))).toBe(
      `source-in-use: a service runs on ${data}; end that service first`,
    );
    await service.close();
    const [, ...others] = [await restore(specification, file, data), await tablesAt(data)];
    expect(await refusal(() => restore(specification, file, data))).toBe(
      `target-not-empty: ${data} stores Parcels already; name another file, or remove this one with its -wal and -shm`,
    );
    expect(await refusal(() => move(specification, data, data))).toBe(
      `same-place: ${data} is where the data is; name another place with --to`,
    );
    expect([await tablesAt(data)]).toEqual(others);
  });

  it('is not copied where it is none of a service, or of another tacet', async () => {
    const data = dataFile();
    const to = `${dataFile()}.backup`;
    const back = () => backUp(specification, data, to, '');
    expect(await refusal(back)).toBe(`source-missing: there is no ${data}; name it with --data, or --store`);
    const other = new Database(data);
    other.exec('CREATE TABLE t (a)');
    expect(await refusal(back)).toBe(
      `source-missing: ${data} is no file of a service; name another with --data`,
    );
    const file = await backup();
    expect(await refusal(() => restore(specification, file, data))).toMatch(
      /^target-not-empty: .* is a database of something else/,
    );
    other.exec('DROP TABLE t');
    other.close();
    await restore(specification, file, data);
    expect(await refusal(() => backUp(specification, data, file, ''))).toBe(
      `backup-exists: ${file} is there already; name another file with --to`,
    );
    for (const [version, told] of [
      [2, /^newer-format: .* was laid out by a later tacet; use that one$/],
      [0, /^older-format: .* start the service with this one once, which brings it over$/],
    ] as const) {
      const database = new Database(data);
      database.pragma(`user_version = ${version}`);
      database.close();
      expect(await refusal(back)).toMatch(told);
    }
  });
});

describe.skipIf(missing !== null)('a database of PostgreSQL', () => {
  it('is not copied to while it stores anything, or others write', async () => {
    const file = await backup();
    const { address, beside } = await schema();
    expect(await refusal(() => move(specification, address, dataFile()))).toMatch(/^source-missing: /);
    await restore(specification, file, address);
    const before = await tablesAt(address);
    expect(await refusal(() => restore(specification, file, address))).toMatch(
      new RegExp(
        `^target-not-empty: .* stores Parcels already in the schema ${schemaOf(address)}; name another database or \\?schema=$`,
      ),
    );
    const alike = new URL(address);
    alike.searchParams.set('keepalives', '1');
    expect(await refusal(() => move(specification, address, alike.href))).toMatch(
      /^target-in-use: others write to /,
    );
    expect(await tablesAt(address)).toEqual(before);
    for (const [version, told] of [
      [4, /^newer-format: .* was laid out by a later tacet; use that one$/],
      [2, /^older-format: .* start the service with this one once, which brings it over$/],
    ] as const) {
      await beside.query('UPDATE tacet_latest SET layout = $1', [version]);
      expect(await refusal(() => backUp(specification, address, `${dataFile()}.backup`, ''))).toMatch(told);
    }
  });

  it('is left to nobody who writes to it, once it is moved', async () => {
    const { address } = await schema();
    const service = await serving(address);
    expect((await ask(service, 'POST /parcels', { id: 'a', code: 'a' })).status).toBe(201);
    await move(specification, address, dataFile());
    expect((await ask(service, 'POST /parcels', { id: 'b', code: 'b' })).status).toBe(503);
    expect(String(service.faults[0])).toMatch(/has laid the tables out anew/);
  });

  it('that stores another row than it is given is found out, and stores nothing', async () => {
    const file = await backup();
    const { address, beside } = await schema();
    await restore(specification, file, address);
    await beside.query(`
      DELETE FROM "Parcel"; DELETE FROM event; DELETE FROM sequence; DELETE FROM timer; DELETE FROM taken;
      CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.members = '{}'; RETURN NEW; END $$;
      CREATE TRIGGER other BEFORE INSERT ON "Parcel" FOR EACH ROW EXECUTE FUNCTION other()`);
    expect(await refusal(() => restore(specification, file, address))).toMatch(/^differs: Parcel has 1 rows/);
    expect((await tablesAt(address))['Parcel']).toBeUndefined();
  });
});

describe('a copy that is read otherwise than it was written', () => {
  it('is not committed: a row less, a row more, another place', async () => {
    const data = dataFile();
    await restore(specification, await backup(), data);
    const changes: readonly ((rows: readonly PlacedRow[]) => readonly PlacedRow[])[] = [
      (rows) => rows.slice(1),
      (rows) => [...rows, ...rows],
      (rows) => rows.map((row) => ({ ...row, place: row.place + 1 })),
    ];
    for (const change of changes) {
      const source = await sourceAt(data);
      const place = dataFile();
      const target = await targetAt(place, source.tables);
      const rows: typeof target.rows = async function* (table) {
        const all: PlacedRow[] = [];
        for await (const row of target.rows(table)) all.push(row);
        yield* change(all);
      };
      expect(await refusal(() => transfer(source, { ...target, rows }))).toMatch(/^differs: /);
      await target.close();
      await source.close();
      expect(existsSync(place)).toBe(false);
    }
  });
});
