import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { ask, type Served, start } from '../served.ts';
import { hasPooler, pooler } from './pooler.ts';
import { noStandby, primary, type Server, standby } from './standby.ts';

const document = `
resources:
  Person: { identifier: id, fields: { id: { type: string }, key: { type: string, unique: true, readable: false } } }
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  PUT /people/{id}: { does: { create: Person, present: replace }, request: { body: Person }, response: 204 }
  DELETE /people/{id}: { does: delete Person, response: 204 }
  PUT /notes/{id}: { does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes/{id}: { does: read Note, response: { status: 200, body: Note } }
  GET /notes:
    does: { list: Note, order: [id] }
    request: { query: { size: { page: size, type: integer } } }
    response: { status: 200, body: "\${Note(page.items)}" }
  GET /all: { does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /mine: { operation: mine, does: { list: Note, order: [id] }, response: { status: 200, body: "\${Note(page.items)}" } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: Key, credentials: { kept: Person.key }, actor: Person, challenge: Key } }
  authorization: { mine: known }
  otherwise: anyone
errors: { codes: { unknown: { when: not authenticated, status: 401 }, late: { when: timed out, status: 504 } } }
`;

/** A service that reads a standby, and what it told. */
interface Reading extends Served {
  readonly reads: { primary: number; replica: number };
  readonly told: (string | null)[];
}

let main: Server;
let other: Server;
let schemas = 0;
beforeAll(async () => {
  if (noStandby !== null) return;
  main = await primary("synchronous_commit = 'on'");
  other = await standby(main);
}, 60_000);
afterAll(async () => {
  await other?.remove();
  await main?.remove();
});

/** A schema of a test's own. */
async function place(): Promise<string> {
  schemas += 1;
  await main.query(`CREATE SCHEMA s${schemas}`);
  return `${main.address}?schema=s${schemas}`;
}

async function reading(
  options: Partial<ServiceOptions> & { readonly readStore: string },
  text = document,
): Promise<Reading> {
  const reads = { primary: 0, replica: 0 };
  const told: (string | null)[] = [];
  const service = await start(text, {
    data: await place(),
    ...options,
    onRead: (by) => {
      reads[by] += 1;
    },
    onReplica: (why) => void told.push(why),
  });
  return { ...service, reads, told };
}

const put = async (service: Served, id: string, text: string): Promise<void> => {
  expect((await ask(service, `PUT /notes/${id}`, { text })).status).toBe(204);
};
const textOf = async (service: Served, id: string): Promise<unknown> =>
  ((await ask(service, `GET /notes/${id}`)).body as { readonly text?: unknown }).text;

/** Reads until the replica has answered. */
const untilRead = async (service: Reading, line = 'GET /notes'): Promise<void> => {
  const before = service.reads.replica;
  await expect
    .poll(
      async () => {
        expect((await ask(service, line)).status).toBe(200);
        return service.reads.replica;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(before);
};

/** How many looks wait for a lock on a standby. */
const waiting = async (on: Server): Promise<number> => {
  const found = await on.query(
    "SELECT FROM pg_stat_activity WHERE application_name = 'tacet' AND wait_event_type = 'Lock'",
  );
  return found.length;
};

/** A read that waits on a standby until what it reads is unlocked. */
async function waitingRead(service: Reading, on: Server) {
  const schema = new URL(service.data).searchParams.get('schema');
  const locking = await main.connect();
  onTestFinished(() => locking.end());
  // The standby takes this lock as well, once it has it.
  await locking.query(`BEGIN; LOCK TABLE ${schema}."Note" IN ACCESS EXCLUSIVE MODE`);
  await main.query('SELECT pg_switch_wal()');
  const locked = async () =>
    (await on.query("SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock'")).length;
  await expect.poll(locked, { timeout: 10_000 }).toBe(1);
  const answer = ask(service, 'GET /notes/a');
  await expect.poll(() => waiting(on), { timeout: 10_000 }).toBe(1);
  return { answer, unlock: () => locking.query('ROLLBACK') };
}

/** A standby of a test's own. */
async function anotherStandby(...settings: readonly string[]): Promise<Server> {
  const made = await standby(main, ...settings);
  onTestFinished(made.remove);
  return made;
}

describe.skipIf(noStandby !== null)('a replica', { timeout: 60_000 }, () => {
  it('answers what changes nothing, once it shows what the primary shows', async () => {
    const service = await reading({ readStore: other.address });
    await put(service, 'a', 'first');
    await untilRead(service);
    await untilRead(service, 'GET /notes?size=1');
    await untilRead(service, 'GET /notes/a');
    await untilRead(service, 'GET /all');
    expect((await ask(service, 'GET /all')).body).toEqual([{ id: 'a', text: 'first' }]);
    expect((await ask(service, 'GET /notes/b')).status).toBe(404);
    expect([service.told, service.faults]).toEqual([[], []]);
  });

  it('answers nothing that is older than what was answered, for anybody', async () => {
    const service = await reading({ readStore: other.address });
    const beside = await reading({ readStore: other.address, data: service.data });
    await put(service, 'a', 'first');
    await ask(service, 'PUT /people/x', { key: 'k' });
    await untilRead(service, 'GET /notes/a');
    expect((await ask(service, 'GET /mine', undefined, ['Key: k'])).status).toBe(200);
    await other.query('SELECT pg_wal_replay_pause()');
    onTestFinished(() => other.query('SELECT pg_wal_replay_resume()').then(() => {}));
    await put(service, 'a', 'second');
    await ask(beside, 'DELETE /people/x');
    for (const one of [service, beside]) {
      const { primary, replica } = one.reads;
      expect(await textOf(one, 'a')).toBe('second');
      expect((await ask(one, 'GET /mine', undefined, ['Key: k'])).status).toBe(401);
      expect((await ask(one, 'GET /all')).body).toEqual([{ id: 'a', text: 'second' }]);
      expect(one.reads.replica).toBe(replica);
      expect(one.reads.primary).toBeGreaterThanOrEqual(primary + 3);
    }
    await other.query('SELECT pg_wal_replay_resume()');
    for (const one of [service, beside]) await untilRead(one, 'GET /notes/a');
    expect(await textOf(beside, 'a')).toBe('second');
  });

  it('shows each client what it wrote, and nobody an older state later, while it is always behind', async () => {
    const late = await anotherStandby('recovery_min_apply_delay = 5ms');
    const service = await reading({ readStore: late.address });
    const beside = await reading({ readStore: late.address, data: service.data });
    await put(service, 'count', '0');
    let newest = 0;
    const write = async (count: number): Promise<void> => {
      await put(count % 2 ? service : beside, 'count', String(count));
      newest = count;
    };
    const read = async (by: Reading): Promise<void> => {
      const before = newest;
      const found = Number(await textOf(by, 'count'));
      expect(found).toBeGreaterThanOrEqual(before);
      newest = Math.max(newest, found);
    };
    for (let count = 1; count <= 50; count += 1) {
      const writing = write(count);
      await Promise.all([read(service), read(beside), read(service)]);
      await writing;
      await Promise.all([read(service), read(beside)]);
    }
    await untilRead(service, 'GET /notes/count');
    expect(service.reads.replica).toBeGreaterThan(1);
  });

  it('shows nothing that the primary does not show yet', async () => {
    const service = await reading({ readStore: other.address });
    await put(service, 'a', 'first');
    await untilRead(service);
    const settle = async (names: string): Promise<void> => {
      await main.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await main.query('SELECT pg_reload_conf()');
    };
    // The transaction is in the log, and COMMIT waits for a standby that there is not.
    await settle('nobody');
    onTestFinished(() => settle(''));
    const writing = ask(service, 'PUT /notes/a', { text: 'second' });
    const schema = new URL(service.data).searchParams.get('schema');
    const shown = () => other.query<{ members: string }>(`SELECT members FROM ${schema}."Note"`);
    await expect.poll(async () => JSON.stringify(await shown()), { timeout: 10_000 }).toContain('second');
    expect(await textOf(service, 'a')).toBe('first');
    await settle('');
    expect((await writing).status).toBe(204);
    expect(await textOf(service, 'a')).toBe('second');
  });

  it('sends long lists', async () => {
    const service = await reading({ readStore: other.address });
    const ids = Array.from({ length: 1100 }, (_, index) => `n${index}`);
    await Promise.all(ids.map((id) => put(service, id, 'text')));
    await untilRead(service);
    const whole = async (): Promise<number> => {
      const { body } = await ask(service, 'GET /all');
      return (body as unknown[]).length;
    };
    // Its first rows tell that it is long, and then it is sent.
    const byReplica = async (): Promise<number> => {
      const { replica } = service.reads;
      expect(await whole()).toBe(1100);
      return service.reads.replica - replica;
    };
    await expect.poll(byReplica, { timeout: 20_000 }).toBe(2);
    await other.query('SELECT pg_wal_replay_pause()');
    onTestFinished(() => other.query('SELECT pg_wal_replay_resume()').then(() => {}));
    await put(service, 'another', 'text');
    expect(await whole()).toBe(1101);
    await other.query('SELECT pg_wal_replay_resume()');
    expect(service.faults).toEqual([]);
  });

  it('ends what takes longer than a request may', async () => {
    const timed = `${document}limits: { times: { request: PT1S } }\n`;
    const service = await reading({ readStore: other.address }, timed);
    await put(service, 'a', 'first');
    await untilRead(service, 'GET /notes/a');
    const { answer, unlock } = await waitingRead(service, other);
    expect((await answer).status).toBe(504);
    await expect.poll(() => waiting(other), { timeout: 10_000 }).toBe(0);
    await unlock();
    expect(await textOf(service, 'a')).toBe('first');
  });

  it('is read through PgBouncer', async (context) => {
    context.skip(!hasPooler, 'PgBouncer is not installed');
    const { by } = await pooler(undefined, other.address);
    const service = await reading({ readStore: by(other.address) });
    await put(service, 'a', 'first');
    await ask(service, 'PUT /people/x', { key: 'k' });
    await untilRead(service, 'GET /notes/a');
    await untilRead(service, 'GET /all');
    expect((await ask(service, 'GET /mine', undefined, ['Key: k'])).body).toEqual([
      { id: 'a', text: 'first' },
    ]);
    expect([service.told, service.faults]).toEqual([[], []]);
  });
});

describe.skipIf(noStandby !== null)('a replica that fails', { timeout: 60_000 }, () => {
  it('is not read any more where it is killed, and is read again once it is back', async () => {
    const own = await anotherStandby();
    const service = await reading({ readStore: own.address });
    await put(service, 'a', 'first');
    await untilRead(service);
    await own.kill();
    const answers = await Promise.all(Array.from({ length: 20 }, () => textOf(service, 'a')));
    expect(new Set(answers)).toEqual(new Set(['first']));
    expect(service.told).toEqual([expect.stringContaining('cannot be used as a replica')]);
    await own.start();
    await untilRead(service);
    expect(service.told.at(-1)).toBeNull();
    expect(service.faults).toEqual([]);
  });

  it('is not waited for where it is silent', async () => {
    const own = await anotherStandby();
    const service = await reading({ readStore: own.address });
    await put(service, 'a', 'first');
    await untilRead(service);
    const { answer, unlock } = await waitingRead(service, own);
    const thaw = await own.freeze();
    onTestFinished(thaw);
    await unlock();
    const since = performance.now();
    for (let times = 0; times < 5; times += 1) expect(await textOf(service, 'a')).toBe('first');
    // Less than it takes until its connections are given up.
    expect(performance.now() - since).toBeLessThan(1500);
    expect((await answer).body).toEqual({ id: 'a', text: 'first' });
    // Less than a statement may take.
    expect(performance.now() - since).toBeLessThan(15_000);
    thaw();
    await untilRead(service);
    expect(service.faults).toEqual([]);
  });

  it('is not read any more where it takes changes itself', async () => {
    const own = await anotherStandby();
    const service = await reading({ readStore: own.address });
    await put(service, 'a', 'first');
    await untilRead(service);
    await own.query('SELECT pg_promote()');
    await expect
      .poll(async () => {
        expect(await textOf(service, 'a')).toBe('first');
        return service.told;
      })
      .toEqual([expect.stringContaining('is no standby any more')]);
    const { replica } = service.reads;
    const schema = new URL(service.data).searchParams.get('schema');
    await own.query(`DELETE FROM ${schema}."Note"`);
    for (let times = 0; times < 5; times += 1) expect(await textOf(service, 'a')).toBe('first');
    expect(service.reads.replica).toBe(replica);
  });

  it('keeps no service from starting', async () => {
    const own = await anotherStandby();
    await own.kill();
    const service = await reading({ readStore: own.address });
    await put(service, 'a', 'first');
    expect(await textOf(service, 'a')).toBe('first');
    expect(service.told).toEqual([expect.stringContaining('no server listens there')]);
    await own.start();
    await untilRead(service);
    expect(service.told.at(-1)).toBeNull();
  });

  it('is refused where it is no standby of the store', async () => {
    const foreign = await primary();
    onTestFinished(foreign.remove);
    const behind = await standby(foreign);
    onTestFinished(behind.remove);
    for (const { address } of [main, foreign, behind])
      await expect(reading({ readStore: address })).rejects.toThrow(
        `${address} is no standby of ${main.address}; name a standby of it with --read-store`,
      );
    await expect(reading({ readStore: `${other.address}?schema=pg_catalog` })).rejects.toThrow(
      '--read-store names the schema pg_catalog',
    );
    const nowhere = other.address.replace(/postgres$/, 'nowhere');
    await expect(reading({ readStore: nowhere })).rejects.toThrow('name another with --read-store');
  });
});
