import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import { begin, end, type Process } from '../processes.ts';
import { ask, type Served, start } from '../served.ts';
import { versions } from './parcels.ts';
import { absence, opened, schema } from './postgres.ts';
import { done } from './stores.ts';

const missing = await absence();

/** Parcels that are counted, each with a label of its own that is made with it. */
const parcels = (weight = '', more = ''): string => `
resources:
  Parcel:
    identifier: id
    fields:
      id: { type: string }
      number: { type: integer, set: { create: "\${sequence()}" } }
      ${weight}
  Label: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: ignore
  POST /parcels:
    does: create Parcel
    also: [{ create: Label, with: { id: "\${this.id}" } }]
    request: { body: Parcel }
    response: { status: 201, body: Parcel }
  GET /parcels: { does: list Parcel, response: { status: 200, body: "\${Parcel(page.items)}" } }
  GET /labels: { does: list Label, response: { status: 200, body: "\${Label(page.items)}" } }
${more}`;

interface Parcel {
  readonly id: string;
  readonly number: number;
}

async function got<T>({ address }: Pick<Process, 'address'>, path: string): Promise<T> {
  return (await (await fetch(`${address}${path}`)).json()) as T;
}

/** The parcel that was made; null where the connection ended before it was told. */
async function make({ address }: Process, id: string, body: object = {}): Promise<Parcel | null> {
  try {
    const answer = await fetch(`${address}/parcels`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, ...body }),
    });
    expect(answer.status).toBe(201);
    return (await answer.json()) as Parcel;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

describe.skipIf(missing !== null)('three processes on one database', () => {
  it('begin at once, and count together', async () => {
    const { address } = await schema();
    const all = await begin(3, address, parcels());
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => make(all[index % 3] as Process, `p${index}`)),
    );
    const numbers = made.map((one) => one?.number).sort((a, b) => Number(a) - Number(b));
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    for (const one of all) expect(await got<Parcel[]>(one, '/parcels')).toHaveLength(60);
  });

  it('bring what is kept over once, though they begin at once', async () => {
    const { address, beside } = await schema();
    const [before] = await begin(1, address, parcels('kilos: { type: number, maximum: 100 }'));
    await make(before as Process, 'a', { kilos: 1.5 });
    await end((before as Process).child);
    await begin(
      3,
      address,
      parcels(
        'weight: { type: integer, maximum: 100000 }',
        versions('was: kilos, type: number, maximum: 100, taken: "${int(value * 1000.0)}"'),
      ),
    );
    const { rows } = await beside.query('SELECT key0, members FROM "Parcel"');
    expect(rows).toEqual([{ key0: 'a', members: '{"number":1,"weight":1500}' }]);
  });

  it('lose nothing that was answered, and leave no part of a change, when one is killed', async () => {
    const { address } = await schema();
    const [killed, other] = (await begin(2, address, parcels())) as [Process, Process];
    const answered: Parcel[] = [];
    let left = 40;
    const write = async (to: Process, name: string): Promise<void> => {
      for (let index = 0; index < 60; index += 1) {
        const made = await make(to, `${name} ${index}`);
        if (made === null) return;
        answered.push(made);
        left -= 1;
        if (left === 0) killed.child.kill('SIGKILL');
      }
    };
    await Promise.all(
      [killed, other].flatMap((to, one) =>
        Array.from({ length: 4 }, (_, writer) => write(to, `${one} ${writer}`)),
      ),
    );
    expect(killed.child.signalCode ?? (await once(killed.child, 'exit'))[1]).toBe('SIGKILL');
    const [kept, labels] = [await got<Parcel[]>(other, '/parcels'), await got<Parcel[]>(other, '/labels')];
    const ids = kept.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(answered.map(({ id }) => id)));
    expect(labels.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(kept.map(({ number }) => number)).toEqual(kept.map((_, index) => index + 1));
    expect(ids.filter((id) => id.startsWith('1 '))).toHaveLength(240);
  });
});

const first = Date.UTC(2026, 0, 1);
const guests = `
resources:
  Guest:
    identifier: id
    fields: { id: { type: string }, at: { type: string, set: { create: "\${now}" } }, state: { type: string } }
states:
  Guest.state:
    states: [waiting, gone]
    initial: waiting
    transitions: { leave: { from: waiting, to: gone, after: PT10S } }
endpoints:
  others: refuse
  POST /guests: { does: create Guest, request: { body: Guest }, response: { status: 201, body: Guest } }
  GET /guests/{id}: { does: read Guest, response: { status: 200, body: Guest } }
`;

describe.skipIf(missing !== null)('two processes on one database', () => {
  const both = async (): Promise<readonly [Served, Served, { ahead: number; now: number }]> => {
    const { address } = await schema();
    const clock = { ahead: 0, now: first };
    const one = await start(guests, { data: address, milliseconds: () => clock.now + clock.ahead });
    const other = await start(guests, { data: address, milliseconds: () => clock.now });
    return [one, other, clock];
  };

  it('go by one time where something is kept, though their clocks differ', async () => {
    const [one, other, clock] = await both();
    clock.ahead = 5000;
    const made = async (to: Served, id: string): Promise<string> =>
      ((await ask(to, 'POST /guests', { id })).body as { at: string }).at;
    const times = [
      await made(one, 'a'),
      await made(other, 'b'),
      await made(one, 'c'),
      await made(other, 'd'),
    ];
    expect(times.map((time) => time.slice(0, 19))).toEqual(times.map(() => '2026-01-01T00:00:05'));
    expect([...times].sort()).toEqual(times);
    expect(new Set(times).size).toBe(4);
  });

  it('each make happen what the other has set', async () => {
    const [one, other, clock] = await both();
    expect((await ask(one, 'POST /guests', { id: 'a' })).status).toBe(201);
    await one.close();
    clock.now += 11_000;
    const state = async (): Promise<unknown> =>
      ((await ask(other, 'GET /guests/a')).body as { state: string }).state;
    await expect.poll(state, { timeout: 5_000, interval: 50 }).toBe('gone');
    expect(other.faults).toEqual([]);
  });
});

describe.skipIf(missing !== null)('a process whose tables another document has laid out anew', () => {
  it('keeps nothing any more, and says why', async () => {
    const { address } = await schema();
    const note = { name: 'Note', keyFields: ['id'] };
    const old = await opened(address, [note]);
    const write = (store: typeof old, id: string) =>
      done(store, (tx) => tx.insert('Note', { key: [id], text: '{}' }));
    expect((await write(old, 'a')).status).toBe(201);
    expect((await write(await opened(address, [note]), 'b')).status).toBe(201);
    expect((await write(old, 'c')).status).toBe(201);
    const indexed = { ...note, indexes: [{ fields: [{ path: ['code'] }], unique: true }] };
    const fresh = await openPostgres(address, [indexed]);
    onTestFinished(() => fresh.close());
    await expect(write(old, 'd')).rejects.toThrow(/another document has laid the tables out anew/);
    expect((await write(fresh, 'd')).status).toBe(201);
  });
});
