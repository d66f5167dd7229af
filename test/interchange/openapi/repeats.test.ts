import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportOpenApi } from '../../../src/interchange/openapi/export/export.ts';
import { importOpenApi } from '../../../src/interchange/openapi/import.ts';
import { jsonOf } from '../../../src/interchange/openapi/piece.ts';
import { serve } from '../../../src/service/service.ts';
import type { Json } from '../../../src/source/node.ts';
import { specificationOf } from '../../service/served.ts';
import { body, guessed, json, object, to } from './guessed.ts';

interface Given {
  readonly name?: string;
  readonly place?: string;
  readonly description?: string;
  readonly statuses?: readonly string[];
}

const parameter = ({ name = 'Idempotency-Key', place = 'header', description }: Given) => ({
  ...{ name, in: place, schema: { type: 'string' } },
  ...(description !== undefined && { description }),
});

/** What is guessed of repeats, if POST and GET of notes have this parameter, and POST refuses with these statuses. */
function repeatsOf(given: Given) {
  const refusals = (given.statuses ?? []).map((status) => [status, { description: 'refused' }]);
  const { all, sure, waiting } = guessed(
    {
      '/notes': {
        parameters: [parameter(given)],
        get: { responses: json({ type: 'array', items: to('Note') }) },
        post: {
          requestBody: body('Note'),
          responses: { ...json(to('Note'), '201'), ...Object.fromEntries(refusals) },
        },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: json(to('Note')) },
      },
    },
    { Note: object(['text']) },
  );
  const found = Object.keys(all).filter((at) => /\.idempotency$|errors.codes.*when$/.test(at));
  return { waiting, guesses: found.map((at) => [at, all[at], sure[at]]) };
}

const post = 'endpoints["POST /notes"].idempotency';
const usual = { header: 'Idempotency-Key', life: 'PT24H', per: 'actor' };

describe('a key for repeats', () => {
  it('is guessed of a change with a header parameter called so, and asked in the document', () => {
    expect(repeatsOf({})).toEqual({ waiting: [], guesses: [[post, usual, 'likely']] });
    const described = {
      ...{ openapi: '3.1.0', info: { title: 'A', version: '1' } },
      paths: { '/a': { post: { operationId: 'a', parameters: [parameter({})], responses: {} } } },
    };
    const { parts } = importOpenApi('x.json', JSON.stringify(described));
    expect(jsonOf(parts.get('endpoints') as never)).toMatchObject({
      'POST /a': {
        request: { headers: { 'Idempotency-Key': { type: 'string' } } },
        idempotency:
          '(open) is a request that comes again with its Idempotency-Key answered as at first, and for how long?',
      },
    });
  });

  it.each(['idempotency-key', 'X-Idempotency-Key', 'x-acme-idempotency-token', 'Idempotence-Key'])(
    'may be called %s',
    (name) => {
      expect(repeatsOf({ name }).guesses).toEqual([[post, { ...usual, header: name }, 'likely']]);
    },
  );

  it.each([
    ['in the query', { place: 'query' }],
    ['of another name', { name: 'X-Request-Id' }],
    ['that only sounds so', { name: 'X-Idempotency-Mode' }],
  ])('is none %s', (_, given) => {
    expect(repeatsOf(given).guesses).toEqual([]);
  });

  it.each([
    ['Remembered for 48 hours.', 'PT48H'],
    ['Keys expire after a week', 'P7D'],
    ['Kept for 30 minutes, or for 2 days on request', 'PT24H'],
    ['Up to 40 characters', 'PT24H'],
  ])('lives as long as its description says: %s', (description, life) => {
    expect(repeatsOf({ description }).guesses).toEqual([[post, { ...usual, life }, 'likely']]);
  });

  it('tells what 409 and 422 stand for', () => {
    const rows = (...statuses: readonly string[]) => repeatsOf({ statuses }).guesses.slice(1);
    expect(rows('409')).toEqual([['errors.codes.conflict.when', ['key reused', 'key busy'], 'likely']]);
    expect(rows('409', '422')).toEqual([
      ['errors.codes.conflict.when', ['key busy'], 'likely'],
      ['errors.codes.unprocessable.when', ['malformed', 'invalid', 'key reused'], 'likely'],
    ]);
    expect(rows('400')).toEqual([['errors.codes.bad_request.when', ['malformed', 'invalid'], 'likely']]);
  });
});

describe('a stated key for repeats', () => {
  const specification = specificationOf(`
    resources: { Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } } } } }
    endpoints:
      POST /notes:
        operation: add
        does: create Note
        idempotency: { header: Key, life: PT2H, per: actor, replay: { headers: { Repeated: "yes" } } }
        response: { status: 201, body: Note }`);

  it('is a parameter and a field of the answer in words of OpenAPI', () => {
    const { paths } = exportOpenApi(specification, '3.1').description;
    expect((paths as Record<string, Json>)['/notes']).toMatchObject({
      post: {
        parameters: [
          {
            name: 'Key',
            in: 'header',
            description: 'A repeated request with this key gets the first answer again, for 2 hours.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          201: {
            headers: { Repeated: { description: 'Marks a repeated answer.', schema: { type: 'string' } } },
          },
        },
        'x-tacet-idempotency': { header: 'Key', life: 'PT2H', per: 'actor' },
      },
    });
  });

  it('keeps what a parameter says of the field', () => {
    const both = specificationOf(`
      endpoints:
        POST /notes:
          does: (none)
          request: { headers: { key: { type: string, maxLength: 40, required: true } } }
          idempotency: { header: Key, life: PT2H, per: actor }
          response: 204`);
    const { paths } = exportOpenApi(both, '3.1').description;
    expect((paths as Record<string, Json>)['/notes']).toMatchObject({
      post: { parameters: [{ name: 'key', required: true, schema: { type: 'string', maxLength: 40 } }] },
    });
  });
});

it('a served description carries a repeated request out once', async () => {
  const note = {
    type: 'object',
    properties: { id: { type: 'string', format: 'uuid' }, text: { type: 'string' } },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } };
  const list = {
    'application/json': { schema: { type: 'array', items: content['application/json'].schema } },
  };
  const description = {
    ...{ openapi: '3.1.0', info: { title: 'A', version: '1' }, components: { schemas: { Note: note } } },
    paths: {
      '/notes': {
        get: { operationId: 'list', responses: { 200: { description: 'all', content: list } } },
        post: {
          ...{ operationId: 'add', parameters: [parameter({})], requestBody: { required: true, content } },
          responses: { 201: { description: 'it', content }, 409: { description: 'the key was used' } },
        },
      },
    },
  };
  const { specification } = importOpenApi('x.json', JSON.stringify(description)).read as NonNullable<
    ReturnType<typeof importOpenApi>['read']
  >;
  const folder = mkdtempSync(join(tmpdir(), 'tacet-repeats-'));
  const service = await serve(specification, { data: join(folder, 'notes.sqlite') });
  const add = async (text: string): Promise<unknown> => {
    const response = await fetch(`${service.address}/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'one' },
      body: JSON.stringify({ text }),
    });
    return response.status === 201 ? response.json() : response.status;
  };
  const first = await add('a');
  expect(await add('a')).toEqual(first);
  expect(await add('b')).toBe(409);
  expect(await (await fetch(`${service.address}/notes`)).json()).toEqual([first]);
  await service.close();
  rmSync(folder, { recursive: true });
});
