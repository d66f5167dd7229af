import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import { NotKept } from '../../../src/service/store/store.ts';
import { ask, start } from '../served.ts';
import { wrong } from './chance.ts';
import { hasPooler, pooler } from './pooler.ts';
import { absence, isPooled, schema } from './postgres.ts';
import { processes, row, tables } from './processes.ts';
import { plan } from './stores.ts';

const missing = await absence();
if (!hasPooler) console.warn('nothing is tested behind PgBouncer: it is not installed');

const document = `
resources:
  Person: { identifier: id, fields: { id: { type: string }, key: { type: string, unique: true, readable: false } } }
  Note:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      title: { type: string, unique: caseless }
      by: { refers: Person, ifDeleted: delete }
      mine: { type: boolean, derived: "\${Person.exists(p, p == this.by && p == actor)}" }
endpoints:
  others: refuse
  POST /people: { does: create Person, request: { body: Person }, response: 201 }
  POST /notes: { does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  GET /notes:
    does: { list: Note, order: [title] }
    request: { query: { size: { page: size, type: integer }, offset: { page: offset, type: integer } } }
    response: { status: 200, body: { notes: "\${Note(page.items)}", total: "\${page.total}" } }
  GET /all: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  DELETE /people/{id}: { does: delete Person, response: 204 }
authentication:
  schemes: { key: { type: apiKey, in: query, name: key, credentials: { kept: Person.key }, actor: Person } }
  otherwise: anyone
errors: { codes: { taken: { when: not unique, status: 409 }, many: { when: rate exceeded, status: 429 } } }
limits:
  rates: { often: { allow: 100000, every: PT1M, per: address } }
  times: { request: PT20S }
`;

/** What is sent that a server's connection would keep beyond a transaction: a setting, or a statement under a name. */
async function keptBy(work: () => Promise<void>): Promise<readonly string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const sent = (spy.mock.calls as unknown as [string | pg.QueryConfig][]).map(([one]) => one);
    return sent.flatMap((one) =>
      typeof one === 'string' ? (/^SET (?!LOCAL )/.test(one) ? [one] : []) : (one.name ?? []),
    );
  } finally {
    spy.mockRestore();
  }
}

/** Two processes of one service do all that a store does. */
async function through(address: string): Promise<void> {
  const services = [await start(document, { data: address }), await start(document, { data: address })];
  const [first, second] = services as [(typeof services)[0], (typeof services)[0]];
  for (const id of ['a', 'b'])
    expect((await ask(first, 'POST /people', { id, key: `key-${id}` })).status).toBe(201);
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, one) =>
      ask(one % 2 ? first : second, 'POST /notes', { title: `T${one}`, by: one % 3 ? 'a' : 'b' }),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  expect((await ask(second, 'POST /notes', { title: 't7', by: 'a' })).status).toBe(409);
  const lists = await Promise.all(
    Array.from({ length: 20 }, (_, one) =>
      ask(one % 2 ? first : second, `GET /notes?size=3&offset=${one}&key=key-${one % 4 < 2 ? 'a' : 'b'}`),
    ),
  );
  for (const { status, body } of lists)
    expect([status, body]).toMatchObject([200, { notes: [{}, {}, {}], total: 40 }]);
  expect((await ask(first, 'GET /all')).body).toHaveLength(40);
  expect((await ask(second, 'DELETE /people/a')).status).toBe(204);
  expect((await ask(first, 'GET /notes?size=1')).body).toMatchObject({ total: 14 });
  expect(services.flatMap(({ faults }) => faults)).toEqual([]);
  for (const one of services) await one.close();
}

describe.skipIf(missing !== null)('a store behind a pooler of transactions', () => {
  it.skipIf(isPooled)('sends nothing that a connection would keep beyond a transaction', async () => {
    const { address } = await schema();
    expect((await keptBy(() => through(address))).length).toBeGreaterThan(0);
    const other = await schema();
    expect(await keptBy(() => through(`${other.address}&pool=transaction`))).toEqual([]);
  });

  it.skipIf(!hasPooler)('does all that a store does, by PgBouncer', async () => {
    const { by } = await pooler();
    await through(by((await schema()).address));
  });

  it.skipIf(!hasPooler).each([1, 2])(
    'does what several processes do at once, by PgBouncer (%i)',
    async (seed) => {
      const { by } = await pooler();
      expect(await wrong(await processes(3, true, by), seed)).toBe(0);
    },
  );

  it.skipIf(!hasPooler)('does not without locks: the control', async () => {
    const { by } = await pooler();
    let found = 0;
    for (let seed = 1; seed <= 10 && found === 0; seed += 1)
      found = await wrong(await processes(3, false, by), seed).catch(() => 1);
    expect(found).toBeGreaterThan(0);
  });

  it.skipIf(!hasPooler)('waits as long as its address says, by PgBouncer', async () => {
    const { by } = await pooler();
    const { address, beside } = await schema();
    const store = await openPostgres(`${by(address)}&statement_timeout=100`, tables);
    onTestFinished(() => store.close());
    const make = () => store.commit([plan((tx) => tx.insert('Note', row('a')))], () => 0);
    await beside.query('BEGIN; LOCK TABLE "Note" IN ACCESS EXCLUSIVE MODE');
    await expect(make()).rejects.toThrow(NotKept);
    await beside.query('ROLLBACK');
    expect((await make())[0]?.status).toBe(201);
    await expect(openPostgres(`${by(address)}&statement_timeout=5s`, tables)).rejects.toThrow(
      'statement_timeout=5s is no number of milliseconds, such as 5000',
    );
  });

  it.skipIf(!hasPooler)('is refused, with what to say, where nobody says that there is one', async () => {
    const { by } = await pooler();
    const address = new URL(by((await schema()).address));
    address.searchParams.delete('pool');
    await expect(openPostgres(address.href, [])).rejects.toThrow(/say so with \?pool=transaction/);
  });

  it.skipIf(!hasPooler)('is refused with what PgBouncer says', async () => {
    const { by } = await pooler();
    const address = new URL(by((await schema()).address));
    address.pathname = '/nowhere';
    await expect(openPostgres(address.href, [])).rejects.toThrow(
      /cannot be used as a store: database "nowhere" does not exist$/,
    );
  });

  it.skipIf(isPooled)('is refused where the way to pool is another', async () => {
    const { address } = await schema();
    await expect(openPostgres(`${address}&pool=session`, [])).rejects.toThrow(/\?pool=transaction is wanted/);
  });
});
