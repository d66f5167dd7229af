import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/semantics/access/credential.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Range } from '../../src/semantics/value/value.ts';
import { type Received, sometime } from '../../src/semantics/world/received.ts';
import { type OperatorCredential, World } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import type { Operation } from '../../src/specification/model/operation.ts';
import { specificationOf } from '../service/served.ts';
import { signed } from './tokens.ts';

/** A door, and its rule. Each refusal has a status of its own. */
const house = (rule: string, more = ''): string => `
tacet: 1
service: { actors: { a: comes, b: comes } }
resources:
  Person:
    identifier: name
    fields: { name: { type: string }, key: { type: string, secret: hashed } }
    items: [{ name: ada, key: secret-of-ada }, { name: bob, key: secret-of-two }, { name: eve, key: secret-of-two }]
endpoints:
  others: refuse
  GET /door: { operation: door, does: (none), response: { status: 200, body: { who: "\${actor}" } } }
  POST /tokens:
    operation: enter
    does: { create: Person, with: { name: "\${request.body.name}" } }
    request: { body: { fields: { name: { type: string } } } }
    response: { status: 201, body: { token: "\${issue('token', this)}" } }
authentication:
  schemes:
    a: { type: apiKey, in: header, name: X-A, credentials: operator, actor: a, challenge: A }
    b: { type: apiKey, in: header, name: X-B, credentials: operator, actor: b, challenge: B }
    kept: { type: apiKey, in: query, name: key, credentials: { kept: Person.key }, actor: Person }
    token: { type: http, scheme: bearer, credentials: { issued: opaque, life: PT10S }, actor: Person }
    partner:
      type: http
      scheme: bearer
      prefix: Partner
      credentials: { issuer: https://a.example, audience: [door], algorithms: [HS256, HS384] }
      actor: Person.name
      scopes: "\${split(claims.scope, ' ')}"
  ${more}
  authorization: { enter: anyone, door: ${rule} }
errors:
  codes:
    missing:   { when: credential missing, status: 401 }
    wrong:     { when: credential wrong, status: 402 }
    forbidden: { when: not authorized, status: 403 }
  order: [missing, wrong, forbidden]
`;

const seconds = Date.UTC(2026, 10, 23) / 1000;
const claims = { iss: 'https://a.example', aud: 'door', sub: 'ada', exp: seconds + 7200, scope: 'x y' };
const operators: OperatorCredential[] = [
  { scheme: 'a', name: 'main', secret: 'of-a' },
  { scheme: 'b', name: 'main', secret: 'of-b' },
];
const a: Credential = { scheme: 'a', value: 'of-a' };
const b: Credential = { scheme: 'b', value: 'of-b' };
const wrongA: Credential = { scheme: 'a', value: 'nonsense', isMadeUp: true };

/** So many seconds after the beginning, by clocks that are alike. */
const at = (after: number): Received => ({
  at: new Range((seconds + after) * 1000, (seconds + after) * 1000 + 10),
  offMs: 0,
});

function worldOf(text: string, ...tokens: string[]): World {
  const world = new World(specificationOf(text));
  const given = tokens.map((secret, place) => ({ scheme: 'partner', name: `${place}`, secret }));
  world.operators = [...operators, ...given];
  return world;
}

function operationNamed(name: string, { specification }: World): Operation {
  return specification.operations.find((operation) => operation.name === name) as Operation;
}

/** Which statuses a request to the door may be answered with. */
function statuses(
  world: World,
  credentials: readonly Credential[],
  { operation = 'door', received = sometime as Received, path = {} as Record<string, string> } = {},
): number[] {
  const asked = operationNamed(operation, world);
  const request = { operation: asked, path, query: {}, headers: {}, credentials, url: '' };
  const steps = step(world, { ...request, content: undefined }, received);
  const body = { who: { unseen: true } as Json };
  return [200, 401, 402, 403].filter(
    (status) =>
      judge(steps, { status, headers: {}, body: status === 200 ? body : undefined }).differences.filter(
        ({ at }) => at === 'status',
      ).length === 0,
  );
}

const door = (rule: string, more = '') => {
  const world = worldOf(house(rule, more));
  return (...credentials: Credential[]): number[] => statuses(world, credentials);
};

describe('credentials of several schemes in one request (language §5, `several`)', () => {
  it('are refused, if that is stated, also where nobody needs one', () => {
    const knock = door('{ rule: known, schemes: [a, b] }', 'several: refuse');
    expect(knock(a, b)).toEqual([402]);
    expect(knock(a)).toEqual([200]);
  });

  it('are those of the first scheme, if that is stated', () => {
    const knock = door('{ rule: a, schemes: [a, b] }', 'several: first');
    expect(knock(b, a)).toEqual([200]);
    expect(knock(wrongA, b)).toEqual([402]);
    expect(knock(b)).toEqual([403]);
  });

  it('are refused, or one of them is used, if nothing is stated', () => {
    const knock = door('{ rule: a, schemes: [a, b] }');
    expect(knock(a, b)).toEqual([200, 402, 403]);
    expect(knock(wrongA, b)).toEqual([402, 403]);
  });

  it('are all needed, where a rule wants them together', () => {
    const knock = door('{ rule: known, schemes: [[a, b]] }', 'several: refuse');
    expect(knock(a, b)).toEqual([200]);
    expect(knock(wrongA, b)).toEqual([402]);
    expect(knock(a)).toEqual([401]);
  });

  it('are none, if the rule does not accept their schemes', () => {
    const knock = door('{ rule: known, schemes: b }', 'several: refuse');
    expect(knock(a)).toEqual([401]);
    expect(knock(a, b)).toEqual([200]);
  });
});

describe('a credential that nobody gave', () => {
  it('of the operator is wrong if the sender made it up, and else unknown', () => {
    const knock = door('{ rule: known, schemes: a }');
    expect(knock(wrongA)).toEqual([402]);
    expect(knock({ scheme: 'a', value: 'another' })).toEqual([200, 401, 402, 403]);
  });

  it('that an item holds is good, and wrong if two items hold it', () => {
    const knock = door('{ rule: known, schemes: kept }');
    expect(knock({ scheme: 'kept', value: 'secret-of-ada' })).toEqual([200]);
    expect(knock({ scheme: 'kept', value: 'secret-of-two' })).toEqual([402]);
    expect(knock({ scheme: 'kept', value: 'secret' })).toEqual([402]);
  });
});

describe('a credential under another word (language §5.1, `foreign`)', () => {
  const word = (said: string): number[] => {
    const scheme = 'credentials: { issued: opaque, life: PT10S }';
    const text = house('{ rule: known, schemes: token }').replace(scheme, `${scheme}${said}`);
    return statuses(worldOf(text), [{ scheme: 'token', value: 'x', word: 'Other' }]);
  };

  it('is missing or wrong as is stated, and else one of both', () => {
    expect(word(', foreign: missing')).toEqual([401]);
    expect(word(', foreign: wrong')).toEqual([402]);
    expect(word('')).toEqual([401, 402]);
  });

  it('is good if a scheme has this word', () => {
    const token = signed(claims);
    const world = worldOf(house('{ rule: known, schemes: [token, partner] }'), token);
    expect(statuses(world, [{ scheme: 'token', value: token, word: 'partner' }])).toEqual([200]);
  });
});

describe('a token of somebody else (language §5.2, rule 10)', () => {
  const rule = '{ rule: known, schemes: [{ partner: [y] }] }';
  const knock = (said: Readonly<Record<string, Json>>, received?: Received): number[] => {
    const token = signed(said);
    return statuses(worldOf(house(rule), token), [{ scheme: 'partner', value: token }], {
      ...(received && { received }),
    });
  };

  it('is good if its claims are as stated, and grants the scopes that it names', () => {
    expect(knock(claims)).toEqual([200]);
    expect(knock({ ...claims, scope: 'x' })).toEqual([403]);
    expect(knock({ ...claims, aud: ['other', 'door'] })).toEqual([200]);
  });

  it('is wrong if one of them is another, or nobody is its subject', () => {
    const { exp: _, ...endless } = claims;
    for (const said of [
      { ...claims, iss: 'x' },
      { ...claims, aud: 'x' },
      { ...claims, sub: 'nobody' },
      endless,
    ])
      expect(knock(said)).toEqual([402]);
  });

  it('is wrong after its end and before its beginning, with one minute of tolerance', () => {
    expect(knock(claims, at(7199))).toEqual([200]);
    expect(knock(claims, at(7230))).toEqual([200, 402]);
    expect(knock(claims, at(7261))).toEqual([402]);
    expect(knock({ ...claims, nbf: seconds + 90 }, at(0))).toEqual([402]);
    expect(knock({ ...claims, nbf: seconds + 90 }, at(60))).toEqual([200, 402]);
  });

  it('is wrong if it was changed, signed otherwise, or is no token, and unknown if nobody gave it', () => {
    const token = signed(claims);
    const other = signed(claims, 'x', 'HS512');
    const none = signed(claims, 'x', 'none');
    const world = worldOf(house(rule), token, other, none);
    const by = (value: string, isMadeUp = false) => statuses(world, [{ scheme: 'partner', value, isMadeUp }]);
    expect(by(`${token}A`, true)).toEqual([402]);
    expect([by(other), by(none), by('x.y.z'), by('')]).toEqual([[402], [402], [402], [402]]);
    expect(by(signed({ ...claims, scope: 'z' }))).toEqual([200, 401, 402, 403]);
  });

  it('may fit a later list of schemes, if it lacks the scopes of an earlier one', () => {
    const token = signed({ ...claims, scope: 'z' });
    const both = '{ rule: known, schemes: [{ partner: [y] }, { partner: [z] }] }';
    expect(statuses(worldOf(house(both), token), [{ scheme: 'partner', value: token }])).toEqual([200]);
  });
});

describe('an issued credential (language §5.2, `life`)', () => {
  it('is good before its end, wrong after it, and either in between', () => {
    const world = worldOf(house('{ rule: known, schemes: token }'));
    const operation = operationNamed('enter', world);
    const request = { operation, path: {}, query: {}, headers: {}, credentials: [], url: '' };
    const steps = step(world, { ...request, content: { name: 'joe' } }, at(0));
    const { world: next, differences } = judge(steps, { status: 201, headers: {}, body: { token: 't-1' } });
    expect(differences).toEqual([]);
    const knock = (after: number) =>
      statuses(next as World, [{ scheme: 'token', value: 't-1' }], { received: at(after) });
    expect(knock(9)).toEqual([200]);
    expect(knock(10)).toEqual([200, 402]);
    expect(knock(11)).toEqual([402]);
  });
});

describe('a 401 (language §5.1, `challenge`)', () => {
  it('has the challenge of each scheme that the rule accepts, and may have others', () => {
    const world = worldOf(house('{ rule: known, schemes: [a, b] }'));
    const request = {
      operation: operationNamed('door', world),
      path: {},
      query: {},
      headers: {},
      credentials: [],
      url: '',
    };
    const steps = step(world, { ...request, content: undefined });
    const differences = (field: string) =>
      judge(steps, { status: 401, headers: { 'www-authenticate': field }, body: undefined }).differences;
    expect(differences('B realm="x", A, C, B')).toEqual([]);
    expect(differences('A')).toMatchObject([{ at: 'headers.www-authenticate', expected: 'B', found: 'A' }]);
    expect(differences('A, Bearer')).toMatchObject([{ expected: 'B' }]);
  });
});

it('an issued credential may have ended, if its item may have been deleted', () => {
  const leaving =
    '  DELETE /people/{name}: { operation: leave, does: delete Person, response: 204 }\nauthentication:';
  const world = worldOf(
    house('{ rule: known, schemes: token }, leave: anyone').replace('authentication:', leaving),
  );
  const ask = (of: World, name: string, more: object) => {
    const usual = { path: {}, query: {}, headers: {}, credentials: [], content: undefined, url: 'http://a' };
    return step(of, { operation: operationNamed(name, of), ...usual, ...more }, at(0));
  };
  const entered = ask(world, 'enter', { content: { name: 'x' } });
  const inside = judge(entered, { status: 201, headers: {}, body: { token: 't-1' } }).next as World;
  const credentials = [{ scheme: 'token', value: 't-1' }];
  const left = ask(inside, 'leave', { path: { name: 'x' }, credentials: [a] });
  const { next } = judge(left, { status: 500, headers: {}, body: undefined });
  expect(statuses(inside, credentials, { received: at(1) })).toEqual([200]);
  expect(statuses(next as World, credentials, { received: at(1) })).toEqual([200, 402]);
});

describe('a token that the service signs (language §5.6)', () => {
  const text = house('known').replace(
    'issued: opaque, life: PT10S',
    'issued: jwt, algorithm: ES256, life: PT10S, claims: { iss: me, role: "${this.key == null ? null : this.key}" }',
  );
  const world = worldOf(text);
  const operation = operationNamed('enter', world);
  const request = { operation, path: {}, query: {}, headers: {}, credentials: [], url: '' };
  const steps = () => step(world, { ...request, content: { name: 'joe' } });
  const said = { iss: 'me', sub: 'joe', jti: 'j', iat: seconds, exp: seconds + 10 };
  const places = (token: string): string[] =>
    judge(steps(), { status: 201, headers: {}, body: { token } }).differences.map(({ at }) => at);
  const es256 = (claims: Readonly<Record<string, Json>>): string => signed(claims, 'x', 'ES256');

  it('says what is stated, and may say more', () => {
    expect(places(es256(said))).toEqual([]);
    expect(places(es256({ ...said, exp: seconds + 11, nbf: seconds }))).toEqual([]);
  });

  it('differs if it is signed otherwise, or if a claim is another, missing, or null', () => {
    expect(places(signed(said))).toEqual(['body.token.alg']);
    expect(places('opaque')).toEqual(['body.token.alg']);
    expect(places(es256({ ...said, iss: 'you', sub: 'ada' }))).toEqual([
      'body.token.claims.iss',
      'body.token.claims.sub',
    ]);
    expect(places(es256({ ...said, role: null }))).toEqual(['body.token.claims.role']);
    expect(places(es256({ ...said, exp: seconds + 20 }))).toEqual(['body.token.claims.exp']);
    expect(places(es256({ sub: 'joe', iss: 'me' }))).toEqual([
      'body.token.claims.jti',
      'body.token.claims.iat',
      'body.token.claims.exp',
    ]);
  });
});

describe('a rule that reads an item of the path (language §H.4, rules 7 and 10)', () => {
  const text = house('"${somebody == actor}"')
    .replace(
      'GET /door: { operation: door,',
      'GET /door/{name}: { operation: door, request: { path: { name: Person.name as somebody } },',
    )
    .replace('  codes:', '  codes:\n    nobody: { when: unknown, status: 200 }')
    .replace('order: [missing, wrong, forbidden]', 'order: [missing, wrong, forbidden, nobody]');
  const knock = (name: string, ...credentials: Credential[]): number[] =>
    statuses(worldOf(text, signed(claims)), credentials, { path: { name } });

  it('holds for nobody if there is no such item, and refuses nobody who is known', () => {
    expect(knock('nobody')).toEqual([401]);
    expect(knock('nobody', { scheme: 'partner', value: signed(claims) })).toEqual([200]);
    expect(knock('nobody', a)).toEqual([200]);
    expect(knock('ada', { scheme: 'partner', value: signed(claims) })).toEqual([200]);
    expect(knock('bob', { scheme: 'partner', value: signed(claims) })).toEqual([403]);
    expect(knock('ada')).toEqual([401]);
  });
});

describe('a request without a credential, if no order of errors is stated', () => {
  const text = house('known').replace('  order: [missing, wrong, forbidden]', '');

  it('is refused by each condition that holds, and by no other', () => {
    expect(statuses(worldOf(text), [])).toEqual([401, 403]);
    const own = text.replace(
      '  codes:',
      '  codes:\n    own: { when: "${true}", operations: [door], status: 402 }',
    );
    expect(statuses(worldOf(own), [])).toEqual([401, 402, 403]);
  });
});
