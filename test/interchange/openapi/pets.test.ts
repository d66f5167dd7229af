import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../../src/conformance/result.ts';
import { readDescribed } from '../../../src/load/descriptions.ts';
import type { Specification } from '../../../src/specification/model/specification.ts';
import { listening, type Running } from '../../listening.ts';
import { isViolation, resultsUntil } from '../../until.ts';

/** A description as many are: each failure is `default`, a list is filtered by `tags`, and nobody says what is kept. */
const description = {
  openapi: '3.0.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': {
      get: {
        operationId: 'findPets',
        parameters: [
          { name: 'tags', in: 'query', style: 'form', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'limit', in: 'query', schema: { type: 'integer', format: 'int32' } },
        ],
        responses: { 200: answer({ type: 'array', items: ref('Pet') }), default: answer(ref('Error')) },
      },
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: { 'application/json': { schema: ref('NewPet') } } },
        responses: { 200: answer(ref('Pet')), default: answer(ref('Error')) },
      },
    },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
      get: { operationId: 'findPet', responses: { 200: answer(ref('Pet')), default: answer(ref('Error')) } },
      delete: {
        operationId: 'deletePet',
        responses: { 204: { description: 'deleted' }, default: answer(ref('Error')) },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        allOf: [
          ref('NewPet'),
          { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } },
        ],
      },
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, tag: { type: 'string' } },
      },
      Error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
      },
    },
  },
};

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function answer(schema: object): object {
  return { description: 'an answer', content: { 'application/json': { schema } } };
}

const faults = [
  'the limit is ignored',
  'tags are ignored',
  'the oldest is dropped',
  'a new pet is 201',
  'the name may be left out',
  'the name may be a number',
  'the tag is not kept',
  'each pet has the same id',
  'an unknown pet is null',
  'a deleted pet is still there',
  'a deleted pet stays in the list',
  'an error has no message',
] as const;
type Fault = (typeof faults)[number];

/** The short form takes what is found in different ways. */
const isLong = process.env['TACET_LONG'] !== undefined;
const seeds = isLong ? [1, 2, 3] : [1];
const some = ['tags are ignored', 'the oldest is dropped', 'a deleted pet is still there'] as const;
/** How many requests a test sends at the most: in the long form, as many as `tacet test` does. */
const walks = isLong ? 960 : 480;

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** Pets by hand, with one fault or none. */
function startPets(fault: Fault | null): Promise<Running> {
  let pets: readonly Pet[] = [];
  let last = 0;
  const deleted = new Set<number>();
  const is = (other: Fault): boolean => fault === other;
  const error = (status: number, message: string): readonly [number, unknown] => [
    status,
    is('an error has no message') ? { code: status } : { code: status, message },
  ];
  const list = (query: URLSearchParams): readonly [number, unknown] => {
    const tags = query.getAll('tags');
    const limit = query.get('limit');
    const isLimited = limit !== null && !is('the limit is ignored');
    const isWhole = limit === null || (/^-?\d{1,10}$/.test(limit) && (Number(limit) | 0) === Number(limit));
    if (!isWhole) return error(400, 'limit is a whole number of 32 bits');
    if (isLimited && Number(limit) < 0) return error(400, 'limit is not negative');
    const found = pets.filter(
      ({ id, tag }) =>
        (tags.length === 0 || is('tags are ignored') || (tag !== undefined && tags.includes(tag))) &&
        (!deleted.has(id) || is('a deleted pet stays in the list')),
    );
    return [200, isLimited ? found.slice(0, Number(limit)) : found];
  };
  const add = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const content: unknown = await json(request).catch(() => undefined);
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return error(415, 'JSON, please');
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      return error(400, 'no object');
    const { name, tag } = content as { readonly name?: unknown; readonly tag?: unknown };
    const isNamed =
      typeof name === 'string' ||
      (name === undefined && is('the name may be left out')) ||
      (typeof name === 'number' && is('the name may be a number'));
    if (!isNamed) return error(400, 'name is a text');
    if (tag !== undefined && typeof tag !== 'string') return error(400, 'tag is a text');
    last += is('each pet has the same id') && last > 0 ? 0 : 1;
    const isKept = tag !== undefined && !is('the tag is not kept');
    const pet: Pet = { id: last, name: String(name ?? ''), ...(isKept && { tag }) };
    pets = [...pets.slice(is('the oldest is dropped') && pets.length > 4 ? 1 : 0), pet];
    return [is('a new pet is 201') ? 201 : 200, { ...pet, ...(tag !== undefined && { tag }) }];
  };
  const answered = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const { method } = request;
    if (pathname === '/pets' && method === 'GET') return list(searchParams);
    if (pathname === '/pets' && method === 'POST') return await add(request);
    const [, id] = /^\/pets\/([^/]+)$/.exec(pathname) ?? [];
    if (id === undefined) return error(404, 'no such path');
    if (method !== 'GET' && method !== 'DELETE') return error(405, 'no such method');
    if (!/^-?\d{1,19}$/.test(id)) return error(400, 'id is a whole number');
    const pet = pets.find((each) => each.id === Number(id) && !deleted.has(each.id));
    if (pet === undefined) return is('an unknown pet is null') ? [200, null] : error(404, 'no such pet');
    if (method === 'GET') return [200, pet];
    if (!is('a deleted pet is still there')) deleted.add(pet.id);
    return [204, undefined];
  };
  return listening(
    createServer(async (request, response) => {
      const [status, body] = await answered(request);
      request.resume();
      response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
      response.end(body === undefined || request.method === 'HEAD' ? undefined : JSON.stringify(body));
    }),
  );
}

describe('a description in which each failure is `default`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-pets-'));
  let specification: Specification;
  beforeAll(() => {
    const file = join(folder, 'pets.json');
    writeFileSync(file, JSON.stringify(description));
    ({ specification } = readDescribed(file, [], 'judged'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The results until the first that is looked for. */
  const resultsOf = async (fault: Fault | null, seed: number, isSought: (result: Result) => boolean) => {
    const running = await startPets(fault);
    try {
      return await resultsUntil(specification, { url: running.url, seed, walks }, isSought);
    } finally {
      await running.close();
    }
  };

  it.each(seeds)('blames no service that keeps to it (seed %i)', async (seed) => {
    const results = await resultsOf(null, seed, isViolation);
    expect(results.length).toBeGreaterThan(20);
    expect(results.filter(isViolation)).toEqual([]);
  });

  // Which row of errors answers is a guess.
  it.each([
    ['an unknown pet is null', 'type: "object"', 'endpoints["GET /pets/{id}"].response.shape', false],
    ['an error has no message', 'such a member', 'errors.payload.shape', true],
  ] as const)('cites the shape where %s', async (fault, expected, address, assumed) => {
    const cited = ({ verdict, operation, statement, ...result }: Result): boolean =>
      verdict === 'violates' &&
      operation === 'GET /pets/{id}' &&
      statement.address === address &&
      result.expected === expected &&
      result.assumed === assumed;
    expect((await resultsOf(fault, 1, cited)).filter(cited)).not.toEqual([]);
  });

  it.each(isLong ? faults : some)('finds that %s', async (fault) => {
    expect((await resultsOf(fault, 1, isViolation)).filter(isViolation)).not.toEqual([]);
  });
});
