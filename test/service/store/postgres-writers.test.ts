import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileDeliveries, deliveryTable } from '../../../src/service/events/deliveries.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import { follow } from '../events/reader.ts';
import { beginAs } from '../processes.ts';
import { ask, type Served, start } from '../served.ts';
import { absence, connected, opened, schema, waits } from './postgres.ts';

const missing = await absence();

const notes = `name: notes
resources:
  Note:
    identifier: id
    fields: { id: { type: string }, at: { type: string, set: { create: "\${now}" } } }
  Slip:
    identifier: id
    fields: { id: { type: string }, number: { type: integer, set: { create: "\${sequence()}" } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: { status: 201, body: Note } }
  POST /slips: { does: create Slip, request: { body: Slip }, response: 201 }
  GET /feed: { does: (none), response: 200 }
authentication: (none)
events:
  kinds: { added: { by: [add], body: "\${this.id}" } }
  envelope: (none)
  delivery: { feed: { stream: GET /feed } }
`;

async function made(to: Pick<Served, 'address'>, id: string): Promise<string> {
  const answer = await fetch(`${to.address}/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { at: string }).at;
}

/** Where each row stands, by which transaction it was written: another once it is written again. */
async function rows(beside: pg.Client): Promise<ReadonlySet<string>> {
  const { rows: tables } = await beside.query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows: all } = await beside.query<{ row: string }>(
      `SELECT concat('${name} ', ctid, ' ', xmin, ' ', xmax) AS row FROM ${name}`,
    );
    found.push(...all.map(({ row }) => row));
  }
  return new Set(found);
}

/** The tables of the rows that were there before something, and are not any more as they were. */
async function changed(beside: pg.Client, act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await rows(beside);
  await act();
  const after = await rows(beside);
  return [...before].filter((row) => !after.has(row)).map((row) => row.split(' ')[0] as string);
}

async function time(beside: pg.Client): Promise<string> {
  const { rows: found } = await beside.query<{ now: string }>(
    `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
  );
  return found[0]?.now as string;
}

describe.skipIf(missing !== null)('a change on PostgreSQL', () => {
  it('writes no row in common with another that has nothing to do with it', async () => {
    const { address, beside } = await schema();
    const service = await start(notes, { data: address });
    await made(service, 'a');
    expect(await changed(beside, () => made(service, 'b'))).toEqual([]);
    // The control: what two changes count together is a row that both write.
    await ask(service, 'POST /slips', { id: 'a' });
    expect(await changed(beside, () => ask(service, 'POST /slips', { id: 'b' }))).toEqual(['sequence']);
  });

  it('is of the time at which it no longer waits for anybody', async () => {
    const { address, beside } = await schema();
    const service = await start(notes, { data: address });
    await made(service, 'a');
    const watching = await connected(address);
    onTestFinished(() => watching.end());
    await beside.query('BEGIN; LOCK TABLE tacet_latest IN ACCESS EXCLUSIVE MODE');
    const waiting = made(service, 'b');
    await expect.poll(() => waits(watching), { timeout: 5000 }).toBe(1);
    const released = await time(watching);
    await beside.query('COMMIT');
    expect((await waiting) > released).toBe(true);
  });
});

describe.skipIf(missing !== null)('processes whose clocks are five minutes ahead and behind', () => {
  /** Whether each time is between those of the server's before and after it, to a second. */
  const isOfServer = (times: readonly string[]): readonly boolean[] =>
    times.slice(2).map((_, index) => {
      const [before, at, after] = times.slice(index, index + 3).map((text) => Date.parse(text)) as [
        number,
        number,
        number,
      ];
      return index % 2 === 1 || (at >= before - 1 && at <= after + 1000);
    });

  const played = async (
    beside: pg.Client,
    [one, other]: readonly Pick<Served, 'address'>[],
  ): Promise<readonly string[]> => {
    const times = [await time(beside)];
    for (const [index, to] of [one, other, one, other].entries())
      times.push(await made(to as Served, String(index)), await time(beside));
    return times;
  };

  it('go by the clock of the server', async () => {
    const { address, beside } = await schema();
    const times = await played(beside, await beginAs(['fast', 'slow'], address, notes));
    expect(isOfServer(times).every(Boolean)).toBe(true);
    expect([...times].sort()).toEqual(times);
  });

  it('go by another where each goes by its own: the control', async () => {
    const { address, beside } = await schema();
    const own = (aheadMs: number) =>
      start(notes, { data: address, milliseconds: () => Date.now() + aheadMs });
    const times = await played(beside, [await own(300_000), await own(-300_000)]);
    expect(isOfServer(times).every(Boolean)).toBe(false);
  });
});

/** Whether the last that a service asked is which transactions may still keep something. */
async function asksWhoWrites(watching: pg.Client): Promise<boolean> {
  const { rowCount } = await watching.query(
    "SELECT 1 FROM pg_stat_activity WHERE application_name = current_schema() AND query LIKE '%pg_locks WHERE%' AND pid <> pg_backend_pid()",
  );
  return (rowCount ?? 0) > 0;
}

describe.skipIf(missing !== null)('a row whose place is lower, and that is committed later', () => {
  const open = (from: pg.Client, table: string, columns: string, values: string) =>
    from.query(`BEGIN; INSERT INTO "${table}" (${columns}) VALUES (${values})`);

  /** What a stream tells where an event of another transaction is committed behind one of a higher place. */
  const told = async (options: Partial<ServiceOptions>): Promise<readonly string[]> => {
    const { address, beside } = await schema();
    const service = await start(notes, { data: address, ...options });
    const reader = await follow(`${service.address}/feed`);
    const members = { kind: 'added', by: 'add', at: '', item: null, content: '"low"' };
    await open(beside, 'event', 'key0, members', `'low', '${JSON.stringify(members)}'`);
    await made(service, 'high');
    const seen: string[] = [];
    const next = reader.next().then(({ data }) => seen.push(data));
    if (options.open === undefined) {
      const watching = await connected(address);
      onTestFinished(() => watching.end());
      await expect.poll(() => asksWhoWrites(watching), { timeout: 5000 }).toBe(true);
      expect(seen).toEqual([]);
    } else await next;
    await beside.query('COMMIT');
    await made(service, 'last');
    await next;
    while (seen.at(-1) !== '"last"') seen.push((await reader.next()).data);
    return seen;
  };

  it('is told of by a stream in the order of places', async () => {
    expect(await told({})).toEqual(['"low"', '"high"', '"last"']);
  });

  it('is passed over by who reads by places alone: the control', async () => {
    const open: ServiceOptions['open'] = async (place, tables) => ({
      ...(await openPostgres(place, tables)),
      settled: async () => {},
    });
    expect(await told({ open })).toEqual(['"high"', '"last"']);
  });

  it('is found among deliveries, in the order of places, and gaps that stay are passed', async () => {
    const { address, beside } = await schema();
    const store = await opened(address, [deliveryTable]);
    const deliveries = compileDeliveries(store);
    const insert = (event: string, from: pg.Client) =>
      open(
        from,
        'delivery',
        'key0, key1, key2, key3, members',
        `'w', 't', '${event}', '', '${JSON.stringify({ due: 0, lane: '', tries: 0 })}'`,
      );
    const other = await connected(address);
    onTestFinished(() => other.end());
    for (const end of ['ROLLBACK', 'COMMIT']) {
      await insert(end, beside);
      await beside.query(end);
    }
    expect(await deliveries.last()).toBe(2);
    await insert('low', beside);
    await insert('high', other);
    await other.query('COMMIT');
    const found = deliveries.after(0);
    await beside.query('COMMIT');
    expect((await found).map(({ event, place }) => [event, place])).toEqual([
      ['COMMIT', 2],
      ['low', 3],
      ['high', 4],
    ]);
  });
});
