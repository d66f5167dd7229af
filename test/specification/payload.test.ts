import { describe, expect, it } from 'vitest';
import { stated } from '../../src/specification/reading/said.ts';
import { document, faults, specification } from './documents.ts';
import { findings } from './findings.ts';

const response = (answer: string, head?: string): string =>
  document({ ...(head && { head }), endpoints: `GET /:\n  does: (none)\n  response: { ${answer} }` });

/** What is said at and under an address: `state`, with what is asked. */
function points(content: string, above: string): Record<string, string> {
  const all = [...specification(content).points.values()].filter((one) => one.address.startsWith(above));
  return Object.fromEntries(
    all.map((one) => [
      one.address.slice(above.length),
      one.question === null ? one.state : `${one.state}: ${one.question}`,
    ]),
  );
}

const body = 'endpoints["GET /"].response.body';

describe('an object in a payload lists its members (language §H.3)', () => {
  const nested = 'status: 200, body: { a: 1, b: { c: "${now}" }, d: [x, { e: null }] }';

  it('each of which is a point, and whether there are more is one', () => {
    expect(points(response(nested), body)).toEqual({
      '': 'stated',
      '.a': 'stated',
      '.b.c': 'stated',
      '.b.*': 'open',
      '.d[1].e': 'stated',
      '.d[1].*': 'open',
      '.*': 'open',
    });
  });

  it('closed by `complete` as every list, and opened with a question', () => {
    const head = `complete: ['${body}']\nopen: { '${body}.b': which else? }`;
    expect(points(response(nested, head), body)).toMatchObject({
      '.*': 'stated',
      '.b.*': 'open: which else?',
      '.d[1].*': 'stated',
    });
  });

  it('and a member may be a marker, at any depth', () => {
    const marked = 'status: 200, body: { a: (open) which?, b: { c: (any), d: (none) } }';
    expect(points(response(marked), body)).toEqual({
      '': 'stated',
      '.a': 'open: which?',
      '.b.c': 'stated',
      '.b.d': 'stated',
      '.b.*': 'open',
      '.*': 'open',
    });
  });

  it('which the ledger may answer', () => {
    const assumed = specification(response('status: 200, body: { a: (open), b: 1 }'), [
      { at: `${body}.a`, value: 7, why: '', who: '', when: '' },
    ]);
    expect(assumed.points.get(`${body}.a`)?.state).toBe('assumed');
    expect(assumed.points.get(body)?.state).toBe('stated');
  });

  it('as in errors, where rows that have the shared one share its points', () => {
    const errors = 'payload: { body: { a: (open) } }\ncodes: { gone: { when: unknown, status: 404 } }';
    const found = points(document({ errors }), 'errors');
    expect(found).toMatchObject({ '.payload.body.a': 'open', '.payload.body.*': 'open' });
    expect(Object.keys(found).filter((one) => one.startsWith('.codes.gone.body'))).toEqual([
      '.codes.gone.body',
    ]);
  });

  it('and in events and their envelope', () => {
    const events = 'kinds: { k: { by: [x], body: { a: (any) } } }\nenvelope: { b: (open) which? }';
    expect(points(document({ events, endpoints: 'GET /: { operation: x }' }), 'events')).toMatchObject({
      '.kinds.k.body.a': 'stated',
      '.kinds.k.body.*': 'open',
      '.envelope.b': 'open: which?',
      '.envelope.*': 'open',
    });
  });

  it('but a template that is no payload is whole', () => {
    const resources = 'Thing: { identifier: id, fields: { id: {}, links: { derived: { self: x } } } }';
    expect(points(document({ resources }), 'resources.Thing.fields.links.derived')).toEqual({ '': 'stated' });
  });
});

describe('a schema that is written as a body (language §H.3)', () => {
  const told = (shown: string): string[] => [
    `shape-as-body ${shown}: this is a shape, and a body is made of values: it would be sent as it stands → write shape: for what the body looks like, or a body of values`,
  ];

  it.each([
    '{ type: object, properties: {} }',
    '{ type: object, fields: {} }',
    '{ type: array, items: Thing }',
    '{ type: [string, "null"], enum: [a] }',
    '{ type: object, required: [a] }',
    '{ type: object, $ref: a }',
  ])('is refused: %s', (shown) => {
    expect(findings(response(`status: 200, body: ${shown}`))).toEqual(told(shown));
    expect(findings(response(`status: 200, body: { deep: [${shown}] }`))).toEqual(told(shown));
  });

  it('in an error too', () => {
    expect(faults(document({ errors: 'payload: { body: { type: object, properties: {} } }' }))).toEqual([
      'shape-as-body: { type: object, properties: {} }',
    ]);
  });

  it.each([
    '{ type: object }',
    '{ type: invoice, items: [a] }',
    '{ properties: {} }',
    '{ type: "${\'object\'}", properties: {} }',
  ])('is not taken for one: %s', (shown) => {
    expect(faults(response(`status: 200, body: ${shown}`))).toEqual([]);
  });
});

describe('the shape of an answer (language §H.3)', () => {
  it('stands beside a body, or in its place, with JSON’s media type', () => {
    const found = specification(response('status: 200, shape: { type: object, required: [a] }'));
    const [answer] = stated(found.operations[0]?.response) ?? [];
    expect(stated(answer?.media)?.template).toEqual({ kind: 'literal', value: 'application/json' });
    expect(answer?.body.kind).toBe('open');
    expect(
      points(response('status: 200, shape: { type: object }'), 'endpoints["GET /"].response'),
    ).toMatchObject({ '.body': 'open', '.shape.type': 'stated', '.media': 'stated' });
  });

  it('names what part 2 describes', () => {
    const resources = 'Thing: { identifier: id, fields: { id: {} } }';
    const named = (shape: string): string[] =>
      faults(
        document({
          resources,
          endpoints: `GET /: { does: list Thing, response: { status: 200, shape: ${shape} } }`,
          errors: `payload: { shape: ${shape} }\ncodes: { gone: { when: unknown Thing, status: 404 } }`,
        }),
      );
    expect(named('{ type: array, items: Thing }')).toEqual([]);
    expect(named('{ type: array, items: Thinge }')).toEqual(['unknown-name: Thinge', 'unknown-name: Thinge']);
  });

  it('of a row is its own, or with the body that of all rows (language §E.16)', () => {
    const errors = `
payload: { body: { a: 1 }, shape: { type: object } }
codes:
  shared: { when: unknown, status: 404 }
  shaped: { when: malformed, status: 400, shape: { type: array } }
  bodied: { when: invalid, status: 400, body: { b: 1 } }`;
    const codes = stated(stated(specification(document({ errors })).errors)?.codes);
    const kinds = ['shared', 'shaped', 'bodied'].map((code) => {
      const row = stated(codes?.get(code));
      return [row?.body.kind, row?.shape.kind];
    });
    expect(kinds).toEqual([
      ['stated', 'stated'],
      ['open', 'stated'],
      ['stated', 'open'],
    ]);
  });
});

describe('a status that is one of several (language §H.3)', () => {
  it('is one point', () => {
    const found = points(response('status: [200, 203]'), 'endpoints["GET /"].response.status');
    expect(found).toEqual({ '': 'stated' });
  });

  it('which, where none of them has content, leaves no body open', () => {
    const found = (status: string) => points(response(`status: ${status}`), 'endpoints["GET /"].response');
    expect(Object.keys(found('[204, 205]'))).not.toContain('.body');
    expect(found('[200, 204]')).toMatchObject({ '.body': 'open' });
  });
});
