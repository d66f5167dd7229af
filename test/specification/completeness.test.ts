import { describe, expect, it } from 'vitest';
import { isUnder } from '../../src/specification/reading/address.ts';
import { document, faults, place, points, specification } from './documents.ts';

const resources = [
  'Todo:',
  '  identifier: id',
  '  fields:',
  '    id: { type: string, set: { create: "${uuid()}" } }',
  '    title: { type: string }',
].join('\n');

const todo = (head?: string, further: Parameters<typeof document>[0] = {}) =>
  document({ ...(head === undefined ? {} : { head }), resources, ...further });

const rests = (content: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(points(specification(content))).filter(([address]) => address.endsWith('.*')),
  );

describe('every list has a rest, which is open until it is closed (language §D.1)', () => {
  it('fields, constraints and entries of part 2', () => {
    expect(rests(todo())).toMatchObject({
      'resources.*': 'open',
      'resources.Todo.fields.*': 'open',
      'resources.Todo.fields.title.*': 'open',
    });
  });

  it('whatever the part', () => {
    const content = document({
      service: 'actors: { anybody: whoever }',
      endpoints:
        'GET /: { does: (none), response: { status: 200, headers: { X: y } }, request: { query: { q: {} } } }',
      errors: 'codes: {}',
      events: 'kinds: {}\ndelivery: {}',
      limits: 'rates: {}\nsizes: {}',
      versioning: 'versions: {}',
      authentication: 'schemes: {}\nauthorization: {}',
      states: 'Todo.status: { transitions: {} }',
    });
    expect(Object.keys(rests(content))).toEqual([
      'service.actors.*',
      'resources.*',
      'states["Todo.status"].transitions.*',
      'states["Todo.status"].*',
      'states.*',
      'endpoints["GET /"].request.query.q.*',
      'endpoints["GET /"].request.query.*',
      'endpoints["GET /"].request.*',
      'endpoints["GET /"].response.headers.*',
      'endpoints["GET /"].response.*',
      'endpoints["GET /"].*',
      'endpoints.*',
      'authentication.schemes.*',
      'authentication.actors.*',
      'authentication.authorization.*',
      'authentication.*',
      'events.kinds.*',
      'events.delivery.*',
      'events.*',
      'errors.codes.*',
      'errors.*',
      'limits.rates.*',
      'limits.sizes.*',
      'limits.times.*',
      'limits.*',
      'versioning.versions.*',
    ]);
  });
});

describe('complete closes lists (language §D.2)', () => {
  it('true: every list of every part in which something is stated', () => {
    const all = rests(todo('complete: true', { limits: '(none)' }));
    expect(all).toMatchObject({ 'resources.*': 'stated', 'resources.Todo.fields.title.*': 'stated' });
    expect(all).toMatchObject({ 'endpoints.*': 'open', 'errors.codes.*': 'open' });
    expect(all).not.toHaveProperty('limits.*');
  });

  it('false: none', () => {
    expect(new Set(Object.values(rests(todo('complete: false'))))).toEqual(new Set(['open']));
  });

  it('a list of addresses: those at and under each', () => {
    expect(rests(todo('complete: [resources.Todo.fields]'))).toMatchObject({
      'resources.Todo.fields.*': 'stated',
      'resources.Todo.fields.title.*': 'stated',
      'resources.*': 'open',
    });
    expect(rests(todo('complete: [\'resources["Todo"].fields.title\']'))).toMatchObject({
      'resources.Todo.fields.title.*': 'stated',
      'resources.Todo.fields.id.*': 'open',
      'resources.Todo.fields.*': 'open',
    });
  });

  it('and says where: its rest points at what closes it', () => {
    const { points: found } = specification(todo('complete: [errors, resources]'));
    expect(place(found.get('resources.*')?.at as never)).toBe('4:20');
  });

  it('never a part in which nothing is stated (language §D.4)', () => {
    for (const part of ['', '(open)', '(open) which?', '{}'])
      expect(rests(document({ head: 'complete: true', errors: part }))['errors.codes.*'] ?? 'open').toBe(
        'open',
      );
  });

  it('a part that is (none) is closed without it', () => {
    const { completeness } = specification(document({ errors: '(none)' }));
    expect(completeness.closed('errors.codes')).toBeDefined();
    expect(completeness.closed('endpoints')).toBeUndefined();
  });

  it('never values: an absent status stays open under it (language §D.4)', () => {
    const content = document({
      head: 'complete: true',
      endpoints: 'GET /: { does: (none), response: { body: {} } }',
    });
    expect(points(specification(content), 'endpoints["GET /"].response')).toMatchObject({
      'endpoints["GET /"].response.status': 'open',
    });
  });
});

describe('open opens exactly the list that it names (language §D.3)', () => {
  const question = 'complete: true\nopen: { resources.Todo.fields: will notes be kept? }';

  it('again, with a question', () => {
    expect(rests(todo(question))).toMatchObject({
      'resources.Todo.fields.*': 'open: will notes be kept?',
      'resources.*': 'stated',
      'resources.Todo.fields.title.*': 'stated',
    });
  });

  it('whether it is named by its own address, or by that of its rest, or in brackets', () => {
    for (const address of ['resources.Todo.fields.*', '\'resources["Todo"].fields\''])
      expect(rests(todo(`complete: true\nopen: { ${address}: will notes be kept? }`))).toEqual(
        rests(todo(question)),
      );
  });

  it('over a closing of the same list', () => {
    expect(rests(todo('complete: [resources.Todo.fields]\nopen: { resources.Todo.fields: }'))).toMatchObject({
      'resources.Todo.fields.*': 'open',
      'resources.Todo.fields.title.*': 'stated',
    });
  });

  it('a list within a resource: what is required, and what is allowed', () => {
    const label = 'Label: { identifier: id, required: [kind], fields: { id: {}, kind: { enum: [a, b] } } }';
    const asked = [
      'complete: true',
      'open:',
      '  resources.Label.required: is a colour needed?',
      '  resources.Label.fields.kind.enum: are there more kinds?',
    ].join('\n');
    const found = specification(document({ head: asked, resources: label }));
    expect(
      [...found.points.values()].flatMap(({ address, state, question }) =>
        state === 'open' && isUnder(address, 'resources') ? [[address, question]] : [],
      ),
    ).toEqual([
      ['resources.Label.fields.id.type', null],
      ['resources.Label.required.*', 'is a colour needed?'],
      ['resources.Label.fields.kind.enum.*', 'are there more kinds?'],
    ]);
  });

  it('and is a way to ask about one that was never closed, or that nothing was said of', () => {
    const content = document({ head: 'open: { errors.codes: which?, limits.rates: how many? }' });
    expect(rests(content)).toMatchObject({
      'errors.codes.*': 'open: which?',
      'limits.rates.*': 'open: how many?',
    });
  });
});

describe('the head', () => {
  it.each([
    ['complete: [nothing]', 'bad-address: nothing'],
    ['complete: [[a]]', 'bad-address: [a]'],
    ['complete: maybe', 'wrong-kind: maybe'],
    ['complete: { a: 1 }', 'wrong-kind: { a: 1 }'],
    ['open: [resources]', 'wrong-kind: [resources]'],
    ['open: { nothing: why? }', 'bad-address: nothing'],
    ['open: { resources: [why?] }', 'wrong-kind: [why?]'],
    ['open: { resources: { why: so } }', 'wrong-kind: { why: so }'],
    ['tacet: 2', 'unknown-version: 2'],
    ['tacet: one', 'unknown-version: one'],
    ['completed: true', 'unknown-key: completed'],
    ['(none)', 'not-statements: (none)'],
  ])('%s is a fault', (head, fault) => {
    expect(faults(document({ head }))).toEqual([fault]);
  });
});
