import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as contentOf } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { readDescribed } from '../../../src/load/descriptions.ts';
import { test } from '../../../src/load/test.ts';
import { listening } from '../../listening.ts';
import { sampled } from '../../long.ts';
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

/** What a service answers to a request, and the JSON that came with it. */
type Answering = (request: IncomingMessage, given: unknown) => Promise<readonly [number, unknown]>;

/** A service that keeps to it, and has its own way with what nobody gives. */
function pets(): Answering {
  const all = new Map<string, Record<string, unknown>>();
  let count = 0;
  const now = (): string => new Date().toISOString();
  return async (request, given) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const [, first, id, ...rest] = pathname.split('/');
    if (first !== 'pets' || rest.length > 0 || id === '') return [404, undefined];
    const { method = '' } = request;
    const isBrought = ['POST', 'PATCH'].includes(method);
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

const town = { ...text, nullable: true };
const moods = { type: 'array', maxItems: 2, items: { enum: ['glad', 'sad'] } };

/** Entries of a guestbook, and replies to them. What else the service does, its developers tell people. */
const guestbook = {
  ...{ openapi: '3.0.3', info: { title: 'Guestbook', version: '1' } },
  paths: {
    '/entries': {
      get: { responses: json({ type: 'array', items: to('Entry') }) },
      post: {
        requestBody: body('NewEntry'),
        responses: { ...json(to('Entry'), '201'), ...refusals('400', '409', '422') },
      },
    },
    '/entries/{entryId}': {
      parameters: [{ name: 'entryId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { ...json(to('Entry')), ...refusals('404') } },
    },
    '/entries/{entryId}/replies': {
      parameters: [{ name: 'entryId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { ...json({ type: 'array', items: to('Reply') }), ...refusals('404') } },
      post: {
        requestBody: body('NewReply'),
        responses: { ...json(to('Reply'), '201'), ...refusals('400', '404') },
      },
    },
  },
  components: {
    schemas: {
      NewEntry: {
        type: 'object',
        required: ['author'],
        properties: {
          ...{ author: { ...text, maxLength: 9 }, stars: { type: 'integer', default: 3 }, town },
          // Nobody says what it is if it is left out.
          moods,
        },
      },
      Entry: {
        type: 'object',
        required: ['id', 'author', 'stars', 'town', 'moods', 'replyCount'],
        properties: {
          ...{ id: { type: 'integer' }, author: text, stars: { type: 'integer' } },
          ...{ town, moods, replyCount: { type: 'integer' } },
        },
      },
      NewReply: { type: 'object', required: ['text'], properties: { text } },
      Reply: {
        type: 'object',
        required: ['id', 'entryId', 'text'],
        properties: { id: { type: 'integer' }, entryId: { type: 'integer' }, text },
      },
    },
  },
};

function refusals(...statuses: readonly string[]): object {
  return Object.fromEntries(statuses.map((status) => [status, { description: 'refused' }]));
}

/** A service that keeps to it. An author writes once, and no author is called like a number. */
function entries(): Answering {
  const all: Record<string, unknown>[] = [];
  const replies: Record<string, unknown>[] = [];
  return async ({ method = '', url = '' }, given) => {
    const [, , id, below, ...rest] = url.split('?')[0]?.split('/') ?? [];
    const entry = all.find((each) => String(each['id']) === id);
    if (!url.startsWith('/entries') || rest.length > 0) return [404, undefined];
    // What the path may have is a number.
    if (id !== undefined && !/^\d+$/.test(id)) return [400, undefined];
    if (id !== undefined && !entry) return [404, undefined];
    const { author, stars = 3, town: from = null, text: said } = (given ?? {}) as Record<string, unknown>;
    const { moods: felt = [] } = (given ?? {}) as Record<string, unknown>;
    const show = (each: Record<string, unknown>) => ({
      ...each,
      replyCount: replies.filter(({ entryId }) => entryId === each['id']).length,
    });
    switch (`${method} ${id ? 'one' : 'all'}${below ? `/${below}` : ''}`) {
      case 'GET all':
        return [200, all.map(show)];
      case 'GET one':
        return [200, show(entry as never)];
      case 'GET one/replies':
        return [200, replies.filter(({ entryId }) => entryId === entry?.['id'])];
      case 'POST all': {
        if (typeof author !== 'string' || [...author].length > 9) return [400, undefined];
        if (!Number.isInteger(stars)) return [400, undefined];
        if (from !== null && typeof from !== 'string') return [400, undefined];
        if (!Array.isArray(felt) || felt.length > 2) return [400, undefined];
        if (!felt.every((each) => ['glad', 'sad'].includes(each))) return [400, undefined];
        if (/^\d/.test(author)) return [422, undefined];
        if (all.some((each) => each['author'] === author)) return [409, undefined];
        const made = { id: all.length + 1, author, stars, town: from, moods: felt };
        all.push(made);
        return [201, show(made)];
      }
      case 'POST one/replies': {
        if (typeof said !== 'string') return [400, undefined];
        const made = { id: replies.length + 1, entryId: entry?.['id'], text: said };
        replies.push(made);
        return [201, made];
      }
      default:
        return [405, undefined];
    }
  };
}

const folder = mkdtempSync(join(tmpdir(), 'tacet-made-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a service is blamed for, and how many checks found what is stated. */
async function blamed(description: object, answered: Answering, seed: number) {
  const file = join(folder, 'description.json');
  writeFileSync(file, JSON.stringify(description));
  const { specification } = readDescribed(file, [], 'judged');
  const running = await listening(
    createServer(async (request, response) => {
      const given = await contentOf(request).catch(() => undefined);
      const [status, content] = await answered(request, given);
      response.writeHead(status, content === undefined ? {} : { 'content-type': 'application/json' });
      response.end(content === undefined || request.method === 'HEAD' ? undefined : JSON.stringify(content));
    }),
  );
  try {
    const settings = { url: running.url, seed, searchMs: 0, sequences: 0, walks: 150 };
    const { results } = await test(specification, settings);
    const violations = results.flatMap(({ verdict, says, expected, found, request }) =>
      verdict === 'violates'
        ? [`${says} ${request?.method} ${request?.url}: ${expected}, found ${found?.slice(0, 300)}`]
        : [],
    );
    return { violations, conforming: results.filter(({ verdict }) => verdict === 'conforms').length };
  } finally {
    await running.close();
  }
}

it.each(sampled([1, 2], 2))('a service is not blamed for what it makes by itself (seed %i)', async (seed) => {
  const { violations, conforming } = await blamed(description, pets(), seed);
  expect(violations).toEqual([]);
  expect(conforming).toBeGreaterThan(15);
});

it.each(sampled([1, 2], 2))(
  'a service is not blamed for what its description leaves open (seed %i)',
  async (seed) => {
    const { violations, conforming } = await blamed(guestbook, entries(), seed);
    expect(violations).toEqual([]);
    expect(conforming).toBeGreaterThan(20);
  },
);

it('a default of the body is that of the item', async () => {
  const wrong: Answering = async (request, given) => {
    const [status, content] = await right(request, given);
    const isLeftOut =
      status === 201 && Object.hasOwn(Object(content), 'stars') && !Object.hasOwn(Object(given), 'stars');
    return [status, isLeftOut ? { ...Object(content), stars: 1 } : content];
  };
  const right = entries();
  const { violations } = await blamed(guestbook, wrong, 1);
  expect(violations.map((each) => each.slice(0, 26))).toContain('POST /entries: body.stars ');
});
