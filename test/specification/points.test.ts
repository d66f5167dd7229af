import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { parts } from '../../src/specification/reading/address.ts';
import { document, points, specification, wholeDocument, wholeDocuments } from './documents.ts';

const allOpen = [
  ['What the service does', 'Purpose, actors and scope: not shown.'],
  ['Resources and their fields', 'Identifiers, field names, types, formats and allowed values: not shown.'],
  ['States and transitions', 'States and transitions: not shown.'],
  ['Endpoints', 'Methods, path shapes and payload shapes: not shown.'],
  ['Authentication', 'Scheme, credentials and header names: not shown.'],
  ['Events', 'Kinds, payloads and the operations that emit them: not shown.'],
  ['Errors', 'Codes, status codes, payload shape and conditions: not shown.'],
  ['Limits', 'Rate limits, size limits, time-outs and defaults: not shown.'],
  ['Versioning', 'Scheme and its place in requests: not shown.'],
]
  .map(([heading, prose]) => `## ${heading}\n\n${prose}\n`)
  .join('\n');

describe('a document whose nine parts are all open', () => {
  const { specification: found, diagnostics } = read('open.md', `# Open\n\n${allOpen}`);

  it('is read without a fault, and states nothing', () => {
    expect(diagnostics).toEqual([]);
    for (const part of parts) expect(found[part].kind).toBe('open');
    expect(found.operations).toEqual([]);
    expect(new Set(Object.values(points(found)))).toEqual(new Set(['open']));
  });

  it('asks for what each part is there to state', () => {
    expect(Object.keys(points(found))).toEqual([
      'service.purpose',
      'service.actors.*',
      'service.scope',
      'resources.*',
      'states.*',
      'endpoints.protocol',
      'endpoints.*',
      'authentication.schemes.*',
      'authentication.authorization.*',
      'authentication.*',
      'events.kinds.*',
      'events.envelope',
      'events.delivery.*',
      'events.*',
      'errors.payload',
      'errors.codes.*',
      'errors.order',
      'errors.*',
      'limits.rates.*',
      'limits.sizes.*',
      'limits.times.*',
      'limits.*',
      'versioning.scheme',
      'versioning.place',
      'versioning.versions.*',
      'versioning.default',
    ]);
  });

  it('says the same where a part has no heading, and where there is no document at all', () => {
    expect(points(specification(''))).toEqual(points(found));
    expect(points(read('x.yaml', '').specification)).toEqual(points(found));
    expect(points(read('x.json', '{}').specification)).toEqual(points(found));
  });
});

describe('whole documents', () => {
  it.each(wholeDocuments)('%s is read without a fault', (name) => {
    expect(read(`${name}.md`, wholeDocument(name)).diagnostics).toEqual([]);
  });

  it('every point of the to-do list is stated', () => {
    const found = points(specification(wholeDocument('todo')));
    expect(new Set(Object.values(found))).toEqual(new Set(['stated']));
    expect(Object.keys(found)).toMatchSnapshot();
  });

  it('the open points of the others are what their heads ask, and values that nobody stated', () => {
    const open = (name: 'broker' | 'parcel-desk' | 'publishing') =>
      Object.entries(points(specification(wholeDocument(name)))).filter(([, state]) => state !== 'stated');
    expect(open('publishing')).toEqual([]);
    expect(open('parcel-desk')).toEqual([
      ['resources.Parcel.fields.*', 'open: will couriers be able to leave a note?'],
    ]);
    expect(open('broker')).toMatchObject([
      ['states["Instance.status"].states.*', 'open: how does work that failed show itself?'],
    ]);
  });
});

describe('what a key is decides what its absence is (language §D)', () => {
  const endpoint = (head: string) =>
    points(
      specification(document({ head, endpoints: 'GET /: { does: (none), response: { status: 200 } }' })),
      'endpoints["GET /"]',
    );

  it('a value that is absent is open, closed list or not', () => {
    for (const head of ['complete: true', 'complete: false'])
      expect(endpoint(head)).toMatchObject({ 'endpoints["GET /"].response.body': 'open' });
  });

  it('an entry that is absent is no point of its own: it is denied where its list is closed', () => {
    for (const head of ['complete: true', 'complete: false'])
      expect(Object.keys(endpoint(head))).toEqual([
        'endpoints["GET /"].does',
        'endpoints["GET /"].response.status',
        'endpoints["GET /"].response.body',
        'endpoints["GET /"].response.*',
        'endpoints["GET /"].*',
      ]);
  });

  it('an answer that can have no content needs no body stated (RFC 9110 §15.3.5)', () => {
    for (const status of [204, 205, 304])
      expect(
        points(
          specification(document({ endpoints: `GET /: { response: ${status} }` })),
          'endpoints["GET /"].response',
        ),
      ).toEqual({
        'endpoints["GET /"].response.status': 'stated',
        'endpoints["GET /"].response.*': 'open',
      });
  });

  it('a field without a type is open in that point, unless something else says what it is', () => {
    const type = (field: string) =>
      points(
        specification(document({ resources: `T: { identifier: id, fields: { id: {}, a: ${field} } }` })),
      )['resources.T.fields.a.type'];
    expect(['{}', '{ maxLength: 3 }', '(open)'].map(type)).toEqual(['open', 'open', 'open']);
    expect(
      [
        '{ type: string }',
        '{ enum: [a] }',
        '{ const: 1 }',
        '{ oneOf: [{ type: string }] }',
        '{ refers: T }',
      ].map(type),
    ).toEqual(['stated', undefined, undefined, undefined, undefined]);
  });

  it('a request that takes a body or a query leaves open what else it may bring', () => {
    const others = (request: string) =>
      points(specification(document({ endpoints: `GET /: { request: ${request} }` })))[
        'endpoints["GET /"].request.others'
      ];
    expect(['{}', '{ headers: { A: {} } }', '{ body: {} }', '{ query: {} }'].map(others)).toEqual([
      undefined,
      undefined,
      'open',
      'open',
    ]);
  });
});

describe('a resource that endpoints name and nothing describes', () => {
  const content = document({ endpoints: 'POST /: { does: create Todo, response: 204 }' });

  it('is one about which everything is open', () => {
    const found = specification(content);
    expect(points(found, 'resources')).toEqual({
      'resources.*': 'open',
      'resources.Todo.identifier': 'open',
      'resources.Todo.fields.*': 'open',
      'resources.Todo.*': 'open',
    });
    expect(found.operations[0]?.subject?.name).toBe('Todo');
  });

  it('as is one that part 2 names with a question', () => {
    const asked = document({
      resources: 'Todo: (open) what is it?',
      endpoints: 'POST /: { does: create Todo }',
    });
    expect(points(specification(asked), 'resources')).toEqual({
      'resources.Todo': 'open: what is it?',
      'resources.*': 'open',
      'resources.Todo.identifier': 'open',
      'resources.Todo.fields.*': 'open',
      'resources.Todo.*': 'open',
    });
  });
});

describe('points stand in the order of the parts', () => {
  it('whatever the order of the document', () => {
    const content = document({ limits: 'sizes: { body: 1 }', service: 'purpose: p', endpoints: 'GET /: {}' });
    const first = Object.keys(points(specification(content))).map((address) => /^[a-z]+/.exec(address)?.[0]);
    expect([...new Set(first)]).toEqual(parts.filter((part) => first.includes(part)));
  });
});
