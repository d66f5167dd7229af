import type { JSONWebKeySet } from 'jose';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { read } from '../../../src/specification/read.ts';
import { ask, start } from '../served.ts';

const day = 86_400_000;
const began = Date.UTC(2026, 0, 1);

/** A service whose tokens are signed, and the time that its clock shows. */
const document = (credentials: string, more = ''): string => `
tacet: 1
complete: true
name: Gate
resources:
  Guest: { identifier: [house, number], fields: { house: { type: string }, number: { type: integer }, role: { type: string } } }
  Person: { identifier: name, fields: { name: { type: string }, role: { type: string } } }
endpoints:
  others: ignore
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: { status: 201, body: { token: "\${issue('token', this)}", said: "\${issue('said', this)}" } } }
  POST /guests: { operation: invite, does: create Guest, request: { body: Guest }, response: { status: 201, body: { token: "\${issue('pass', this)}" } } }
  DELETE /people/{name}: { operation: remove, does: delete Person, response: 204 }
  DELETE /session: { operation: leave, does: revoke token, response: 204 }
  GET /me: { operation: me, does: (none), response: { status: 200, body: { name: "\${actor.name}" } } }
  GET /role: { operation: role, does: (none), response: { status: 200, body: { role: "\${actor}" } } }
  GET /guest: { operation: guest, does: (none), response: { status: 200, body: { house: "\${actor.house}", number: "\${actor.number}" } } }
${more}
authentication:
  schemes:
    token: { type: http, scheme: bearer, actor: Person, wrong: refuse, foreign: wrong, challenge: Bearer, credentials: { issued: jwt, ${credentials} } }
    pass: { type: http, scheme: bearer, actor: Guest, wrong: refuse, challenge: Bearer, credentials: { issued: jwt, algorithm: EdDSA } }
    said: { type: apiKey, in: header, name: X-Token, actor: "\${claims.role}", wrong: refuse, challenge: X, credentials: { issued: jwt, algorithm: HS256, claims: { role: "\${this.role}" } } }
  authorization: { me: { rule: known, schemes: token }, leave: { rule: known, schemes: token }, guest: { rule: known, schemes: pass }, role: { rule: known, schemes: said } }
  otherwise: anyone
errors: { codes: { missing: { when: credential missing, status: 401 }, wrong: { when: credential wrong, status: 403 } } }
`;
const keySet =
  '  GET /keys: { operation: keys, does: (none), response: { status: 200, body: "${jwks(\'token\')}" } }';

describe('a token that the service signs (language §5.6)', () => {
  it.each(['ES256', 'ES384', 'ES512', 'EdDSA', 'PS256', 'RS512'])(
    'is verified by others: %s',
    async (alg) => {
      const of = `algorithm: ${alg}, life: PT1H, claims: { iss: "https://gate.example", role: "\${this.role}", none: "\${this.role == 'x' ? 1 : absent()}" }`;
      const service = await start(document(of, keySet), { milliseconds: () => began });
      const { token } = (await ask(service, 'POST /people', { name: 'ada', role: 'chief' })).body as {
        token: string;
      };
      const keys = createLocalJWKSet((await ask(service, 'GET /keys')).body as JSONWebKeySet);
      const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: new Date(began) });
      expect(protectedHeader).toEqual({ alg, typ: 'JWT', kid: expect.any(String) });
      expect(payload).toEqual({
        iss: 'https://gate.example',
        role: 'chief',
        sub: 'ada',
        iat: began / 1000,
        exp: began / 1000 + 3600,
        jti: expect.any(String),
      });
      const keysOf = (await ask(service, 'GET /keys')).body as JSONWebKeySet;
      expect(keysOf.keys.every((one) => !('d' in one) && one.use === 'sig' && one.alg === alg)).toBe(true);
    },
  );

  it('says who asks, until it is over, ended, changed, or of another scheme', async () => {
    let now = began;
    const service = await start(document('algorithm: ES256, life: PT1M'), { milliseconds: () => now });
    const enter = async (name: string): Promise<string> =>
      ((await ask(service, 'POST /people', { name })).body as { token: string }).token;
    const me = async (token: string, word = 'Bearer') =>
      (await ask(service, 'GET /me', undefined, [`Authorization: ${word} ${token}`])).status;
    const [ada, bob, eve] = [await enter('ada'), await enter('bob'), await enter('eve')];
    expect(await me(ada)).toBe(200);
    const [head = '', claims = '', signature = ''] = ada.split('.');
    const none = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(ada), alg: 'none' })).toString(
      'base64url',
    );
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(ada), sub: 'bob' })).toString('base64url');
    const bad = [
      `${none}.${claims}.`,
      `${head}.${other}.${signature}`,
      ada.slice(0, -1),
      `${ada}=`,
      '',
      'a.b.c',
    ];
    for (const one of bad) expect(await me(one)).toBe(403);
    expect(await me(ada, 'Basic')).toBe(403);
    await ask(service, 'DELETE /session', undefined, [`Authorization: Bearer ${ada}`]);
    await ask(service, 'DELETE /people/bob');
    expect([await me(ada), await me(bob), await me(eve)]).toEqual([403, 403, 200]);
    const guest = ((await ask(service, 'POST /guests', { house: 'h', number: 7 })).body as { token: string })
      .token;
    expect(await me(guest)).toBe(403);
    expect((await ask(service, 'GET /guest', undefined, [`Authorization: Bearer ${guest}`])).body).toEqual({
      house: 'h',
      number: 7,
    });
    expect(decodeJwt(guest).sub).toBe('["h",7]');
    now += 60_001;
    expect(await me(eve)).toBe(403);
  });

  it.each(['ES256', 'RS256', 'PS256'])(
    'is signed by another key in turn, and holds for its life; the key set has all that hold: %s',
    async (alg) => {
      let now = began;
      const service = await start(document(`algorithm: ${alg}, life: P2D, rotate: P1D`, keySet), {
        milliseconds: () => now,
      });
      const enter = async (name: string): Promise<string> =>
        ((await ask(service, 'POST /people', { name })).body as { token: string }).token;
      const count = async (): Promise<number> =>
        ((await ask(service, 'GET /keys')).body as JSONWebKeySet).keys.length;
      const first = await enter('ada');
      expect(await count()).toBe(1);
      now += 1.5 * day;
      const second = await enter('bob');
      expect(decodeProtectedHeader(second).kid).not.toBe(decodeProtectedHeader(first).kid);
      const keys = createLocalJWKSet((await ask(service, 'GET /keys')).body as JSONWebKeySet);
      for (const token of [first, second]) await jwtVerify(token, keys, { currentDate: new Date(now) });
      const me = async (token: string) =>
        (await ask(service, 'GET /me', undefined, [`Authorization: Bearer ${token}`])).status;
      expect([await me(first), await me(second), await count()]).toEqual([200, 200, 2]);
      now += 10 * day;
      expect([await me(first), await me(second), await count()]).toEqual([403, 403, 3]);
    },
  );

  it('holds without a life, and is read at once, however many keys were to sign after it', async () => {
    let now = began;
    const service = await start(document('algorithm: RS256, rotate: P1D'), { milliseconds: () => now });
    const { token } = (await ask(service, 'POST /people', { name: 'ada' })).body as { token: string };
    const me = async (credential: string) =>
      (await ask(service, 'GET /me', undefined, [`Authorization: Bearer ${credential}`])).status;
    now += 10_000 * day;
    expect(await me(token)).toBe(200);
    const [head, , signature] = token.split('.');
    for (const iat of [began / 1000 + 1, 'x', null]) {
      const other = Buffer.from(JSON.stringify({ ...decodeJwt(token), iat })).toString('base64url');
      expect(await me(`${head}.${other}.${signature}`)).toBe(403);
    }
  });

  it('says what its claims say', async () => {
    const service = await start(document('algorithm: ES256'));
    const { said } = (await ask(service, 'POST /people', { name: 'ada', role: 'chief' })).body as {
      said: string;
    };
    expect((await ask(service, 'GET /role', undefined, [`X-Token: ${said}`])).body).toEqual({
      role: 'chief',
    });
  });

  it('is good after the service was started again, whose key may be encrypted by then', async () => {
    const before = await start(document('algorithm: RS256', keySet));
    const { token } = (await ask(before, 'POST /people', { name: 'ada' })).body as { token: string };
    const keys = (await ask(before, 'GET /keys')).body;
    await before.close();
    const { data } = before;
    const after = await start(document('algorithm: RS256', keySet), { data, storeSecrets: ['s'.repeat(40)] });
    expect((await ask(after, 'GET /me', undefined, [`Authorization: Bearer ${token}`])).status).toBe(200);
    expect((await ask(after, 'GET /keys')).body).toEqual(keys);
    const stored = (await after.rows()).find(([name]) => name === 'signing');
    expect(JSON.stringify(stored)).not.toContain('\\"key\\"');
  });

  it('has the keys of all processes that share a store', async () => {
    const one = await start(document('algorithm: ES256, rotate: P30D', keySet));
    if (!one.data.startsWith('postgres')) return;
    const other = await start(document('algorithm: ES256, rotate: P30D', keySet), { data: one.data });
    const { token } = (await ask(one, 'POST /people', { name: 'ada' })).body as { token: string };
    expect((await ask(other, 'GET /me', undefined, [`Authorization: Bearer ${token}`])).status).toBe(200);
    expect((await ask(other, 'GET /keys')).body).toEqual((await ask(one, 'GET /keys')).body);
  });

  it('is not issued while it is open how it is signed', async () => {
    const service = await start(document('life: PT1H'));
    expect((await ask(service, 'POST /people', { name: 'ada' })).status).toBe(501);
  });

  it.each([
    ['algorithm: HS256', keySet, 'contradiction'],
    ['algorithm: ES256, claims: { sub: me }', '', 'contradiction'],
    ['algorithm: none', '', 'unknown-word'],
    ['algorithm: ES256, audience: a', '', 'unknown-key'],
  ])('is refused by check: %s', (of, more, code) => {
    expect(read('x.yaml', document(of, more)).diagnostics.map((one) => one.code)).toContain(code);
  });
});

describe('a rule that wants scopes of one scheme or others of it (language §5.5, rule 18)', () => {
  it.each([
    [
      ['{ token: [chief] }', '{ token: [guest] }'],
      [204, 204, 403],
    ],
    [['{ token: [chief] }'], [204, 403, 403]],
  ])('%s lets in whoever has the scopes of any of them', async (schemes, statuses) => {
    const desk = document('algorithm: ES256, claims: { role: "${this.role}" }')
      .replace('foreign: wrong,', 'foreign: wrong, scopes: "${[claims.role]}",')
      .replace('me: { rule: known, schemes: token }', `me: { rule: known, schemes: [${schemes.join(', ')}] }`)
      .replace('response: { status: 200, body: { name: "${actor.name}" } }', 'response: 204')
      .replace('status: 403 } } }', 'status: 401 }, forbidden: { when: not authorized, status: 403 } } }');
    const service = await start(desk);
    const found: number[] = [];
    for (const role of ['chief', 'guest', 'other']) {
      const { body } = await ask(service, 'POST /people', { name: role, role });
      const field = `Authorization: Bearer ${(body as { token: string }).token}`;
      found.push((await ask(service, 'GET /me', undefined, [field])).status);
    }
    expect(found).toEqual(statuses);
  });
});
