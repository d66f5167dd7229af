import { describe, expect, it } from 'vitest';
import { read } from '../../../src/specification/read.ts';
import { answer, ask, start } from '../served.ts';

/** Accounts, and entries by which their balances change. */
const ledger = `
name: Ledger
complete: true
resources:
  Account:
    identifier: number
    fields:
      number: { type: string }
      limit: { type: integer, default: 0 }
      balance: { type: integer, derived: "\${Entry.filter(e, e.account == this).map(e, e.amount).sum()}" }
    guards:
      update: "\${this.limit >= old.limit}"
      delete: "\${this.balance == 0}"
  Entry:
    identifier: id
    fields:
      id: { type: integer, set: { create: "\${sequence()}" } }
      account: { refers: Account, ifDeleted: delete }
      amount: { type: integer, default: 1 }
      kept: { type: boolean, default: false }
      state: { type: string, writable: false }
    required: [account]
    guards:
      create: "\${this.account.balance + this.account.limit >= 0}"
      update: "\${false}"
      delete: "\${!this.kept}"
states:
  Entry.state:
    states: [new, booked]
    initial: new
    final: [booked]
    transitions: { book: { from: new, to: booked, after: PT1M } }
endpoints:
  others: refuse
  POST /accounts: { does: create Account, request: { body: Account }, response: 201 }
  PUT /accounts/{number}: { does: { create: Account, present: replace }, request: { body: Account }, response: 204 }
  PATCH /accounts/{number}: { does: update Account, request: { body: Account, media: application/merge-patch+json }, response: 204 }
  DELETE /accounts/{number}: { does: delete Account, response: 204 }
  POST /entries: { does: create Entry, request: { body: Entry }, response: 201 }
  GET /entries: { does: list Entry, response: { status: 200, body: "\${Entry(page.items)}" } }
  DELETE /entries: { does: delete every Entry, response: 204 }
  POST /transfers:
    does: (none)
    also:
      - { create: Entry, with: { account: "\${request.body.from}", amount: "\${-request.body.amount}" } }
      - { create: Entry, with: { account: "\${request.body.to}", amount: "\${request.body.amount}" } }
    request:
      body: { fields: { from: { type: string }, to: { type: string }, amount: { type: integer } }, required: [from, to, amount] }
    response: 204
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    short: { when: guard refused Entry.create, status: 409 }
    kept: { when: guard refused Entry.delete, status: 410 }
    lower: { when: guard refused Account.update, status: 411 }
    open: { when: guard refused Account, status: 412 }
`;

const merge = ['Content-Type: application/merge-patch+json'];

async function served() {
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
  const service = await start(ledger, { milliseconds: () => clock.now });
  const done = async (what: string, body?: object): Promise<unknown> =>
    ask(service, what, body, what.startsWith('PATCH') ? merge : []);
  const each = async (...all: readonly (readonly [string, object?])[]): Promise<void> => {
    for (const [what, body] of all)
      expect([what, await done(what, body)]).toEqual([
        what,
        expect.objectContaining({ status: /POST \/(accounts|entries)/.test(what) ? 201 : 204 }),
      ]);
  };
  return { service, clock, done, each };
}

describe('a guard of a resource (language §2.1)', () => {
  it('sees a new item as it is stored, with what others derive from it', async () => {
    const { service, done, each } = await served();
    await each(['POST /accounts', { number: 'a' }], ['POST /entries', { account: 'a', amount: 2 }]);
    const before = await service.rows();
    expect(await done('POST /entries', { account: 'a', amount: -3 })).toEqual(answer(409, { code: 'short' }));
    expect(await service.rows()).toEqual(before);
    await each(['POST /entries', { account: 'a', amount: -2 }]);
    expect(service.faults).toEqual([]);
  });

  it('holds whoever asks for the change, and undoes all of the request', async () => {
    const { service, done, each } = await served();
    await each(['POST /accounts', { number: 'a', limit: 5 }], ['POST /accounts', { number: 'b' }]);
    const before = await service.rows();
    const transfer = { from: 'a', to: 'b', amount: 6 };
    expect(await done('POST /transfers', transfer)).toEqual(answer(409, { code: 'short' }));
    expect(await service.rows()).toEqual(before);
    await each(['POST /transfers', { ...transfer, amount: 5 }]);
  });

  it('compares an update with the item before, also when it replaces', async () => {
    const { done, each } = await served();
    await each(['PUT /accounts/a', { limit: 4 }], ['PATCH /accounts/a', { limit: 5 }]);
    expect(await done('PATCH /accounts/a', { limit: 4 })).toEqual(answer(411, { code: 'lower' }));
    expect(await done('PUT /accounts/a', {})).toEqual(answer(411, { code: 'lower' }));
    await each(['PATCH /accounts/a', { limit: 5 }], ['PUT /accounts/a', { limit: 6 }]);
  });

  it('judges what is deleted, alone, with others, and because of another item', async () => {
    const { done, each } = await served();
    await each(['POST /accounts', { number: 'a' }], ['POST /entries', { account: 'a', amount: 2 }]);
    expect(await done('DELETE /accounts/a')).toEqual(answer(412, { code: 'open' }));
    await each(['POST /entries', { account: 'a', amount: -2, kept: true }]);
    expect(await done('DELETE /accounts/a')).toEqual(answer(410, { code: 'kept' }));
    expect(await done('DELETE /entries')).toEqual(answer(410, { code: 'kept' }));
  });

  it('is not asked when a transition moves an item', async () => {
    const { clock, done, each } = await served();
    await each(['POST /accounts', { number: 'a' }], ['POST /entries', { account: 'a' }]);
    clock.now += 120_000;
    expect(await done('GET /entries')).toEqual(
      answer(200, [{ id: 1, account: 'a', amount: 1, kept: false, state: 'booked' }]),
    );
  });
});

describe('tacet check, of guards', () => {
  const diagnostics = (change: (text: string) => string) =>
    read('ledger.yaml', change(ledger)).diagnostics.map(({ code, message }) => [code, message]);

  it('finds nothing wrong with the ledger', () => {
    expect(diagnostics((text) => text)).toEqual([]);
  });

  it('refuses a guard that reads the item before a creation, and a value that is no condition', () => {
    expect(diagnostics((text) => text.replace('this.account.balance + ', 'old.amount + '))).toEqual([
      ['expression-type', expect.stringContaining('old')],
    ]);
    expect(diagnostics((text) => text.replace('!this.kept', 'this.amount'))).toEqual([
      ['expression-type', expect.any(String)],
    ]);
  });

  it('knows the guards that a row of part 7 can name', () => {
    expect(diagnostics((text) => text.replace('Entry.create,', 'Entry.replace,'))).toEqual([
      ['unknown-name', 'replace is not the name of a guard'],
    ]);
    expect(diagnostics((text) => text.replace(/ {4}guards:\n {6}update.*\n {6}delete.*\n/, ''))).toEqual([
      ['never-refused', expect.any(String)],
      ['never-refused', expect.any(String)],
    ]);
  });
});

const rooms = (order: string): string => `
name: rooms
resources:
  Room:
    identifier: id
    fields:
      id: { type: string }
      door: { type: integer, unique: true }
      seats: { type: integer, default: 1 }
    guards:
      create: "\${this.seats < 10}"
      update: "\${this.seats >= old.seats}"
endpoints:
  others: refuse
  POST /rooms: { does: create Room, request: { body: Room }, response: 201 }
  PATCH /rooms/{id}: { does: update Room, request: { body: Room }, response: 204 }
  GET /rooms: { does: { list: Room, order: [id] }, response: { status: 200, body: "\${Room(page.items)}" } }
errors:
  codes:
    taken: { when: not unique, status: 409 }
    refused: { when: guard refused, status: 403 }
${order}`;

describe('an item that is not unique, and that its guard refuses (language §H.4)', () => {
  for (const [order, both] of [
    ['', 403],
    ['  order: [taken, refused]', 409],
    ['  order: [refused, taken]', 403],
  ] as const)
    it(`is answered in the order of the conditions: ${order.trim() || 'as numbered'}`, async () => {
      const service = await start(rooms(order));
      const send = async (line: string, body: object) => (await ask(service, line, body)).status;
      const [a, b] = [
        { id: 'a', door: 1, seats: 5 },
        { id: 'b', door: 2, seats: 5 },
      ];
      expect(await send('POST /rooms', a)).toBe(201);
      expect(await send('POST /rooms', b)).toBe(201);
      expect(await send('POST /rooms', { id: 'c', door: 1, seats: 20 })).toBe(both);
      expect(await send('POST /rooms', { id: 'c', door: 1 })).toBe(409);
      expect(await send('POST /rooms', { id: 'c', door: 3, seats: 20 })).toBe(403);
      expect(await send('PATCH /rooms/b', { door: 1, seats: 2 })).toBe(both);
      expect(await send('PATCH /rooms/b', { door: 1 })).toBe(409);
      expect(await send('PATCH /rooms/b', { seats: 2 })).toBe(403);
      expect((await ask(service, 'GET /rooms')).body).toEqual([a, b]);
    });
});
