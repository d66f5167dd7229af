import { describe, expect, it } from 'vitest';
import { document } from './documents.ts';
import { findings } from './findings.ts';

type Parts = Parameters<typeof document>[0];

const resources = `Parcel:
  identifier: id
  fields: { id: { type: string }, label: { type: string }, code: { type: string, unique: true }, a: { type: string }, b: { type: string } }
  unique: [[a, b]]
Account: { identifier: id, fields: { id: { type: string }, key: { type: string, secret: hashed } } }`;
const read = 'GET /{id}: { operation: show, does: read Parcel, response: { status: 200, body: Parcel } }';

/** A document all of whose lists are closed, with a row for one condition. */
const row = (when: string, more: Parts = {}, keys = ''): string =>
  document({
    head: 'complete: true',
    resources,
    endpoints: read,
    ...more,
    errors: `codes: { one: { when: ${when}, status: 400${keys} } }`,
  });

describe('a condition that nothing brings about is told, where nothing more can', () => {
  it.each(['label', 'code', 'id', 'a'])('a former value of what is not unique for ever: %s', (field) => {
    expect(findings(row(`not unique Parcel.${field}.ever`))).toEqual([
      `never-refused not unique Parcel.${field}.ever: "not unique Parcel.${field}.ever" never holds: Parcel.${field} is not \`unique: ever\` → take the row out, or state what would bring it about`,
    ]);
  });

  it('and, where more can be stated, of what is stated to be unique in another way', () => {
    const open = (field: string): string =>
      row(`not unique Parcel.${field}.ever`).replace('complete: true', 'complete: [service]');
    expect(['label', 'code', 'id'].map((field) => findings(open(field)).length)).toEqual([0, 1, 0]);
    const ever = { resources: resources.replace('unique: true', 'unique: ever') };
    expect(findings(row('not unique Parcel.code.ever', ever))).toEqual([]);
  });

  it.each<[string, string, Parts, string[]]>([
    [
      'who asks, where nobody is asked',
      'credential missing',
      { authentication: '(none)' },
      [
        'never-refused credential missing: "credential missing" never holds: nobody is asked who they are → take the row out, or state what would bring it about',
      ],
    ],
    [
      'either of the two',
      'not authenticated',
      { authentication: '(none)' },
      [
        'never-refused not authenticated: "not authenticated" never holds: nobody is asked who they are → take the row out, or state what would bring it about',
      ],
    ],
    [
      'what one may',
      'not authorized Parcel',
      { authentication: '(none)' },
      [
        'never-refused not authorized Parcel: "not authorized Parcel" never holds: nobody is asked who they are → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a version, where there are none',
      'version unknown',
      { versioning: '(none)' },
      [
        'never-refused version unknown: "version unknown" never holds: there are no versions → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a rate',
      'rate exceeded',
      { limits: '(none)' },
      [
        'never-refused rate exceeded: "rate exceeded" never holds: neither a rate nor what may run at once is limited → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a rate, where other limits are stated',
      'rate exceeded',
      { limits: 'sizes: { body: 5 }' },
      [
        'never-refused rate exceeded: "rate exceeded" never holds: neither a rate nor what may run at once is limited → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a transition',
      'transition refused',
      { states: '(none)' },
      [
        'never-refused transition refused: "transition refused" never holds: no resource has a machine → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a transition of a resource',
      'transition refused Account',
      { states: 'Parcel.label: { states: [a], initial: a, final: a, transitions: {} }' },
      [
        'never-refused transition refused Account: "transition refused Account" never holds: Account has no machine → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a guard',
      'guard refused Parcel',
      { states: '(none)' },
      [
        'never-refused guard refused Parcel: "guard refused Parcel" never holds: Parcel has no machine → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a key of a repeat',
      'key missing',
      {},
      [
        'never-refused key missing: "key missing" never holds: no operation has idempotency → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a precondition',
      'precondition failed',
      {},
      [
        'never-refused precondition failed: "precondition failed" never holds: no operation has conditional → take the row out, or state what would bring it about',
      ],
    ],
    [
      'one of several',
      '[precondition missing, invalid]',
      {},
      [
        'never-refused precondition missing: "precondition missing" never holds: no operation has conditional → take the row out, or state what would bring it about',
      ],
    ],
    [
      'a login',
      'wrong credentials Account',
      {},
      [
        'never-refused wrong credentials Account: "wrong credentials Account" never holds: no operation authenticates Account → take the row out, or state what would bring it about',
      ],
    ],
    [
      'what is unique',
      'not unique Parcel.label',
      {},
      [
        'never-refused not unique Parcel.label: "not unique Parcel.label" never holds: Parcel.label is not unique → take the row out, or state what would bring it about',
      ],
    ],
    [
      'what always holds',
      'invariant broken Account',
      {},
      [
        'never-refused invariant broken Account: "invariant broken Account" never holds: Account has no invariants → take the row out, or state what would bring it about',
      ],
    ],
  ])('%s', (_, when, more, expected) => {
    expect(findings(row(when, more))).toEqual(expected);
  });

  it('of the operations that the row is for', () => {
    const endpoints = `${read}\nPUT /{id}: { operation: change, does: update Parcel, conditional: { etag: strong, ifMatch: allowed }, response: 204 }`;
    expect(findings(row('precondition failed', { endpoints }, ', operations: [change]'))).toEqual([]);
    expect(findings(row('precondition failed', { endpoints }, ', operations: [show]'))).toEqual([
      'never-refused precondition failed: "precondition failed" never holds: none of its operations has conditional → take the row out, or state what would bring it about',
    ]);
  });
});

describe('a condition that something may bring about is not told', () => {
  const login =
    'POST /: { does: { authenticate: Account, by: [id, key] }, request: { body: { type: object } }, response: 204 }';
  it.each<[string, string, Parts]>([
    ['whose part says nothing', 'not authenticated', {}],
    ['whose part is open', 'version missing', { versioning: '(open) by header?' }],
    ['a rate', 'rate exceeded r', { limits: 'rates: { r: { allow: 5, every: PT1M } }' }],
    ['what runs at once', 'rate exceeded c', { limits: 'concurrency: { c: { allow: 5 } }' }],
    ['a rate that is asked', 'rate exceeded', { limits: 'rates: (open) how many?' }],
    [
      'a machine',
      'transition refused Parcel',
      { states: 'Parcel.label: { states: [a], initial: a, final: a, transitions: {} }' },
    ],
    [
      'repeats',
      '[key missing, key busy, key reused]',
      {
        endpoints:
          'POST /: { does: create Parcel, idempotency: { header: Key, life: P1D, per: key, remembers: all }, response: 204 }',
      },
    ],
    [
      'repeats that are asked',
      'key missing',
      { endpoints: 'POST /: { does: create Parcel, idempotency: (open), response: 204 }' },
    ],
    ['an endpoint that asks', 'precondition failed', { endpoints: `${read}\nPUT /{id}: (open) what?` }],
    ['a login', 'wrong credentials Account', { endpoints: login }],
    ['a login of any', 'wrong credentials', { endpoints: login }],
    [
      'a login that follows',
      'wrong credentials Account',
      {
        endpoints:
          'POST /: { does: { create: Parcel }, also: [{ authenticate: Account, by: [id] }], response: 204 }',
      },
    ],
    [
      'what a handler does',
      'wrong credentials Account',
      { endpoints: 'POST /: { does: { handled: h }, response: 204 }' },
    ],
    [
      'what is done and open',
      'wrong credentials Account',
      { endpoints: 'POST /: { does: (open), response: 204 }' },
    ],
    ['an identifier', 'not unique Parcel.id', {}],
    ['what is unique', 'not unique Parcel.code', {}],
    ['what is unique with another', 'not unique Parcel.a', {}],
    ['what is unique, of any', 'not unique', {}],
    [
      'invariants',
      'invariant broken Parcel',
      {
        resources: resources.replace(
          'identifier: id\n',
          'identifier: id\n  invariants: { it holds: "${this.a != this.b}" }\n',
        ),
      },
    ],
    [
      'invariants that are asked',
      'invariant broken Parcel',
      { resources: resources.replace('identifier: id\n', 'identifier: id\n  invariants: (open) which?\n') },
    ],
    [
      'uniqueness that is asked',
      'not unique Parcel.label',
      { resources: resources.replace('label: { type: string }', 'label: { type: string, unique: (open) }') },
    ],
    [
      'what needs no cause',
      '[malformed, unknown path, method not allowed, internal, timed out, unsupported media, not acceptable]',
      {},
    ],
  ])('%s', (_, when, more) => {
    expect(findings(row(when, more))).toEqual([]);
  });

  it.each([
    'precondition failed',
    'range not satisfiable',
    'key missing',
    'wrong credentials',
    'transition refused',
    'rate exceeded',
    'not unique Parcel.label',
    'invariant broken Parcel',
  ])('%s, as long as no list is closed', (when) => {
    expect(findings(row(when).replace('complete: true', 'complete: [service]'))).toEqual([]);
  });
});

describe('what a row is about is told where there is no such thing', () => {
  it.each<[string, string, Parts, string[]]>([
    [
      'the name of a resource',
      'unknown Parcle',
      {},
      ['unknown-name unknown Parcle: Parcle is not the name of a resource → did you mean Parcel?'],
    ],
    [
      'the name of a field',
      'invalid Parcel.labl',
      {},
      ['unknown-name invalid Parcel.labl: labl is not the name of a field → did you mean label?'],
    ],
    [
      'the name of a transition',
      'guard refused Parcel.snd',
      {
        states:
          'Parcel.label: { states: [a], initial: a, transitions: { send: { from: a, to: a, after: P1D } } }',
      },
      ['unknown-name guard refused Parcel.snd: snd is not the name of a guard → did you mean send?'],
    ],
    [
      'the name of a rate',
      'rate exceeded houly',
      { limits: 'rates: { hourly: { allow: 5, every: PT1H } }' },
      ['unknown-name rate exceeded houly: houly is not the name of a rate → did you mean hourly?'],
    ],
    [
      'the name of a size',
      'too large bdy',
      {},
      ['unknown-name too large bdy: bdy is not the name of a size → did you mean body?'],
    ],
    [
      'of a condition that is about nothing',
      'internal Parcel',
      {},
      [
        'unknown-condition internal Parcel: "internal Parcel" is no condition → internal is about nothing in particular',
      ],
    ],
  ])('%s', (_, when, more, expected) => {
    expect(findings(row(when, more))).toEqual(expected);
  });

  it('a rate is not, as long as no rate is stated and there may be some', () => {
    expect(
      findings(document({ errors: 'codes: { one: { when: rate exceeded hourly, status: 429 } }' })),
    ).toEqual([]);
  });

  it('a code twice in the order', () => {
    const errors = 'codes: { one: { when: invalid, status: 400 } }\norder: [one, one]';
    expect(findings(document({ errors }))).toEqual(['key-twice one: one stands twice → keep one of them']);
  });
});
