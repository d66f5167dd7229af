import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/conformance/requests/message.ts';
import { fieldsOf, readForm } from '../../src/semantics/request/content/form.ts';
import type { Request } from '../../src/semantics/request/prediction.ts';
import { step } from '../../src/semantics/request/request.ts';
import { Unknown, type Value } from '../../src/semantics/value/value.ts';
import { World } from '../../src/semantics/world/world.ts';
import { ask, specificationOf, start } from '../service/served.ts';

const schema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    price: { type: ['number', 'null'] },
    done: { type: 'boolean' },
    title: { type: ['string', 'integer'] },
    tags: { type: 'array', items: { type: 'integer' } },
    place: { $ref: '#/$defs/Place' },
    either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  },
};
const definitions = {
  Place: { type: 'object', properties: { floor: { type: 'integer' }, names: { type: 'array' } } },
};

function read(content: Value, nests = true): Value | Unknown {
  return readForm(fieldsOf(content, nests), schema, definitions, nests);
}

describe('a form', () => {
  it.each([
    [
      'numbers and flags by their types',
      { count: 2, price: 1.5, done: false },
      { count: 2, price: 1.5, done: false },
    ],
    ['a text where a number would do, too', { title: 7 }, { title: '7' }],
    ['a text that is no number as it is', { count: 'many', other: 3 }, { count: 'many', other: '3' }],
    [
      'lists and what nests',
      { tags: [1, 2], place: { floor: 3, names: ['a'] } },
      { tags: [1, 2], place: { floor: 3, names: ['a'] } },
    ],
    ['a single value of a list as a list', { tags: 4 }, { tags: [4] }],
    [
      'no null, no empty list, and no empty object',
      { price: null, tags: [], place: {}, count: 1 },
      { count: 1 },
    ],
  ])('says %s (language §4.2)', (_, content, expected) => {
    expect(read(content)).toEqual(expected);
  });

  it('does not nest unless it is stated', () => {
    expect(fieldsOf({ tags: [1, 2], place: { floor: 3 } }, false)).toEqual([
      ['tags', '1'],
      ['tags', '2'],
    ]);
    expect(read({ tags: [1, 2] }, false)).toEqual({ tags: [1, 2] });
  });

  it('is not known to be read where the shape tells no type, or a name comes twice', () => {
    expect(read({ either: 'a' })).toBeInstanceOf(Unknown);
    expect(
      readForm(
        [
          ['count', '1'],
          ['count', '2'],
        ],
        schema,
        definitions,
        true,
      ),
    ).toBeInstanceOf(Unknown);
  });
});

const document = `
complete: true
resources:
  Order:
    identifier: id
    fields:
      id:    { type: integer, set: { create: "\${sequence()}" } }
      count: { type: integer, minimum: 1 }
      tags:  { type: array, items: { type: string }, default: [] }
      place: { type: object, properties: { floor: { type: integer } } }
    required: [count]
endpoints:
  others: refuse
  POST /orders:
    - operation: repeat
      when: "\${request.media == null}"
      does: { create: Order, with: { count: 1 } }
      response: { status: 201, body: Order }
    - operation: order
      does: create Order
      request: { media: application/x-www-form-urlencoded, nesting: brackets, body: Order }
      response: { status: 201, body: Order }
errors:
  codes:
    unread: { when: [malformed, unsupported media], status: 400 }
    unfit:  { when: invalid, status: 422 }
    none:   { when: unknown path, status: 404 }
authentication: (none)
events: (none)
limits: (none)
states: (none)
versioning: (none)
`;
const specification = specificationOf(document);

describe('content that comes as a form', () => {
  it.each([
    ['order', { count: 3, tags: ['a', 'b'], place: { floor: 2 } }],
    ['order', { count: '3' }],
    ['order', { count: 0 }],
    ['order', { count: 'many' }],
    ['order', { count: 1, other: 'x' }],
    ['order', { count: null }],
    ['order', {}],
    ['repeat', undefined],
  ])('is predicted as the service answers it: %s %j', async (name, content) => {
    const operation = specification.operations.find((each) => each.name === name) as Request['operation'];
    const request: Request = {
      ...{ operation, path: {}, query: {}, headers: {}, credentials: [], url: 'http://a' },
      content,
    };
    const [only, ...others] = step(new World(specification), request);
    expect(others).toEqual([]);
    const { path, headers, body } = messageOf(request, specification);
    const service = await start(document);
    const fields = Object.entries(headers).map(([field, value]) => `${field}: ${value}`);
    const answer = await ask(service, `POST ${path}`, body, fields);
    expect(only?.prediction.status).toEqual([answer.status]);
    if (answer.status === 201) {
      const { id: _, ...stored } = answer.body as Record<string, unknown>;
      expect(only?.prediction.body).toMatchObject(stored);
    }
    await service.close();
  });
});
