import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, answer, ask, request, type Served, start, wire } from '../served.ts';

/** What hashes passwords: it takes as long as a test wants, and never the thread of the service. */
const scrypts = vi.hoisted(() => ({
  begun: [] as (() => void)[],
  isHeld: false,
  atOnce: 0,
  running: 0,
  calls: 0,
  told: (): void => {},
}));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const scrypt = (...given: Parameters<typeof crypto.scrypt>): void => {
    const [secret, salt, length, options, done] = given as unknown as Parameters<typeof crypto.scrypt>;
    scrypts.running += 1;
    scrypts.calls += 1;
    const begin = (): void =>
      crypto.scrypt(secret, salt, length, options, (error, key) => {
        scrypts.running -= 1;
        done(error, key);
      });
    if (scrypts.isHeld) scrypts.begun.push(begin);
    else begin();
    scrypts.told();
  };
  const scryptSync = (...given: Parameters<typeof crypto.scryptSync>): Buffer => {
    scrypts.atOnce += 1;
    return crypto.scryptSync(...given);
  };
  return { ...crypto, scrypt, scryptSync };
});
beforeEach(() => {
  scrypts.begun = [];
  scrypts.isHeld = false;
  scrypts.atOnce = 0;
  scrypts.running = 0;
});

/** Resolves once so many are under way. */
function underway(count: number): Promise<void> {
  return new Promise((resolve) => {
    scrypts.told = () => {
      if (scrypts.begun.length >= count) resolve();
    };
    scrypts.told();
  });
}

function release(): void {
  scrypts.isHeld = false;
  for (const begin of scrypts.begun.splice(0)) begin();
}

const people = `
name: People
complete: true
resources:
  Person:
    identifier: name
    fields:
      name: { type: string }
      password: { type: string, secret: hashed }
    required: [name, password]
endpoints:
  others: refuse
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: 201 }
  PUT /people/{name}/password:
    operation: renew
    does: { update: Person, with: { password: "\${request.body.new}" } }
    request: { body: { properties: { new: { type: string } }, required: [new] } }
    response: 204
  GET /people: { operation: list, does: list Person, response: { status: 200, body: "\${page.total}" } }
  POST /sessions:
    operation: login
    does: { authenticate: Person, by: { name: "\${request.body.name}", password: "\${request.body.password}" } }
    request: { body: { properties: { name: { type: string }, password: { type: string } }, required: [name, password] } }
    response: 204
`;

const ada = { name: 'ada', password: 'correct horse' };
const busy = answer(503, '', ['Retry-After: 1']);

async function peopleWith(passwordChecks: number): Promise<Served> {
  const service = await start(people, { limits: { passwordChecks } });
  expect(await ask(service, 'POST /people', ada)).toEqual(answer(201));
  return service;
}

describe('passwords, of which so many may be in line', () => {
  it('beyond are refused with 503 and Retry-After, and nothing else is', async () => {
    const service = await peopleWith(1);
    scrypts.isHeld = true;
    const first = ask(service, 'POST /sessions', ada);
    await underway(1);
    expect(await ask(service, 'POST /sessions', ada)).toEqual(busy);
    expect(await ask(service, 'POST /people', { ...ada, name: 'bob' })).toEqual(busy);
    expect(await ask(service, 'PUT /people/ada/password', { new: 'x' })).toEqual(busy);
    expect((await ask(service, 'GET /people')).status).toBe(200);
    release();
    expect(await first).toEqual(answer(204));
    expect(await ask(service, 'POST /sessions', ada)).toEqual(answer(204));
    expect(service.faults).toEqual([]);
  });

  it('whose client went away give their places up', async () => {
    const service = await peopleWith(8);
    scrypts.isHeld = true;
    const clients = Array.from({ length: 9 }, () => wire(service));
    const login = request('POST /sessions', [], JSON.stringify(ada));
    for (const { send } of clients) send(login);
    // One of nine is refused: the others are in line.
    const refused = await Promise.race(
      clients.map(async (client) => {
        expect(await client.answer()).toEqual(busy);
        return client;
      }),
    );
    for (const { socket } of clients) if (socket !== refused.socket) socket.destroy();
    const begun = scrypts.calls;
    let found: Answer | null;
    let coming: Promise<Answer>;
    do {
      refused.send(login);
      found = null;
      coming = refused.answer().then((one) => {
        found = one;
        return one;
      });
      // A refusal comes before the answers to what is asked after it.
      await ask(service, 'GET /people');
      await ask(service, 'GET /people');
    } while (found !== null);
    release();
    expect(await coming).toEqual(answer(204));
    expect(scrypts.calls).toBe(begun + 1);
    expect(service.faults).toEqual([]);
  });

  it('are let go when the service ends, without a fault', async () => {
    const service = await start(people, { limits: { requestTimeoutMs: 50 } });
    expect(await ask(service, 'POST /people', ada)).toEqual(answer(201));
    scrypts.isHeld = true;
    const clients = Array.from({ length: 8 }, () => wire(service));
    for (const { send } of clients) send(request('POST /sessions', [], JSON.stringify(ada)));
    await underway(1);
    const ended = Promise.all(clients.map(({ rest }) => rest()));
    const closed = service.close();
    await ended;
    release();
    await closed;
    // What ran goes on as far as it will.
    for (let turns = 0; scrypts.running > 0 || turns < 5; turns += 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(service.faults).toEqual([]);
  });
});

describe('a password that a change sets', () => {
  it('is hashed beside the thread of the service, wherever it comes from', async () => {
    const service = await peopleWith(8);
    expect(await ask(service, 'PUT /people/ada/password', { new: 'battery staple' })).toEqual(answer(204));
    expect(scrypts.atOnce).toBe(0);
    expect((await ask(service, 'POST /sessions', ada)).status).not.toBe(204);
    expect(await ask(service, 'POST /sessions', { ...ada, password: 'battery staple' })).toEqual(answer(204));
  });
});
