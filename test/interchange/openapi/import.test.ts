import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../src/interchange/openapi/description.ts';
import { importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { Unreadable } from '../../../src/interchange/openapi/unreadable.ts';
import { at } from '../../../src/source/text.ts';
import { readOutlined } from '../../../src/specification/read.ts';

/** A description with some schemas, and an answer that is the first of them. */
function described(schemas: object, version = '3.1.0'): string {
  const [first = ''] = Object.keys(schemas);
  const schema = { $ref: `#/components/schemas/${first}` };
  return JSON.stringify({
    openapi: version,
    info: { title: 'Things', version: '1' },
    paths: {
      '/thing': {
        get: { responses: { 200: { description: 'it', content: { 'application/json': { schema } } } } },
      },
    },
    components: { schemas },
  });
}

function part(content: string, name: 'resources' | 'endpoints' | 'authentication' | 'errors'): unknown {
  const piece = importOpenApi('x.json', content).parts.get(name);
  return piece && jsonOf(piece);
}

const fieldsOf = (content: string, name: string): unknown =>
  (part(content, 'resources') as Record<string, { fields: unknown }>)[name]?.fields;

describe('a schema', () => {
  it('that is an object with a name is an entry of part 2, and stands by its name elsewhere', () => {
    const content = described({
      Order: { properties: { to: { $ref: '#/components/schemas/Place' } } },
      Place: { properties: { town: { type: 'string' } } },
    });
    expect(fieldsOf(content, 'Order')).toEqual({ to: 'Place' });
    expect(fieldsOf(content, 'Place')).toEqual({ town: { type: 'string' } });
  });

  it('has the members of all that allOf puts together', () => {
    const content = described({
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Pet' },
          { properties: { lives: { type: 'integer' } }, required: ['lives'] },
        ],
      },
      Pet: { properties: { name: { type: 'string' } }, required: ['name'] },
    });
    expect(fieldsOf(content, 'Cat')).toEqual({ name: { type: 'string' }, lives: { type: 'integer' } });
    expect((part(content, 'resources') as { Cat: { required: string[] } }).Cat.required).toEqual([
      'name',
      'lives',
    ]);
  });

  it('of OpenAPI 3.0 says null and exclusive bounds as 2020-12 does', () => {
    const content = described(
      {
        Thing: {
          properties: {
            a: { type: 'string', nullable: true },
            b: { type: 'number', minimum: 1, exclusiveMinimum: true },
          },
        },
      },
      '3.0.3',
    );
    expect(fieldsOf(content, 'Thing')).toEqual({
      a: { type: ['string', 'null'] },
      b: { type: 'number', exclusiveMinimum: 1 },
    });
  });

  it('notes formats that say nothing of JSON, and says so', () => {
    const { losses } = importOpenApi(
      'x.json',
      described({ Thing: { properties: { a: { type: 'integer', format: 'int64' } } } }),
    );
    expect(losses.counts()).toEqual([
      {
        kind: 'prose',
        what: 'format',
        pointer: '/components/schemas/Thing/properties/a/format',
        count: 1,
      },
    ]);
  });

  it('that holds itself is anything there, as a loss', () => {
    const content = described({
      Thing: { properties: { a: { $ref: '#/components/schemas/List' } } },
      List: { type: 'array', items: { $ref: '#/components/schemas/List' } },
    });
    expect(fieldsOf(content, 'Thing')).toEqual({ a: { type: 'array', items: {} } });
  });

  it('of which the reader refuses a piece loses that piece alone', () => {
    const { parts, losses } = importOpenApi(
      'x.json',
      described({
        Thing: { properties: { a: { type: 'string', pattern: '(a+)+(?=b)' }, b: { type: 'string' } } },
      }),
    );
    expect(
      Object.keys((jsonOf(parts.get('resources') as never) as { Thing: { fields: object } }).Thing.fields),
    ).toContain('b');
    expect(losses.all.some(({ kind }) => kind === 'gap')).toBe(true);
  });
});

it('a description says what is sent, and never what is done', () => {
  const content = described({ Thing: { properties: { a: { type: 'string' } } } });
  const { diagnostics, specification } = readOutlined('x.json', outlined(importOpenApi('x.json', content)));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(specification.operations.map(({ does }) => does.kind)).toEqual(['open']);
});

describe('a body', () => {
  const operation = (method: string, further: object, encoding: object = {}): string =>
    JSON.stringify({
      ...{ openapi: '3.0.0', info: { title: 'Things', version: '1' } },
      paths: {
        '/a': {
          [method]: {
            requestBody: {
              content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' }, encoding } },
              ...further,
            },
            responses: { 204: { description: 'done' } },
          },
        },
      },
    });

  it.each(['get', 'delete'])('of %s that may be left out is lost', (method) => {
    const content = operation(method, {});
    expect(part(content, 'endpoints')).not.toHaveProperty([`${method.toUpperCase()} /a`, 'request']);
    expect(importOpenApi('x.json', content).losses.all.map(({ what }) => what)).toContain(
      `a body of ${method.toUpperCase()} that may be left out`,
    );
    expect(part(operation(method, { required: true }), 'endpoints')).toHaveProperty([
      `${method.toUpperCase()} /a`,
      'request',
    ]);
  });

  it('of a form spells objects with brackets, if one member says so', () => {
    const encoding = { place: { style: 'deepObject', explode: true } };
    expect(part(operation('post', {}, encoding), 'endpoints')).toHaveProperty(
      ['POST /a', 'request', 'nesting'],
      'brackets',
    );
    expect(part(operation('post', {}), 'endpoints')).not.toHaveProperty(['POST /a', 'request', 'nesting']);
  });
});

it('schemes, and who has to use them, are stated', () => {
  const content = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    security: [{ key: [] }],
    paths: {
      '/a': { get: { operationId: 'a', responses: { 204: { description: 'done' } } } },
      '/b': { get: { operationId: 'b', security: [], responses: { 204: { description: 'done' } } } },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  expect(part(content, 'authentication')).toEqual({
    schemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    authorization: { a: 'known', b: 'anyone' },
  });
});

describe('what cannot be read', () => {
  it.each([
    ['openapi: 3.1.0\npaths: [', 'x.yaml:2:', 'this is no YAML'],
    ['openapi: 4.0.0\n', 'x.yaml:1:10', 'OpenAPI 4.0.0 is not read, but 2.0, 3.0, 3.1 and 3.2 are'],
    ['swagger: "1.2"\n', 'x.yaml:1:10', 'OpenAPI 1.2 is not read'],
    [
      'openapi: 3.1.0\npaths: { /a: { $ref: "other.yaml#/a" } }\n',
      'x.yaml:2:',
      'other.yaml#/a: there is no file other.yaml',
    ],
    [
      'openapi: 3.1.0\npaths: { /a: { $ref: "#/nowhere" } }\n',
      'x.yaml:2:',
      '#/nowhere is nowhere in the description',
    ],
    ['openapi: 3.1.0\npaths: { /a: { $ref: "#/paths/~1a" } }\n', 'x.yaml:2:', '#/paths/~1a refers to itself'],
    [
      `openapi: 3.1.0\npaths: ${'{a: '.repeat(300)}1${'}'.repeat(300)}\n`,
      'x.yaml:2:',
      'values stand in more than 200 others',
    ],
  ])('is told with its place: %.40s', (content, place, message) => {
    let found: unknown;
    try {
      importOpenApi('x.yaml', content);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(Unreadable);
    expect([at((found as Unreadable).at).startsWith(place), (found as Error).message]).toEqual([
      true,
      expect.stringContaining(message),
    ]);
  });

  it('is no document of tacet, which has no key openapi', () => {
    expect(formatOf('name: Things\ntacet: 1\n')).toBe(undefined);
    expect(formatOf('{\n  "openapi": "3.0.0"\n}')).toBe('OpenAPI');
    expect(formatOf('{"paths":{"/a":{"openapi":"none"}},"info":{}}')).toBe(undefined);
  });

  it('is one wherever its key stands', () => {
    const components = { schemas: { Long: { description: 'x'.repeat(200_000) } } };
    expect(formatOf(JSON.stringify({ components, openapi: '3.0.0' }))).toBe('OpenAPI');
    expect(formatOf(JSON.stringify({ components: { ...components, openapi: '3.0.0' } }))).toBe(undefined);
  });
});

it.each([
  ['{"components":{"description":"', '"},"openapi":"3.0.0"}'],
  ['components:\n  description: ', '\nopenapi: 3.0.0\n'],
])('a description may say late what it is: %s', (before, after) => {
  expect(formatOf(`${before}${'a '.repeat(100_000)}${after}`)).toBe('OpenAPI');
});
