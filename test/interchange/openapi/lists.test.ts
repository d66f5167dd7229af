import { describe, expect, it } from 'vitest';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { readOutlined } from '../../../src/specification/read.ts';
import { body, type Guessed, guessed, json, object, to } from './guessed.ts';

const at = (key: string): string => `endpoints["${key}"]`;
const list = at('GET /pets');

const Pet = {
  type: 'object',
  required: ['name', 'age', 'tags'],
  properties: {
    id: { type: 'string', readOnly: true },
    name: { type: 'string' },
    age: { type: 'integer' },
    weight: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

/** The guesses of a list of pets with these parameters. */
function listing(
  parameters: readonly object[],
  answer: object = json({ type: 'array', items: to('Pet') }),
): Guessed {
  const query = parameters.map((each) => ({ in: 'query', ...each }));
  const paths = {
    '/pets': { get: { parameters: query, responses: answer } },
    '/pets/{id}': { get: { responses: json(to('Pet')) } },
  };
  return guessed(paths, { Pet });
}

describe('a parameter of a list', () => {
  it.each([
    ['tag', { type: 'string' }, '${request.query.tag in this.tags}'],
    ['minAge', { type: 'integer' }, '${this.age >= request.query.minAge}'],
    ['max_age', { type: 'integer' }, '${this.age <= request.query.max_age}'],
    ['maxAge', { type: 'string' }, undefined],
    // Not each pet has a weight.
    ['maxWeight', { type: 'number' }, undefined],
    ['minutes', { type: 'integer' }, undefined],
  ])('filters if it is called like a member, or like a bound of one: %s, %o', (name, schema, filter) => {
    expect(listing([{ name, schema }]).all[`${list}.request.query.${name}.filter`]).toBe(filter);
  });

  it.each([
    [['age', '-age'], ['age'], 'likely'],
    // Nobody says which way it is, how texts compare, or where a pet without a weight stands.
    [['age'], ['age'], 'stand-in'],
    [['name', '-age'], ['name', 'age'], 'stand-in'],
    [['weight', '-weight'], ['weight'], 'stand-in'],
    [['age', 'popular'], undefined, undefined],
    [['-tags.0'], undefined, undefined],
  ])('sorts if each of its values is a member, or one after -: %o', (values, members, sure) => {
    const place = `${list}.request.query.sort.sort`;
    const guessed = listing([{ name: 'sort', schema: { type: 'string', enum: values } }]);
    expect([guessed.all[place], guessed.sure[place]]).toEqual([members, sure]);
    expect(guessed.waiting).toEqual([]);
    expect(listing([{ name: 'only', schema: { type: 'string', enum: values } }]).all).not.toHaveProperty([
      `${list}.request.query.only.sort`,
    ]);
  });

  it.each([
    [{ name: 'since', schema: { type: 'string' } }, true],
    [{ name: 'since', schema: { type: 'string', default: 'today' } }, false],
    [{ name: 'sort', schema: { type: 'string', default: 'name' } }, true],
    [{ name: 'withOld', schema: { type: 'boolean' } }, false],
    [{ name: 'cursor', schema: { type: 'string' } }, false],
  ])(
    'of which nobody knows what it does leaves the list complete, unless it may hide items without it: %o',
    (parameter, isWhole) => {
      const complete = listing([parameter]).all['complete'] as string[];
      expect(complete.includes('endpoints')).toBe(isWhole);
    },
  );

  it.each([
    ['since', 'filter', {}],
    ['sort', 'sort', {}],
    ['order_by', 'sort', {}],
    // A guess by which nothing is judged.
    ['sort', 'sort', { enum: ['name', '-name'] }],
  ])('of which nobody knows what it does is asked for: %s', (name, role, more) => {
    const paths = {
      '/pets': {
        get: {
          parameters: [{ name, in: 'query', schema: { type: 'string', ...more } }],
          responses: json({ type: 'array', items: to('Pet') }),
        },
      },
      '/pets/{id}': { get: { responses: json(to('Pet')) } },
    };
    const description = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths,
      components: { schemas: { Pet } },
    };
    const imported = importOpenApi('x.json', JSON.stringify(description));
    const { specification } = readOutlined('x.json', outlined(imported), []);
    expect(
      [...specification.points.keys()].filter((each) =>
        each.startsWith(`${list}.request.query.${name}.${role}`),
      ),
    ).toEqual([`${list}.request.query.${name}.${role}`]);
  });
});

describe('what stands beside a list', () => {
  const paged = (members: object): object =>
    json({
      type: 'object',
      required: Object.keys(members),
      properties: { data: { type: 'array', items: to('Pet') }, ...members },
    });
  const number = { type: 'integer' };
  const size = { name: 'pageSize', schema: { ...number, default: 10 } };
  const page = { name: 'page', schema: { ...number, minimum: 1, default: 1 } };

  it('repeats which page is asked for, and counts the pages', () => {
    const { all, sure } = listing(
      [page, size],
      paged({ page: number, pageSize: number, totalItems: number, totalPages: number }),
    );
    expect(all[`${list}.response.body`]).toEqual({
      ...{
        data: '${Pet(page.items)}',
        page: '${request.query["page"]}',
        pageSize: '${request.query["pageSize"]}',
      },
      ...{ totalItems: '${page.total}', totalPages: '(open) how many pages are there?' },
    });
    expect(sure[`${list}.response.body`]).toBe('high');
    // Whether an empty list has a page, nobody says.
    expect(sure[`${list}.response.body.totalPages`]).toBe('likely');
    expect(all[`${list}.response.body.totalPages`]).toBe(
      '${(page.total + request.query["pageSize"] - 1) / request.query["pageSize"]}',
    );
  });

  it.each([
    [{ total: number }, 'high'],
    [{ count: number }, 'likely'],
    [{ has_more: { type: 'boolean' } }, 'likely'],
  ])('is as sure as the list, if it cannot be about the page alone: %o', (members, confidence) => {
    expect(listing([size], paged(members)).sure[`${list}.response.body`]).toBe(confidence);
  });

  it('may be a count, where there are no pages', () => {
    expect(listing([], paged({ count: number })).sure[`${list}.response.body`]).toBe('high');
  });
});

it('a status of which nobody knows the reason refuses only where an operation lists it', () => {
  const refusals = (...statuses: readonly string[]): object =>
    Object.fromEntries(statuses.map((status) => [status, { description: 'refused' }]));
  const { all } = guessed(
    {
      '/pets': {
        get: {
          operationId: 'listPets',
          responses: { ...json({ type: 'array', items: to('Pet') }), ...refusals('500') },
        },
        post: {
          operationId: 'addPet',
          requestBody: body('Pet'),
          responses: { ...json(to('Pet'), '201'), ...refusals('400', '403', '500') },
        },
      },
    },
    { Pet: object(['name']) },
  );
  expect(all['errors.codes.forbidden.operations']).toEqual(['addPet']);
  // Its reason is guessed, or all have it.
  expect(Object.keys(all).filter((each) => each.endsWith('.operations'))).toHaveLength(1);
});

it('an operation below the path of an item is about the item, if it may be answered that there is none', () => {
  const paths = (missing: object): object => ({
    '/pets': { get: { responses: json({ type: 'array', items: to('Pet') }) } },
    '/pets/{pet}': { get: { responses: json(to('Pet')) } },
    '/pets/{petId}/walk': { post: { responses: { 200: { description: 'it goes for a walk' }, ...missing } } },
  });
  const address = `${at('POST /pets/{petId}/walk')}.request.path.petId`;
  expect(guessed(paths({ 404: { description: 'none' } }), { Pet }).all[address]).toBe('Pet.id as pet');
  expect(guessed(paths({}), { Pet }).all[address]).toBeUndefined();
});

it('how many members a body has is carried', () => {
  const schema = {
    ...{ type: 'object', minProperties: 1, properties: { name: { type: 'string' } } },
    allOf: [{ type: 'object', minProperties: 2, maxProperties: 3, properties: { age: { type: 'integer' } } }],
  };
  const content = { 'application/json': { schema } };
  const paths = {
    '/walks': {
      post: { requestBody: { required: true, content }, responses: { 204: { description: 'done' } } },
    },
  };
  const imported = importOpenApi(
    'x.json',
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Walks', version: '1' }, paths }),
  );
  const { specification } = readOutlined('x.json', outlined(imported), []);
  const place = `${at('POST /walks')}.request.body`;
  const points = [...specification.points.keys()].filter((each) => /Properties$/.test(each));
  expect(points).toEqual([`${place}.minProperties`, `${place}.maxProperties`]);
});
