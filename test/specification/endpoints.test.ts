import { describe, expect, it } from 'vitest';
import { holds } from '../../src/specification/openness/holds.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, faults, specification } from './documents.ts';

const endpoints = (text: string): string => document({ endpoints: text });

describe('an endpoint is METHOD /path (language §4.1)', () => {
  it('whose segments are literal or a parameter', () => {
    const { operations } = specification(
      endpoints('GET /: {}\nPATCH /a/{b}/c.d-e~: {}\nX-Y /a/: {}\nPOST /%20ä: {}'),
    );
    expect(operations.map(({ method, path, name }) => [name, method, path])).toEqual([
      ['GET /', 'GET', []],
      ['PATCH /a/{b}/c.d-e~', 'PATCH', [{ literal: 'a' }, { parameter: 'b' }, { literal: 'c.d-e~' }]],
      ['X-Y /a/', 'X-Y', [{ literal: 'a' }, { literal: '' }]],
      ['POST /%20ä', 'POST', [{ literal: '%20ä' }]],
    ]);
    const around = specification(
      endpoints('GET /v{version}/{file}.tar.gz: {}\nGET /{file}:undo: {}'),
    ).operations;
    expect(around.map(({ path }) => path)).toEqual([
      [
        { parameter: 'version', around: { before: 'v', after: '' } },
        { parameter: 'file', around: { before: '', after: '.tar.gz' } },
      ],
      [{ parameter: 'file', around: { before: '', after: ':undo' } }],
    ]);
  });

  it.each([
    ['get /: {}', 'bad-endpoint: get /'],
    ['GET a: {}', 'bad-endpoint: GET a'],
    ['GET: {}', 'bad-endpoint: GET'],
    ['GET  /: {}', 'bad-endpoint: GET  /'],
    ['other: refuse', 'bad-endpoint: other'],
    ['GET /{a}{b}: {}', 'bad-path: GET /{a}{b}'],
    ['GET /{a}-{b}: {}', 'bad-path: GET /{a}-{b}'],
    ['GET /a{b}}: {}', 'bad-path: GET /a{b}}'],
    ['GET /{a}.json: {}\nGET /{b}.json: {}', 'path-twice: GET /{b}.json'],
    ['GET /{}: {}', 'bad-path: GET /{}'],
    ['GET /{{a}}: {}', 'bad-path: GET /{{a}}'],
    ['GET /a?b=c: {}', 'bad-path: GET /a?b=c'],
    ['"GET /a#b": {}', 'bad-path: "GET /a#b"'],
    ['base: v1', 'bad-base: v1'],
    ['base: /v1/', 'bad-base: /v1/'],
    ['base: /', 'bad-base: /'],
    ['base: "/a?b"', 'bad-base: "/a?b"'],
    ['protocol: HTTP', 'unknown-word: HTTP'],
    ['headers: [X]', 'wrong-kind: [X]'],
    ['GET /: 5', 'wrong-kind: 5'],
    ['GET /: []', 'contradiction: []'],
    ['GET /:', 'wrong-kind: '],
    ['GET /: { does: list }', 'bad-change: list'],
    ['GET /: { does: list all of Todo }', 'bad-change: list all of Todo'],
    ['GET /: { does: 5 }', 'bad-change: 5'],
    ['GET /: { does: { where: "${true}" } }', 'bad-change: { where: "${true}" }'],
    ['GET /: { does: { list: (none) } }', 'bad-change: (none)'],
    ['GET /: { does: [list Todo] }', 'wrong-kind: [list Todo]'],
    ['GET /: { does: { list: [Todo] } }', 'wrong-kind: [Todo]'],
    ['GET /: { does: { list: Todo, create: Todo } }', 'unknown-key: create'],
    ['GET /: { does: { list: Todo, where: all } }', 'not-an-expression: all'],
    ['GET /: { does: { create: Todo, present: never } }', 'unknown-word: never'],
    ['GET /: { response: 99 }', 'bad-status: 99'],
    ['GET /: { response: 600 }', 'bad-status: 600'],
    ['GET /: { response: { status: 100 } }', 'bad-status: 100'],
    ['GET /: { response: { status: 200.5 } }', 'bad-status: 200.5'],
    ['GET /: { response: { status: "200" } }', 'bad-status: "200"'],
    ['GET /: { response: { status: [200, 99] } }', 'bad-status: 99'],
    ['GET /: { response: { status: [] } }', 'wrong-kind: []'],
    ['GET /: { response: [] }', 'wrong-kind: []'],
    ['GET /: { response: ok }', 'wrong-kind: ok'],
    ['GET /: { response: { status: 204, body: {} } }', 'body-with-status: {}'],
    ['GET /: { response: { status: 304, body: Todo } }', 'body-with-status: Todo'],
    ['GET /: { response: { status: [204, 205], body: {} } }', 'body-with-status: {}'],
    ['GET /: { response: { status: 204, shape: Todo } }', 'body-with-status: Todo'],
    ['GET /: { response: { status: 200, when: made } }', 'unknown-word: made'],
    ['GET /: { request: text }', 'wrong-kind: text'],
    ['GET /: { request: { query: [q] } }', 'wrong-kind: [q]'],
    ['GET /: { request: { query: { q: text } } }', 'bad-parameter: text'],
    ['GET /: { request: { query: { q: 3 } } }', 'bad-parameter: 3'],
    ['GET /: { request: { query: { q: [a] } } }', 'wrong-kind: [a]'],
    ['GET /: { request: { query: { q: { page: pages } } } }', 'unknown-word: pages'],
    ['GET /: { request: { others: drop } }', 'unknown-word: drop'],
    ['GET /: { request: { others: { head: refuse } } }', 'unknown-key: head'],
    ['GET /: { request: { body: 5 } }', 'wrong-kind: 5'],
    ['GET /: { request: { query: { q: { style: matrix } } } }', 'contradiction: matrix'],
    ['GET /: { request: { headers: { Q: { style: form } } } }', 'contradiction: form'],
    ['GET /{q}: { request: { path: { q: { style: deepObject } } } }', 'contradiction: deepObject'],
    ['GET /: { request: { query: { q: { style: json, explode: true } } } }', 'idle: true'],
    ['GET /: { request: { query: { q: { is: Todo.id } } } }', 'unknown-key: is'],
    ['GET /{q}: { request: { path: { q: { is: todo } } } }', 'bad-parameter: todo'],
    ['GET /: { matching: [caseless, loose] }', 'unknown-word: loose'],
    ['GET /: { matching: [exact, slash] }', 'contradiction: [exact, slash]'],
    ['GET /a: { paths: [b] }', 'bad-path: b'],
    ['GET /a: { paths: ["/b/{x}"] }', 'unknown-name: "/b/{x}"'],
    ['GET /a: { paths: [/a] }', 'path-twice: /a'],
    ['GET /a: { paths: [/b] }\nGET /b: {}', 'path-twice: GET /b'],
    ['GET /a/{x}: { paths: ["/b/{x}"] }\nGET /b/{y}: {}', 'path-twice: GET /b/{y}'],
    ['GET /a: { matching: caseless }\nGET /A: {}', 'path-twice: GET /A'],
    ['GET /a: { matching: slash }\nGET /a/: {}', 'path-twice: GET /a/'],
    [
      'GET /todos/{id}: { does: read Todo, request: { path: { id: Todo.id } }, paths: [/todo] }',
      'contradiction: /todo',
    ],
    ['GET /: { request: { query: { q: { sort: [a], default: "-a,b" } } } }', 'unknown-name: "-a,b"'],
    ['GET /: { request: { query: { q: { type: array, sort: [a], default: [b] } } } }', 'unknown-name: [b]'],
    ['GET /: { cors: { maxAge: -1 } }', 'wrong-kind: -1'],
    ['GET /: { cors: { credentials: yes } }', 'wrong-kind: yes'],
  ])('%s is a fault', (text, expected) => {
    expect(faults(endpoints(text))[0]).toBe(expected);
  });

  it('a style is one of the place of its parameter', () => {
    for (const [place, name, styles] of [
      ['path', 'q', ['simple', 'label', 'matrix', 'json']],
      ['query', 'q', ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']],
      ['headers', 'Q', ['simple', 'json']],
    ] as const)
      for (const style of styles)
        expect(
          faults(endpoints(`GET /{q}: { request: { ${place}: { ${name}: { style: ${style} } } } }`)),
        ).toEqual([]);
  });

  it('a sort begins with fields that it lists', () => {
    expect(
      faults(endpoints('GET /: { request: { query: { q: { sort: [a, b], default: "-b,a" } } } }')),
    ).toEqual([]);
  });

  it('a status is one of a final answer', () => {
    for (const status of [200, 404, 599])
      expect(faults(endpoints(`GET /: { response: ${status} }`))).toEqual([]);
  });
});

describe('a change (language §H.2)', () => {
  const change = (does: string) => {
    const [operation] = specification(endpoints(`GET /{id}: { does: ${does} }`)).operations;
    const found = operation && stated(operation.does);
    return found && { verb: found.verb, ...found.subject, at: undefined };
  };

  it('is a verb, and what it is about', () => {
    expect(change('create Todo')).toMatchObject({ verb: 'create', kind: 'one', name: 'Todo' });
    expect(change('{ create: Todo }')).toMatchObject({ verb: 'create', kind: 'one', name: 'Todo' });
    expect(change('delete every Todo')).toMatchObject({ verb: 'delete', kind: 'every', name: 'Todo' });
    expect(change('{ delete: every Todo }')).toMatchObject({ verb: 'delete', kind: 'every', name: 'Todo' });
    expect(change('{ where: "${true}", read: Todo }')).toMatchObject({
      verb: 'read',
      kind: 'one',
      name: 'Todo',
    });
    expect(change('{ cancel: this }')).toMatchObject({ verb: 'cancel', kind: 'named', name: 'this' });
    expect(change('{ revoke: Token }')).toMatchObject({ verb: 'revoke', kind: 'one', name: 'Token' });
  });

  it('of which handlers and schemes name no resource', () => {
    const found = specification(
      endpoints('GET /: { does: { handled: Search } }\nPUT /: { does: { revoke: Token } }'),
    );
    expect([...found.resourcesByName]).toEqual([]);
    expect(found.operations.map((one) => one.subject)).toEqual([null, null]);
  });
});

describe('parameters of the path', () => {
  it('stand for a field of the subject, for another item, or for text', () => {
    const { operations } = specification(
      document({
        resources:
          'A: { identifier: id, fields: { id: {} } }\nB: { identifier: id, fields: { id: {}, a: {} } }',
        endpoints:
          'GET /{a}/{id}/{x}: { does: read B, request: { path: { a: A.id as owner, x: { type: integer } } } }',
      }),
    );
    expect([...(operations[0]?.bindings ?? [])]).toMatchObject([
      ['a', { kind: 'other', resource: 'A', field: 'id', as: 'owner' }],
      ['id', { kind: 'subject', field: 'id' }],
      ['x', { kind: 'text', parameter: { name: 'x' } }],
    ]);
  });

  it.each([
    ['{ is: A.name }', ['unknown-name: A.name']],
    ['{ is: B.id }', ['unknown-name: B.id']],
    ['{ is: A.id as this }', ['bad-name: A.id as this']],
    ['{ is: A.id, taken: "${value}" }', ['contradiction: "${value}"']],
    ['{ is: A.id, default: 1 }', ['contradiction: 1']],
    ['{ is: A.id, required: true }', ['contradiction: true']],
    ['{ is: A.id, type: boolean }', ['contradiction: A.id']],
    ['{ is: A.id, type: [string, number] }', []],
    ['{ is: A.id, minimum: 1, style: label }', []],
  ])('have a shape of their own beside the field that they are: %s', (parameter, expected) => {
    const text = document({
      head: 'complete: [resources]',
      resources: 'A: { identifier: id, fields: { id: { type: integer } } }',
      endpoints: `GET /{q}: { does: read A, request: { path: { q: ${parameter} } }, response: 204 }`,
    });
    expect(faults(text)).toEqual(expected);
  });

  it('wait for what they are, if somebody asks', () => {
    const found = specification(
      document({
        resources: 'A: { identifier: id, fields: { id: { type: integer } } }',
        endpoints:
          'GET /{q}: { does: read A, request: { path: { q: { is: (open) A.id? } } }, response: 204 }',
      }),
    );
    const [operation] = found.operations as [(typeof found.operations)[number]];
    expect(holds(found, operation).map(({ address }) => address)).toEqual([
      'endpoints["GET /{q}"].request.path.q.is',
    ]);
  });
});
