import { describe, expect, it } from 'vitest';
import { userPass } from './doors.ts';
import { ask, start } from './served.ts';

const text = `
name: Keys
complete: true
service: { actors: { machine: whatever has a key } }
resources: { Person: { identifier: name, fields: { name: { type: string } }, items: [{ name: ada }] } }
endpoints:
  others: refuse
  GET /me: { operation: me, does: { read: Person, where: "\${this == actor}" }, response: { status: 200, body: Person } }
  GET /machine: { operation: machine, does: (none), response: 204 }
  GET /door: { operation: door, does: (none), response: 204 }
authentication:
  schemes:
    key: { type: apiKey, in: header, name: X-Key, credentials: operator, actor: Person.name, challenge: Key }
    bot: { type: http, scheme: bearer, credentials: operator, actor: machine, challenge: Bearer }
    door: { type: http, scheme: basic, credentials: operator, challenge: Basic }
  authorization:
    me: { rule: known, schemes: key }
    machine: { rule: machine, schemes: bot }
    door: { rule: known, schemes: door }
errors: { codes: { missing: { when: credential missing, status: 401 }, wrong: { when: credential wrong, status: 401 } } }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

const credentials = {
  key: { ada: 'k-ada', eve: 'k-eve' },
  bot: { one: 'b-1', two: 'b-2' },
  door: { porter: 'open: sesame' },
};

describe('credentials that the operator gives', () => {
  it('let in whoever has one, by the name that it has', async () => {
    const service = await start(text, { credentials });
    const by = async (line: string, ...fields: string[]) => {
      const { status, body } = await ask(service, line, undefined, fields);
      return [status, body];
    };
    expect(await by('GET /me', 'X-Key: k-ada')).toEqual([200, { name: 'ada' }]);
    // A name that no item has is nobody's here.
    for (const key of ['k-eve', 'k-ad', 'ada', '', 'b-1'])
      expect((await by('GET /me', `X-Key: ${key}`))[0]).toBe(401);
    for (const key of ['b-1', 'b-2'])
      expect((await by('GET /machine', `Authorization: Bearer ${key}`))[0]).toBe(204);
    expect((await by('GET /machine', 'Authorization: Bearer k-ada'))[0]).toBe(401);
    const basic = (name: string, password: string) => `Authorization: Basic ${userPass(name, password)}`;
    expect((await by('GET /door', basic('porter', 'open: sesame')))[0]).toBe(204);
    for (const [name, password] of [
      ['porter', 'open'],
      ['other', 'open: sesame'],
      ['', 'open: sesame'],
    ] as const)
      expect((await by('GET /door', basic(name, password)))[0]).toBe(401);
    expect(service.faults).toEqual([]);
  });

  it('that are missing refuse the start, and are named; so are those that nobody wants', async () => {
    const { bot, ...others } = credentials;
    await expect(start(text, { credentials: others })).rejects.toThrow(
      'the credentials of bot are the operator\'s to give: --credentials FILE, or TACET_CREDENTIALS, with {"bot": {"NAME": "SECRET"}}',
    );
    await expect(start(text, { credentials: { ...others, bot: {} } })).rejects.toThrow(
      'the credentials of bot',
    );
    await expect(start(text, { credentials: { ...credentials, bto: bot } })).rejects.toThrow(
      "bto is no scheme whose credentials are the operator's to give",
    );
  });
});

describe('the first account', () => {
  const accounts = (items: string, rule: string) => `
name: Accounts
complete: true
service: { actors: { root: sets it up } }
resources:
  Account:
    identifier: name
    fields:
      name: { type: string }
      password: { type: string, secret: hashed }
      role: { type: string, default: guest }
    required: [name, password]
    ${items}
endpoints:
  others: refuse
  POST /accounts: { operation: enter, does: create Account, request: { body: Account }, response: { status: 201, body: Account } }
  GET /me: { operation: me, does: { read: Account, where: "\${this == actor}" }, response: { status: 200, body: Account } }
authentication:
  schemes:
    own: { type: http, scheme: basic, credentials: { kept: [Account.name, Account.password] }, actor: Account, challenge: Basic }
    setup: { type: apiKey, in: header, name: X-Setup, credentials: operator, actor: root, challenge: Setup }
  authorization:
    enter: ${rule}
    me: { rule: known, schemes: own }
errors: { codes: { wrong: { when: not authenticated, status: 401 }, forbidden: { when: not authorized, status: 403 } } }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;
  const setup = { setup: { root: 'set it up' } };
  const as = (name: string, password: string) => [`Authorization: Basic ${userPass(name, password)}`];
  const ada = { name: 'ada', password: 'correct horse' };

  it('comes to be by what the operator holds', async () => {
    const service = await start(accounts('', '{ rule: root, schemes: setup }'), { credentials: setup });
    expect((await ask(service, 'POST /accounts', ada)).status).toBe(401);
    expect((await ask(service, 'POST /accounts', ada, ['X-Setup: guess'])).status).toBe(401);
    expect((await ask(service, 'POST /accounts', ada, ['X-Setup: set it up'])).status).toBe(201);
    expect((await ask(service, 'GET /me', undefined, as('ada', 'correct horse'))).status).toBe(200);
    expect((await ask(service, 'GET /me', undefined, as('ada', 'set it up'))).status).toBe(401);
  });

  it('may be there from the start, and makes others', async () => {
    const items = 'items: [{ name: eve, password: battery staple, role: warden }]';
    const rule = `{ rule: "\${actor.role == 'warden'}", schemes: own }`;
    const service = await start(accounts(items, rule), { credentials: setup });
    expect(JSON.stringify(await service.rows())).not.toContain('battery staple');
    expect((await ask(service, 'POST /accounts', ada, as('eve', 'battery'))).status).toBe(401);
    expect((await ask(service, 'POST /accounts', ada, as('eve', 'battery staple'))).status).toBe(201);
    expect(
      (await ask(service, 'POST /accounts', { ...ada, name: 'bob' }, as('ada', 'correct horse'))).status,
    ).toBe(403);
  });
});
