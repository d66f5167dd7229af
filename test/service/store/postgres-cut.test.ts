import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import { FateUnknown, NotKept, NotRead, type Store } from '../../../src/service/store/store.ts';
import { ask, start } from '../served.ts';
import { absence, isPooled, opened, schema, schemaOf } from './postgres.ts';
import { proxy } from './proxy.ts';
import { done } from './stores.ts';

const note = { name: 'Note', keyFields: ['id'] };
const missing = await absence();

/** What became of a row, as the store says: its answer's status, or the error. */
async function kept(store: Store, id: string): Promise<unknown> {
  try {
    return (await done(store, (tx) => tx.insert('Note', { key: [id], text: '{}' }))).status;
  } catch (error) {
    return (error as Error).constructor;
  }
}

const text = `
resources:
  Note: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: refuse
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  POST /notes: { does: create Note, request: { body: Note }, response: 201 }
`;

describe.skipIf(missing !== null).each([
  ['the first', []],
  ['one after others', ['z']],
])('a COMMIT whose answer is lost, %s', (_, others) => {
  it.each([
    ['before the server has it is one that was not kept', 'cut before COMMIT', NotKept, []],
    ['once the server has it is found to be kept', 'cut after COMMIT', 201, ['a']],
    ['for good is one of which nobody knows', 'cut after COMMIT for good', FateUnknown, ['a']],
  ] as const)('%s', async (_, passing, told, there) => {
    const { address, beside } = await schema();
    const way = await proxy();
    const store = await opened(way.by(address), [note]);
    for (const id of others) expect(await kept(store, id)).toBe(201);
    way.set(passing);
    expect(await kept(store, 'a')).toBe(told);
    const found = async () => (await beside.query('SELECT key0 FROM "Note"')).rows.map(({ key0 }) => key0);
    expect(await found()).toEqual([...others, ...there]);
    way.set('open');
    for (const id of ['b', 'c']) expect(await kept(store, id)).toBe(201);
    expect(await found()).toEqual([...others, ...there, 'b', 'c']);
  });
});

describe.skipIf(missing !== null)('what became of a COMMIT whose answer is lost', () => {
  const found = async (beside: pg.Client) =>
    (await beside.query('SELECT key0 FROM "Note"')).rows.map(({ key0 }) => key0);

  it('is settled at once where the server is still at it: it is not kept', async () => {
    const { address, beside } = await schema();
    const way = await proxy();
    const store = await opened(way.by(address), [note]);
    await beside.query('BEGIN; LOCK TABLE "Note" IN ACCESS EXCLUSIVE MODE');
    way.set('cut at COMMIT');
    expect(await kept(store, 'a')).toBe(NotKept);
    await beside.query('COMMIT');
    expect(await kept(store, 'b')).toBe(201);
    expect(await found(beside)).toEqual(['b']);
  });

  it('is told otherwise where there are no marks: the control', async () => {
    const { address, beside } = await schema();
    const way = await proxy();
    const store = await opened(way.by(address), [note]);
    await beside.query(`
      CREATE FUNCTION unmarked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN NEW.microseconds IS NULL THEN NEW END; END $$;
      CREATE TRIGGER unmarked BEFORE INSERT ON tacet_mark FOR EACH ROW EXECUTE FUNCTION unmarked()`);
    way.set('cut after COMMIT');
    expect(await kept(store, 'a')).toBe(NotKept);
    expect(await found(beside)).toEqual(['a']);
  });
});

describe.skipIf(missing !== null)('a server that goes away', () => {
  it('leaves requests unanswered with 503 until it is back, and nothing of them', async () => {
    const { address } = await schema();
    const way = await proxy();
    const service = await start(text, { data: way.by(address) });
    const statuses = async (id: string) => [
      (await ask(service, 'POST /notes', { id })).status,
      (await ask(service, 'GET /notes/a')).status,
    ];
    expect(await statuses('a')).toEqual([201, 200]);
    way.set('closed');
    expect(await statuses('b')).toEqual([503, 503]);
    way.set('open');
    expect(await statuses('b')).toEqual([201, 200]);
  });

  it('is not waited for longer than a statement may take', async () => {
    const { address, beside } = await schema();
    // Its tables are laid out before, which may take longer on a busy machine.
    await (await openPostgres(address, [note])).close();
    const hasty = new URL(address);
    hasty.searchParams.set('statement_timeout', '100');
    const store = await opened(hasty.href, [note]);
    await beside.query('BEGIN; LOCK TABLE "Note" IN ACCESS EXCLUSIVE MODE');
    expect(await kept(store, 'a')).toBe(NotKept);
    await expect((async () => store.read((reads) => reads.find('Note', ['a'])))()).rejects.toThrow(NotRead);
    await beside.query('ROLLBACK');
    expect(await kept(store, 'a')).toBe(201);
  });
});

describe.skipIf(missing !== null)('a server that cannot serve is refused, with what to do', () => {
  it.each([
    [
      'older',
      /is PostgreSQL 12; 13 or later is wanted/,
      (all: string) => all.replace(/\b1[3-9]\d{4}\b/, '120000'),
    ],
    [
      'of another encoding',
      /keeps texts in LAT1; make a database/,
      (all: string) => all.replace('\x04UTF8', '\x04LAT1'),
    ],
  ])('%s', async (_, why, change) => {
    const { address } = await schema();
    const way = await proxy((bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1'));
    await expect(openPostgres(way.by(address), [])).rejects.toThrow(why);
  });

  it.skipIf(isPooled)('for its schema is not there, or may not be written to', async () => {
    const { address, beside } = await schema();
    const other = new URL(address);
    other.searchParams.set('schema', 'tacet_nowhere');
    await expect(openPostgres(other.href, [note])).rejects.toThrow(/there is no such schema/);
    const role = `${schemaOf(address)}_role`;
    await beside.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schemaOf(address)} TO ${role}`);
    try {
      const theirs = new URL(address);
      theirs.username = role;
      await expect(openPostgres(theirs.href, [note])).rejects.toThrow(/the user may not make tables there/);
    } finally {
      await beside.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
