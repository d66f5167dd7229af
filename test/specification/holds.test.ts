import { describe, expect, it } from 'vitest';
import { holds } from '../../src/specification/openness/holds.ts';
import { sometimesHeld } from '../../src/specification/openness/sometimes-held.ts';
import { document, place, specification, wholeDocument } from './documents.ts';

const parts = {
  resources: [
    'Todo:',
    '  identifier: id',
    '  fields:',
    '    id: { type: string, set: { create: "${uuid()}" } }',
    '    title: { type: string }',
  ].join('\n'),
  authentication: '(none)',
};

type Parts = Parameters<typeof document>[0];

const held = (further: Parts): Record<string, string[]> => {
  const found = specification(document({ ...parts, ...further }));
  return Object.fromEntries(
    found.operations.map((one) => [
      one.name,
      holds(found, one).map((hold) => `${hold.why}: ${hold.address}`),
    ]),
  );
};

const one = (endpoint: string, further: Parts = {}, key = 'GET /{id}'): string[] =>
  held({ ...further, endpoints: `${key}: { ${endpoint} }` })[key] as string[];

const sometimes = (endpoint: string, further: Parts = {}, key = 'POST /'): string[] => {
  const found = specification(document({ ...parts, ...further, endpoints: `${key}: { ${endpoint} }` }));
  return found.operations.flatMap((operation) => sometimesHeld(operation, found).map((hold) => hold.address));
};

describe('an operation is held up by the smallest set of points (language §F.5)', () => {
  it('by none, where everything that it needs is stated', () => {
    expect(one('does: read Todo, response: { status: 200, body: Todo }')).toEqual([]);
    expect(one('does: (none), response: 204', {}, 'GET /')).toEqual([]);
  });

  it('by what it does', () => {
    expect(one('response: 204')).toEqual(['open: endpoints["GET /{id}"].does']);
    expect(one('does: (open) what?, response: 204')).toEqual(['open: endpoints["GET /{id}"].does']);
  });

  it('by the status of a success', () => {
    expect(one('does: read Todo')).toEqual(['open: endpoints["GET /{id}"].response.status']);
    expect(one('does: read Todo, response: (open)')).toEqual([
      'open: endpoints["GET /{id}"].response.status',
    ]);
    expect(one('does: read Todo, response: { body: Todo }')).toEqual([
      'open: endpoints["GET /{id}"].response.status',
    ]);
    expect(
      one('does: (none), response: [{ when: "${now == now}", status: 201 }, { body: {} }]', {}, 'GET /'),
    ).toEqual(['open: endpoints["GET /"].response[1].status']);
  });

  it('not by a body, a header field or a media type', () => {
    expect(one('does: read Todo, response: { status: 200 }')).toEqual([]);
    expect(one('does: read Todo, response: { status: 200, body: (open), headers: { X: (open) } }')).toEqual(
      [],
    );
  });

  it('by an identifier that nobody stated', () => {
    const silent = { resources: 'Todo: { fields: { title: {} } }' };
    expect(one('does: create Todo, response: 204', silent, 'POST /')).toEqual([
      'open: resources.Todo.identifier',
    ]);
    expect(one('does: read Todo, response: 204', silent)).toEqual(['open: resources.Todo.identifier']);
    expect(one('does: list Todo, response: 204', silent, 'GET /')).toEqual([]);
    expect(one('does: delete every Todo, response: 204', silent, 'DELETE /')).toEqual([]);
  });

  it('by a field of the identifier that is not described', () => {
    const content = { resources: 'Todo: { identifier: [a, b] }' };
    expect(one('does: create Todo, response: 204', content, 'POST /')).toEqual([
      'open: resources.Todo.fields.a',
      'open: resources.Todo.fields.b',
    ]);
  });

  it('by everything about a resource of which only the name is known', () => {
    const nothing = { resources: '{}' };
    expect(one('does: create Todo, response: 204', nothing, 'POST /')).toEqual([
      'open: resources.Todo.identifier',
    ]);
  });

  it('by an identifier that nobody gives a value', () => {
    const content = { resources: 'Todo: { identifier: id, fields: { id: { writable: false } } }' };
    expect(one('does: create Todo, response: 204', content, 'POST /')).toEqual([
      'open: resources.Todo.fields.id.set.create',
    ]);
    expect(one('does: create Todo, response: 204', content, 'PUT /{id}')).toEqual([]);
  });

  it('by a body that is open, where what is set is a member of it', () => {
    const set = 'does: { update: Todo, with: { title: "${request.body.title}" } }, response: 204';
    expect(one(set, {}, 'PUT /{id}')).toEqual(['open: endpoints["PUT /{id}"].request.body']);
    expect(one(`${set}, request: { body: (open) which? }`, {}, 'PUT /{id}')).toEqual([
      'open: endpoints["PUT /{id}"].request.body',
    ]);
    for (const body of ['(none)', '{ type: object }'])
      expect(one(`${set}, request: { body: ${body} }`, {}, 'PUT /{id}')).toEqual([]);
  });

  it('by what a verb is about, where that is asked', () => {
    const asked = 'does: { create: (open) which?, present: keep }, response: 204';
    expect(one(asked, {}, 'POST /')).toEqual(['open: endpoints["POST /"].does.create']);
    expect(one('does: (open) which?, response: 204', {}, 'POST /')).toEqual([
      'open: endpoints["POST /"].does',
    ]);
  });

  it('by a path that singles out no item', () => {
    expect(one('does: read Todo, response: 204', {}, 'GET /')).toEqual([
      'open: endpoints["GET /"].does.where',
    ]);
    expect(one('does: { read: Todo, where: (open) which? }, response: 204', {}, 'GET /{other}')).toEqual([
      'open: endpoints["GET /{other}"].does.where',
    ]);
    expect(one('does: delete Todo, response: 204', {}, 'DELETE /{other}')).toEqual([
      'open: endpoints["DELETE /{other}"].request.path',
    ]);
    const two = { resources: 'Todo: { identifier: [a, b], fields: { a: {}, b: {} } }' };
    const unique = {
      resources: 'Todo: { identifier: [a, b], fields: { a: {}, b: {}, c: { unique: true } } }',
    };
    expect(one('does: read Todo, response: 204', two, 'GET /{a}')).toEqual([
      'open: endpoints["GET /{a}"].does.where',
    ]);
    expect(one('does: read Todo, response: 204', two, 'GET /{a}/{b}')).toEqual([]);
    expect(one('does: read Todo, response: 204', unique, 'GET /{c}')).toEqual([]);
  });

  it('by the whole of part 5, where its requests are counted by who asks', () => {
    const { authentication: _authentication, ...rest } = parts;
    const counted = (limits: string): string[] => {
      const endpoints = 'GET /{id}: { operation: one, does: read Todo, response: 204 }';
      const found = specification(document({ resources: rest.resources, endpoints, limits }));
      return found.operations.flatMap((operation) => holds(found, operation).map(({ address }) => address));
    };
    const rate = (more: string) => counted(`rates: { r: { allow: 1, every: PT1S, ${more} } }`);
    expect(rate('per: actor')).toEqual(['authentication']);
    expect(rate('per: "${actor.team}"')).toEqual(['authentication']);
    expect(rate('per: address, when: "${actor == null}"')).toEqual(['authentication']);
    expect(counted('concurrency: { c: { allow: 1, per: actor } }')).toEqual(['authentication']);
    expect(rate('per: address')).toEqual([]);
    expect(rate('per: actor, operations: []')).toEqual([]);
    expect(counted('rates: { r: { allow: 1, per: actor } }')).toEqual([]);
  });

  it('by the whole of part 5, where it reads actor and nothing says who that is', () => {
    const silent = document({ resources: parts.resources, endpoints: '' });
    const { authentication: _authentication, ...rest } = parts;
    const reads = (endpoint: string, key = 'GET /{id}', resources = rest.resources) => {
      const found = specification(document({ resources, endpoints: `${key}: { ${endpoint} }` }));
      return found.operations.flatMap((operation) => holds(found, operation).map((hold) => hold.address));
    };
    expect(silent).not.toContain('actor');
    expect(reads('does: read Todo, response: { status: 200, body: "${actor}" }')).toEqual(['authentication']);
    expect(reads('does: read Todo, response: { status: 200, headers: { X: "${actor.name}" } }')).toEqual([
      'authentication',
    ]);
    const who = `${parts.resources}\n    who: { set: { create: "\${actor}" } }\n    mine: { derived: "\${actor == this.who}" }`;
    expect(reads('does: create Todo, response: 204', 'POST /', who)).toEqual(['authentication']);
    expect(reads('does: read Todo, response: { status: 200, body: Todo }', 'GET /{id}', who)).toEqual([
      'authentication',
    ]);
    expect(
      reads('does: read Todo, response: { status: 200, body: { m: "${this.mine}" } }', 'GET /{id}', who),
    ).toEqual(['authentication']);
    expect(reads('does: delete Todo, response: 204', 'DELETE /{id}', who)).toEqual([]);
    expect(
      reads('does: read Todo, response: { status: 200, body: { t: "${this.title}" } }', 'GET /{id}', who),
    ).toEqual([]);
  });

  it('by the first state of a new item', () => {
    const made = (machine: string): string[] =>
      one('does: create Todo, response: 204', { states: `Todo.title: ${machine}` }, 'POST /');
    expect(made('{ states: [a] }')).toEqual(['open: states["Todo.title"].initial']);
    expect(made('{ states: [a], initial: a }')).toEqual([]);
    expect(made('(open) which?')).toEqual(['open: states["Todo.title"]']);
    expect(one('does: read Todo, response: 204', { states: 'Todo.title: { states: [a] }' })).toEqual([]);
  });

  it('by a transition that is not described, or not whence or whither it leads', () => {
    const moved = (states?: string): string[] =>
      one('does: go Todo, response: 204', states === undefined ? {} : { states });
    expect(moved()).toEqual(['open: states']);
    expect(moved('Todo.title: (open) which?')).toEqual(['open: states["Todo.title"]']);
    expect(moved('Todo.title: { states: [a] }')).toEqual(['open: states["Todo.title"].transitions']);
    const machine = (go: string): string => `Todo.title: { transitions: { ${go} } }`;
    expect(moved(machine('go: (open) whither?'))).toEqual(['open: states["Todo.title"].transitions.go']);
    expect(moved(machine('go: { from: a }'))).toEqual(['open: states["Todo.title"].transitions.go.to']);
    expect(moved(machine('go: { from: a, to: (none) }'))).toEqual([]);
  });

  it('by what a view shows, where an answer shows one', () => {
    const shown = (view: string): string[] =>
      one('does: read Todo, response: { status: 200, body: Brief }', {
        resources: `${parts.resources}\nBrief: ${view}`,
      });
    expect(shown('{ of: Todo }')).toEqual(['open: resources.Brief.shows']);
    expect(shown('{ of: Todo, shows: (open) what? }')).toEqual(['open: resources.Brief.shows']);
    expect(shown('{ of: Todo, shows: [id] }')).toEqual([]);
    expect(shown('{ of: Todo, omits: [id] }')).toEqual([]);
  });

  describe('by what part 5 leaves open, once it states how to ask', () => {
    const asked = (authentication: string[], endpoint = 'does: read Todo, response: 204'): string[] =>
      one(endpoint, { authentication: authentication.join('\n') }).filter(
        (hold) => !hold.startsWith('not run: '),
      );
    const scheme = (rest: string) => `schemes: { token: { type: http, scheme: bearer, ${rest} } }`;
    const whole = scheme('credentials: operator, actor: "${request}"');

    it('nothing, where no scheme is stated, or all is', () => {
      expect(asked(['schemes: {}'])).toEqual([]);
      expect(asked([whole, 'otherwise: known'])).toEqual([]);
    });

    it('who may ask', () => {
      const rule = 'open: authentication.authorization["GET /{id}"]';
      expect(asked([whole])).toEqual([rule]);
      expect(asked([whole, 'authorization: { "GET /{id}": (open) who? }'])).toEqual([rule]);
      expect(asked([whole, 'otherwise: (open) who?'])).toEqual(['open: authentication.otherwise']);
      expect(asked([scheme('actor: "${request}"')])).toEqual([
        rule,
        'open: authentication.schemes.token.credentials',
      ]);
      expect(asked([whole, 'otherwise: { items: known }'])).toEqual(['open: authentication.otherwise.rule']);
      expect(asked([whole, 'otherwise: { rule: known, items: (open) whose? }'])).toEqual([
        'open: authentication.otherwise.items',
      ]);
    });

    it('who holds the credentials, of the schemes that the rule admits', () => {
      const open = 'open: authentication.schemes.token.credentials';
      expect(asked([scheme('actor: "${request}"'), 'otherwise: anyone'])).toEqual([open]);
      const two = `${scheme('actor: "${request}"').slice(0, -1)}, key: { type: apiKey, in: query, name: k, credentials: operator } }`;
      expect(asked([two, 'otherwise: { rule: known, schemes: key }'])).toEqual([]);
      expect(asked([two, 'otherwise: { rule: known, schemes: [[key, token]] }'])).toEqual([open]);
      expect(asked(['schemes: { token: (open) which? }', 'otherwise: known'])).toEqual([
        'open: authentication.schemes.token',
      ]);
    });

    it('what the credential grants, where the rule wants scopes of its scheme', () => {
      const wants = 'otherwise: { rule: known, schemes: { token: [read] } }';
      expect(asked([whole, wants])).toEqual(['open: authentication.schemes.token.scopes']);
      expect(asked([whole, 'otherwise: { rule: known, schemes: { token: [] } }'])).toEqual([]);
      expect(asked([whole.replace(' } }', ', scopes: "${[request.url]}" } }'), wants])).toEqual([]);
    });

    it('who the actor is, where the rule or the operation reads it', () => {
      const silent = scheme('credentials: operator');
      const open = 'open: authentication.schemes.token.actor';
      expect(asked([silent, 'otherwise: known'])).toEqual([]);
      expect(asked([silent, 'otherwise: "${actor.name == \'x\'}"'])).toEqual([open]);
      expect(asked([silent, 'actors: { courier: "${actor.name == \'x\'}" }', 'otherwise: courier'])).toEqual([
        open,
      ]);
      expect(
        asked(
          [silent, 'otherwise: known'],
          'does: { read: Todo, where: "${this.title == actor.name}" }, response: 204',
        ),
      ).toEqual([open]);
    });

    it('an actor that nothing binds', () => {
      expect(asked([whole, 'otherwise: courier'])).toEqual(['open: authentication.actors.courier']);
      expect(asked([whole, 'actors: { courier: (open) who? }', 'otherwise: courier'])).toEqual([
        'open: authentication.actors.courier',
      ]);
      expect(asked([scheme('credentials: operator, actor: courier'), 'otherwise: courier'])).toEqual([]);
    });
  });

  it('each point once, with its place', () => {
    const found = specification(document({ ...parts, endpoints: 'GET /{id}:\n  response: {}' }));
    const [operation] = found.operations;
    const all = operation ? holds(found, operation) : [];
    expect(all.map((hold) => [hold.address, place(hold.at)])).toEqual([
      ['endpoints["GET /{id}"].does', '23:3'],
      ['endpoints["GET /{id}"].response.status', '23:13'],
    ]);
  });

  it('the to-do list is held up nowhere', () => {
    const found = specification(wholeDocument('todo'));
    for (const operation of found.operations) {
      expect(holds(found, operation)).toEqual([]);
      expect(sometimesHeld(operation, found)).toEqual([]);
    }
  });
});

describe('some requests alone are held up', () => {
  it('by what it takes to judge their preconditions', () => {
    const at = 'endpoints["GET /{id}"].conditional';
    const asked = (conditional: string): string[] =>
      sometimes(`does: read Todo, response: 204, conditional: { ${conditional} }`, {}, 'GET /{id}');
    expect(asked('ifMatch: required')).toEqual([`${at}.etag`]);
    expect(asked('ifNoneMatch: allowed, etag: (none)')).toEqual([]);
    expect(asked('ifUnmodifiedSince: allowed')).toEqual([`${at}.lastModified`]);
    expect(asked('lastModified: (open), etag: weak')).toEqual([]);
  });

  it('by what it takes to know a repeat', () => {
    const at = 'endpoints["POST /"].idempotency';
    const asked = (idempotency: string): string[] =>
      sometimes(`does: (none), response: 204, idempotency: { ${idempotency} }`);
    expect(asked('header: Key')).toEqual([`${at}.life`, `${at}.per`]);
    expect(asked('header: Key, life: (none), per: key')).toEqual([]);
    expect(asked('required: true')).toEqual([]);
  });

  it('those that bring what nobody stated', () => {
    expect(sometimes('does: create Todo, request: { body: Todo }, response: 204')).toEqual([
      'endpoints["POST /"].request.others',
    ]);
    expect(sometimes('does: (none), request: { query: { q: {} } }, response: 204')).toEqual([
      'endpoints["POST /"].request.others',
    ]);
    expect(
      sometimes('does: (none), request: { body: {}, query: {}, others: { body: refuse } }, response: 204'),
    ).toEqual(['endpoints["POST /"].request.others.query']);
    expect(sometimes('does: (none), request: { headers: { A: {} } }, response: 204')).toEqual([]);
    expect(sometimes('does: (none), request: { body: {}, others: keep }, response: 204')).toEqual([]);
  });

  it('not where the shape itself says what becomes of it', () => {
    const refusing = {
      resources: `${parts.resources}\n  others: refuse\nOwn: { identifier: (none), fields: {}, others: keep }`,
    };
    expect(sometimes('does: create Todo, request: { body: Todo }, response: 204', refusing)).toEqual([]);
    expect(sometimes('does: create Todo, request: { body: Own }, response: 204', refusing)).toEqual([]);
    expect(
      sometimes('does: (none), request: { body: { fields: {}, others: refuse } }, response: 204'),
    ).toEqual([]);
  });

  it('those that give a parameter of a list of which it is open what it does', () => {
    const given = (parameter: string, does = 'list Todo', further: Parts = {}): string[] =>
      sometimes(
        `does: ${does}, request: { query: { p: ${parameter} }, others: refuse }, response: 200`,
        further,
        'GET /',
      );
    const query = 'endpoints["GET /"].request.query.p';
    expect(given('{}')).toEqual([`${query}.*`]);
    expect(given('{}', 'read Todo')).toEqual([]);
    for (const role of ['filter', 'sort', 'page'])
      expect(given(`{ ${role}: (open) how? }`)).toEqual([`${query}.${role}`]);
    expect(given('{ filter: title }')).toEqual([]);
    expect(given('{ filter: title, sort: (open) }')).toEqual([`${query}.sort`]);
    expect(given('{}', '{ list: Todo, order: "${request.query.p}" }')).toEqual([]);
    expect(given('{}', '{ list: Todo, where: "${this.title == request.query.p}" }')).toEqual([]);
    expect(given('{ filter: "${this.title == request.query.q}" }, q: {}')).toEqual([]);
  });

  it('those that delete what others refer to', () => {
    const deleted = (reference: string, does = 'delete Todo', head?: string): string[] =>
      sometimes(
        `does: ${does}, response: 204`,
        {
          resources: `${parts.resources}\nNote: { identifier: id, fields: { id: {}, todo: { ${reference} } } }`,
          ...(head !== undefined && { head }),
        },
        'DELETE /{id}',
      );
    const point = 'resources.Note.fields.todo.ifDeleted';
    expect(deleted('refers: Todo')).toEqual([point]);
    expect(deleted('refers: Todo, ifDeleted: (open) what then?', 'delete Todo', 'complete: true')).toEqual([
      point,
    ]);
    expect(deleted('refers: Todo', 'delete Todo', 'complete: true')).toEqual([]);
    expect(deleted('refers: Todo, ifDeleted: keep')).toEqual([]);
    expect(deleted('refers: Todo', 'read Todo')).toEqual([]);
    expect(deleted('refers: Note')).toEqual([]);
  });

  it('those that name no version, where it is open which is meant', () => {
    const named = (versioning: string): string[] => sometimes('does: (none), response: 204', { versioning });
    expect(named('place: { header: V }')).toEqual(['versioning.default']);
    expect(named('place: { header: V }\ndefault: (open) which?')).toEqual(['versioning.default']);
    expect(named('place: { header: V }\ndefault: (none)')).toEqual([]);
    expect(named('scheme: date')).toEqual([]);
  });

  it('those that give no identifier, where nothing says that they must', () => {
    const given = { resources: 'Todo: { identifier: id, fields: { id: { type: string } }, others: refuse }' };
    const required = { resources: `${given.resources.slice(0, -2)}, required: [id] }` };
    const create = 'does: create Todo, request: { body: Todo }, response: 204';
    expect(sometimes(create, given)).toEqual(['resources.Todo.fields.id.set.create']);
    expect(sometimes(create, required)).toEqual([]);
    expect(sometimes(create, given, 'PUT /{id}')).toEqual([]);
  });
});
