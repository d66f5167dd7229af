import { describe, expect, it } from 'vitest';
import { notRun } from '../../src/specification/openness/unrun.ts';
import { document, specification } from './documents.ts';

type Parts = Parameters<typeof document>[0];

const parts: Parts = {
  resources: [
    'Todo:',
    '  identifier: id',
    '  fields:',
    '    id: { type: string, set: { create: "${uuid()}" } }',
    '    title: { type: string }',
    '    at: { type: string, format: date-time }',
    'Brief: { of: Todo, shows: [title] }',
    'Badge: { of: Todo, shows: [title], fields: { token: { derived: "${issue(\'a\', this)}" } } }',
  ].join('\n'),
};

/** What is not run of a document with one operation, `one`. */
function unrun(further: Parts, endpoint = 'does: read Todo, response: 204', key = 'GET /{id}'): string[] {
  const found = specification(
    document({ ...parts, endpoints: `${key}: { operation: one, ${endpoint} }`, ...further }),
  );
  return found.operations.flatMap((operation) => notRun(found, operation).map((one) => one.address));
}

const field = (rest: string): Parts => ({
  resources: `Todo: { identifier: id, fields: { id: {}, f: { ${rest} } } }`,
});

describe('what is stated and not run by this version is named', () => {
  it('nothing of the parts that run', () => {
    expect(unrun({})).toEqual([]);
    for (const does of [
      'create Todo',
      'update Todo',
      'delete Todo',
      'list Todo',
      'delete every Todo',
      'replace Todo',
      '{ update: this }',
      '{ create: Todo, with: { title: x } }',
      '{ create: Todo, present: keep }',
      '{ delete: Todo, absent: ignore }',
      '{ read: Todo, as: it }',
      '(none)',
    ])
      expect([
        does,
        unrun({}, `does: ${does}, request: { body: Todo }, response: { status: 200, body: {} }`),
      ]).toEqual([does, []]);
  });

  it.each([
    ['{ read: Todo, where: { handled: f } }', 'does.where'],
    ['{ list: Todo, where: { handled: f } }', 'does.where'],
    ['{ list: Todo, order: { handled: f } }', 'does.order'],
  ])('of part 4, does: %s', (does, address) => {
    expect(unrun({}, `does: ${does}, response: 204`)).toContain(`endpoints["GET /{id}"].${address}`);
  });

  it.each([
    ['also: [{ read: Todo, where: { handled: f } }]', 'also[0].where'],
    ['request: { media: application/pdf, body: { type: object } }', 'request.media'],
  ])('of part 4: %s', (rest, address) => {
    expect(unrun({}, `does: read Todo, response: 204, ${rest}`)).toContain(
      `endpoints["GET /{id}"].${address}`,
    );
  });

  it('of a function of the operator nothing where it is given, or the place alone where it could not be run', () => {
    const found = (endpoint: string, ...handlers: string[]): string[] => {
      const of = specification(
        document({ ...parts, endpoints: `GET /{id}: { operation: one, ${endpoint} }` }),
      );
      const [operation] = of.operations;
      const all = operation ? notRun({ ...of, handlers: new Set(handlers) }, operation) : [];
      return all.map(({ address, handler }) => `${address} ${handler ?? ''}`);
    };
    const at = 'endpoints["GET /{id}"]';
    const both =
      'does: { handled: f, may: [read Todo] }, response: { status: 200, body: { a: [{ handled: g }] } }';
    expect(found(both)).toEqual([`${at}.does f`, `${at}.response.body.a[0] g`]);
    expect(found(both, 'g')).toEqual([`${at}.does f`]);
    expect(found(both, 'f', 'g')).toEqual([]);
    const followed = 'does: read Todo, also: [{ handled: f }], response: 204';
    expect(found(followed, 'f')).toEqual([`${at}.also[0] `]);
    expect(found('does: { read: Todo, where: { handled: f } }, response: 204', 'f')).toEqual([
      `${at}.does.where `,
    ]);
  });

  it.each([
    ['{ handled: f }', []],
    ['{ rule: { handled: f } }', []],
    ['{ rule: known, items: { handled: f } }', ['authentication.authorization.one.items']],
  ])('of a rule, what a store would have to ask a function: %s', (rule, expected) => {
    const of = specification(
      document({
        resources: 'Todo: { identifier: id, fields: { id: {}, title: {} } }',
        endpoints: 'GET /: { operation: one, does: list Todo, response: 204 }',
        authentication: `schemes: { s: { type: http, scheme: bearer, credentials: { kept: Todo.title } } }\nauthorization: { one: ${rule} }`,
      }),
    );
    const found = notRun({ ...of, handlers: new Set(['f']) }, of.operations[0] as never);
    expect(found.map(({ address }) => address)).toEqual(expected);
  });

  it('of a list nothing but what a function of the operator would have to say', () => {
    const list = (role: string, does = 'list Todo'): string[] =>
      unrun(
        {},
        `does: ${does}, request: { query: { q: { ${role} } } }, response: { status: 200, body: [] }`,
        'GET /',
      );
    for (const role of ['filter: title', 'page: size', 'sort: [title]'])
      expect([role, list(role)]).toEqual([role, []]);
    expect(list('', '{ list: Todo, where: "${this.title == \'x\'}", order: [title] }')).toEqual([]);
    // A function for a filter is needed only if the parameter is given.
    expect(list('filter: { handled: f }')).toEqual([]);
    expect(list('filter: { handled: f }, default: x')).toEqual(['endpoints["GET /"].request.query.q.filter']);
  });

  it('and what stands under a name is no such place, whatever the name', () => {
    const of = (endpoint: string, resources = ''): string[] => {
      const read = specification(
        document({ ...(resources && { resources }), endpoints: `GET /: { ${endpoint} }` }),
      );
      return notRun({ ...read, handlers: new Set(['f']) }, read.operations[0] as never).map(
        ({ address }) => address,
      );
    };
    for (const name of ['filter', 'order', 'where']) {
      const taken = `does: (none), request: { query: { ${name}: { taken: { handled: f } } } }, response: 204`;
      expect([taken, of(taken)]).toEqual([taken, []]);
      const body = `does: (none), response: { status: 200, body: { ${name}: { handled: f } } }`;
      expect([body, of(body)]).toEqual([body, []]);
      const field = `Note: { identifier: id, fields: { id: { type: string }, ${name}: { derived: { handled: f } } } }`;
      const list = 'does: list Note, response: { status: 200, body: "${Note(page.items)}" }';
      expect([field, of(list, field)]).toEqual([field, []]);
    }
  });

  it('an identifier that may be anything but a UUID or a number', () => {
    const made = (shape: string) =>
      unrun(
        { resources: `Todo: { identifier: id, fields: { id: { ${shape}, set: { create: (any) } } } }` },
        'does: create Todo, response: 204',
        'POST /',
      );
    expect(made('type: string')).toEqual([]);
    expect(made('format: uuid')).toEqual([]);
    expect(made('type: integer, minimum: 1')).toEqual([]);
    for (const shape of [
      'type: integer, maximum: 9',
      'type: string, maxLength: 9',
      'type: string, format: date',
    ])
      expect([shape, made(shape)]).toEqual([shape, ['resources.Todo.fields.id.set.create']]);
  });

  it.each(['this.at', 'this.at < now', 'string(this.at - now)', "now + duration('PT1H')", '[now].sort()'])(
    'reckoning with times is run: %s',
    (expression) => {
      const body = `body: { a: "\${${expression}}" }`;
      expect(unrun({}, `does: read Todo, response: { status: 200, ${body} }`)).toEqual([]);
      expect(unrun({ errors: `codes: { c: { when: "\${${expression} == null}", status: 400 } }` })).toEqual(
        [],
      );
    },
  );

  it.each([
    'under: todo, body: Todo',
    'media: text/plain, body: { type: string }',
    'media: [application/x-www-form-urlencoded, application/json-patch+json], nesting: brackets, body: Todo',
    'body: { of: Todo, omits: [title] }',
    'query: { q: { taken: "${value}", style: form, explode: false } }',
  ])('and nothing of a request that brings %s', (request) => {
    expect(
      unrun({}, `does: read Todo, request: { ${request} }, response: { status: 200, under: a, body: {} }`),
    ).toEqual([]);
  });

  it.each(['set: { update: { handled: f } }', 'taken: { handled: f }', 'shown: { handled: f }'])(
    'of part 2, a function of the operator: %s',
    (rest) => {
      expect(unrun(field(rest))).toHaveLength(1);
    },
  );

  it.each([
    'unique: ever, secret: hashed, set: { update: x }',
    'taken: x, shown: x, holds: { positive: "${value > 0}" }',
    'refers: Todo, ifDeleted: clear',
    'writable: once, readable: "${this.id == 1}"',
    'items: { fields: { a: { readOnly: true } } }',
  ])('nothing of a field with %s', (rest) => {
    expect(unrun(field(rest))).toEqual([]);
  });

  it('nothing of a resource', () => {
    const of = (rest: string) => ({
      resources: `Todo: { identifier: id, fields: { id: {}, at: {} }, ${rest} }`,
    });
    expect(unrun(of('unique: [[id, at]], items: [{ id: 1 }], invariants: { a: "${true}" }'))).toEqual([]);
  });

  it.each<[Parts, string[]]>([
    [{ authentication: 'schemes: {}' }, []],
    [{ authentication: '(none)' }, []],
    [{ authentication: '(open)' }, []],
    [{ versioning: 'scheme: date' }, []],
    [{ states: 'Todo.title: { states: [a] }' }, []],
    [{ states: 'Brief.title: { states: [a] }' }, []],
    [{ events: 'kinds: { made: { by: [one], body: {} } }' }, []],
    [{ events: 'kinds: { made: { by: [one], body: {} } }\ndelivery: { bus: { broker: x } }' }, []],
    [{ limits: 'rates: { r: { allow: 1, every: PT1S, per: address, headers: draft-10 } }' }, []],
    [{ limits: 'sizes: { body: 1, page: 1 }\nquotas: { all: { of: Todo, allow: 1 } }' }, []],
    [{ limits: 'times: { request: PT1S, operations: { one: PT1S } }' }, []],
    [{ limits: 'concurrency: { all: { allow: 1, per: (none) } }' }, []],
    [{ limits: '(none)' }, []],
  ])('of the parts that do not run: %j', (further, expected) => {
    expect(unrun(further)).toEqual(expected);
  });

  it.each<Parts>([
    { events: 'kinds: { made: { by: [one] } }' },
    { events: 'kinds: { made: { by: [one], body: (open) what? } }' },
    { events: 'kinds: { made: { body: {} } }' },
    { events: 'kinds: { made: { by: (open) what?, body: {} } }' },
    { events: 'kinds: { made: { by: (none), body: {} } }' },
  ])('nothing of what tells nobody while it is open: %j', (further) => {
    expect(unrun(further)).toEqual([]);
  });

  it('of a function that a limit asks for, for the operations that it names alone', () => {
    const found = specification(
      document({
        ...parts,
        endpoints: 'GET /{id}: { operation: one, response: 204 }\nGET /: { operation: two, response: 204 }',
        limits: [
          'rates: { r: { allow: 1, every: PT1S, per: { handled: f }, operations: [two] } }',
          'concurrency: { c: { allow: 1, per: (none), when: { handled: f }, operations: [two] } }',
        ].join('\n'),
      }),
    );
    const [one, two] = found.operations.map((operation) => notRun(found, operation));
    expect(one).toEqual([]);
    expect(two?.map(({ address, handler }) => [address, handler])).toEqual([
      ['limits.rates.r.per', 'f'],
      ['limits.concurrency.c.when', 'f'],
    ]);
  });

  describe('of part 5', () => {
    const scheme = (rest: string, rule = 'known', name = 's'): Parts => ({
      authentication: `schemes: { ${name}: { ${rest} }, b: { type: http, scheme: basic, credentials: { kept: Todo.title } } }\notherwise: ${rule}`,
    });

    it.each([
      ['type: mutualTLS, credentials: { kept: Todo.title }', ['authentication.schemes.s.type']],
      ['type: http, scheme: bearer, credentials: operator', []],
      ['type: oauth2, credentials: { issuer: x, audience: y, algorithms: ES256 }', []],
      ['type: http, scheme: bearer, credentials: { kept: Todo.title }', []],
      ['type: apiKey, in: query, name: k, credentials: { issued: opaque }', []],
    ])('a scheme with %s', (rest, expected) => {
      const of = (rule: string): string[] => {
        const found = specification(
          document({
            resources: 'Todo: { identifier: id, fields: { id: {}, title: {} } }',
            endpoints: 'GET /{id}: { does: read Todo, response: 204 }',
            ...scheme(rest, rule),
          }),
        );
        return found.operations.flatMap((operation) => notRun(found, operation).map((one) => one.address));
      };
      expect(of('known')).toEqual(expected);
      expect(of('{ rule: known, schemes: b }')).toEqual([]);
    });
  });

  it('of part 7, only what concerns the operation', () => {
    const rows = (operations: string) => ({
      errors: `codes: { c: { when: unknown Todo, operations: ${operations}, status: 400, message: { handled: f } } }`,
      endpoints: 'GET /{id}: { operation: one, does: read Todo, response: 204 }\nGET /: { operation: two }',
    });
    expect(unrun(rows('[two]'))).toEqual(['errors.codes.c.message']);
    expect(unrun(rows('[one]'))).toEqual(['errors.codes.c.message']);
  });
});
