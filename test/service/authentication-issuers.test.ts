import { CompactSign, generateKeyPair, type JWTPayload } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Issuing, issuer, token } from './issuers.ts';
import { ask, type Served, start } from './served.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const seconds = now / 1000;

const document = (url: string, algorithms = '[RS256, ES256, EdDSA]') => `
name: Desk
complete: true
service: { actors: { clerk: works here } }
resources:
  Person:
    identifier: id
    fields:
      id: { type: string }
      login: { type: string, unique: true }
    required: [id, login]
endpoints:
  others: refuse
  POST /people: { operation: enter, does: create Person, request: { body: Person }, response: { status: 201, body: Person } }
  DELETE /people/{id}: { operation: leave, does: delete Person, response: 204 }
  GET /me: { operation: me, does: { read: Person, where: "\${this == actor}" }, response: { status: 200, body: Person } }
  GET /claims: { operation: claims, does: (none), response: { status: 200, body: { who: "\${actor}" } } }
  GET /office: { operation: office, does: (none), response: 204 }
  POST /orders: { operation: order, does: (none), response: 204 }
authentication:
  schemes:
    login:
      type: openIdConnect
      openIdConnectUrl: ${url}/.well-known/openid-configuration
      credentials: { issuer: ${url}, audience: [desk, counter], algorithms: ${algorithms} }
      actor: Person.login
      scopes: "\${split(claims.scope, ' ')}"
      challenge: Bearer
    other:
      type: http
      scheme: bearer
      prefix: Other
      credentials: { issuer: ${url}, audience: desk, algorithms: ${algorithms} }
      actor: "\${claims.name}"
  actors: { clerk: "\${actor.login == 'ada'}" }
  authorization:
    enter: anyone
    leave: anyone
    me: { rule: known, schemes: login }
    claims: { rule: known, schemes: other }
    office: { rule: clerk, schemes: login }
    order: { rule: known, schemes: [{ login: [orders] }] }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    missing: { when: credential missing, status: 401 }
    wrong: { when: credential wrong, status: 401 }
    forbidden: { when: not authorized, status: 403 }
states: (none)
events: (none)
limits: (none)
versioning: (none)
`;

afterEach(() => {
  vi.useRealTimers();
});

interface Place {
  readonly at: Issuing;
  readonly service: Served;
  readonly me: (bearer: string, line?: string) => Promise<readonly [number, unknown]>;
}

async function place(algorithms?: string, credentials = {}): Promise<Place> {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const at = await issuer();
  const service = await start(document(at.url, algorithms), { milliseconds: () => Date.now(), credentials });
  await ask(service, 'POST /people', { id: '1', login: 'ada' });
  await ask(service, 'POST /people', { id: '2', login: 'bob' });
  const me: Place['me'] = async (bearer, line = 'GET /me') => {
    const word = line === 'GET /claims' ? 'Other' : 'Bearer';
    const { status, body } = await ask(service, line, undefined, [`Authorization: ${word} ${bearer}`]);
    return [status, (body as { code?: unknown }).code ?? body];
  };
  return { at, service, me };
}

const good = ({ url }: Issuing, more: JWTPayload = {}): JWTPayload => ({
  iss: url,
  aud: 'desk',
  sub: 'ada',
  exp: seconds + 600,
  ...more,
});
const ada = [200, { id: '1', login: 'ada' }];
const wrong = [401, 'wrong'];

describe('a token of another issuer', () => {
  it('is good by any of the stated algorithms, and tells who asks by its subject', async () => {
    const { at, me } = await place();
    for (const alg of ['RS256', 'ES256', 'EdDSA']) {
      const pair = await at.key(alg, alg);
      expect(await me(await token(pair, { alg, kid: alg }, good(at)))).toEqual(ada);
      vi.setSystemTime(Date.now() + 31_000);
    }
  });

  it('is wrong where it is another’s, for others, at another time, of nobody here, or not whole', async () => {
    const { at, me, service } = await place();
    const pair = await at.key('one');
    const stranger = await generateKeyPair('RS256');
    const made = (claims: JWTPayload, header = {}, by: typeof pair = pair) =>
      token(by, { kid: 'one', ...header }, good(at, claims));
    const whole = await made({});
    expect(await me(whole)).toEqual(ada);
    const [head = '', body = '', signature = ''] = whole.split('.');
    const unsigned = (alg: string) =>
      `${Buffer.from(JSON.stringify({ alg, kid: 'one' })).toString('base64url')}.${body}.`;
    const other = Buffer.from(JSON.stringify(good(at, { sub: 'bob' }))).toString('base64url');
    const cells: Record<string, string> = {
      'of another issuer': await made({ iss: 'https://other.example' }),
      'without an issuer': await made({ iss: undefined as never }),
      'for another audience': await made({ aud: 'kitchen' }),
      'for nobody': await made({ aud: undefined as never }),
      'that expired': await made({ exp: seconds - 61 }),
      'that never expires': await made({ exp: undefined as never }),
      'of later': await made({ nbf: seconds + 61 }),
      'of nobody': await made({ sub: 'nobody' }),
      'without a subject': await made({ sub: undefined as never }),
      'with a subject that is no text': await made({ sub: 1 as never }),
      'signed by another': await made({}, {}, stranger),
      'of an unknown key': await made({}, { kid: 'two' }),
      'of a key in a file': await made({}, { kid: '../../dev/null' }),
      'with something critical': await made({}, { crit: ['odd'], odd: 1 }),
      'with its own key': await made(
        {},
        { jwk: { kty: 'oct', k: 'AA' }, jku: 'http://127.0.0.1:1' },
        stranger,
      ),
      unsigned: unsigned('none'),
      'unsigned, in other letters': unsigned('None'),
      'with other claims': `${head}.${other}.${signature}`,
      'that was cut': whole.slice(0, -4),
      'that is none': 'x.y.z',
      'that is empty': '',
    };
    const written = async (claims: (usual: string) => string): Promise<string> => {
      const text = claims(JSON.stringify(good(at)));
      const signer = new CompactSign(new TextEncoder().encode(text)).setProtectedHeader({
        alg: 'RS256',
        kid: 'one',
      });
      return signer.sign(pair.privateKey);
    };
    const timed = (value: string) => written((usual) => usual.replace(/"exp":\d+/, `"exp":${value}`));
    expect(await me(await written((usual) => usual))).toEqual(ada);
    for (const value of [
      '1e400',
      '-1e400',
      '-1',
      '0',
      '1e-400',
      '"9999999999"',
      'null',
      '[9999999999]',
      'true',
      'NaN',
    ])
      cells[`that expires at ${value}`] = await timed(value);
    cells['that expires twice'] = await written((usual) => usual.replace(/}$/, ',"exp":1}'));
    cells['that begins at -1e400'] = await written((usual) => usual.replace('{', '{"nbf":-1e400,'));
    const found: Record<string, unknown> = {};
    for (const [what, bearer] of Object.entries(cells)) found[what] = await me(bearer);
    expect(found).toEqual(Object.fromEntries(Object.keys(cells).map((what) => [what, wrong])));
    // Within a minute, and for any of several, it is good.
    expect(await me(await made({ exp: seconds - 59, nbf: seconds + 59 }))).toEqual(ada);
    expect(await me(await made({ aud: ['kitchen', 'counter'] }))).toEqual(ada);
    expect(service.faults).toEqual([]);
    await ask(service, 'DELETE /people/1');
    expect(await me(whole)).toEqual(wrong);
  });

  it('signed by HMAC is held against the operator’s key alone, and never against a public one', async () => {
    const key = 'a shared key of thirty-two bytes.';
    const { at, me } = await place('[RS256, HS256]', { login: { shared: key }, other: { shared: key } });
    const pair = await at.key('one');
    const hmac = (secret: string) =>
      token({ privateKey: new TextEncoder().encode(secret) }, { alg: 'HS256', kid: 'one' }, good(at));
    expect(await me(await hmac(key))).toEqual(ada);
    expect(await me(await hmac(`${key}.`))).toEqual(wrong);
    const { exportSPKI } = await import('jose');
    expect(await me(await hmac(await exportSPKI(pair.publicKey)))).toEqual(wrong);
    expect(await me(await token(pair, { kid: 'one' }, good(at)))).toEqual(ada);
    const es = await at.key('es', 'ES256');
    expect(await me(await token(es, { alg: 'ES256', kid: 'es' }, good(at)))).toEqual(wrong);
  });

  it('may be who asks as its claims say, and grants what scopes it has', async () => {
    const { at, me } = await place();
    const pair = await at.key('one');
    const made = (claims: JWTPayload) => token(pair, { kid: 'one' }, good(at, claims));
    expect(await me(await made({ name: 'Ada L.' }), 'GET /claims')).toEqual([200, { who: 'Ada L.' }]);
    expect(await me(await made({}), 'GET /office')).toEqual([204, '']);
    expect(await me(await made({ sub: 'bob' }), 'GET /office')).toEqual([403, 'forbidden']);
    expect(await me(await made({ scope: 'read orders' }), 'POST /orders')).toEqual([204, '']);
    expect(await me(await made({ scope: 'read' }), 'POST /orders')).toEqual([403, 'forbidden']);
  });
});

describe('the keys of an issuer', () => {
  it('are kept, and fetched anew for one that is not among them, at most twice a minute', async () => {
    const { at, me } = await place();
    const one = await at.key('one');
    const by = async (pair: typeof one, kid: string) => me(await token(pair, { kid }, good(at)));
    for (let time = 0; time < 5; time += 1) expect(await by(one, 'one')).toEqual(ada);
    expect(at.asked()).toBe(1);
    const two = await at.key('two');
    at.drop('one');
    for (const kid of ['two', 'three', 'four', 'x'.repeat(4000)]) expect(await by(two, kid)).toEqual(wrong);
    expect(at.asked()).toBe(1);
    vi.setSystemTime(now + 31_000);
    expect(await by(two, 'two')).toEqual(ada);
    expect(await by(one, 'one')).toEqual(wrong);
    expect(at.asked()).toBe(2);
  });

  it('that cannot be had make a request be answered 503, and the log tell why; it is tried again later', async () => {
    const { at, me, service } = await place();
    const pair = await at.key('one');
    const bearer = await token(pair, { kid: 'one' }, good(at));
    const faults: Readonly<Record<string, NonNullable<Issuing['fault']>>> = {
      refused: (response) => void response.writeHead(500).end(),
      moved: (response, path) => {
        const metadata = { issuer: at.url, jwks_uri: `${at.url}/keys` };
        if (path === '/elsewhere') response.end(JSON.stringify(metadata));
        else response.writeHead(302, { Location: '/elsewhere' }).end();
      },
      another: (response) => void response.end(JSON.stringify({ issuer: 'https://x', jwks_uri: at.url })),
      long: (response) => void response.end('x'.repeat(300_000)),
      none: (response) => void response.end('<html>'),
    };
    for (const [index, fault] of Object.values(faults).entries()) {
      at.fault = fault;
      vi.setSystemTime(now + index * 31_000);
      expect(await me(bearer)).toEqual([503, '']);
      expect(await me(bearer)).toEqual([503, '']);
    }
    expect(service.faults.length).toBe(2 * Object.keys(faults).length);
    at.fault = null;
    expect(await me(bearer)).toEqual([503, '']);
    vi.setSystemTime(now + 300_000);
    expect(await me(bearer)).toEqual(ada);
  });
});
