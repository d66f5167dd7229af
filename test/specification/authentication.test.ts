import { describe, expect, it } from 'vitest';
import { ruleOf } from '../../src/specification/model/authorization.ts';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, places, plain, points, specification, wholeDocument, words } from './documents.ts';

type Parts = Parameters<typeof document>[0];

const parts: Parts = {
  service: 'actors: { office: keeps the books, courier: carries }',
  resources: [
    'Account:',
    '  identifier: id',
    '  fields: { id: { type: string }, name: { type: string, unique: true }, key: { type: string }, role: { enum: [a, b] } }',
    'Parcel:',
    '  identifier: id',
    '  fields: { id: { type: string }, owner: { refers: Account }, weight: { type: integer } }',
  ].join('\n'),
  endpoints: [
    'GET /parcels: { operation: list, does: list Parcel, response: 200 }',
    'GET /parcels/{id}: { operation: show, does: read Parcel, response: 200 }',
    'POST /parcels: { operation: add, does: create Parcel, response: 201 }',
    'GET /: { operation: hello, does: (none), response: 200 }',
  ].join('\n'),
};

const service = (authentication: string, further: Parts = {}) =>
  document({ ...parts, ...further, authentication });

/** Each fault: its code, the characters that it points at, and its hint. */
function findings(authentication: string, further: Parts = {}): string[] {
  return read('x.md', service(authentication, further)).diagnostics.map(
    (one) => `${one.code} ${words(one.span)}: ${one.hint}`,
  );
}

/** What is wrong, in the words of the message. */
function messages(authentication: string, further: Parts = {}): string[] {
  return read('x.md', service(authentication, further)).diagnostics.map((one) => one.message);
}

function authentication(yaml: string) {
  const found = stated(specification(service(yaml)).authentication);
  if (found === undefined) throw new Error('nothing is stated');
  return found;
}

const scheme = (yaml: string) =>
  stated(stated(authentication(`schemes: { s: { ${yaml} } }`).schemes)?.get('s'));

describe('schemes (language §5.1)', () => {
  it('an API key', () => {
    const found = scheme('type: apiKey, in: header, name: X-Key, prefix: Key, challenge: Key, wrong: ignore');
    expect(stated(found?.type)).toBe('apiKey');
    expect(stated(found?.in)).toBe('header');
    expect(stated(found?.name)).toBe('X-Key');
    expect(stated(found?.prefix)).toEqual(['Key']);
    expect(stated(found?.challenge)).toBe('Key');
    expect(stated(found?.wrong)).toBe('ignore');
    expect(found?.scheme.kind).toBe('open');
  });

  it('HTTP', () => {
    const found = scheme('type: http, scheme: bearer, bearerFormat: JWT, prefix: Token');
    expect(stated(found?.scheme)).toBe('bearer');
    expect(stated(found?.bearerFormat)).toBe('JWT');
    expect(stated(found?.prefix)).toEqual(['Token']);
    expect(stated(scheme('type: http, prefix: [Bearer, token]')?.prefix)).toEqual(['Bearer', 'token']);
  });

  it('OAuth 2.0, OpenID Connect and certificates', () => {
    const flows = '{ clientCredentials: { tokenUrl: "https://a.example/t", scopes: { read: to read } } }';
    const oauth = stated(scheme(`type: oauth2, flows: ${flows}, oauth2MetadataUrl: x`)?.flows);
    const flow = stated(oauth?.clientCredentials);
    expect(stated(flow?.tokenUrl)).toBe('https://a.example/t');
    expect([...(stated(flow?.scopes)?.keys() ?? [])]).toEqual(['read']);
    expect(stated(scheme('type: openIdConnect, openIdConnectUrl: https://a.example')?.openIdConnectUrl)).toBe(
      'https://a.example',
    );
    expect(stated(scheme('type: mutualTLS')?.type)).toBe('mutualTLS');
  });

  it.each([
    ['type: htp', 'unknown-word htp: did you mean http?'],
    [
      'type: http, name: X',
      'unknown-key name: known here: type, credentials, actor, scopes, foreign, challenge, wrong, scheme, bearerFormat, prefix',
    ],
    ['type: apiKey, in: body', 'unknown-word body: null'],
    [
      'type: apiKey, in: query, prefix: Key',
      'unknown-key prefix: known here: type, credentials, actor, scopes, foreign, challenge, wrong, in, name',
    ],
    [
      'type: apiKey, in: header, name: X Key',
      'bad-field-name X Key: a name is letters, digits and hyphens (RFC 9110 §5.1)',
    ],
    ['type: oauth2, flows: { implict: {} }', 'unknown-key implict: did you mean implicit?'],
    [
      'type: oauth2, flows: { implicit: { url: x } }',
      'unknown-key url: known here: authorizationUrl, deviceAuthorizationUrl, tokenUrl, refreshUrl, scopes',
    ],
    ['wrong: reject', 'unknown-word reject: null'],
    ['chalenge: x', 'unknown-key chalenge: did you mean challenge?'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(`schemes: { s: { ${yaml} } }`)).toEqual([expected]);
  });

  it('a query may have a key of any name', () => {
    expect(findings('schemes: { s: { type: apiKey, in: query, name: "the key" } }')).toEqual([]);
  });

  it('what says where the credential stands is a value, by the type', () => {
    const open = (yaml: string) =>
      Object.entries(
        points(specification(service(`schemes: { s: { ${yaml} } }`)), 'authentication.schemes.s.'),
      )
        .filter(([, state]) => state === 'open')
        .map(([address]) => address.slice('authentication.schemes.s.'.length));
    expect(open('')).toEqual(['type', 'credentials', 'actor', '*']);
    expect(open('type: apiKey')).toEqual(['credentials', 'actor', 'in', 'name', '*']);
    expect(open('type: http')).toEqual(['credentials', 'actor', 'scheme', '*']);
    expect(open('type: oauth2')).toEqual(['credentials', 'actor', 'flows', '*']);
    expect(open('type: openIdConnect')).toEqual(['credentials', 'actor', 'openIdConnectUrl', '*']);
    expect(open('type: mutualTLS')).toEqual(['credentials', 'actor', '*']);
  });

  it('a 401 without a challenge is a warning, for each scheme that has none', () => {
    const errors = 'codes: { a: { when: not authenticated, status: 401 } }';
    const schemes = 'schemes: { s: { type: mutualTLS }, t: { challenge: T }, u: { challenge: (none) } }';
    const found = read('x.md', service(schemes, { errors })).diagnostics;
    expect(found.map((one) => `${one.severity} ${one.code} ${words(one.span)}`)).toEqual([
      'warning challenge-missing s',
    ]);
    expect(findings('schemes: { s: { challenge: (open) what does it say? } }', { errors })).toEqual([]);
    expect(findings(schemes)).toEqual([]);
    expect(findings(schemes, { errors: errors.replace('401', '403') })).toEqual([]);
  });

  it('several credentials are refused, or the first is taken', () => {
    expect(stated(authentication('several: first').several)).toBe('first');
    expect(findings('several: last')).toEqual(['unknown-word last: null']);
  });
});

describe('credentials (language §5.2)', () => {
  const credentials = (yaml: string) => plain(stated(scheme(`credentials: ${yaml}`)?.credentials));

  it.each([
    ['operator', { kind: 'operator' }],
    ['{ kept: Account.key }', { kind: 'kept', kept: { value: [{ resource: 'Account', field: 'key' }] } }],
    ['{ issued: opaque }', { kind: 'issued', issued: { value: 'opaque' }, life: { kind: 'open' } }],
    [
      '{ issued: opaque, life: P7D }',
      { kind: 'issued', issued: { value: 'opaque' }, life: { value: 604_800_000 } },
    ],
    [
      '{ issuer: "https://a.example", audience: desk, algorithms: [ES256, EdDSA] }',
      {
        kind: 'foreign',
        issuer: { value: 'https://a.example' },
        audience: { value: ['desk'] },
        algorithms: { value: ['ES256', 'EdDSA'] },
      },
    ],
  ])('%s', (yaml, expected) => {
    expect(credentials(yaml)).toMatchObject(expected);
  });

  it('a name and a password are two fields', () => {
    const yaml =
      'schemes: { s: { type: http, scheme: Basic, credentials: { kept: [Account.name, Account.key] } } }';
    expect(findings(yaml)).toEqual([]);
  });

  it('each of its points is listed', () => {
    const open = (yaml: string) =>
      points(
        specification(service(`schemes: { s: { credentials: ${yaml} } }`)),
        'authentication.schemes.s.credentials',
      );
    const at = 'authentication.schemes.s.credentials';
    expect(open('{ issuer: x }')).toEqual({
      [`${at}.issuer`]: 'stated',
      [`${at}.audience`]: 'open',
      [`${at}.algorithms`]: 'open',
    });
    expect(open('{ issued: opaque }')).toEqual({ [`${at}.issued`]: 'stated', [`${at}.*`]: 'open' });
    expect(open('{ kept: (open) where? }')).toEqual({ [`${at}.kept`]: 'open: where?' });
    expect(open('operator')).toEqual({ [at]: 'stated' });
  });

  it.each([
    ['operater', 'unknown-word operater: did you mean operator?'],
    ['{}', 'wrong-kind {}: null'],
    ['{ life: P7D }', 'wrong-kind { life: P7D }: null'],
    ['{ kept: Account.key, issued: opaque }', 'wrong-kind { kept: Account.key, issued: opaque }: null'],
    ['{ kept: Account }', 'wrong-kind Account: null'],
    ['{ kept: [] , life: P1D }', 'unknown-key life: known here: kept'],
    ['{ kept: Acount.key }', 'unknown-name Acount.key: did you mean Account?'],
    ['{ kept: [Account.name, Account.key] }', 'wrong-kind [Account.name, Account.key]: null'],
    ['{ issued: jwtt }', 'unknown-word jwtt: did you mean jwt?'],
    [
      '{ issued: opaque, life: P1Y }',
      'bad-duration P1Y: years and months vary in length: write weeks, days, hours, minutes or seconds',
    ],
    ['{ issuer: x, algorithms: [none] }', 'unknown-word none: null'],
    ['{ issuer: x, algorithms: [ES265] }', 'unknown-word ES265: did you mean ES256?'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(`schemes: { s: { credentials: ${yaml} } }`)).toEqual([expected]);
  });

  it('fields are those of the resource, where they are all listed', () => {
    const yaml = 'schemes: { s: { credentials: { kept: Account.kye } } }';
    expect(findings(yaml, { head: 'complete: [resources]' })).toEqual([
      'unknown-name kye: did you mean key?',
    ]);
  });

  it('a name and its password are kept together', () => {
    const yaml =
      'schemes: { s: { type: http, scheme: basic, credentials: { kept: [Account.name, Parcel.id] } } }';
    expect(messages(yaml)).toEqual(['the name is kept in Account, and the password in Parcel']);
  });

  it('issue() and revoke are about credentials that this service issues', () => {
    const yaml = 'schemes: { token: { credentials: { issued: opaque } }, key: { credentials: operator } }';
    const issue = (call: string) => ({
      endpoints: `GET /parcels/{id}: { operation: show, does: read Parcel, response: { status: 200, body: { t: "\${${call}}" } } }`,
    });
    expect(findings(yaml, issue("issue('token', this)"))).toEqual([]);
    expect(findings(yaml, issue("issue('tokn', this)"))).toEqual([
      "unknown-name issue('tokn', this): did you mean token?",
    ]);
    expect(messages(yaml, issue("issue('key', this)"))).toEqual([
      'this service does not issue credentials of key',
    ]);
    expect(messages(yaml, issue('issue(this.id, this)'))).toEqual([
      'issue("scheme", item) takes the name of a scheme, as a text, and an item',
    ]);
    const revoke = (name: string) => ({
      endpoints: `DELETE /session: { does: { revoke: ${name} }, response: 204 }`,
    });
    expect(findings(yaml, revoke('token'))).toEqual([]);
    expect(messages(yaml, revoke('key'))).toEqual(['this service does not issue credentials of key']);
    expect(messages(yaml, revoke('tokn'))).toEqual(['tokn is not the name of a scheme']);
  });
});

describe('who is asking (language §5.3)', () => {
  const foreign = '{ issuer: x, audience: y, algorithms: ES256 }';

  it.each([
    ['{ kept: Account.key }', 'Account', { kind: 'resource', resource: { text: 'Account' } }],
    ['{ issued: opaque }', 'Account', { kind: 'resource' }],
    [foreign, 'Account.name', { kind: 'field', resource: 'Account', field: 'name' }],
    ['operator', 'Account.name', { kind: 'field' }],
    [foreign, '"${claims}"', { kind: 'expression' }],
    ['{ kept: Account.key }', '"${this}"', { kind: 'expression' }],
    ['operator', 'office', { kind: 'actor', actor: { text: 'office' } }],
  ])('%s, %s', (credentials, actor, expected) => {
    const yaml = `schemes: { s: { credentials: ${credentials}, actor: ${actor} } }`;
    expect(findings(yaml)).toEqual([]);
    const found = stated(stated(authentication(yaml).schemes)?.get('s'));
    expect(plain(stated(found?.actor))).toMatchObject(expected);
  });

  it.each([
    ['{ kept: Account.key }', 'Parcel', 'the credential belongs to Account, and the actor is Parcel'],
    [
      'operator',
      'Account',
      'this service keeps no such credential, so that it belongs to no Account; write Account.field',
    ],
    [
      foreign,
      'Account',
      'this service keeps no such credential, so that it belongs to no Account; write Account.field',
    ],
    ['{ issued: opaque }', 'Account.name', 'the credential belongs to an item by itself; write Account'],
    ['{ issued: opaque }', 'Acount', 'Acount is not the name of a resource'],
    [foreign, 'Acount.name', 'Acount is not the name of a resource'],
    ['operator', 'ofice', 'ofice is not the name of an actor of part 1'],
    [foreign, '"${this}"', expect.stringMatching(/^nothing is called this here/)],
    ['{ kept: Account.key }', '"${claims}"', expect.stringMatching(/^nothing is called claims here/)],
    ['operator', '"${claims}"', expect.stringMatching(/^nothing is called claims here/)],
    ['{ kept: Account.key }', '"${this.id == 3}"', expect.stringMatching(/are never equal$/)],
    ['operator', '{}', 'text is wanted here, and this is a map'],
  ])('%s, %s is refused', (credentials, actor, expected) => {
    expect(messages(`schemes: { s: { credentials: ${credentials}, actor: ${actor} } }`)).toEqual([expected]);
  });
});

describe('actors (language §5.4)', () => {
  it('are expressions about who asks', () => {
    const found = authentication("actors: { courier: \"${actor.role == 'a' && request.method == 'GET'}\" }");
    expect(stated(stated(found.actors)?.get('courier'))?.template.kind).toBe('expression');
  });

  it.each([
    ['courier: yes', 'not-an-expression yes: write ${ … }'],
    ['courier: "${this.id == \'x\'}"', 'expression-type this: null'],
    ['courier: "${1}"', 'expression-type 1: null'],
    ['courer: "${true}"', 'unknown-name courer: did you mean courier?'],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(`actors: { ${yaml} }`)).toEqual([expected]);
  });

  it('another one may be named as long as part 1 is open, and not once it is closed', () => {
    expect(findings('actors: { stranger: "${true}" }')).toEqual([]);
    expect(findings('actors: { stranger: "${true}" }', { head: 'complete: [service]' })).toEqual([
      'unknown-name stranger: known: office, courier',
    ]);
  });

  it('none is bound twice', () => {
    const yaml = 'schemes: { s: { credentials: operator, actor: office } }\nactors: { office: "${true}" }';
    const found = read('x.md', service(yaml)).diagnostics;
    expect(found.map((one) => [one.code, words(one.span), one.related.map(words)])).toEqual([
      ['actor-twice', 'office', ['office']],
    ]);
    expect(places(service(yaml))).toEqual(['33:11 actor-twice']);
  });
});

describe('authorization (language §5.5)', () => {
  const bound = 'actors: { courier: "${actor.role == \'a\'}" }\n';
  const rule = (yaml: string, operation = 'show') =>
    stated(
      stated(authentication(`${bound}authorization: { ${operation}: ${yaml} }`).authorization)?.get(
        operation,
      ),
    );

  it.each([
    ['anyone', [{ kind: 'anyone' }]],
    ['known', [{ kind: 'known' }]],
    ['courier', [{ kind: 'actor', name: 'courier' }]],
    ['"${this.owner == actor}"', [{ kind: 'expression', aboutItem: true }]],
    ['"${request.media == \'this\'}"', [{ kind: 'expression', aboutItem: false }]],
    ['[courier, "${this.owner == actor}"]', [{ kind: 'actor' }, { kind: 'expression', aboutItem: true }]],
  ])('%s', (yaml, expected) => {
    expect(plain(stated(rule(yaml)?.rule))).toMatchObject(expected);
  });

  it('a rule may say more', () => {
    const found = authentication(
      'schemes: { s: {}, t: {} }\nauthorization: { show: { rule: known, items: "${this.owner == actor}", schemes: [s, [s, t]] } }',
    );
    const one = stated(stated(found.authorization)?.get('show'));
    expect(plain(stated(one?.rule))).toMatchObject([{ kind: 'known' }]);
    expect(plain(stated(one?.items))).toMatchObject([{ kind: 'expression' }]);
    expect(stated(one?.schemes)?.map((list) => list.map((name) => name.text))).toEqual([['s'], ['s', 't']]);
  });

  it('an operation has its own rule, or otherwise that of the rest, or none', () => {
    const of = specification(service('authorization: { show: anyone }\notherwise: known'));
    const [list, show] = of.operations;
    const found = stated(of.authentication);
    if (!found || !list || !show) throw new Error('nothing is stated');
    expect(ruleOf(found, show)).toMatchObject({ address: 'authentication.authorization.show' });
    expect(ruleOf(found, list)).toMatchObject({ address: 'authentication.otherwise' });
    expect(ruleOf(authentication('authorization: {}'), list)).toMatchObject({
      kind: 'open',
      address: 'authentication.authorization.list',
    });
  });

  it.each([
    ['show: courrier', 'unknown-name courrier: did you mean courier?'],
    ['show: anyon', 'unknown-name anyon: did you mean anyone?'],
    ['show: [known, nobody]', 'removed-word nobody: take it out of the list; tacet check --fix does it'],
    ['show: [courier, anyone]', 'no-effect anyone: take it out, or correct what keeps it from having one'],
    ['show: "${this.ownr == actor}"', 'expression-type this.ownr: null'],
    ['show: "${this.weight}"', 'expression-type this.weight: null'],
    [
      'show: "${slug(this.id) == \'a\'}"',
      'not-storable slug(this.id): keep what it comes to in a field that is set, and compare that',
    ],
    ['show: { rules: known }', 'unknown-key rules: did you mean rule?'],
    ['show: { rule: known, schemes: [s] }', null],
    ['add: "${this.owner == actor}"', 'expression-type "${this.owner == actor}": null'],
    ['hello: "${this.owner == actor}"', 'expression-type "${this.owner == actor}": null'],
    ['add: { rule: known, items: known }', 'idle items: take it out'],
    ['shw: known', 'unknown-name shw: did you mean show?'],
    [
      'show: 3',
      'bad-name 3: resources, shapes and views begin with a capital letter; other names with a letter; then letters and digits',
    ],
    ['show: {}', null],
    [
      'list: "${this.owner == actor}"',
      'null-actor "${this.owner == actor}": ask for somebody known, too: actor != null && …',
    ],
    ['add: "${request.body.weight < 3}"', null],
  ])('%s', (yaml, expected) => {
    expect(findings(`${bound}authorization: { ${yaml} }`)).toEqual(expected === null ? [] : [expected]);
  });

  it('a scheme that a rule names is one of the schemes', () => {
    const yaml = 'authorization: { show: { rule: known, schemes: [[s, tt]] } }';
    expect(findings(`schemes: { s: {}, t: {} }\n${yaml}`)).toEqual(['unknown-name tt: did you mean t?']);
    expect(findings(yaml)).toEqual([]);
  });

  it('what otherwise says is worked out for each operation that is not listed', () => {
    const ofNobody = 'this lets in a client that nobody knows: without a credential, actor is null';
    expect(messages('otherwise: "${this.owner == actor}"').sort()).toEqual([
      'the rule is about an item, and add has none',
      'the rule is about an item, and hello has none',
      expect.stringContaining(ofNobody),
    ]);
    const listed = 'authorization: { add: known, hello: known }\n';
    expect(findings(`${listed}otherwise: "\${this.owner == actor}"`)).toEqual([
      expect.stringContaining('null-actor'),
    ]);
    expect(findings(`${listed}otherwise: "\${this.ownr == actor}"`)).toContain(
      'expression-type this.ownr: null',
    );
    expect(findings('otherwise: "${1}"', { endpoints: '(none)' })).toEqual(['expression-type 1: null']);
  });

  it('an actor that nothing binds is open, and a fault once the actors are all listed', () => {
    const yaml = 'authorization: { show: office, list: known, add: known, hello: known }';
    expect(findings(yaml)).toEqual([]);
    expect(findings(`actors: {}\n${yaml}`, { head: 'complete: [authentication]' })).toEqual([
      'unknown-name office: null',
    ]);
    expect(
      findings(`schemes: { s: { credentials: operator, actor: office } }\n${yaml}`, {
        head: 'complete: [authentication]',
      }),
    ).toEqual([]);
  });

  it('what the path binds may be named', () => {
    const endpoints =
      'GET /parcels/{id}/owner: { operation: show, does: read Account, request: { path: { id: Parcel.id as parcel } }, response: 200 }';
    const found = findings('authorization: { show: "${parcel.weight == actor}" }', { endpoints });
    expect(found.filter((one) => one.startsWith('expression'))).toEqual([]);
    expect(findings('authorization: { show: "${parcel.wieght == 1}" }', { endpoints })).toContain(
      'expression-type parcel.wieght: null',
    );
  });

  it('a scheme that every rule excludes is a warning, once all is decided', () => {
    const yaml = (last: string) =>
      `schemes: { s: {}, t: {} }\nauthorization: { show: { rule: known, schemes: s }, list: { rule: known, schemes: s }, add: { rule: known, schemes: [[s]] }, hello: ${last} }`;
    const warning = 'no-effect t: take it out, or correct what keeps it from having one';
    const head = 'complete: [endpoints]';
    expect(findings(yaml('{ rule: known, schemes: s }'), { head })).toEqual([warning]);
    expect(findings(yaml('{ rule: known, schemes: s }'))).toEqual([]);
    expect(findings(yaml('anyone'), { head })).toEqual([]);
    expect(findings(yaml('(open)'), { head })).toEqual([]);
  });

  it('each point is listed, and otherwise rules on what is not', () => {
    const under = (yaml: string) => points(specification(service(yaml)), 'authentication');
    expect(under('authorization: { show: (open) who?, list: { items: known } }')).toEqual({
      'authentication.schemes.*': 'open',
      'authentication.authorization.show': 'open: who?',
      'authentication.authorization.list.rule': 'open',
      'authentication.authorization.list.items': 'stated',
      'authentication.authorization.list.*': 'open',
      'authentication.authorization.*': 'open',
      'authentication.actors.*': 'open',
      'authentication.*': 'open',
    });
    expect(under('otherwise: known')).toEqual({
      'authentication.schemes.*': 'open',
      'authentication.authorization.*': 'stated',
      'authentication.otherwise': 'stated',
      'authentication.actors.*': 'open',
      'authentication.*': 'open',
    });
    expect(under('otherwise: (open)')['authentication.authorization.*']).toBe('open');
  });
});

it('the parcel desk lets senders see their own parcels', () => {
  const of = specification(wholeDocument('parcel-desk'));
  const found = stated(of.authentication);
  const show = of.operations.find((one) => one.name === 'readParcel');
  if (!found || !show) throw new Error('nothing is stated');
  expect(plain(stated(stated(ruleOf(found, show))?.rule))).toMatchObject([
    { kind: 'expression', aboutItem: true },
    { kind: 'actor', name: 'courier' },
  ]);
});

describe('scopes (language §5.1, §5.5)', () => {
  const foreign = '{ issuer: "https://a.example", audience: api, algorithms: RS256 }';
  const flows =
    '{ clientCredentials: { scopes: { read: to read } }, implicit: { scopes: { write: to write } } }';
  const oauth = (more: string) => `schemes: { o: { type: oauth2, flows: ${flows}, ${more} }, k: {} }\n`;
  const granted = `credentials: ${foreign}, scopes: "${"${split(claims.scope, ' ')}"}"`;
  const rule = (schemes: string) => `authorization: { show: { rule: known, schemes: ${schemes} } }`;
  const wanted = (schemes: string) => {
    const found = stated(stated(authentication(oauth(granted) + rule(schemes)).authorization)?.get('show'));
    return stated(found?.schemes)?.map((all) =>
      all.map(({ text, scopes }) => [text, scopes.map((scope) => scope.text)]),
    );
  };

  it.each([
    ['o', [[['o', []]]]],
    ['{ o: [read, write] }', [[['o', ['read', 'write']]]]],
    [
      '{ o: read, k: [] }',
      [
        [
          ['o', ['read']],
          ['k', []],
        ],
      ],
    ],
    [
      '[{ o: [read] }, k, [o, k]]',
      [
        [['o', ['read']]],
        [['k', []]],
        [
          ['o', []],
          ['k', []],
        ],
      ],
    ],
  ])('a rule wants them of schemes: %s', (schemes, expected) => {
    expect(wanted(schemes)).toEqual(expected);
    expect(findings(oauth(granted) + rule(schemes))).toEqual([]);
  });

  it('what a credential grants is a point where a rule wants some', () => {
    const scopesOf = (schemes: string) =>
      points(
        specification(service(oauth(`credentials: ${foreign}`) + rule(schemes), { head: 'complete: true' })),
        'authentication.schemes.o.scopes',
      );
    expect(scopesOf('{ o: [read] }')).toEqual({ 'authentication.schemes.o.scopes': 'open' });
    expect(scopesOf('[o]')).toEqual({});
  });

  it.each([
    [oauth(granted) + rule('{ o: [raed] }'), 'unknown-name raed: did you mean read?'],
    [oauth(granted) + rule('{ other: [read] }'), 'unknown-name other: known: o, k'],
    [oauth(granted) + rule('{ o: { read: true } }'), 'wrong-kind { read: true }: null'],
    [oauth('scopes: read'), 'not-an-expression read: write ${ … }'],
    [oauth(`credentials: ${foreign}, scopes: "\${'read'}"`), "expression-type 'read': null"],
    [oauth('credentials: operator, scopes: "${claims.scope}"'), 'expression-type claims: null'],
    [
      oauth('credentials: { kept: Account.key }, scopes: "${[this.keyy]}"'),
      'expression-type this.keyy: null',
    ],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(yaml)).toEqual([expected]);
  });

  it('a credential that is kept grants what its item says', () => {
    expect(findings(oauth('credentials: { kept: Account.key }, scopes: "${[this.role]}"'))).toEqual([]);
  });
});

describe('what may be seen and not changed (language §5.5)', () => {
  it('is said by `where` and a rule: an item that is not there, and one that may not be changed', () => {
    const endpoints =
      'PUT /parcels/{id}: { operation: edit, does: { update: Parcel, where: "${this.weight < 5 || this.owner == actor}" }, response: 204 }';
    const errors =
      'codes: { gone: { when: unknown Parcel, status: 404 }, kept: { when: not authorized Parcel, status: 403 } }';
    const rule = 'authorization: { edit: { rule: known, items: "${this.owner == actor}" } }';
    expect(findings(rule, { endpoints, errors })).toEqual([]);
  });

  it('or by two rules, where what the path binds decides what may be seen', () => {
    const endpoints =
      'PUT /accounts/{account}/parcels/{id}: { operation: edit, does: update Parcel, request: { path: { account: Account.id as account } }, response: 204 }';
    const errors =
      'codes: { gone: { when: unknown, status: 404 }, hidden: { when: not authorized, as: unknown Account }, kept: { when: not authorized Parcel, status: 403 } }';
    const rule = 'authorization: { edit: { rule: "${account == actor}", items: "${this.owner == actor}" } }';
    expect(findings(rule, { endpoints, errors })).toEqual([]);
  });
});
