import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as contentOf } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { readDescribed } from '../../../src/load/descriptions.ts';
import { test } from '../../../src/load/test.ts';
import { listening } from '../../listening.ts';
import { body, json, to } from './guessed.ts';

const text = { type: 'string' };
const failure = { default: { description: 'refused' } };

/** A description with members that only the service makes, a list within more, and an answer that tells what is gone. */
const description = {
  ...{ openapi: '3.1.0', info: { title: 'Pets', version: '1' } },
  paths: {
    '/pets': {
      get: {
        responses: {
          ...json({
            type: 'object',
            required: ['data', 'object', 'has_more', 'url'],
            properties: {
              ...{ data: { type: 'array', items: to('Pet') }, object: { enum: ['list'] } },
              ...{ has_more: { type: 'boolean' }, url: text, next_cursor: { type: ['string', 'null'] } },
            },
          }),
          ...failure,
        },
      },
      post: { requestBody: body('NewPet'), responses: { ...json(to('Pet'), '201'), ...failure } },
    },
    '/pets/{id}': {
      get: { responses: { ...json({ anyOf: [to('Pet'), to('GonePet')] }), ...failure } },
      patch: { requestBody: body('NewPet'), responses: { ...json(to('Pet')), ...failure } },
      delete: { responses: { ...json(to('GonePet')), ...failure } },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'object', 'name', 'createdAt', 'updatedAt', 'state', 'visits'],
        properties: {
          ...{ id: text, object: { const: 'pet' }, name: text },
          ...{ createdAt: { ...text, format: 'date-time' }, updatedAt: { ...text, format: 'date-time' } },
          ...{ state: { enum: ['new', 'known'] }, visits: { type: 'integer' } },
        },
      },
      NewPet: { type: 'object', required: ['name'], properties: { name: text } },
      GonePet: {
        type: 'object',
        required: ['id', 'object', 'deleted'],
        properties: { id: text, object: { const: 'pet' }, deleted: { type: 'boolean', const: true } },
      },
    },
  },
};

/** A service that keeps to it, and has its own way with what nobody gives. */
function pets(): (request: IncomingMessage) => Promise<readonly [number, unknown]> {
  const all = new Map<string, Record<string, unknown>>();
  let count = 0;
  const now = (): string => new Date().toISOString();
  return async (request) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const [, first, id, ...rest] = pathname.split('/');
    if (first !== 'pets' || rest.length > 0 || id === '') return [404, undefined];
    const { method = '' } = request;
    const isBrought = ['POST', 'PATCH'].includes(method);
    const given: unknown = isBrought ? await contentOf(request).catch(() => undefined) : undefined;
    const name = (given as { readonly name?: unknown } | undefined | null)?.name;
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    if (isBrought && (typeof name !== 'string' || !isJson || Array.isArray(given))) return [400, undefined];
    if (id === undefined && method === 'GET')
      return [
        200,
        { object: 'list', data: [...all.values()], has_more: false, url: '/pets', next_cursor: null },
      ];
    if (id === undefined && method === 'POST') {
      count += 1;
      const made = { createdAt: now(), updatedAt: now(), state: 'new', visits: 0 };
      const pet = { id: `pet_${count}`, object: 'pet', name, ...made };
      all.set(pet.id, pet);
      return [201, pet];
    }
    if (id === undefined || !['GET', 'PATCH', 'DELETE'].includes(method)) return [405, undefined];
    const pet = all.get(id);
    if (pet === undefined) return [404, undefined];
    if (method === 'DELETE') all.delete(id);
    if (method === 'DELETE') return [200, { id, object: 'pet', deleted: true }];
    const changed = { name, updatedAt: now(), state: 'known', visits: Number(pet['visits']) + 1 };
    if (method === 'PATCH') all.set(id, { ...pet, ...changed });
    return [200, all.get(id)];
  };
}

const folder = mkdtempSync(join(tmpdir(), 'tacet-made-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([1, 2])('a service is not blamed for what it makes by itself (seed %i)', async (seed) => {
  const file = join(folder, 'pets.json');
  writeFileSync(file, JSON.stringify(description));
  const { specification } = readDescribed(file, [], 'judged');
  const answered = pets();
  const running = await listening(
    createServer(async (request, response) => {
      const [status, content] = await answered(request);
      request.resume();
      response.writeHead(status, content === undefined ? {} : { 'content-type': 'application/json' });
      response.end(content === undefined || request.method === 'HEAD' ? undefined : JSON.stringify(content));
    }),
  );
  try {
    const { results } = await test(specification, {
      url: running.url,
      seed,
      searchMs: 0,
      sequences: 0,
      walks: 150,
    });
    const violations = results.flatMap(({ verdict, says, expected, found, request }) =>
      verdict === 'violates'
        ? [`${says} ${request?.method} ${request?.url}: ${expected}, found ${found?.slice(0, 300)}`]
        : [],
    );
    expect(violations).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'conforms').length).toBeGreaterThan(20);
  } finally {
    await running.close();
  }
});
