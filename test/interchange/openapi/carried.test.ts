import { describe, expect, it } from 'vitest';
import { leavesOf } from '../../../bench/round-trip/compare.ts';
import { exportOpenApi } from '../../../src/interchange/openapi/export/export.ts';
import { type Imported, importOpenApi, outlined } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import type { Json } from '../../../src/source/node.ts';
import { read, readOutlined } from '../../../src/specification/read.ts';

/** A description with one operation. */
function described(get: object, more: object = {}): Record<string, Json> {
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      paths: { '/things': { get: { responses: { 200: { description: 'OK' } }, ...get } } },
      ...more,
    }),
  );
}

function imported(description: object): Imported {
  return importOpenApi('x.json', JSON.stringify(description));
}

/** What comes out of a description that is imported. */
function again(description: object): Record<string, Json> {
  const { specification, diagnostics } = readOutlined('x.json', outlined(imported(description)));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return exportOpenApi(specification, '3.1').description as Record<string, Json>;
}

/** What the operation of a description comes to. */
function operation(description: object): unknown {
  const piece = imported(description).parts.get('endpoints');
  return piece && (jsonOf(piece) as Record<string, unknown>)['GET /things'];
}

const operationIn = (description: Record<string, Json>): unknown =>
  (description['paths'] as { '/things': { get: unknown } })['/things'].get;

/** The leaves of a description that do not come out again, by their pointers. */
function lostOf(description: Record<string, Json>): readonly string[] {
  return [...leavesOf(description, again(description))]
    .filter(([, { way }]) => way === 'lost')
    .map(([pointer]) => pointer);
}

describe('what people read', () => {
  it('about an operation, a parameter and an answer stands beside them, and comes out again', () => {
    const description = described({
      summary: 'Things, all of them',
      description: 'In no order.',
      tags: ['things', 'lists'],
      parameters: [{ name: 'q', in: 'query', description: 'Words.', schema: { type: 'string' } }],
      responses: {
        200: { description: 'Some things.', content: { 'application/json': { schema: { type: 'array' } } } },
      },
    });
    expect(operation(description)).toMatchObject({
      description: 'Things, all of them\n\nIn no order.\n\ntags: things, lists',
      request: { query: { q: { type: 'string', description: 'Words.' } } },
      response: { status: 200, description: 'Some things.' },
    });
    expect(operationIn(again(description))).toMatchObject({
      summary: 'Things, all of them',
      description: 'In no order.\n\ntags: things, lists',
      parameters: [{ name: 'q', description: 'Words.', schema: { type: 'string' } }],
      responses: { 200: { description: 'Some things.' } },
    });
  });

  it('about a schema is an annotation of it, at any depth', () => {
    const thing = {
      type: 'object',
      description: 'A thing.',
      properties: {
        size: { type: 'integer', title: 'Size', description: 'In metres.', deprecated: true, examples: [3] },
        parts: { type: 'array', items: { type: 'string', description: 'Its name.' } },
      },
    };
    const description = described({}, { components: { schemas: { Thing: thing } } });
    expect(again(description)['components']).toMatchObject({ schemas: { Thing: thing } });
  });

  it('about the whole stands in part 1', () => {
    const info = { title: 'Things', version: '7', description: 'Keeps things.\n\nFor ever.' };
    const { parts } = imported({ ...described({}), info });
    expect(jsonOf(parts.get('service') as never)).toEqual({
      purpose: 'Keeps things.',
      description: 'For ever.\n\nversion: 7',
    });
    expect(again({ ...described({}), info })['info']).toMatchObject({
      description: 'Keeps things.\n\nFor ever.\n\nversion: 7',
    });
  });

  it('does not ask anything, though it looks as if it did', () => {
    expect(operation(described({ description: '(open) to all' }))).toMatchObject({
      description: '( open) to all',
    });
  });
});

it('a default of a parameter that has to be given is a note: it means nothing', () => {
  const page = (required: boolean) => ({
    name: 'page',
    in: 'query',
    required,
    schema: { type: 'integer', default: 1 },
  });
  const query = (required: boolean): unknown => operation(described({ parameters: [page(required)] }));
  expect(query(true)).toMatchObject({
    request: { query: { page: { type: 'integer', required: true, $comment: 'default: 1' } } },
  });
  expect(query(false)).toMatchObject({ request: { query: { page: { type: 'integer', default: 1 } } } });
});

it('members that the language has no word for are notes', () => {
  const thing = {
    properties: { a: { type: 'integer', format: 'int64', default: 1, 'x-unit': ['m', 'km'] } },
  };
  const { parts } = imported(described({}, { components: { schemas: { Thing: thing } } }));
  expect(jsonOf(parts.get('resources') as never)).toMatchObject({
    Thing: { fields: { a: { $comment: 'format: int64\ndefault: 1\nx-unit: m, km' } } },
  });
});

it('a header field of an answer is stated by its shape, and its value is asked', () => {
  const headers = {
    'x-total': {
      description: 'How many there are.',
      required: true,
      schema: { type: 'integer', minimum: 0 },
    },
    'Content-Type': { schema: { type: 'string' } },
  };
  const description = described({ responses: { 200: { description: 'OK', headers } } });
  expect(operation(description)).toMatchObject({
    response: {
      status: 200,
      headers: {
        'x-total': {
          ...{ type: 'integer', minimum: 0, required: true, value: '(open) which value?' },
          description: 'How many there are.',
        },
      },
    },
  });
  expect(lostOf(description)).toEqual([
    '/openapi',
    '/paths/~1things/get/responses/200/headers/Content-Type/schema/type',
  ]);
});

it('a header field whose value is stated keeps its shape', () => {
  const field = '{ type: string, format: uri, required: true, value: "${service.url}" }';
  const document = `
name: Things
endpoints: { GET /things: { does: (none), response: { status: 204, headers: { Location: ${field} } } } }`;
  const { specification } = read('things.yaml', document);
  const { description } = exportOpenApi(specification, '3.1');
  expect(operationIn(description as Record<string, Json>)).toMatchObject({
    responses: {
      204: {
        headers: {
          Location: {
            required: true,
            schema: { type: 'string', format: 'uri' },
            'x-tacet-value': '${service.url}',
          },
        },
      },
    },
  });
  expect(operation(description)).toMatchObject({
    response: { headers: { Location: { value: '${service.url}', required: true } } },
  });
});

it('a header field that not all refusals of a status have is named, and nothing more', () => {
  const refused = (headers: object): object => ({
    responses: { 200: { description: 'OK' }, 429: { description: 'Too many.', headers } },
  });
  const retry = { schema: { type: 'integer' }, required: true };
  const description = described(
    {},
    {
      paths: {
        '/things': { get: refused({ 'Retry-After': retry, 'X-Left': retry }) },
        '/others': { get: refused({ 'Retry-After': retry }) },
      },
    },
  );
  expect(jsonOf(imported(description).parts.get('errors') as never)).toMatchObject({
    codes: {
      too_many: {
        headers: {
          'Retry-After': { type: 'integer', required: true, value: '(open) which value?' },
          'X-Left': '(open) which value?',
        },
      },
    },
  });
});

it('a refusal whose reason nobody states is listed at each operation', () => {
  const description = described({
    responses: { 200: { description: 'OK' }, 404: { description: 'There is none.' } },
  });
  expect(lostOf(description)).toEqual(['/openapi']);
  expect(operationIn(again(description))).toMatchObject({
    responses: { 404: { $ref: '#/components/responses/not_found' } },
  });
});

it('an answer of any other status is a row that asks for its reason and its status', () => {
  const description = described({
    responses: { 200: { description: 'OK' }, default: { description: 'Something went wrong.' } },
  });
  const { parts, guesses } = imported(description);
  expect(jsonOf(parts.get('errors') as never)).toEqual({
    codes: {
      other: {
        when: '(open) for which other reason?',
        status: '(open) which?',
        description: 'Something went wrong.',
      },
    },
  });
  expect(guesses.map(({ at }) => at)).toContain('errors.codes.other.status');
  expect(operationIn(again(description))).toMatchObject({
    responses: { default: { $ref: '#/components/responses/other' } },
  });
  expect(lostOf(description)).toEqual(['/openapi']);
});

it('the media type of refusals is stated, if it is another than JSON', () => {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const description = described(
    { responses: { 200: { description: 'OK' }, 404: { description: 'Not Found', content } } },
    { components: { schemas: { Problem: { type: 'object', properties: { title: { type: 'string' } } } } } },
  );
  const { parts } = imported(description);
  expect(jsonOf(parts.get('errors') as never)).toMatchObject({
    payload: { media: 'application/problem+json', shape: 'Problem' },
  });
  expect(lostOf(description)).toEqual(['/openapi']);
});

it('examples, links and callbacks are notes, with what they refer to', () => {
  const components = {
    examples: { Two: { value: [1, 2] } },
    links: { next: { operationId: 'things', parameters: { after: 2 } } },
  };
  const description = described(
    {
      callbacks: { told: { '{$request.query.to}': { post: { responses: {} } } } },
      responses: {
        200: {
          description: 'OK',
          content: {
            'application/json': {
              schema: { type: 'array' },
              examples: { two: { $ref: '#/components/examples/Two' } },
            },
          },
          links: { next: { $ref: '#/components/links/next' } },
        },
      },
    },
    { components },
  );
  expect(operation(description)).toMatchObject({
    description: 'callbacks: {"told":{"{$request.query.to}":{"post":{"responses":{}}}}}',
    response: {
      description:
        'OK\n\nexamples: {"two":{"value":[1,2]}}\n\nlinks: {"next":{"operationId":"things","parameters":{"after":2}}}',
    },
  });
  expect(lostOf(description)).toEqual(['/openapi']);
});

it('a parameter of a path is stated', () => {
  const description = described(
    {},
    {
      paths: {
        '/things/{id}': {
          summary: 'One thing',
          get: {
            parameters: [
              {
                name: 'id',
                in: 'path',
                required: true,
                description: 'Its key.',
                schema: { type: 'integer' },
              },
            ],
            responses: { 200: { description: 'OK' } },
          },
        },
      },
    },
  );
  const { parts } = imported(description);
  expect(jsonOf(parts.get('endpoints') as never)).toMatchObject({
    'GET /things/{id}': {
      description: 'One thing',
      request: { path: { id: { type: 'integer', description: 'Its key.' } } },
    },
  });
  expect(lostOf(description)).toEqual(['/openapi']);
});

it('a parameter that has members to bring says whether it has to come itself', () => {
  const schema = { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] };
  const description = described({ parameters: [{ name: 'tax', in: 'query', style: 'deepObject', schema }] });
  expect(operation(description)).toMatchObject({ request: { query: { tax: { fields: {} } } } });
  const { losses, parts } = imported(description);
  expect(jsonOf(parts.get('endpoints') as never)).not.toHaveProperty(
    'GET /things.request.query.tax.required',
  );
  expect(losses.counts()).toContainEqual(
    expect.objectContaining({ kind: 'gap', what: 'members that a parameter must have' }),
  );
});

it('a whole number that not every reader takes exactly is a note', () => {
  const size = {
    type: 'integer',
    minimum: 0,
    maximum: 2 ** 64,
    examples: [2 ** 63, 1],
  };
  const { parts } = imported(described({}, { components: { schemas: { Disk: { properties: { size } } } } }));
  expect(jsonOf(parts.get('resources') as never)).toMatchObject({
    Disk: {
      fields: {
        size: {
          minimum: 0,
          examples: [1],
          $comment: 'maximum: 18446744073709552000\nexamples: 9223372036854776000, 1',
        },
      },
    },
  });
});

describe('a body that may be left out', () => {
  const posted = (requestBody: object): Record<string, Json> =>
    described(
      {},
      { paths: { '/things': { post: { requestBody, responses: { 204: { description: 'No Content' } } } } } },
    );
  const content = (required: readonly string[]): object => ({
    'application/json': {
      schema: {
        type: 'object',
        properties: { a: { type: 'string' } },
        ...(required.length > 0 && { required }),
      },
    },
  });
  const request = (description: object): unknown =>
    (jsonOf(imported(description).parts.get('endpoints') as never) as Record<string, { request: unknown }>)[
      'POST /things'
    ]?.request;

  it('is stated, if nothing of it has to be there', () => {
    const description = posted({ content: content([]) });
    expect(request(description)).toMatchObject({ required: false });
    expect(lostOf(description)).toEqual(['/openapi']);
    expect(again(description)['paths']).not.toHaveProperty('/things.post.requestBody.required');
  });

  it('is a loss, if something of it has to be there', () => {
    const description = posted({ content: content(['a']) });
    expect(request(description)).not.toHaveProperty('required');
    expect(imported(description).losses.counts()).toContainEqual(
      expect.objectContaining({ kind: 'gap', what: 'a body that may be left out, and has to have members' }),
    );
  });

  it('has to be there, if the description says so', () => {
    const description = posted({ required: true, content: content([]) });
    expect(request(description)).not.toHaveProperty('required');
    expect(lostOf(description)).toEqual(['/openapi']);
  });
});

describe('content of several media types', () => {
  const posted = (content: object): Record<string, Json> =>
    described(
      {},
      {
        paths: {
          '/things': {
            post: {
              requestBody: { required: true, content },
              responses: { 204: { description: 'No Content' } },
            },
          },
        },
      },
    );
  const request = (description: object): unknown =>
    (jsonOf(imported(description).parts.get('endpoints') as never) as Record<string, { request: unknown }>)[
      'POST /things'
    ]?.request;
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const text = { schema: { type: 'string' } };

  it('that has one shape is one body, whether its type is run or not', () => {
    const description = posted({
      'application/xml': { schema },
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema, encoding: { a: { style: 'deepObject' } } },
    });
    expect(request(description)).toEqual({
      media: ['application/xml', 'application/json', 'application/x-www-form-urlencoded'],
      nesting: 'brackets',
      body: { fields: { a: { type: 'string' } } },
    });
  });

  it('that has several shapes is a body by media type, as far as its type can have the shape', () => {
    const description = posted({
      'application/json': { schema },
      'text/plain': text,
      'application/xml': { schema: { type: 'object', properties: { b: { type: 'string' } } } },
    });
    expect(request(description)).toEqual({
      content: {
        'application/json': { body: { fields: { a: { type: 'string' } } } },
        'text/plain': { body: { type: 'string' } },
      },
    });
    expect(lostOf(description)).toEqual([
      '/openapi',
      '/paths/~1things/post/requestBody/content/application~1xml/schema/type',
      '/paths/~1things/post/requestBody/content/application~1xml/schema/properties/b/type',
    ]);
    expect(imported(description).losses.counts()).toContainEqual(
      expect.objectContaining({ kind: 'gap', what: 'another media type: neither JSON nor a form' }),
    );
  });

  it('is that of an answer, too: its types are a list, that of which the shape is stated first', () => {
    const description = described({
      responses: {
        200: {
          description: 'OK',
          content: { 'application/xml': { schema }, 'application/json': { schema } },
        },
      },
    });
    expect(operation(description)).toMatchObject({
      response: {
        status: 200,
        media: ['application/json', 'application/xml'],
        shape: { fields: { a: { type: 'string' } } },
      },
    });
    expect(lostOf(description)).toEqual(['/openapi']);
  });

  it('is stated of an answer, if its type is built on JSON', () => {
    const content = { 'application/hal+json': { schema } };
    const description = described({ responses: { 200: { description: 'OK', content } } });
    expect(operation(description)).toMatchObject({ response: { media: 'application/hal+json' } });
    expect(lostOf(description)).toEqual(['/openapi']);
  });
});
