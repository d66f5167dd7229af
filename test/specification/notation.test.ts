import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, faults, plain, points, specification } from './documents.ts';

const todo = [
  'Todo:',
  '  identifier: id',
  '  fields:',
  '    id: { type: string, set: { create: "${uuid()}" } }',
  '    name: { type: string, unique: true }',
  '    title: { type: string }',
].join('\n');

const endpoint = (rest: string, key = 'POST /', fields = '') =>
  document({ resources: `${todo}\n${fields}`, endpoints: `${key}:\n  ${rest}` });
const odd = (rest: string) => endpoint(rest, 'POST /', '    c d: {}\n    a: {}\n    b-c: {}');
const field = (rest: string) =>
  document({ resources: `Todo: { identifier: id, fields: { id: {}, a: ${rest} } }` });

/** What a document says, free of how it was written: its points with their states, and the model. */
function said(content: string): { points: unknown; model: unknown } {
  const found = specification(content);
  const { file: _file, ...model } = found;
  return { points: points(found), model: plain(model) };
}

/** Each row of language §E: what is written, and what it states. */
const rows: readonly (readonly [row: string, written: string, states: string])[] = [
  ['E.1', endpoint('response: 204'), endpoint('response: { status: 204 }')],
  [
    'E.1 in a list',
    endpoint('response: [{ when: created, status: 201 }, 200]'),
    endpoint('response: [{ when: created, status: 201 }, { status: 200 }]'),
  ],
  ['E.2', endpoint('does: create Todo'), endpoint('does: { create: Todo }')],
  ['E.2 every', endpoint('does: delete every Todo'), endpoint('does: { delete: every Todo }')],
  [
    'E.3 of the identifier',
    endpoint('does: read Todo', 'GET /{id}'),
    endpoint('does: read Todo\n  request: { path: { id: Todo.id } }', 'GET /{id}'),
  ],
  [
    'E.3 of a unique field',
    endpoint('does: read Todo', 'GET /{name}'),
    endpoint('does: read Todo\n  request: { path: { name: Todo.name } }', 'GET /{name}'),
  ],
  ['E.4', endpoint('request: { body: Todo }'), endpoint('request: { body: Todo, media: application/json }')],
  [
    'E.5',
    endpoint('response: { status: 200, body: Todo }'),
    endpoint('response: { status: 200, body: "${Todo(this)}", media: application/json }'),
  ],
  [
    'E.6 in an answer',
    endpoint('response: { status: 200, body: { a: 1 } }'),
    endpoint('response: { status: 200, body: { a: 1 }, media: application/json }'),
  ],
  [
    'E.6 in a request',
    endpoint('request: { body: { type: string } }'),
    endpoint('request: { body: { type: string }, media: application/json }'),
  ],
  [
    'E.6 in part 7',
    document({ errors: 'payload: { body: {} }' }),
    document({ errors: 'payload: { body: {}, media: application/json }' }),
  ],
  ['E.7 create', endpoint('does: create Todo'), endpoint('does: { create: Todo, with: "${request.body}" }')],
  [
    'E.7 update',
    endpoint('does: update Todo', 'PATCH /{id}'),
    endpoint('does: { update: Todo, with: "${request.body}" }', 'PATCH /{id}'),
  ],
  [
    'E.7 replace',
    endpoint('does: replace Todo', 'PUT /{id}'),
    endpoint('does: { replace: Todo, with: "${request.body}" }', 'PUT /{id}'),
  ],
  ['E.8', field('{ type: string }'), field('{ type: string, readable: true, writable: true }')],
  [
    'E.8 where the service sets it',
    field('{ set: { create: x } }'),
    field('{ set: { create: x }, readable: true, writable: false }'),
  ],
  [
    'E.8 of a state field',
    document({ resources: 'Todo: { fields: { a: { type: string } } }', states: 'Todo.a: { states: [x] }' }),
    document({
      resources: 'Todo: { fields: { a: { type: string, writable: false } } }',
      states: 'Todo.a: { states: [x] }',
    }),
  ],
  ['E.9 readOnly', field('{ readOnly: true }'), field('{ writable: false, readable: true }')],
  ['E.9 readOnly: false', field('{ readOnly: false }'), field('{ writable: true, readable: true }')],
  ['E.9 writeOnly', field('{ writeOnly: true }'), field('{ readable: false, writable: true }')],
  ['E.9 derived', field('{ derived: x }'), field('{ derived: x, readable: true, writable: false }')],
  ['E.9 secret', field('{ secret: hashed }'), field('{ secret: hashed, readable: false, writable: true }')],
  [
    'E.11',
    endpoint('does: list Todo\n  request: { query: { p: { filter: title } } }'),
    endpoint('does: list Todo\n  request: { query: { p: { filter: "${this.title == request.query.p}" } } }'),
  ],
  [
    'E.11 of names that are no identifiers',
    odd('does: list Todo\n  request: { query: { a-b: { filter: c d } } }'),
    odd(
      `does: list Todo\n  request: { query: { a-b: { filter: '\${this["c d"] == request.query["a-b"]}' } } }`,
    ),
  ],
  ['E.20', field('{ set: { always: x } }'), field('{ set: { create: x, update: x } }')],
  [
    'E.20 asked about',
    field('{ set: { always: (open) } }'),
    field('{ set: { create: (open), update: (open) } }'),
  ],
  [
    'E.21',
    document({
      errors: 'order: listed\ncodes: { c: { status: 400 }, a: { status: 409 }, b: { status: 422 } }',
    }),
    document({
      errors: 'order: [c, a, b]\ncodes: { c: { status: 400 }, a: { status: 409 }, b: { status: 422 } }',
    }),
  ],
  ['E.12', field('{ refers: Todo }'), field('{ refers: Todo.id }')],
  [
    'E.13',
    endpoint('request: { query: { p: { maxLength: 3 } } }'),
    endpoint('request: { query: { p: { maxLength: 3, type: string } } }'),
  ],
  [
    'E.13 of what counts',
    endpoint('does: list Todo\n  request: { query: { n: { page: size }, c: { page: cursor } } }'),
    endpoint(
      'does: list Todo\n  request: { query: { n: { page: size, type: integer }, c: { page: cursor, type: string } } }',
    ),
  ],
  [
    'E.14',
    odd('does: { authenticate: Todo, by: [a, b-c] }'),
    odd(`does: { authenticate: Todo, by: { a: "\${request.body.a}", b-c: '\${request.body["b-c"]}' } }`),
  ],
  [
    'E.15 others',
    document({ endpoints: 'others: refuse\nGET /: { request: { query: { q: {} } } }\nPUT /: {}' }),
    document({
      endpoints:
        'GET /: { request: { query: { q: {} }, others: refuse } }\nPUT /: { request: { others: refuse } }',
    }),
  ],
  [
    'E.15 cors',
    document({ endpoints: 'cors: { origins: any }\nGET /: {}\nPUT /: { cors: { origins: [x] } }' }),
    document({ endpoints: 'GET /: { cors: { origins: any } }\nPUT /: { cors: { origins: [x] } }' }),
  ],
  [
    'E.15 every METHOD',
    document({
      endpoints: [
        'every POST: { idempotency: { header: K }, request: { media: a/b, others: refuse } }',
        'POST /a: { request: { body: {} } }',
        'POST /b: { idempotency: { header: L } }',
        'POST /c: { request: { body: {}, media: c/d } }',
        'GET /: {}',
      ].join('\n'),
    }),
    document({
      endpoints: [
        'POST /a: { request: { body: {}, media: a/b, others: refuse }, idempotency: { header: K } }',
        'POST /b: { idempotency: { header: L }, request: { others: refuse } }',
        'POST /c: { request: { body: {}, media: c/d, others: refuse }, idempotency: { header: K } }',
        'GET /: {}',
      ].join('\n'),
    }),
  ],
  [
    'E.15 every /path',
    document({
      resources: `Repo: { identifier: name, fields: { name: {}, owner: {} } }\n${todo}`,
      endpoints: [
        'every /r/{r}: { request: { path: { r: Repo.name as repo }, others: ignore } }',
        'every GET /r: { request: { others: keep } }',
        'every GET: { request: { others: refuse } }',
        'GET /r: { does: list Repo }',
        'GET /r/{r}/t/{id}: { does: read Todo, request: { path: { id: Todo.id } } }',
        'POST /r/{r}/t: { request: { path: { r: {} }, others: refuse } }',
        'GET /rest: {}',
      ].join('\n'),
    }),
    document({
      resources: `Repo: { identifier: name, fields: { name: {}, owner: {} } }\n${todo}`,
      endpoints: [
        'GET /r: { does: list Repo, request: { others: keep } }',
        'GET /r/{r}/t/{id}: { does: read Todo, request: { path: { id: Todo.id, r: Repo.name as repo }, others: ignore } }',
        'POST /r/{r}/t: { request: { path: { r: {} }, others: refuse } }',
        'GET /rest: { request: { others: refuse } }',
      ].join('\n'),
    }),
  ],
  [
    'E.16',
    document({
      errors: 'payload: { media: a/b, headers: { X: y }, body: [1] }\ncodes: { c: { status: 400 } }',
    }),
    document({
      errors:
        'payload: { media: a/b, headers: { X: y }, body: [1] }\ncodes: { c: { status: 400, media: a/b, headers: { X: y }, body: [1] } }',
    }),
  ],
  [
    'E.16 before E.6',
    document({ errors: 'payload: { media: a/b, body: [1] }\ncodes: { c: { status: 400, body: {} } }' }),
    document({
      errors: 'payload: { media: a/b, body: [1] }\ncodes: { c: { status: 400, body: {}, media: a/b } }',
    }),
  ],
  [
    'E.17',
    document({
      endpoints: 'GET /: { request: { query: { q: { maxLength: 3 } } } }',
      limits: 'defaults: { \'endpoints["GET /"].request.query.q\': x }',
    }),
    document({
      endpoints: 'GET /: { request: { query: { q: { maxLength: 3, default: x } } } }',
      limits: '{}',
    }),
  ],
  [
    'E.18',
    document({
      endpoints:
        'description: d\nGET /:\n  description: d\n  does: { list: Todo, description: d }\n  request: { description: d, query: { q: { description: d } } }\n  response: { status: 200, description: d }',
      errors: 'description: d\ncodes: { c: { description: d, status: 400 } }',
    }),
    document({
      endpoints:
        'GET /:\n  does: { list: Todo }\n  request: { query: { q: {} } }\n  response: { status: 200 }',
      errors: 'codes: { c: { status: 400 } }',
    }),
  ],
];

describe('notation states the right-hand side of its row, and nothing else (language §E)', () => {
  it.each(rows)('%s', (_row, written, states) => {
    expect(said(written)).toEqual(said(states));
  });

  it('every row is tried, but those that no other way of writing says', () => {
    const tried = new Set(rows.map(([row]) => row.split(' ')[0]));
    const all = Array.from({ length: 18 }, (_, index) => `E.${index + 1}`);
    expect(all.filter((row) => !tried.has(row))).toEqual(['E.10']);
  });
});

describe('a point has one address, however it was written', () => {
  it('E.1, E.2, E.3, E.5, E.7', () => {
    const content = endpoint('does: update Todo\n  response: 200', 'PATCH /{id}');
    expect(points(specification(content), 'endpoints["PATCH')).toEqual({
      'endpoints["PATCH /{id}"].does.update': 'stated',
      'endpoints["PATCH /{id}"].does.with': 'stated',
      'endpoints["PATCH /{id}"].does.*': 'open',
      'endpoints["PATCH /{id}"].request.path.id': 'stated',
      'endpoints["PATCH /{id}"].request.path.*': 'open',
      'endpoints["PATCH /{id}"].request.*': 'open',
      'endpoints["PATCH /{id}"].response.status': 'stated',
      'endpoints["PATCH /{id}"].response.body': 'open',
      'endpoints["PATCH /{id}"].response.*': 'open',
      'endpoints["PATCH /{id}"].*': 'open',
    });
  });

  it('E.4: a body that is a name is one point; keywords beside it are further ones', () => {
    expect(points(specification(endpoint('request: { body: Todo }')), 'endpoints["POST /"].request')).toEqual(
      {
        'endpoints["POST /"].request.body': 'stated',
        'endpoints["POST /"].request.media': 'stated',
        'endpoints["POST /"].request.others': 'open',
        'endpoints["POST /"].request.*': 'open',
      },
    );
    const content = endpoint('request: { body: { of: Todo, minProperties: 1 } }');
    expect(points(specification(content), 'endpoints["POST /"].request.body')).toEqual({
      'endpoints["POST /"].request.body': 'stated',
      'endpoints["POST /"].request.body.minProperties': 'stated',
    });
  });

  it('E.10: a field that is only a name has that shape', () => {
    const found = specification(
      document({
        resources:
          'Todo: { fields: { a: Text, b: { type: array, items: Text } } }\nText: { identifier: (none), type: string }',
      }),
    );
    expect(points(found, 'resources.Todo.fields.a')).toEqual({
      'resources.Todo.fields.a': 'stated',
      'resources.Todo.fields.a.readable': 'stated',
      'resources.Todo.fields.a.writable': 'stated',
      'resources.Todo.fields.a.*': 'open',
    });
    const fields = found.resourcesByName.get('Todo')?.fields;
    expect(fields?.get('a')?.shape.name).toBe('Text');
    expect(fields?.get('b')?.shape.keywords.get('items')).toMatchObject({ value: { $ref: '#/$defs/Text' } });
  });

  it('E.15: what no rule of a method can say is refused once', () => {
    expect(
      faults(
        document({
          endpoints:
            'every POST: { does: read Todo, request: { body: {}, headers: {} } }\nevery PUT: {}\nPOST /: {}\nPOST /a: {}',
        }),
      ),
    ).toEqual(['unknown-key: does', 'unknown-key: body', 'idle: every PUT']);
    expect(faults(document({ endpoints: 'every post: {}\nevery: {}\nevery POST x: {}\nGET /: {}' }))).toEqual(
      ['bad-endpoint: every post', 'bad-endpoint: every', 'bad-endpoint: every POST x'],
    );
  });

  it('E.15: what a rule says of requests is a map, once', () => {
    for (const request of ['[[]]', '(open) which?', '(none)', 'others'])
      expect(
        faults(document({ endpoints: `every POST: { request: ${request} }\nPOST /: {}\nPOST /a: {}` })),
      ).toEqual([`wrong-kind: ${request}`]);
  });

  it('E.15: headers at the top are the points of their own', () => {
    expect(points(specification(document({ endpoints: 'headers: { X: y }' })), 'endpoints.headers')).toEqual({
      'endpoints.headers.X': 'stated',
      'endpoints.headers.*': 'open',
    });
  });

  it('E.16: what is open in the payload is asked once', () => {
    const content = document({ errors: 'payload: { body: (open) which? }\ncodes: { c: { status: 400 } }' });
    expect(points(specification(content), 'errors')).toMatchObject({ 'errors.payload.body': 'open: which?' });
    expect(points(specification(content), 'errors.codes.c')).not.toHaveProperty('errors.codes.c.body');
  });

  it('E.17: the default is at the address of what it is the default of', () => {
    const content = document({
      resources: 'Todo: { fields: { a: { type: integer } } }',
      limits: 'defaults: { resources.Todo.fields.a: 3 }',
    });
    expect(points(specification(content), 'limits')).not.toHaveProperty('limits.defaults');
    expect(points(specification(content))).toMatchObject({ 'resources.Todo.fields.a.default': 'stated' });
    expect(specification(content).resourcesByName.get('Todo')?.fields.get('a')?.default).toMatchObject({
      value: 3,
    });
  });
});

describe('notation gives way to what is stated', () => {
  const writable = (rest: string) =>
    stated(specification(field(rest)).resourcesByName.get('Todo')?.fields.get('a')?.writable);

  it('E.8, E.9', () => {
    expect(writable('{ set: { create: x }, writable: true }')).toBe(true);
    expect(writable('{ set: { create: x }, writable: once }')).toBe('once');
    expect(writable('{ derived: x, writable: false }')).toBe(false);
    expect(writable('{ derived: (none) }')).toBe(true);
    expect(writable('{ derived: (open) }')).toBe(true);
    expect(writable('{ writable: (open) who? }')).toBeUndefined();
  });

  it('E.3', () => {
    const binding = (shape: string) =>
      specification(
        endpoint(`does: read Todo\n  request: { path: { id: ${shape} } }`, 'GET /{id}'),
      ).operations[0]?.bindings.get('id');
    expect(binding('{ type: string }')).toMatchObject({ kind: 'subject', parameter: { name: 'id' } });
    expect(binding('{ type: string, is: (none) }')).toMatchObject({ kind: 'text' });
    expect(binding('{ type: string, is: (open) }')).toMatchObject({ kind: 'text' });
    expect(binding('Todo.id')).toMatchObject({ kind: 'subject', parameter: null });
  });

  it('E.3 of nothing that identifies', () => {
    const [operation] = specification(endpoint('does: read Todo', 'GET /{title}')).operations;
    expect(operation?.bindings.get('title')).toEqual({ kind: 'text', parameter: null });
  });

  it('E.16 where the row conceals, or can have no body', () => {
    const content = document({
      resources: todo,
      errors:
        'payload: { body: {} }\ncodes: { a: { when: unknown Todo, status: 304 }, b: { when: not authorized Todo, as: unknown Todo } }',
    });
    expect(Object.keys(points(specification(content), 'errors.codes.'))).toEqual([
      'errors.codes.a.when',
      'errors.codes.a.status',
      'errors.codes.a.*',
      'errors.codes.b.when',
      'errors.codes.b.as',
      'errors.codes.b.*',
      'errors.codes.*',
    ]);
  });
});

describe('one thing said twice is a fault, in shorthand as in longhand', () => {
  it.each([
    ['readOnly and writable', field('{ readOnly: true, writable: true }'), 'key-twice: readOnly'],
    ['set.always and set.update', field('{ set: { always: x, update: y } }'), 'key-twice: always'],
    ['writeOnly and readable', field('{ writeOnly: true, readable: false }'), 'key-twice: writeOnly'],
    [
      'limits.defaults and default',
      document({
        resources: 'Todo: { fields: { a: { default: 1 } } }',
        limits: 'defaults: { resources.Todo.fields.a: 2 }',
      }),
      'key-twice: resources.Todo.fields.a',
    ],
  ])('%s', (_what, content, fault) => {
    expect(faults(content)).toEqual([fault]);
  });

  it('limits.defaults at no address, or where nothing has a default', () => {
    const defaults = (address: string) =>
      faults(document({ resources: todo, limits: `defaults: { '${address}': 1 }` }))[0];
    expect(defaults('nothing')).toBe("bad-address: 'nothing'");
    expect(defaults('resources.Todo.fields.*')).toBe("bad-address: 'resources.Todo.fields.*'");
    expect(defaults('resources.Todo.fields.nothing')).toBe("unknown-name: 'resources.Todo.fields.nothing'");
    expect(defaults('endpoints["GET /"].request.query.q')).toMatch(/^unknown-name/);
    expect(faults(document({ limits: 'defaults: 5' }))).toEqual(['wrong-kind: 5']);
  });
});

describe('the longhand of a document gives the same points as its shorthand', () => {
  it('also in JSON, key by key', () => {
    const yaml = document({
      resources: todo,
      endpoints: 'GET /{id}: { does: read Todo, response: { status: 200, body: Todo } }',
    });
    const json = {
      name: 'Service',
      resources: {
        Todo: {
          identifier: 'id',
          fields: {
            id: { type: 'string', set: { create: '${uuid()}' } },
            name: { type: 'string', unique: true },
            title: { type: 'string' },
          },
        },
      },
      endpoints: { 'GET /{id}': { does: 'read Todo', response: { status: 200, body: 'Todo' } } },
    };
    const found = read('x.json', JSON.stringify(json));
    expect(found.diagnostics).toEqual([]);
    const { file: _file, ...model } = found.specification;
    expect({ points: points(found.specification), model: plain(model) }).toEqual(said(yaml));
  });
});
