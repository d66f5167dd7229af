import { describe, expect, it } from 'vitest';
import { importOpenApi } from '../../../src/interchange/openapi/import.ts';
import { body, guessed, json, object, to } from './guessed.ts';

/** The paths of a collection below another one. */
const below = (path: string, name: string, key: string): object => ({
  [path]: {
    get: { responses: json({ type: 'array', items: to(name) }) },
    post: { requestBody: body(name), responses: json(to(name), '201') },
  },
  [`${path}/{${key}}`]: {
    get: { responses: json(to(name)) },
    patch: { requestBody: body(name), responses: json(to(name)) },
    delete: { responses: { 204: { description: 'gone' } } },
  },
});

describe('a collection below an item', () => {
  const rooms = below('/rooms', 'Room', 'roomId');

  it('has the items that refer to that one, by a field that nobody sees', () => {
    const { all, waiting } = guessed(
      { ...rooms, ...below('/rooms/{roomId}/notes', 'Note', 'noteId') },
      { Room: object(['name']), Note: object(['text']) },
    );
    expect(waiting).toEqual([]);
    expect(all['resources.Note.fields.room']).toEqual({
      ...{ refers: 'Room', ifDeleted: 'delete' },
      ...{ readable: false, writable: false },
    });
    const at = (key: string): string => `endpoints["${key}"]`;
    expect(all[`${at('GET /rooms/{roomId}/notes')}.does`]).toEqual({
      list: 'Note',
      where: '${this.room == room}',
    });
    expect(all[`${at('GET /rooms/{roomId}/notes')}.request.path.roomId`]).toBe('Room.id as room');
    expect(all[`${at('POST /rooms/{roomId}/notes')}.does`]).toEqual({
      create: 'Note',
      with: ['${request.body}', { room: '${room}' }],
    });
    expect(all[`${at('DELETE /rooms/{roomId}/notes/{noteId}')}.does`]).toEqual({
      delete: 'Note',
      where: '${this.room == room}',
    });
  });

  it('has those whose member is called like the parameter, if there is one', () => {
    const { all, waiting } = guessed(
      { ...rooms, ...below('/rooms/{roomId}/notes', 'Note', 'noteId') },
      { Room: object(['name']), Note: object(['room_id', 'text']) },
    );
    expect(waiting).toEqual([]);
    expect(Object.keys(all).filter((at) => at.startsWith('resources.Note.fields.room'))).toEqual([]);
    expect(all['endpoints["GET /rooms/{roomId}/notes"].does']).toEqual({
      list: 'Note',
      where: '${this.room_id == room.id}',
    });
  });

  it('has those of the same text in the path, if it is not known of what the path is', () => {
    const { all, waiting } = guessed(below('/orgs/{org}/notes', 'Note', 'noteId'), {
      Note: object(['text']),
    });
    expect(waiting).toEqual([]);
    expect(all['resources.Note.fields.org']).toEqual({ type: 'string', readable: false, writable: false });
    expect(all['endpoints["GET /orgs/{org}/notes/{noteId}"].does']).toEqual({
      read: 'Note',
      where: '${this.org == request.path.org}',
    });
  });

  it('of which one is below another has those of the nearest', () => {
    const { all, waiting } = guessed(
      {
        ...{ ...rooms, ...below('/rooms/{roomId}/notes', 'Note', 'noteId') },
        ...below('/rooms/{roomId}/notes/{noteId}/marks', 'Mark', 'markId'),
      },
      { Room: object(['name']), Note: object(['text']), Mark: object(['sign']) },
    );
    expect(waiting).toEqual([]);
    expect(all['resources.Mark.fields.note']).toMatchObject({ refers: 'Note' });
    expect(all['resources.Mark.fields.room']).toBeUndefined();
  });
});

it('a POST to an item whose members it takes changes it', () => {
  const { all } = guessed(
    {
      '/rooms': { post: { requestBody: body('Room'), responses: json(to('Room'), '201') } },
      '/rooms/{roomId}': {
        get: { responses: json(to('Room')) },
        post: { requestBody: body('Room'), responses: json(to('Room')) },
      },
    },
    { Room: object(['name']) },
  );
  expect(all['endpoints["POST /rooms/{roomId}"].does']).toBe('update Room');
});

it('a PUT of an item that no POST makes makes it, or replaces it', () => {
  const { all, waiting } = guessed(
    {
      '/rooms/{id}': {
        get: { responses: json(to('Room')) },
        put: { requestBody: body('Room'), responses: json(to('Room')) },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
    { Room: object(['name']) },
  );
  expect(waiting).toEqual([]);
  expect(all['endpoints["PUT /rooms/{id}"].does']).toEqual({ create: 'Room', present: 'replace' });
  expect(all['resources.Room.fields.id.set.create']).toBeUndefined();
});

it.each([
  ['a schema', 'EventTypeOut', 'event_type_name', 'name'],
  ['a path', 'Whatever', 'eventTypeName', 'name'],
])('a parameter is the member that is called so but for %s', (_, name, key, member) => {
  const { all } = guessed(below('/event-types', name, key), {
    [name]: { type: 'object', properties: { name: { type: 'string' } } },
  });
  expect(all[`resources.${name}.identifier`]).toBe(member);
});

describe('a GET that nothing explains', () => {
  const answered = (content: object, schemas: object = {}): Record<string, unknown> =>
    guessed(
      {
        '/hours': {
          get: { responses: { 200: { description: 'it', content: { 'application/json': content } } } },
        },
      },
      schemas,
    ).all;
  const at = 'endpoints["GET /hours"]';

  it('answers the example of its author', () => {
    const schema = { type: 'array', items: { type: 'string' } };
    expect(answered({ schema, example: ['9:00', '${now}'] })).toMatchObject({
      [`${at}.does`]: '(none)',
      [`${at}.response.body`]: ['9:00', '$${now}'],
    });
    expect(answered({ schema, examples: { usual: { value: ['9:00'] } } })).toMatchObject({
      [`${at}.response.body`]: ['9:00'],
    });
  });

  it('answers no example with a whole number that not every reader takes exactly', () => {
    const schema = { type: 'object', properties: { size: { type: 'integer', example: 2 ** 63 } } };
    const { all, waiting } = guessed({ '/disk': { get: { responses: json(schema) } } }, {});
    expect(all).not.toHaveProperty(['endpoints["GET /disk"].response.body']);
    expect(waiting).toEqual(['GET /disk']);
  });

  it('answers nothing that would have more values than anybody reads', () => {
    const names = Array.from({ length: 30 }, (_, at) => `S${at}`);
    // Each holds all that come after it.
    const schemas = Object.fromEntries(
      names.map((name, at) => {
        const inner = names.slice(at + 1).map((each) => [each, to(each)] as const);
        const text = { type: 'string', example: name };
        return [
          name,
          { type: 'object', required: ['text'], properties: { text, ...Object.fromEntries(inner) } },
        ];
      }),
    );
    expect(answered({ schema: to('S25') }, schemas)[`${at}.response.body`]).toMatchObject({
      S29: { text: 'S29' },
    });
    expect(answered({ schema: to('S0') }, schemas)[`${at}.response.body`]).toBeUndefined();
  });

  it('answers what is put together of the examples of all members that it has to have', () => {
    const day = (required: readonly string[]): object => ({
      Day: {
        ...{ type: 'object', required },
        properties: { opens: { type: 'string', example: '9:00' }, closes: { type: 'string' } },
      },
    });
    const content = { schema: { type: 'array', items: to('Day') } };
    expect(answered(content, day(['opens']))[`${at}.response.body`]).toEqual([{ opens: '9:00' }]);
    // A value of ours is no example.
    expect(answered(content, day(['opens', 'closes']))[`${at}.response.body`]).toBeUndefined();
  });
});

it('schemes for which no operation asks let everybody in', () => {
  const paths = { '/a': { get: { operationId: 'a', responses: { 204: { description: 'it' } } } } };
  const content = (security?: object): string =>
    JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, ...(security && { security }) },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    });
  const otherwise = (text: string): unknown =>
    importOpenApi('x.json', text).guesses.find(({ at }) => at === 'authentication.otherwise')?.value;
  expect(otherwise(content())).toBe('anyone');
  expect(otherwise(content([]))).toBe('anyone');
  expect(otherwise(content([{ key: [] }]))).toBeUndefined();
});

it('the challenge of a 401 is the name of the scheme, for which nobody would bet', () => {
  const challenges = (status: string): unknown => {
    const responses = { [status]: { description: 'no' }, 204: { description: 'it' } };
    const content = JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'A', version: '1' } },
      paths: { '/a': { get: { operationId: 'a', responses } } },
      components: {
        securitySchemes: {
          user: { type: 'http', scheme: 'basic' },
          token: { type: 'oauth2', flows: {} },
          key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        },
      },
    });
    const { guesses } = importOpenApi('x.json', content);
    return guesses
      .filter(({ at }) => at.endsWith('.challenge'))
      .map(({ at, value, confidence }) => [at.split('.')[2], value, confidence]);
  };
  expect(challenges('401')).toEqual([
    ['user', 'Basic', 'stand-in'],
    ['token', 'Bearer', 'stand-in'],
    ['key', 'key', 'stand-in'],
  ]);
  expect(challenges('403')).toEqual([]);
});

it('guesses because of which the reader refuses a statement are left out, and the others stay', () => {
  const within = (...names: readonly string[]) => ({
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })),
  });
  const answer = (status: number, schema: object) => ({
    responses: { [status]: { description: 'it', content: { 'application/json': { schema } } } },
  });
  const thing = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
  const at = '/projects/{id}/issues/{issue_id}';
  const { all } = guessed(
    {
      '/projects/{id}/issues': {
        get: { ...within('id'), ...answer(200, { type: 'array', items: to('Issue') }) },
      },
      [at]: { get: { ...within('id', 'issue_id'), ...answer(200, to('Issue')) } },
      [`${at}/awards`]: {
        post: { ...within('id', 'issue_id'), requestBody: body('Award'), ...answer(201, to('Award')) },
      },
      [`${at}/awards/{award_id}`]: {
        get: { ...within('id', 'issue_id', 'award_id'), ...answer(200, to('Award')) },
      },
    },
    { Issue: thing, Award: thing },
  );
  const about = (key: string) => Object.keys(all).filter((each) => each.startsWith(`endpoints["${key}"]`));
  // `id`, an integer, would be the identifier of the award, a text.
  expect(about(`POST ${at}/awards`)).toEqual([]);
  expect(about(`GET ${at}`)).toContain(`endpoints["GET ${at}"].does`);
});
