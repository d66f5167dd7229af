import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { house, houseOf, passwordOf, userPass, ways } from './doors.ts';
import { isPostgres } from './places.ts';
import { ask, indexesOn, start } from './served.ts';

/** How often a slow function of a secret was worked out: each takes as long as any other. */
const scrypts = vi.hoisted(() => ({ count: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const scrypt = (...given: Parameters<typeof crypto.scrypt>): void => {
    scrypts.count += 1;
    crypto.scrypt(...given);
  };
  return { ...crypto, scrypt };
});
afterEach(() => {
  scrypts.count = 0;
});

/** How many are worked out meanwhile. */
async function counted(run: () => Promise<unknown>): Promise<number> {
  const before = scrypts.count;
  await run();
  return scrypts.count - before;
}

describe('a secret', () => {
  it('stands neither in an answer but that of its making, nor in the log, nor in what is kept', async () => {
    const { enter, knock, service, pass } = await houseOf(house());
    const made = await enter('ada');
    const { query, ...secrets } = made.credentials;
    const told: unknown[] = [];
    for (const way of ways) {
      told.push(await knock('GET /open', { [way]: made.credentials[way] }));
      told.push(await knock('GET /bearer', { [way]: `${made.credentials[way]}x` }));
    }
    told.push(await ask(service, 'POST /people', { name: 'ada', password: passwordOf('ada') }));
    told.push(
      await ask(service, 'POST /people', { name: 'bob', password: passwordOf('ada'), more: secrets }),
    );
    for (const way of ['bearer', 'pass', 'cookie'] as const)
      told.push(await knock(`DELETE /${way}`, { [way]: made.credentials[way] }));
    pass(3_600_000);
    await enter('eve');
    const files = isPostgres
      ? JSON.stringify(await service.rows())
      : ['', '-wal'].map((suffix) => readFileSync(service.data + suffix, 'latin1')).join('');
    const log = JSON.stringify([service.faults, service.heldUp]);
    const canaries = { ...secrets, password: passwordOf('ada') };
    for (const [what, secret] of Object.entries(canaries))
      for (const [where, text] of Object.entries({ files, log, told: JSON.stringify(told) }))
        expect(`${what} in ${where}: ${text.includes(secret)}`).toBe(`${what} in ${where}: false`);
    // What is not stated to be a secret is kept as it is: the look would have found it.
    expect(files).toContain(query);
    await service.close();
  });

  it('that is given, and that an item is found by, still authenticates, and is not kept as it is', async () => {
    const service = await start(keys);
    const given = { name: 'ada', key: 'a key of my own' };
    expect((await ask(service, 'POST /people', given)).status).toBe(201);
    const by = async (key: string) => (await ask(service, 'GET /me', undefined, [`X-Key: ${key}`])).status;
    expect([await by(given.key), await by('another')]).toEqual([200, 401]);
    expect(JSON.stringify(await service.rows())).not.toContain(given.key);
    expect((await ask(service, 'PATCH /people/ada', { key: 'renewed' })).status).toBe(200);
    // `unique: ever` keeps that it was had, and not for whom it opens.
    expect([await by(given.key), await by('renewed')]).toEqual([401, 200]);
    expect((await ask(service, 'POST /people', { ...given, name: 'bob' })).status).toBe(409);
  });

  it('is found where nothing says that it is unique, while one item alone has it', async () => {
    const service = await start(keys.replace('unique: ever, ', ''));
    const given = { name: 'ada', key: 'a key of my own' };
    const by = async (key: string) => (await ask(service, 'GET /me', undefined, [`X-Key: ${key}`])).status;
    expect((await ask(service, 'POST /people', given)).status).toBe(201);
    expect([await by(given.key), await by('another')]).toEqual([200, 401]);
    expect((await ask(service, 'POST /people', { ...given, name: 'bob' })).status).toBe(201);
    expect(await by(given.key)).toBe(401);
  });
});

it('a secret that a change makes is told in its answer, and once, and is good from then on', async () => {
  const service = await start(keys);
  await ask(service, 'POST /people', { name: 'ada', key: 'first' });
  const { body } = await ask(service, 'POST /people/ada/key');
  const { key } = body as { readonly key: string };
  expect(key).toMatch(/^k_[A-Za-z0-9]{30}$/);
  const by = async (given: string) => (await ask(service, 'GET /me', undefined, [`X-Key: ${given}`])).status;
  expect([await by(key), await by('first')]).toEqual([200, 401]);
  expect(JSON.stringify(await service.rows())).not.toContain(key);
  // What the request has a part in is not the service's to tell.
  expect((await ask(service, 'POST /people/ada/own', { key: 'mine' })).body).toEqual({ key: null });
  expect(await by(key)).toBe(401);
});

const keys = `
name: Keys
complete: true
resources:
  Person:
    identifier: name
    fields:
      name: { type: string }
      key: { type: string, unique: ever, secret: hashed }
      pin: { type: string, readable: false, default: '1234' }
    required: [name]
endpoints:
  others: refuse
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: { status: 201, body: Person } }
  PATCH /people/{name}: { operation: change, does: update Person, request: { body: Person }, response: { status: 200, body: Person } }
  POST /people/{name}/key:
    operation: renew
    does: { update: Person, with: { key: "\${'k_' + random(30)}" } }
    response: { status: 200, body: { key: "\${this.key}" } }
  POST /people/{name}/own:
    operation: renewBy
    does: { update: Person, with: { key: "\${request.body.key + random(3)}" } }
    request: { body: { fields: { key: { type: string } } } }
    response: { status: 200, body: { key: "\${this.key}" } }
  GET /me: { operation: me, does: { read: Person, where: "\${this == actor}" }, response: { status: 200, body: Person } }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Person.key }, actor: Person, challenge: Key }
    pin: { type: http, scheme: basic, credentials: { kept: [Person.name, Person.pin] }, actor: Person, challenge: Basic }
  authorization: { enter: anyone, change: anyone, renew: anyone, renewBy: anyone, me: known }
errors: { codes: { wrong: { when: not authenticated, status: 401 }, taken: { when: not unique, status: 409 } } }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

it('a password that is not stated to be a secret is compared as it is kept', async () => {
  const service = await start(keys);
  await ask(service, 'POST /people', { name: 'ada' });
  const by = async (name: string, password: string) =>
    (await ask(service, 'GET /me', undefined, [`Authorization: Basic ${userPass(name, password)}`])).status;
  expect([await by('ada', '1234'), await by('ada', '12345'), await by('eve', '1234')]).toEqual([
    200, 401, 401,
  ]);
  const field = (text: string) => ask(service, 'GET /me', undefined, [`Authorization: Basic ${text}`]);
  // Neither without a colon, nor in another coding than base64 of UTF-8 (RFC 7617 §2).
  for (const text of ['YWRh', 'YWRhOjEyMzQ', 'YWRhOjEyMzQ_', '/zoxMjM0', '', '%%'])
    expect((await field(text)).status).toBe(401);
  expect((await field('YWRhOjEyMzQ=')).status).toBe(200);
  expect(service.faults).toEqual([]);
});

describe('whether somebody is known', () => {
  it('does not show in how much is worked out: basic', async () => {
    const { enter, knock } = await houseOf(house());
    await enter('ada');
    const tries = (name: string, password: string) =>
      counted(() => knock('GET /basic', { basic: userPass(name, password) }));
    expect(await tries('ada', passwordOf('ada'))).toBe(1);
    expect(await tries('ada', 'another')).toBe(1);
    expect(await tries('nobody', passwordOf('ada'))).toBe(1);
    expect(await tries('', '')).toBe(1);
  });

  it('does not show in how much is worked out: authenticate', async () => {
    const service = await start(logging);
    await ask(service, 'POST /people', { name: 'ada', password: 'correct horse', pin: 'staple' });
    await ask(service, 'POST /people', { name: 'eve' });
    const log = (given: object) => counted(() => ask(service, 'POST /sessions', given));
    const usual = { name: 'ada', password: 'correct horse', pin: 'staple' };
    expect((await ask(service, 'POST /sessions', usual)).status).toBe(200);
    for (const given of [
      usual,
      { ...usual, password: 'x' },
      { ...usual, pin: 'x' },
      { ...usual, password: 'x', pin: 'y' },
      { ...usual, name: 'eve' },
      { ...usual, name: 'nobody' },
      { ...usual, name: 'ADA' },
    ])
      expect(await log(given)).toBe(2);
    expect(await counted(() => ask(service, 'POST /tickets', { name: 'nobody', ticket: 'x' }))).toBe(0);
    expect(await counted(() => ask(service, 'POST /tickets', { name: 'ada', ticket: 'x' }))).toBe(0);
  });
});

const logging = `
name: Sessions
complete: true
resources:
  Person:
    identifier: id
    fields:
      id: { type: string, format: uuid, set: { create: "\${uuid()}" } }
      name: { type: string }
      password: { type: string, secret: hashed }
      pin: { type: string, secret: hashed }
      ticket: { type: string, secret: hashed, set: { create: "\${random(20)}" } }
    required: [name]
endpoints:
  others: refuse
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: { status: 201, body: Person } }
  POST /sessions:
    operation: logIn
    does: { authenticate: Person, by: [name, password, pin] }
    request: { body: { fields: { name: { type: string }, password: { type: string }, pin: { type: string } } } }
    response: { status: 200, body: Person }
  POST /tickets:
    operation: enterBy
    does: { authenticate: Person, by: [name, ticket] }
    request: { body: { fields: { name: { type: string }, ticket: { type: string } } } }
    response: { status: 200, body: Person }
authentication: (none)
errors: { codes: { wrong: { when: wrong credentials, status: 401 } } }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

describe('credentials and rules', () => {
  it('are looked up by an index', async () => {
    const { service } = await houseOf(house());
    for (const member of ['name', 'key', 'code'])
      expect(await indexesOn(service, 'Person', member)).toHaveLength(1);
    expect(await indexesOn(await start(logging), 'Person', 'name')).toHaveLength(1);
  });
});

it('a repeat tells a credential again, and what is kept of it does not', async () => {
  const text = house().replace(
    'request: { body: Person }',
    'request: { body: Person }\n    idempotency: { header: Idempotency-Key, life: P1D, per: key }',
  );
  const service = await start(text);
  const enter = (password: string, key: string) =>
    ask(service, 'POST /people', { name: 'ada', password }, [`Idempotency-Key: ${key}`]);
  const first = await enter('correct horse', 'a key of its own');
  expect(first.status).toBe(201);
  expect(await enter('correct horse', 'a key of its own')).toEqual(first);
  expect((await enter('another', 'a key of its own')).status).toBe(400);
  const rows = JSON.stringify(await service.rows());
  const { query, id, ...secrets } = first.body as Readonly<Record<string, string>>;
  for (const secret of [...Object.values(secrets), 'a key of its own', 'correct horse'])
    expect(rows).not.toContain(secret);
  expect(rows).toContain(query);
});
