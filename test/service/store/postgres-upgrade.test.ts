import { describe, expect, it } from 'vitest';
import { type Connect, connecting, placeOf } from '../../../src/service/store/postgres/open.ts';
import { openPostgres, openPostgresBeside } from '../../../src/service/store/postgres/store.ts';
import { StoreRefused } from '../../../src/service/store/store.ts';
import { rowsAt } from '../places.ts';
import { start } from '../served.ts';
import { after, laidOut } from './parcels.ts';
import { absence, opened, schema } from './postgres.ts';
import { done, plan } from './stores.ts';

const missing = await absence();

/** Whether the process is gone: by what it sends the server, and the number of it. */
type Strike = (text: string, number: number) => 'before' | 'after' | null;

/** Begins with the second specification, by connections of which the first is cut as by the end of the process. */
async function begin(address: string, strike: Strike = () => null): Promise<void> {
  const connect = connecting(placeOf(address));
  let number = 0;
  const connectTo: Connect = async (use) => {
    const client = await connect(use);
    if (use !== 'start') return client;
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const { stream } = (client as unknown as { connection: { stream: { destroy: () => void } } }).connection;
    const struck = (...given: unknown[]): Promise<unknown> => {
      number += 1;
      const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text;
      const moment = strike(text, number);
      if (moment === 'before') stream.destroy();
      const answer = query(...given);
      return moment === 'after' ? answer.finally(() => stream.destroy()) : answer;
    };
    return Object.assign(client, { query: struck });
  };
  const open = (place: string, tables: Parameters<typeof openPostgres>[1]) =>
    openPostgres(place, tables, connectTo);
  await (await start(after, { data: address, open })).close();
}

describe.skipIf(missing !== null)('a database that is brought over to another specification', () => {
  it('is as before where the process ends at any statement before COMMIT; and then is brought over', async () => {
    const data = await laidOut((await schema()).address);
    const old = await rowsAt(data);
    let at = 0;
    for (let isOver = false; !isOver; ) {
      at += 1;
      isOver = true;
      const refused = await begin(data, (_, number) => {
        if (number !== at) return null;
        isOver = false;
        return 'before';
      }).catch((error: unknown) => error);
      if (isOver) expect(refused).toBeUndefined();
      else
        expect({ at, refused, rows: await rowsAt(data) }).toEqual({
          at,
          refused: expect.any(StoreRefused),
          rows: old,
        });
    }
    expect(at).toBeGreaterThan(20);
    const whole = await rowsAt(data);
    const parcels = whole.find(([name]) => name === 'Parcel')?.[1].map(([, ...columns]) => columns);
    expect(parcels?.[2]).toEqual([3, '{"tags":["all","t3"],"weight":1500}', '{"note":"n"}']);
    const elements = whole.find(([name]) => name.startsWith('tacet each'))?.[1];
    expect(elements).toHaveLength(6);
    await begin(data);
    expect(await rowsAt(data)).toEqual(whole);
  });

  it('is as it is to be where the process ends once COMMIT was answered', async () => {
    const data = await laidOut((await schema()).address);
    await begin(data, (text) => (text === 'COMMIT' ? 'after' : null)).catch(() => undefined);
    const whole = await rowsAt(data);
    expect(whole.some(([name]) => name.startsWith('tacet each'))).toBe(true);
    await begin(data);
    expect(await rowsAt(data)).toEqual(whole);
  });
});

describe.skipIf(missing !== null)('a database that an earlier tacet laid out', () => {
  const note = { name: 'Note', keyFields: ['id'] };

  /** A store with one row, as it was laid out before. */
  const earlier = async (layout: 1 | 2) => {
    const { address, beside } = await schema();
    const store = await openPostgres(address, [note]);
    expect((await done(store, (tx) => tx.insert('Note', { key: ['a'], text: '{}' }))).status).toBe(201);
    await store.close();
    await beside.query(`
      ALTER TABLE tacet_latest DROP COLUMN divisions;
      UPDATE tacet_latest SET layout = ${layout}, microseconds = 4102444800000000`);
    // One row was written by all transactions.
    if (layout === 1)
      await beside.query(`
        DROP TABLE tacet_mark;
        ALTER TABLE tacet_latest ADD COLUMN writer text NOT NULL DEFAULT 'p 1'`);
    const standing = async () => (await beside.query('SELECT * FROM tacet_latest')).rows[0];
    return { address, standing };
  };

  it.each([1, 2] as const)(
    'is laid out anew, keeps its rows and its time, and is told from before by its processes (%i)',
    async (before) => {
      const { address, standing } = await earlier(before);
      const { generation } = await standing();
      const store = await opened(address, [note]);
      expect(store.latest).toBe(4102444800000000);
      expect((await done(store, (tx) => tx.insert('Note', { key: ['b'], text: '{}' }))).status).toBe(201);
      expect(await standing()).toEqual({
        microseconds: '4102444800000000',
        layout: 3,
        divisions: '',
        functions: expect.any(String),
        generation: String(Number(generation) + 1),
      });
      const rows = (await rowsAt(address)).find(([name]) => name === 'Note')?.[1];
      expect(rows?.map(([, key]) => key)).toEqual(['a', 'b']);
    },
  );

  it('is left as it is by who looks at it beside its service', async () => {
    const { address } = await earlier(2);
    await expect(openPostgresBeside(address, [note])).rejects.toThrow(
      /was laid out by an earlier tacet or a later one; start the service with this one first/,
    );
  });

  it('forgets marks of long ago, and not their time', async () => {
    const { address, beside } = await schema();
    const store = await openPostgres(address, [note]);
    await store.commit([plan((tx) => tx.insert('Note', { key: ['a'], text: '{}' }))], () => 5);
    await store.close();
    await beside.query("UPDATE tacet_mark SET at = at - interval '2 hours'");
    const again = await opened(address, [note]);
    expect([again.latest, (await beside.query('SELECT FROM tacet_mark')).rowCount]).toEqual([5, 0]);
  });
});
