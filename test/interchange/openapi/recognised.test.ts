import { describe, expect, it } from 'vitest';
import { body, guessed, json, object, to } from './guessed.ts';

const at = (key: string): string => `endpoints["${key}"]`;
const list = (name: string): object => json({ type: 'array', items: to(name) });
const gone = { 204: { description: 'gone' } };

describe('a resource', () => {
  it('is kept though what is read may be something that tells that it is gone', () => {
    const { all, waiting } = guessed(
      {
        '/pets': { post: { requestBody: body('NewPet'), responses: json(to('Pet'), '201') } },
        '/pets/{pet}': {
          get: { responses: json({ anyOf: [to('Pet'), to('GonePet')] }) },
          delete: { responses: json(to('GonePet')) },
        },
      },
      {
        Pet: object(['name']),
        NewPet: { type: 'object', properties: { name: { type: 'string' } } },
        GonePet: {
          type: 'object',
          required: ['id', 'deleted', 'kind'],
          properties: {
            id: { type: 'string' },
            deleted: { type: 'boolean', enum: [true] },
            kind: { const: 'pet' },
          },
        },
      },
    );
    expect(waiting).toEqual([]);
    expect(all[`${at('GET /pets/{pet}')}.does`]).toBe('read Pet');
    expect(all[`${at('DELETE /pets/{pet}')}.response.body`]).toEqual({
      ...{ id: '${this["id"]}', deleted: true, kind: 'pet' },
    });
  });

  it('may be the only member of each answer', () => {
    const held = { type: 'object', properties: { pet: to('Pet') } };
    const { all, waiting } = guessed(
      {
        '/pets': {
          get: {
            responses: json({ type: 'object', properties: { pets: { type: 'array', items: to('Pet') } } }),
          },
          post: { requestBody: body('Pet'), responses: json(held, '201') },
        },
        '/pets/{id}': { get: { responses: json(held) } },
      },
      { Pet: object(['name']) },
    );
    expect(waiting).toEqual([]);
    expect(all[`${at('POST /pets')}.response.body`]).toEqual({ pet: '${Pet(this)}' });
    expect(all[`${at('GET /pets/{id}')}.response.body`]).toEqual({ pet: '${Pet(this)}' });
  });

  it('has further collections, where a member says to what an item belongs', () => {
    const { all, sure, waiting } = guessed(
      {
        '/owners': { post: { requestBody: body('Owner'), responses: json(to('Owner'), '201') } },
        '/owners/{owner}': { get: { responses: json(to('Owner')) } },
        '/pets': {
          get: { responses: list('Pet') },
          post: { requestBody: body('Pet'), responses: json(to('Pet'), '201') },
        },
        '/pets/{id}': { get: { responses: json(to('Pet')) } },
        '/owners/{owner}/pets': { get: { responses: list('Pet') } },
        '/owners/{owner}/pets/{id}': { delete: { responses: gone } },
      },
      { Owner: object(['name']), Pet: object(['owner', 'name']) },
    );
    expect(waiting).toEqual([]);
    const does = `${at('GET /owners/{owner}/pets')}.does`;
    expect(all[does]).toEqual({ list: 'Pet', where: '${this.owner == owner.id}' });
    expect(sure[does]).toBe('likely');
    expect(all['resources.Pet.identifier']).toBe('id');
  });

  it('has no further collection where no member says to what an item belongs: it may be there in several', () => {
    const { waiting } = guessed(
      {
        '/users': { post: { requestBody: body('User'), responses: json(to('User'), '201') } },
        '/users/{id}': { get: { responses: json(to('User')) } },
        '/groups/{group}/users': { get: { responses: list('User') } },
        '/groups/{group}/users/{id}': { delete: { responses: gone } },
      },
      { User: object(['name']) },
    );
    expect(waiting).toEqual(['GET /groups/{group}/users', 'DELETE /groups/{group}/users/{id}']);
  });

  it('may have no path of an item', () => {
    const { all, waiting } = guessed(
      {
        '/notes': {
          get: { responses: list('Note') },
          post: { requestBody: body('Note'), responses: json(to('Note'), '201') },
        },
      },
      { Note: object(['text']) },
    );
    expect(waiting).toEqual([]);
    expect(all['resources.Note.identifier']).toBe('id');
  });

  it('may be kept below a parameter alone', () => {
    const { all, waiting } = guessed(
      {
        '/repositories/{owner}': { get: { responses: list('Repository') } },
        '/repositories/{owner}/{slug}': { get: { responses: json(to('Repository')) } },
      },
      { Repository: object(['slug']) },
    );
    expect(waiting).toEqual([]);
    expect(all['resources.Repository.identifier']).toBe('slug');
    expect(all[`${at('GET /repositories/{owner}')}.does`]).toEqual({
      ...{ list: 'Repository', where: '${this.owner == request.path.owner}' },
    });
  });

  it('has the parent whose path names the parameter otherwise', () => {
    const { all } = guessed(
      {
        '/rooms': { post: { requestBody: body('Room'), responses: json(to('Room'), '201') } },
        '/rooms/{id}': { get: { responses: json(to('Room')) } },
        '/rooms/{roomId}/notes': {
          get: { responses: list('Note') },
          post: { requestBody: body('Note'), responses: json(to('Note'), '201') },
        },
      },
      { Room: object(['name']), Note: object(['text']) },
    );
    expect(all[`${at('GET /rooms/{roomId}/notes')}.request.path.roomId`]).toBe('Room.id as room');
  });
});

describe('a body with other members than the resource', () => {
  const paths = {
    '/pets': { post: { requestBody: body('Order'), responses: json(to('Pet'), '201') } },
    '/pets/{id}': {
      get: { responses: json(to('Pet')) },
      patch: { requestBody: body('Order'), responses: json(to('Pet')) },
    },
  };
  const Pet = object(['name', 'owner']);
  const order = (properties: object): object => ({ type: 'object', properties });
  const text = { type: 'string' };

  it('makes one by a stand-in, if the answer is one', () => {
    const { all, sure, waiting } = guessed(paths, {
      Pet,
      Order: order({ name: text, card: text, code: text }),
    });
    expect(waiting).toEqual([]);
    expect(all[`${at('POST /pets')}.does`]).toBe('create Pet');
    expect(sure[`${at('POST /pets')}.does`]).toBe('stand-in');
    expect(sure[`${at('PATCH /pets/{id}')}.does`]).toBe('stand-in');
  });

  it('brings those alone that have the same type', () => {
    const { all, sure } = guessed(paths, {
      Pet,
      Order: order({ name: text, owner: { type: 'object', properties: { id: text } } }),
    });
    expect(all[`${at('POST /pets')}.does`]).toEqual({
      create: 'Pet',
      with: '${pick(request.body, ["name"])}',
    });
    expect(sure[`${at('POST /pets')}.does`]).toBe('stand-in');
  });
});

it('members of a body whose words are put together otherwise are those of the resource', () => {
  const text = { type: 'string' };
  const given = { type: 'object', properties: { FriendlyName: text, text } };
  const parameters = [{ name: 'FriendlyName', in: 'query', schema: text }];
  const { all, sure, waiting } = guessed(
    {
      '/pets': {
        get: { parameters, responses: list('Pet') },
        post: { requestBody: body('NewPet'), responses: json(to('Pet'), '201') },
      },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    },
    { Pet: object(['friendly_name', 'text']), NewPet: given },
  );
  expect(waiting).toEqual([]);
  const value = '${has(request.body.FriendlyName) ? request.body.FriendlyName : absent()}';
  expect(all[`${at('POST /pets')}.does`]).toEqual({
    ...{ create: 'Pet', with: ['${request.body}', { friendly_name: value }] },
  });
  expect(sure[`${at('POST /pets')}.does`]).toBe('likely');
  expect(all[`${at('GET /pets')}.request.query.FriendlyName.filter`]).toBe('friendly_name');
});

it.each([
  [{ pattern: '^CH[0-9a-fA-F]{32}$' }, "${'CH' + replace(uuid(), '-', '')}"],
  [{ pattern: '^p_[0-9a-zA-Z]{24}$' }, "${'p_' + random(24)}"],
  [{ minLength: 10, maxLength: 20 }, '${random(20)}'],
  [{ pattern: '^[z-a]{32}$' }, undefined],
  [{ pattern: '^[A-Z]+/[0-9]$' }, undefined],
])('a key is made as its schema asks for: %o', (keywords, made) => {
  const Pet = {
    type: 'object',
    properties: { id: { type: 'string', ...keywords }, name: { type: 'string' } },
  };
  const { all, waiting } = guessed(
    {
      '/pets': { post: { requestBody: body('NewPet'), responses: json(to('Pet'), '201') } },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    },
    { Pet, NewPet: { type: 'object', properties: { name: { type: 'string' } } } },
  );
  expect(all['resources.Pet.fields.id.set.create']).toBe(made);
  expect(waiting).toEqual(made === undefined ? ['POST /pets'] : []);
});

describe('a member that no client gives', () => {
  const properties = {
    id: { type: 'string', readOnly: true },
    kind: { const: 'pet' },
    name: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    code: { type: 'string', example: 'P-7' },
    seen: { type: 'integer' },
  };
  const { all, sure } = guessed(
    {
      '/pets': { post: { requestBody: body('NewPet'), responses: json(to('Pet'), '201') } },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    },
    {
      Pet: { type: 'object', required: Object.keys(properties), properties },
      NewPet: { type: 'object', properties: { name: { type: 'string' } } },
    },
  );
  it.each([
    ['kind', 'pet', 'high'],
    ['createdAt', '${now}', 'likely'],
    ['code', 'P-7', 'stand-in'],
    ['seen', undefined, undefined],
  ])('is made by the service, as far as something tells how: %s', (name, value, confidence) => {
    const address = `resources.Pet.fields.${name}.set.create`;
    expect([all[address], sure[address]]).toEqual([value, confidence]);
  });
});

it('what stands beside a list is told by its name, and by what it always is', () => {
  const { all, sure, waiting } = guessed(
    {
      '/pets': {
        get: {
          parameters: [{ name: 'starting_after', in: 'query', schema: { type: 'string' } }],
          responses: json({
            type: 'object',
            required: ['data', 'kind', 'has_more', 'url'],
            properties: {
              data: { type: 'array', items: to('Pet') },
              kind: { enum: ['list'] },
              has_more: { type: 'boolean' },
              url: { type: 'string' },
              meta: { type: 'object', properties: { total: { type: 'integer' }, note: { type: 'string' } } },
            },
          }),
        },
      },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    },
    { Pet: object(['name']) },
  );
  expect(waiting).toEqual([]);
  const get = at('GET /pets');
  const asked = '(open) what does it say of the list?';
  expect(all[`${get}.response.body`]).toEqual({
    ...{ kind: 'list', has_more: '${page.url.next != null}', url: '(open) the address of the list?' },
    ...{ meta: { total: '${page.total}', note: asked }, data: '${Pet(page.items)}' },
  });
  expect(sure[`${get}.response.body`]).toBe('likely');
  expect(sure[`${get}.response.body.url`]).toBe('stand-in');
  expect(all[`${get}.request.query.starting_after.page`]).toBe('after');
});

it.each([
  [{ type: ['string', 'null'] }, '${null}'],
  [{ type: 'object', properties: { a: { type: 'string' } } }, {}],
  [{ type: 'string' }, undefined],
])('beside a list has to stand what nobody can tell: %o', (next, value) => {
  const properties = { data: { type: 'array', items: to('Pet') }, next };
  const { all, waiting } = guessed(
    {
      '/pets': { get: { responses: json({ type: 'object', required: ['next'], properties }) } },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    },
    { Pet: object(['name']) },
  );
  expect(all[`${at('GET /pets')}.response.body.next`]).toEqual(value);
  expect(waiting).toEqual(value === undefined ? ['GET /pets'] : []);
});

it('a list that cannot be had without a parameter of which nobody knows what it does stays open', () => {
  const parameters = [{ name: 'query', in: 'query', required: true, schema: { type: 'string' } }];
  const { waiting } = guessed(
    {
      '/pets': { get: { parameters, responses: list('Pet') } },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    },
    { Pet: object(['name']) },
  );
  expect(waiting).toEqual(['GET /pets']);
});

describe('what is alone at its path', () => {
  const Settings = { type: 'object', properties: { colour: { type: 'string' } } };
  it('is kept, as a stand-in, and has the values of its example at first', () => {
    const { all, sure, waiting } = guessed(
      {
        '/settings': {
          get: { responses: json(to('Settings'), '200', { colour: 'red' }) },
          patch: { requestBody: body('Settings'), responses: json(to('Settings')) },
        },
      },
      { Settings },
    );
    expect(waiting).toEqual([]);
    expect(all['resources.Settings.items']).toEqual([{ colour: 'red', only: 'it' }]);
    expect(all[`${at('GET /settings')}.does`]).toEqual({ read: 'Settings', where: "${this.only == 'it'}" });
    expect(all[`${at('PATCH /settings')}.does`]).toEqual({
      ...{ create: 'Settings', present: 'update' },
      with: ['${request.body}', { only: "${'it'}" }],
    });
    expect(sure[`${at('GET /settings')}.does`]).toBe('stand-in');
  });

  it('may be so below each item of another resource', () => {
    const { all, waiting } = guessed(
      {
        '/rooms': { post: { requestBody: body('Room'), responses: json(to('Room'), '201') } },
        '/rooms/{id}': { get: { responses: json(to('Room')) } },
        '/rooms/{id}/settings': {
          get: { responses: json(to('Settings')) },
          put: { requestBody: body('Settings'), responses: json(to('Settings')) },
        },
      },
      { Room: object(['name']), Settings },
    );
    expect(waiting).toEqual([]);
    expect(all['resources.Settings.identifier']).toBe('room');
    expect(all[`${at('PUT /rooms/{id}/settings')}.does`]).toEqual({
      ...{ create: 'Settings', present: 'replace' },
      with: ['${request.body}', { room: '${room}' }],
    });
  });
});

describe('a key that a body may bring', () => {
  const noted = (id: object, required: readonly string[] = []) =>
    guessed(
      {
        '/notes': {
          get: { responses: json({ type: 'array', items: to('Note') }) },
          post: { requestBody: body('Note'), responses: json(to('Note'), '201') },
        },
        '/notes/{id}': { get: { responses: json(to('Note')) } },
      },
      { Note: { type: 'object', properties: { id, text: { type: 'string' } }, required } },
    );
  const at = 'resources.Note.fields.id';

  it('is what is given, or is made, if it is a text', () => {
    const { all, sure, waiting } = noted({ type: 'string' });
    expect(all[`${at}.set.create`]).toBe('${request.body.id == null ? uuid() : request.body.id}');
    expect([all[`${at}.writable`], sure[`${at}.writable`], waiting]).toEqual(['once', 'likely', []]);
  });

  it('is made, if it is a number, and given, if it has to be there', () => {
    const number = noted({ type: 'integer' });
    expect([number.all[`${at}.set.create`], number.all[`${at}.writable`]]).toEqual([
      '${sequence()}',
      undefined,
    ]);
    const required = noted({ type: 'string' }, ['id']);
    expect([required.all[`${at}.set.create`], required.all[`${at}.writable`]]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
