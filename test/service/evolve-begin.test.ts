import { describe, expect, it } from 'vitest';
import { StoreRefused } from '../../src/service/store/store.ts';
import { ask, place, start } from './served.ts';

/** Guests, by what is said of their names and of how they move. */
const guests = (name = '', transitions = ''): string => `
resources:
  Guest:
    identifier: id
    fields:
      id: { type: integer }
      name: { type: string${name} }
      leaves: { type: string, format: date-time }
      status: { type: string }
states:
  Guest.status:
    states: [waiting, called, gone]
    initial: waiting
    transitions: { call: { from: waiting, to: called }${transitions} }
endpoints:
  others: refuse
  POST /guests: { does: create Guest, request: { body: Guest }, response: 201 }
  GET /guests: { does: list Guest, response: { status: 200, body: "\${Guest(page.items)}" } }
  DELETE /guests/{id}: { does: delete Guest, response: 204 }
  POST /guests/{id}/call: { does: call Guest, response: 204 }
errors: { codes: { taken: { when: not unique, status: 409 } } }
`;

const minutes = 60_000;
const begin = Date.UTC(2026, 0, 1);
const at = (minute: number): string => new Date(begin + minute * minutes).toISOString();

/** A file that goes through several specifications, each at a minute; what is done under each, and what comes of it. */
async function house() {
  const data = await place();
  let milliseconds = begin;
  return async (
    minute: number,
    text: string,
    ...lines: readonly (readonly [string, object?])[]
  ): Promise<{ readonly statuses: readonly number[]; readonly guests: unknown }> => {
    milliseconds = begin + minute * minutes;
    const service = await start(text, { data, milliseconds: () => milliseconds });
    const statuses: number[] = [];
    for (const [line, body] of lines) statuses.push((await ask(service, line, body)).status);
    const { body } = await ask(service, 'GET /guests');
    await service.close();
    const found = body as { id: number; status: string }[];
    return { statuses, guests: found.map(({ id, status }) => `${id} ${status}`) };
  };
}

describe('`unique: ever` that is stated when items are there (language §2.2)', () => {
  const ever = guests(', unique: ever');

  it('takes in the values that they have', async () => {
    const under = await house();
    await under(0, guests(), ['POST /guests', { id: 1, name: 'a' }], ['POST /guests', { id: 2 }]);
    const { statuses } = await under(1, ever, ['DELETE /guests/1'], ['POST /guests', { id: 3, name: 'a' }]);
    expect(statuses).toEqual([204, 409]);
  });

  it('is refused where a value was had by another before', async () => {
    const under = await house();
    await under(0, ever, ['POST /guests', { id: 1, name: 'a' }], ['DELETE /guests/1']);
    expect((await under(1, guests(), ['POST /guests', { id: 2, name: 'a' }])).statuses).toEqual([201]);
    const refused = await under(2, ever).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreRefused);
    expect((refused as Error).message.split('\n')[1]).toBe('  Guest 2: name (unique)');
    // Nothing of it was kept.
    expect((await under(3, guests())).guests).toEqual(['2 waiting']);
  });
});

describe('a timer that is stated when items are there (language §3.3)', () => {
  const leaving = (span: string, from = 'waiting'): string =>
    guests('', `, leave: { from: ${from}, to: gone, after: ${span} }`);

  it('counts from then on for those that are in such a state', async () => {
    const under = await house();
    await under(
      0,
      guests(),
      ['POST /guests', { id: 1 }],
      ['POST /guests', { id: 2 }],
      ['POST /guests/2/call'],
    );
    expect((await under(100, leaving('PT10M'))).guests).toEqual(['1 waiting', '2 called']);
    expect((await under(109, leaving('PT10M'))).guests).toEqual(['1 waiting', '2 called']);
    expect((await under(110, leaving('PT10M'))).guests).toEqual(['1 gone', '2 called']);
  });

  it('runs on as it was where it is stated already, or for another span', async () => {
    const under = await house();
    await under(0, leaving('PT10M'), ['POST /guests', { id: 1 }]);
    await under(5, leaving('PT20M'), ['POST /guests', { id: 2 }]);
    expect((await under(10, leaving('PT20M'))).guests).toEqual(['1 gone', '2 waiting']);
    expect((await under(25, leaving('PT20M'))).guests).toEqual(['1 gone', '2 gone']);
  });

  it('begins for those in a state that it is stated for later', async () => {
    const under = await house();
    await under(0, leaving('PT10M'), ['POST /guests', { id: 1 }], ['POST /guests/1/call']);
    const wider = leaving('PT10M', '[waiting, called]');
    expect((await under(100, wider)).guests).toEqual(['1 called']);
    expect((await under(110, wider)).guests).toEqual(['1 gone']);
  });

  it('is due at the time that the item holds, also where that has been', async () => {
    const under = await house();
    const timed = guests('', ', leave: { from: waiting, to: gone, at: "${this.leaves}" }');
    const times = [at(50), at(200), undefined];
    await under(0, guests(), ...times.map((leaves, id) => ['POST /guests', { id, leaves }] as const));
    expect((await under(100, timed)).guests).toEqual(['0 gone', '1 waiting', '2 waiting']);
    expect((await under(200, timed)).guests).toEqual(['0 gone', '1 gone', '2 waiting']);
  });

  it('does not fire once it is stated no more', async () => {
    const under = await house();
    const other = ', close: { from: called, to: gone, after: PT1M }';
    await under(0, leaving('PT10M'), ['POST /guests', { id: 1 }]);
    const untimed = guests('', `, leave: { from: waiting, to: gone }${other}`);
    expect((await under(100, untimed)).guests).toEqual(['1 waiting']);
  });

  it('is refused where it cannot be told when it is due', async () => {
    const under = await house();
    await under(0, guests(), ['POST /guests', { id: 1, name: 'x' }]);
    const strange = guests('', ', leave: { from: waiting, to: gone, after: "${duration(this.name)}" }');
    const refused = await under(1, strange).catch((error: unknown) => error);
    expect((refused as Error).message.split('\n')[1]).toBe('  Guest 1: status (leave)');
  });
});
