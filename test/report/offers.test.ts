import { describe, expect, it } from 'vitest';
import { conventions } from '../../src/report/conventions.ts';
import { offers } from '../../src/report/offers.ts';
import { read } from '../../src/specification/read.ts';
import { steps } from '../../src/specification/reading/address.ts';
import { conditionNames } from '../../src/specification/vocabulary/condition.ts';
import { document, specification } from '../specification/documents.ts';

const resources = [
  'Parcel:',
  '  identifier: id',
  '  fields: { id: { type: string }, number: { type: integer }, any: {} }',
  'Hook: { fields: { id: {} } }',
].join('\n');

/** What is offered at an address of a document, each as `value (source)`. */
const at = (address: string, parts: Parameters<typeof document>[0]): string[] =>
  offers(specification(document({ resources, ...parts })), address).map(
    ({ value, source }) => `${JSON.stringify(value)} (${source})`,
  );

const endpoint = (key: string, stated: string, point: string): string[] =>
  at(`endpoints[${JSON.stringify(key)}].${point}`, { endpoints: `${key}: { ${stated} }` });

describe('what the field usually states at an open point, with its source', () => {
  it.each([
    ['create Parcel', 'POST /parcels', ['201 (RFC 9110 §15.3.2)']],
    ['read Parcel', 'GET /parcels/{id}', ['200 (RFC 9110 §15.3.1)']],
    ['list Parcel', 'GET /parcels', ['200 (RFC 9110 §15.3.1)']],
    ['update Parcel', 'PATCH /parcels/{id}', ['200 (RFC 9110 §15.3.1)', '204 (RFC 9110 §15.3.5)']],
    [
      'delete Parcel',
      'DELETE /parcels/{id}',
      ['204 (RFC 9110 §9.3.5, §15.3.5)', '200 (RFC 9110 §9.3.5, §15.3.1)'],
    ],
    ['(none)', 'GET /health', ['200 (RFC 9110 §15.3.1)']],
  ])('the status of a success: %s', (does, key, expected) => {
    expect(endpoint(key, `does: ${does}`, 'response.status')).toEqual(expected);
  });

  it('of one that has content, or has none', () => {
    const key = 'PATCH /parcels/{id}';
    const does = 'does: update Parcel';
    expect(endpoint(key, `${does}, response: { body: Parcel }`, 'response.status')).toEqual([
      '200 (RFC 9110 §15.3.1)',
    ]);
    expect(endpoint(key, `${does}, response: { body: (none) }`, 'response.status')).toEqual([
      '204 (RFC 9110 §15.3.5)',
    ]);
  });

  it('of one of several, by its outcome', () => {
    const response = '[{ when: created, status: (open) }, { when: unchanged, body: {} }, { status: 200 }]';
    const stated = `does: { create: Parcel, present: keep }, response: ${response}`;
    expect(endpoint('PUT /parcels', stated, 'response[0].status')).toEqual(['201 (RFC 9110 §15.3.2)']);
    expect(endpoint('PUT /parcels', stated, 'response[1].status')).toEqual(['200 (RFC 9110 §15.3.1)']);
  });

  it('none where it is open what the operation does', () => {
    expect(endpoint('GET /parcels', 'response: {}', 'response.status')).toEqual([]);
  });

  it.each([
    ['GET /parcels', '"list Parcel" (RFC 9110 §9.3.1)'],
    ['GET /hooks/{id}', '"read Hook" (RFC 9110 §9.3.1)'],
    ['POST /parcel', '"create Parcel" (RFC 9110 §9.3.3)'],
    ['PUT /parcels/{id}', '"replace Parcel" (RFC 9110 §9.3.4)'],
    ['PATCH /parcels/{id}', '"update Parcel" (RFC 5789 §2)'],
    ['DELETE /parcels/{id}', '"delete Parcel" (RFC 9110 §9.3.5)'],
  ])('what an operation does, by its method and the resource in its path: %s', (key, expected) => {
    expect(endpoint(key, 'response: 200', 'does')).toEqual([expected]);
  });

  it('none where the path names no resource', () => {
    expect(endpoint('GET /things', 'response: 200', 'does')).toEqual([]);
    const one = document({ resources: 'Thing: {}', endpoints: 'GET /: { response: 200 }' });
    expect(offers(specification(one), 'endpoints["GET /"].does').map(({ value }) => value)).toEqual([
      'list Thing',
    ]);
  });

  it.each([
    ['GET /parcels/{id}', 'read Parcel', ['"Parcel" (RFC 9110 §9.3.1)']],
    ['POST /parcels', 'create Parcel', ['"Parcel" (RFC 9110 §15.3.2)']],
    ['PATCH /parcels/{id}', 'update Parcel', ['"Parcel" (RFC 9110 §15.3.1)']],
    ['DELETE /parcels/{id}', 'delete Parcel', []],
    ['GET /health', '(none)', []],
    [
      'GET /parcels',
      'list Parcel',
      [
        '"${Parcel(page.items)}" (RFC 9110 §9.3.1)',
        '{"items":"${Parcel(page.items)}","next_page_token":"${page.next}"} (Google AIP-158)',
      ],
    ],
  ])('the content of an answer: %s', (key, does, expected) => {
    expect(endpoint(key, `does: ${does}, response: { status: 200 }`, 'response.body')).toEqual(expected);
  });

  it('the pages of a list', () => {
    const paging =
      '{"page_size":{"page":"size","type":"integer","minimum":1},"page_token":{"page":"cursor"}} (Google AIP-158)';
    expect(endpoint('GET /parcels', 'does: list Parcel, response: 200', 'request.query')).toEqual([paging]);
    expect(endpoint('GET /parcels/{id}', 'does: read Parcel, response: 200', 'request.query')).toEqual([]);
  });

  it('what becomes of members that nobody stated', () => {
    const expected = ['"ignore" (RFC 7493 §4.2)', '"refuse" (RFC 9413)'];
    const stated = 'does: create Parcel, request: { body: Parcel }, response: 201';
    expect(endpoint('POST /parcels', stated, 'request.others')).toEqual(expected);
    expect(endpoint('POST /parcels', stated, 'request.others.query')).toEqual(expected);
  });

  it('an identifier, and how it is made', () => {
    expect(at('resources.Hook.identifier', {})).toEqual([
      '"id" (JSON:API 1.1, Resource Object Identification)',
    ]);
    const made = ['"${uuid()}" (RFC 9562 §5.4)', '"${uuid(7)}" (RFC 9562 §5.7)'];
    expect(at('resources.Parcel.fields.id.set.create', {})).toEqual(made);
    expect(at('resources.Parcel.fields.any.set.create', {})).toEqual(made);
    expect(at('resources.Parcel.fields.number.set.create', {})).toEqual([]);
  });

  it.each([
    ['unknown Parcel', ['404 (RFC 9110 §15.5.5)']],
    ['invalid', ['422 (RFC 9110 §15.5.21)', '400 (RFC 9110 §15.5.1)']],
    ['rate exceeded desk', ['429 (RFC 6585 §4)']],
    ['precondition missing', ['428 (RFC 6585 §3)']],
    ['not authorized', ['403 (RFC 9110 §15.5.4)', '404 (RFC 9110 §15.5.4)']],
  ])('the status of a refusal: %s', (when, expected) => {
    const limits = 'rates: { desk: { allow: 1, every: PT1S } }';
    expect(at('errors.codes.x.status', { errors: `codes: { x: { when: ${when} } }`, limits })).toEqual(
      expected,
    );
  });

  it("for every condition of the language but an expression of one's own", () => {
    const rows = conditionNames.filter((name) => name !== 'expression');
    const without = rows.filter((name) => {
      const content = document({ errors: `codes: { x: { when: ${name} } }` });
      return offers(read('x.md', content).specification, 'errors.codes.x.status').length === 0;
    });
    expect(without).toEqual([]);
  });

  it('when to come again, after too many requests', () => {
    const address = 'errors.codes.x.headers.Retry-After';
    expect(at(address, { errors: 'codes: { x: { when: rate exceeded } }' })).toEqual([
      '"${rate.reset}" (RFC 6585 §4, RFC 9110 §10.2.3)',
    ]);
    expect(at(address, { errors: 'codes: { x: { when: invalid } }' })).toEqual([]);
  });

  it('a form for errors and for events, and how versions go', () => {
    expect(at('errors.payload', {})[0]).toContain('"application/problem+json"');
    expect(at('errors.payload', {})[0]).toMatch(/ \(RFC 9457 §3\)$/);
    expect(at('events.envelope', {})).toEqual(['"cloudevents" (CloudEvents 1.0)']);
    expect(at('versioning.scheme', {})).toEqual([
      '"number" (Google AIP-185)',
      '"semver" (Semantic Versioning 2.0.0)',
    ]);
  });

  it('nothing where there is no usual value that is known', () => {
    expect(at('service.purpose', {})).toEqual([]);
    expect(at('authentication', {})).toEqual([]);
  });
});

describe('every convention', () => {
  it('says why, and where it comes from', () => {
    for (const { why, source } of conventions) {
      expect(why).toMatch(/^\S.*[^.]$/);
      expect(source).toMatch(/^(RFC \d{4}|JSON:API|CloudEvents|Google AIP|Semantic|draft-ietf-)/);
    }
  });

  it('could stand in a document: an assumption of it is read without a fault', () => {
    const content = document({
      resources,
      endpoints: [
        'GET /parcels: { response: {} }',
        'POST /parcels: { does: create Parcel, request: { body: Parcel }, response: {} }',
        'PATCH /parcels/{id}: { response: { body: Parcel } }',
        'DELETE /parcels/{id}: { does: delete Parcel, response: {} }',
      ].join('\n'),
      errors: 'codes: { a: { when: invalid }, b: { when: unknown Parcel } }',
    });
    const open = [...specification(content).points.values()].filter(
      ({ state, address }) => state === 'open' && steps(address)?.at(-1) !== '*',
    );
    const faults = open.flatMap(({ address }) =>
      offers(specification(content), address).flatMap(({ value }) => {
        const { diagnostics, specification: found } = read('x.md', content, [{ at: address, value }]);
        const isTaken = [...found.points.values()].some(({ state }) => state === 'assumed');
        return [...diagnostics.map((one) => `${address}: ${one.message}`), ...(isTaken ? [] : [address])];
      }),
    );
    expect(faults).toEqual([]);
  });
});
