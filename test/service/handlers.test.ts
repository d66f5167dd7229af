import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/service/handlers/worked.ts';
import { ask, start } from './served.ts';

const shop = `
name: Tools
resources:
  Tool:
    identifier: id
    fields:
      id: { type: string }
      name: { type: string }
      state: { type: string }
      holder: { type: string }
    required: [name]
  Note: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, text: { type: string } } }
states:
  Tool.state:
    states: [free, held]
    initial: free
    transitions:
      hold: { from: free, to: held }
      release: { from: held, to: free, when: "\${this.holder != 'nobody'}" }
endpoints:
  others: refuse
  POST /tools: { does: create Tool, request: { body: Tool }, response: { status: 201, body: Tool } }
  GET /tools: { does: { list: Tool }, response: { status: 200, body: "\${Tool(page.items)}" } }
  POST /tools/{id}/holding: { does: hold Tool, response: 204 }
  POST /tools/{id}/release: { does: release Tool, response: 204 }
  GET /notes: { does: { list: Note }, response: { status: 200, body: "\${Note(page.items)}" } }
  POST /searches:
    operation: search
    does: { handled: seek, gives: { type: array, items: Tool }, may: [list Tool] }
    request: { body: { fields: { words: { type: string } }, required: [words] } }
    response: { status: 200, body: { found: "\${Tool(result)}", of: "\${request.body.words}" } }
  POST /rounds:
    operation: round
    does:
      handled: turn
      gives: { type: object, properties: { held: { type: integer } }, required: [held] }
      may: [list Tool, read Tool, hold Tool, release Tool, update Tool, create Note, delete Tool]
    also: [{ create: Note, with: { text: followed } }]
    request: { body: { fields: { id: { type: string } } } }
    response: { status: 201, body: "\${result}" }
    idempotency: { header: Idempotency-Key, life: P1D, per: key, remembers: all }
  GET /tools/{id}:
    does: read Tool
    response: { status: 200, headers: { X-Name: { handled: loud } }, body: { id: "\${this.id}", worked: { handled: paint } } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    wrong: { when: invalid, status: 422 }
    no_tool: { when: unknown, status: 404 }
    wrong_state: { when: transition refused, status: 409 }
    guarded: { when: guard refused, status: 423 }
    too_slow: { when: timed out, status: 504 }
    sold_out: { when: "\${false}", operations: [round], status: 410 }
    broken: { when: internal, status: 500 }
`;

interface Tool {
  readonly name: string;
  readonly state: string;
}

type Ask = (key: unknown, members?: object) => void;
interface Tx {
  readonly list: { readonly Tool: () => AsyncIterable<Tool> };
  readonly read: { readonly Tool: (key: string) => Promise<Tool> };
  readonly create: { readonly Note: (members: object) => void };
  readonly hold: { readonly Tool: Ask };
  readonly release: { readonly Tool: Ask };
}

interface Given {
  readonly request: { readonly body: { readonly words: string; readonly id: string } };
  readonly actor: unknown;
  readonly now: string;
  readonly tx: Tx;
  readonly refuse: (code: string) => never;
}

type Handler = (given: Given) => unknown;
const quiet: Handlers = { seek: () => [], turn: () => ({ held: 0 }), loud: () => 'x', paint: () => null };

async function served(handlers: Readonly<Record<string, Handler>>, milliseconds?: number) {
  const limits = milliseconds === undefined ? {} : { limits: { handlerTimeoutMs: milliseconds } };
  const service = await start(shop, { handlers: { ...quiet, ...(handlers as Handlers) }, ...limits });
  for (const id of ['a', 'b']) await ask(service, 'POST /tools', { id, name: `tool ${id}` });
  return service;
}

const states = async (service: { port: number }): Promise<Record<string, string>> =>
  Object.fromEntries(
    ((await ask(service, 'GET /tools')).body as { id: string; state: string }[]).map(({ id, state }) => [
      id,
      state,
    ]),
  );
const texts = async (service: { port: number }): Promise<string[]> =>
  ((await ask(service, 'GET /notes')).body as { text: string }[]).map(({ text }) => text);

describe('a function of the operator’s that carries an operation out (language §I)', () => {
  it('is asked what the request brings, sees what is kept, and returns what is answered with', async () => {
    const service = await served({
      seek: async ({ request, actor, now, tx }) => {
        expect(actor).toBeNull();
        expect(now).toMatch(/^\d{4}-\d\d-\d\dT/);
        const found: unknown[] = [];
        for await (const tool of tx.list.Tool()) if (tool.name.includes(request.body.words)) found.push(tool);
        return found;
      },
    });
    const answer = await ask(service, 'POST /searches', { words: 'b' });
    expect(answer.body).toEqual({ found: [{ id: 'b', name: 'tool b', state: 'free' }], of: 'b' });
    expect((await ask(service, 'POST /searches', { words: 'none' })).body).toEqual({ found: [], of: 'none' });
  });

  it('may give items by their keys alone', async () => {
    const service = await served({ seek: () => ['b', 'gone'] });
    expect((await ask(service, 'POST /searches', { words: '' })).body).toMatchObject({
      found: [{ id: 'b' }],
    });
  });

  it('may give items within other values, at any depth, by their keys or with them', async () => {
    const nested = shop.replace(
      'gives: { type: array, items: Tool }',
      'gives: { type: object, properties: { best: Tool, groups: { type: array, items: Group }, total: { type: integer } }, required: [total] }',
    );
    const text = nested
      .replace(
        '  Note: { identifier',
        '  Group: { identifier: (none), fields: { name: { type: string }, tools: { type: array, items: Tool } } }\n  Note: { identifier',
      )
      .replace(
        'found: "${Tool(result)}", of: "${request.body.words}"',
        'best: "${Tool(result.best)}", groups: "${result.groups.map(g, { \'name\': g.name, \'tools\': Tool(g.tools) })}", total: "${result.total}"',
      );
    let given: unknown;
    const handlers = { ...quiet, seek: () => given } as Handlers;
    const service = await start(text, { handlers });
    for (const id of ['a', 'b']) await ask(service, 'POST /tools', { id, name: `tool ${id}` });
    const [a, b] = ['a', 'b'].map((id) => ({ id, name: `tool ${id}`, state: 'free' }));
    given = { best: 'b', groups: [{ name: 'all', tools: ['a', { id: 'b' }, 'gone'] }], total: 2 };
    expect((await ask(service, 'POST /searches', { words: '' })).body).toEqual({
      best: b,
      groups: [{ name: 'all', tools: [a, b] }],
      total: 2,
    });
    given = { best: 'gone', groups: [], total: 0 };
    expect((await ask(service, 'POST /searches', { words: '' })).body).toEqual({
      best: null,
      groups: [],
      total: 0,
    });
    expect(service.faults).toEqual([]);
    for (given of [{ total: 'two' }, { best: [1, 2], total: 1 }, { groups: [{ name: 1 }], total: 1 }])
      expect((await ask(service, 'POST /searches', { words: '' })).body).toEqual({ code: 'broken' });
  });

  it('is not called where the request is refused', async () => {
    let calls = 0;
    const service = await served({ seek: () => ++calls });
    expect((await ask(service, 'POST /searches', {})).body).toEqual({ code: 'wrong' });
    expect(calls).toBe(0);
  });

  it('makes the changes that it asks for, and what follows, all of them or none', async () => {
    const service = await served({
      turn: async ({ request, tx }) => {
        tx.hold.Tool('a', { holder: 'me' });
        tx.create.Note({ text: 'by hand' });
        if (request.body.id) tx.hold.Tool(request.body.id);
        return { held: 1 };
      },
    });
    const refused = await ask(service, 'POST /rounds', { id: 'a' });
    expect([refused.status, refused.body]).toEqual([409, { code: 'wrong_state' }]);
    expect((await ask(service, 'POST /rounds', { id: 'gone' })).body).toEqual({ code: 'no_tool' });
    expect([await states(service), await texts(service)]).toEqual([{ a: 'free', b: 'free' }, []]);
    expect(await ask(service, 'POST /rounds', {})).toMatchObject({ status: 201, body: { held: 1 } });
    expect([await states(service), await texts(service)]).toEqual([
      { a: 'held', b: 'free' },
      ['by hand', 'followed'],
    ]);
  });

  it('is under every guard', async () => {
    const service = await served({
      turn: ({ request, tx }) => {
        tx[request.body.id as 'hold' | 'release'].Tool('a', { holder: 'nobody' });
        return { held: 1 };
      },
    });
    expect((await ask(service, 'POST /rounds', { id: 'hold' })).status).toBe(201);
    expect((await ask(service, 'POST /rounds', { id: 'release' })).body).toEqual({ code: 'guarded' });
  });

  it('is offered what `may` names and nothing else', async () => {
    let offered: unknown;
    const service = await served({
      seek: ({ tx }) => {
        offered = Object.entries(tx).map(([verb, of]) => [verb, Object.keys(of)]);
        return [];
      },
    });
    await ask(service, 'POST /searches', { words: '' });
    expect(offered).toEqual([['list', ['Tool']]]);
  });

  it('refuses by a code of part 7, and changes nothing', async () => {
    const service = await served({
      turn: ({ request, tx, refuse }) => {
        tx.hold.Tool('a');
        return refuse(request.body.id);
      },
    });
    const refused = await ask(service, 'POST /rounds', { id: 'sold_out' });
    expect([refused.status, refused.body]).toEqual([410, { code: 'sold_out' }]);
    expect((await ask(service, 'POST /rounds', { id: 'nothing' })).body).toEqual({ code: 'broken' });
    expect(await states(service)).toEqual({ a: 'free', b: 'free' });
    expect(service.faults.map(String)).toEqual(['TypeError: there is no code nothing in part 7']);
  });

  it.each([
    ['a result that is none', () => ({ held: 'many' })],
    ['no result', () => undefined],
    [
      'an error',
      () => {
        throw new Error('it broke');
      },
    ],
    ['a key that is none', ({ tx }: Given) => tx.hold.Tool({})],
  ] as [string, Handler][])('is at fault with %s, and nothing is changed', async (_what, turn) => {
    const service = await served({
      turn: (given) => {
        given.tx.hold.Tool('a');
        return turn(given);
      },
    });
    const answer = await ask(service, 'POST /rounds', {});
    expect([answer.status, answer.body]).toEqual([500, { code: 'broken' }]);
    expect(service.faults.length).toBe(1);
    expect(await states(service)).toEqual({ a: 'free', b: 'free' });
  });

  it('is given up where it takes too long, and can ask for nothing any more', async () => {
    let ask_: () => unknown = () => {};
    const service = await served(
      {
        turn: ({ tx }) => {
          ask_ = () => tx.hold.Tool('a');
          return new Promise(() => {});
        },
      },
      20,
    );
    expect((await ask(service, 'POST /rounds', {})).body).toEqual({ code: 'too_slow' });
    expect(ask_).toThrow('the operation is over');
    expect(await states(service)).toEqual({ a: 'free', b: 'free' });
  });

  it.each([
    ['one item', 'POST /tools/a/holding', undefined],
    ['all items', 'POST /tools', { id: 'c', name: 'tool c' }],
  ])('is called again where %s that it saw has moved meanwhile', async (what, line, body) => {
    const seen: string[][] = [];
    const service = await served({
      turn: async ({ tx }) => {
        const found: Tool[] = [];
        if (what === 'one item') found.push(await tx.read.Tool('a'));
        else for await (const tool of tx.list.Tool()) found.push(tool);
        seen.push(found.map(({ state }) => state));
        // Somebody else is quicker, once.
        if (seen.length === 1) await ask(service, line, body);
        tx.hold.Tool('b');
        return { held: seen.length };
      },
    });
    expect((await ask(service, 'POST /rounds', {})).body).toEqual({ held: 2 });
    expect(seen).toEqual(
      what === 'one item'
        ? [['free'], ['held']]
        : [
            ['free', 'free'],
            ['free', 'free', 'free'],
          ],
    );
    expect((await states(service))['b']).toBe('held');
  });

  it('is not called without end', async () => {
    let calls = 0;
    const service = await served({
      turn: async ({ tx }) => {
        calls += 1;
        await tx.read.Tool('a');
        await ask(service, `POST /tools/a/${calls % 2 === 1 ? 'holding' : 'release'}`);
        tx.hold.Tool('b');
        return { held: calls };
      },
    });
    expect((await ask(service, 'POST /rounds', {})).body).toEqual({ code: 'too_slow' });
    expect(calls).toBeLessThan(100);
  });

  it('is called once for a key, and its refusal is remembered as any', async () => {
    let calls = 0;
    const service = await served({
      turn: ({ request, refuse }) => {
        calls += 1;
        return request.body.id ? refuse('sold_out') : { held: calls };
      },
    });
    const send = (body: object, key: string) =>
      ask(service, 'POST /rounds', body, [`Idempotency-Key: ${key}`]);
    expect([await send({}, 'a'), await send({}, 'a')].map(({ body }) => body)).toEqual([
      { held: 1 },
      { held: 1 },
    ]);
    expect([await send({ id: 'x' }, 'b'), await send({ id: 'x' }, 'b')].map(({ status }) => status)).toEqual([
      410, 410,
    ]);
    expect(calls).toBe(2);
  });
});

describe('a function that stands for an expression', () => {
  it('is asked with the names of the place, items as plain values', async () => {
    const service = await served({
      loud: (names) => (names as unknown as { this: { name: string } }).this.name.toUpperCase(),
      paint: (names) => {
        const { this: item, request } = names as unknown as Record<string, Record<string, unknown>>;
        return { item, path: request?.['path'] };
      },
    });
    const answer = await ask(service, 'GET /tools/a');
    expect(answer.fields).toContain('X-Name: TOOL A');
    expect(answer.body).toEqual({
      id: 'a',
      worked: { item: { id: 'a', name: 'tool a', state: 'free', holder: null }, path: { id: 'a' } },
    });
  });

  it('cannot be waited for', async () => {
    const service = await served({ paint: async () => 1 });
    expect((await ask(service, 'GET /tools/a')).body).toEqual({ code: 'broken' });
  });
});

describe('a function that is not given', () => {
  it('leaves its place open: 501, with its name in the log, and the other operations run', async () => {
    const service = await start(shop, { handlers: { seek: quiet['seek'] as never } });
    await ask(service, 'POST /tools', { id: 'a', name: 'a' });
    expect((await ask(service, 'POST /searches', { words: '' })).status).toBe(200);
    expect((await ask(service, 'POST /rounds', {})).status).toBe(501);
    expect((await ask(service, 'GET /tools/a')).status).toBe(501);
    expect(service.heldUp).toEqual([
      ['endpoints["POST /rounds"].does'],
      [
        'endpoints["GET /tools/{id}"].response.headers.X-Name',
        'endpoints["GET /tools/{id}"].response.body.worked',
      ],
    ]);
  });
});

describe('a function that judges', () => {
  const office = `
name: Office
service: { actors: { clerk: who files } }
resources:
  Clerk: { identifier: name, fields: { name: { type: string }, key: { type: string } } }
  File:
    identifier: id
    fields: { id: { type: string }, pages: { type: integer, default: 1 }, owner: { type: string, default: ann } }
    required: [id]
    invariants: { it is sound: { handled: sound } }
  Shelf: { identifier: id, fields: { id: { type: string } } }
endpoints:
  others: refuse
  POST /clerks: { operation: hire, does: create Clerk, request: { body: Clerk }, response: 201 }
  POST /files: { operation: file, does: create File, request: { body: File }, response: 201 }
  PATCH /files/{id}: { operation: mend, does: update File, request: { body: File }, response: 204 }
  GET /files/{id}: { operation: read, does: read File, response: { status: 200, body: File } }
  GET /shelves: { operation: shelves, does: list Shelf, response: { status: 200, body: "\${page.total}" } }
authentication:
  schemes: { key: { type: apiKey, in: header, name: X-Key, credentials: { kept: Clerk.key }, actor: Clerk } }
  authorization: { hire: anyone, file: anyone, mend: anyone, read: { handled: mayRead } }
  otherwise: anyone
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    busy: { when: { handled: busy }, operations: [mend], status: 423 }
    none: { when: unknown, status: 404 }
    unsound: { when: invariant broken, status: 409 }
    not_yours: { when: not authorized, status: 403 }
    broken: { when: internal, status: 500 }
  order: [busy, none]
`;
  const given = {
    sound: ({ this: { pages } }: { this: { pages: number } }) => pages < 100,
    mayRead: ({ actor, this: item }: { actor: { name: string } | null; this?: unknown }) => {
      expect(item).toBeUndefined();
      return actor?.name === 'ann';
    },
    busy: ({ this: item, request }: { this: { pages: number }; request: { method: string } }) =>
      request.method === 'PATCH' && item.pages === 7,
  } as never;
  const told = async (asked: Promise<{ status: number; body: unknown }>): Promise<unknown> => {
    const { status, body } = await asked;
    return [status, (body as { code?: string }).code ?? body];
  };

  it('as an invariant is asked of each item that is written, as it is at the end', async () => {
    const service = await start(office, { handlers: given });
    expect(await told(ask(service, 'POST /files', { id: 'a', pages: 100 }))).toEqual([409, 'unsound']);
    expect((await ask(service, 'POST /files', { id: 'a', pages: 99 })).status).toBe(201);
    expect(await told(ask(service, 'PATCH /files/a', { pages: 100 }))).toEqual([409, 'unsound']);
    expect((await ask(service, 'PATCH /files/a', { pages: 98 })).status).toBe(204);
  });

  it('as a row of part 7 is asked about the items that were found, and of none where one is not', async () => {
    const service = await start(office, { handlers: given });
    await ask(service, 'POST /files', { id: 'a', pages: 7 });
    await ask(service, 'POST /files', { id: 'b' });
    expect(await told(ask(service, 'PATCH /files/a', { pages: 1 }))).toEqual([423, 'busy']);
    expect((await ask(service, 'PATCH /files/b', { pages: 7 })).status).toBe(204);
    expect(await told(ask(service, 'PATCH /files/none', { pages: 1 }))).toEqual([404, 'none']);
  });

  it('as a rule is asked who asks, before an item is looked for', async () => {
    const service = await start(office, { handlers: given });
    await ask(service, 'POST /files', { id: 'a' });
    for (const name of ['ann', 'bob']) await ask(service, 'POST /clerks', { name, key: `key of ${name}` });
    const read = (path: string, ...keys: string[]) =>
      told(
        ask(
          service,
          `GET ${path}`,
          undefined,
          keys.map((key) => `X-Key: ${key}`),
        ),
      );
    expect(await read('/files/a', 'key of ann')).toEqual([200, { id: 'a', pages: 1, owner: 'ann' }]);
    expect(await read('/files/a', 'key of bob')).toEqual([403, 'not_yours']);
    expect(await read('/files/none', 'key of bob')).toEqual([403, 'not_yours']);
  });

  it('holds up just what it judges, where it is not given', async () => {
    const service = await start(office);
    expect((await ask(service, 'GET /shelves')).status).toBe(200);
    for (const line of ['POST /files', 'PATCH /files/a', 'GET /files/a'])
      expect((await ask(service, line, line.startsWith('GET') ? undefined : { id: 'a' })).status).toBe(501);
    expect(service.heldUp.map((points) => points.at(-1))).toEqual([
      'resources.File.invariants["it is sound"]',
      'resources.File.invariants["it is sound"]',
      'resources.File.invariants["it is sound"]',
    ]);
    expect(service.heldUp[1]).toContain('errors.codes.busy.when');
    expect(service.heldUp[2]).toContain('authentication.authorization.read');
  });
});
