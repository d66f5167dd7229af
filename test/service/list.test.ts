import { describe, expect, it } from 'vitest';
import { CannotWorkOut } from '../../src/expression/values.ts';
import { bare } from '../../src/service/message/reply.ts';
import type { ServiceOptions } from '../../src/service/service.ts';
import { openStore } from '../../src/service/store/open.ts';
import type { Plan } from '../../src/service/store/plan.ts';
import type { Store } from '../../src/service/store/store.ts';
import { answer, ask, place, request, type Served, start, wire } from './served.ts';

const things = (more = ''): string => `
name: Things
resources:
  Thing: { identifier: id, fields: { id: { type: integer }, text: { type: string }, size: { type: integer } } }
endpoints:
  others: refuse
  GET /things: { does: list Thing, response: { status: 200, body: "\${Thing(page.items)}" } }
  GET /within: { does: list Thing, response: { status: 200, body: { before: 1, things: "\${Thing(page.items)}", after: [2] } } }
  GET /counted: { does: list Thing, response: { status: 200, body: { total: "\${page.total}", size: "\${page.size}", things: "\${Thing(page.items)}" } } }
  GET /ids: { does: list Thing, response: { status: 200, body: "\${page.items.map(t, t.id)}" } }
  GET /twice: { does: list Thing, response: { status: 200, body: ["\${Thing(page.items)}", "\${Thing(page.items)}"] } }
  GET /told: { does: list Thing, response: [{ when: "\${page.total == 0}", status: 204 }, { status: 200, headers: { X-Total: "\${page.total}", X-Size: "\${size(page.items)}" }, body: "\${Thing(page.items)}" }] }
  GET /headed: { does: list Thing, response: { status: 200, headers: { X-Size: "\${size(page.items)}" }, body: "\${Thing(page.items)}" } }
  GET /silent: { does: list Thing, response: { status: 200 } }
  POST /things: { does: create Thing, request: { body: Thing }, response: 201 }
  DELETE /things: { does: delete every Thing, response: 204 }
  ${more}
`;

interface Thing {
  readonly id: number;
  readonly text: string;
}

const thing = (id: number, length = 3): Thing => ({ id, text: String(id % 10).repeat(length) });
const many = (count: number, length?: number): Thing[] =>
  Array.from({ length: count }, (_, index) => thing((index * 7919) % 100_003, length));

/** A file that keeps things. */
async function filled(kept: readonly Thing[]): Promise<string> {
  const data = await place();
  const store = await openStore(data, [{ name: 'Thing', keyFields: ['id'], keyKinds: ['number'] }]);
  const plan: Plan = {
    decide: (tx) => {
      for (const { id, ...members } of kept) tx.insert('Thing', { key: [id], text: JSON.stringify(members) });
      return { keep: true, reply: bare(201) };
    },
    conflict: () => bare(400),
    fault: () => bare(500),
  };
  expect(await store.commit([plan], () => 0)).toEqual([bare(201)]);
  await store.close();
  return data;
}

async function serving(
  kept: readonly Thing[],
  text = things(),
  options: Partial<ServiceOptions> = {},
): Promise<Served> {
  return start(text, { data: await filled(kept), ...options });
}

const chunked = {
  status: 200,
  fields: ['Content-Type: application/json', 'Date: *', 'Transfer-Encoding: chunked'],
};

/** A store whose long lists end in an error after so many pieces, and that tells when one has ended. */
function breaking(after: number): {
  readonly open: NonNullable<ServiceOptions['open']>;
  readonly ended: Promise<void>;
} {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const broken = async function* (whole: ReturnType<Store['stream']>): ReturnType<Store['stream']> {
    let pieces = 0;
    try {
      for await (const piece of whole) {
        if (pieces === after) throw new Error('the disk is gone');
        pieces += 1;
        yield piece;
      }
    } finally {
      end();
    }
  };
  const open = async (...at: Parameters<typeof openStore>): Promise<Store> => {
    const store = await openStore(...at);
    return { ...store, stream: (...asked) => broken(store.stream(...asked)) };
  };
  return { open, ended };
}

describe('a list without stated paging', () => {
  it.each([0, 1, 2, 999, 1000, 1001, 2000, 5000])(
    'of %i items is sent whole, in order, each once',
    async (count) => {
      const kept = many(count);
      const service = await serving(kept);
      expect(await ask(service, 'GET /things')).toEqual(
        count > 1000 ? { ...chunked, body: kept } : answer(200, kept),
      );
      const within = { before: 1, things: kept, after: [2] };
      expect(await ask(service, 'GET /within')).toEqual(
        count > 1000 ? { ...chunked, body: within } : answer(200, within),
      );
    },
  );

  it('whose page says how many there are counts them all', async () => {
    const kept = many(1001);
    const service = await serving(kept);
    expect((await ask(service, 'GET /counted')).body).toEqual({ total: 1001, size: 1001, things: kept });
    expect((await ask(service, 'GET /ids')).body).toEqual(kept.map(({ id }) => id));
    expect((await ask(service, 'GET /twice')).body).toEqual([kept, kept]);
    expect(await ask(service, 'GET /silent')).toEqual(answer(200));
    expect(await ask(service, 'GET /headed')).toEqual(answer(200, kept, ['X-Size: 1001']));
    expect(await ask(service, 'GET /told')).toEqual(answer(200, kept, ['X-Size: 1001', 'X-Total: 1001']));
    expect(service.faults).toEqual([]);
  });

  it('stands as it was made, and a new item at its end', async () => {
    const service = await serving(many(1000));
    await ask(service, 'POST /things', { id: -1 });
    expect((await ask(service, 'GET /ids')).body).toEqual([...many(1000).map(({ id }) => id), -1]);
  });

  it('asked for by HEAD has the status and type, and no content', async () => {
    const service = await serving(many(1001));
    const { send, answer: next } = wire(service);
    send(request('HEAD /things'));
    send(request('HEAD /silent'));
    const head = await next(true);
    expect(head.status).toBe(200);
    expect(head.fields.filter((one) => !one.startsWith('Transfer-Encoding'))).toEqual([
      'Content-Type: application/json',
      'Date: *',
    ]);
    expect(await next(true)).toEqual(answer(200));
  });

  it('to HTTP/1.0 is sent without chunks, and ends with the connection', async () => {
    const kept = many(1500);
    const service = await serving(kept);
    for (const field of ['', 'Connection: keep-alive\r\n']) {
      const { send, rest } = wire(service);
      send(`GET /things HTTP/1.0\r\n${field}\r\n`);
      const { text, reset } = await rest();
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(
        head
          .split('\r\n')
          .map((one) => one.replace(/^Date: .*/, 'Date: *'))
          .sort(),
      ).toEqual(['Connection: close', 'Content-Type: application/json', 'Date: *', 'HTTP/1.1 200 OK']);
      expect([JSON.parse(body), reset]).toEqual([kept, false]);
    }
  });
});

describe('a long list that is read slowly', () => {
  /** More than the buffers between a client and the service hold. */
  const large = many(3000, 8_000);

  it('is of one moment, while others delete all of it and make other things', async () => {
    const service = await serving(large);
    const slow = wire(service);
    slow.socket.once('data', () => slow.socket.pause());
    slow.send(request('GET /things'));
    await new Promise((resolve) => slow.socket.once('pause', resolve));
    expect(await ask(service, 'DELETE /things')).toEqual(answer(204));
    expect(await ask(service, 'POST /things', thing(5))).toEqual(answer(201));
    expect((await ask(service, 'GET /things')).body).toEqual([thing(5)]);
    slow.socket.resume();
    expect(await slow.answer()).toEqual({ ...chunked, body: large });
  });

  it('is so for two at once, each of its own moment, and does not hold others up', async () => {
    const service = await serving(large);
    const slow = [wire(service), wire(service)] as const;
    for (const [index, { send, socket }] of slow.entries()) {
      socket.once('data', () => socket.pause());
      send(request('GET /things'));
      await new Promise((resolve) => socket.once('pause', resolve));
      expect(await ask(service, 'POST /things', thing(200_000 + index))).toEqual(answer(201));
    }
    for (const { socket } of slow) socket.resume();
    expect((await slow[0].answer()).body).toEqual(large);
    expect((await slow[1].answer()).body).toEqual([...large, thing(200_000)]);
  });

  it('by one who asks on without waiting is answered in full, and then all that he asked, in order', async () => {
    const service = await serving(large);
    const { send, socket, answer: next } = wire(service);
    socket.once('data', () => socket.pause());
    send(request('GET /things'));
    await new Promise((resolve) => socket.once('pause', resolve));
    const asked = Array.from({ length: 300 }, (_, index) => thing(200_000 + index, 1));
    send(Buffer.concat(asked.map((one) => request('POST /things', [], JSON.stringify(one)))));
    send(request('GET /nowhere'));
    socket.resume();
    expect((await next()).body).toEqual(large);
    for (const _ of asked) expect(await next()).toEqual(answer(201));
    expect(await next()).toEqual(answer(404));
    expect((await ask(service, 'GET /ids')).body).toEqual([...large, ...asked].map(({ id }) => id));
  });

  it('by one who goes away is ended', async () => {
    const { open, ended } = breaking(Number.POSITIVE_INFINITY);
    const service = await serving(large, things(), { open });
    const { send, socket } = wire(service);
    socket.once('data', () => socket.resetAndDestroy());
    send(request('GET /things'));
    await new Promise((resolve) => socket.once('close', resolve));
    await ended;
    expect(service.faults).toEqual([]);
  });

  it('by one who stops reading is cut after a while, since it is held for him', async () => {
    const { open, ended } = breaking(Number.POSITIVE_INFINITY);
    const service = await serving(large, things(), { open, limits: { idleTimeoutMs: 50 } });
    const { send, socket, rest } = wire(service);
    socket.once('data', () => socket.pause());
    send(request('GET /things'));
    await new Promise((resolve) => socket.once('pause', resolve));
    await ended;
    socket.resume();
    const { text } = await rest();
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
    expect(service.faults).toEqual([]);
  });
});

describe('a failure while a list is sent', () => {
  it('cuts the connection without the last chunk, so that no part passes for the whole', async () => {
    const { open, ended } = breaking(2);
    const service = await serving(many(5000), things(), { open });
    const { send, rest } = wire(service);
    send(request('GET /things'));
    const { text, reset } = await rest();
    expect([text.endsWith('0\r\n\r\n'), reset]).toEqual([false, true]);
    await ended;
    expect(service.faults).toEqual([expect.objectContaining({ message: 'the disk is gone' })]);
    expect((await ask(service, 'POST /things', thing(200_000))).status).toBe(201);
  });

  it('is told to HTTP/1.0 too, to which the end of the connection is the end of the list', async () => {
    const { open } = breaking(2);
    const service = await serving(many(5000), things(), { open });
    const { send, rest } = wire(service);
    send('GET /things HTTP/1.0\r\n\r\n');
    expect((await rest()).reset).toBe(true);
  });

  it('before it began is a fault of the service, with its answer', async () => {
    const rows = (): never => {
      throw new Error('the disk is gone');
    };
    const open = async (...at: Parameters<typeof openStore>): Promise<Store> => {
      const store = await openStore(...at);
      return { ...store, read: (look) => store.read((reads) => look({ ...reads, rows })) };
    };
    const service = await serving(many(1001), things(), { open });
    expect(await ask(service, 'GET /counted')).toEqual(answer(500));
    expect(service.faults).toHaveLength(1);
  });

  it('since a member cannot be evaluated, cuts it where it is long, and is a fault of the service where it is short', async () => {
    const half = things().replace('size: { type: integer }', 'half: { derived: "${8 / (this.id - 7919)}" }');
    const short = await serving(many(2), half);
    expect(await ask(short, 'GET /things')).toEqual(answer(500));
    expect(short.faults).toEqual([expect.any(CannotWorkOut)]);
    const service = await serving(many(1001), half);
    const { send, rest } = wire(service);
    send(request('GET /things'));
    expect((await rest()).reset).toBe(true);
    expect(service.faults).toEqual([expect.any(CannotWorkOut)]);
  });
});

describe('the header fields of every answer (language §E.15)', () => {
  it('are not with an answer that states the field itself, or that there is none', async () => {
    const service = await start(`
name: Things
endpoints:
  headers: { X-By: us, Cache-Control: no-store }
  GET /: { does: (none), response: { status: 200, headers: { x-by: (none) } } }
  GET /own: { does: (none), response: { status: 200, headers: { X-By: me } } }
errors:
  codes:
    nowhere: { when: unknown path, status: 404, headers: { X-By: (none), Cache-Control: max-age=5 } }
`);
    expect(await ask(service, 'GET /')).toEqual(answer(200, '', ['Cache-Control: no-store']));
    expect(await ask(service, 'GET /own')).toEqual(answer(200, '', ['Cache-Control: no-store', 'X-By: me']));
    expect(await ask(service, 'GET /nowhere')).toEqual(answer(404, '', ['Cache-Control: max-age=5']));
  });

  it('are with every answer of the service: lists, errors, 404, 405, 501 and what is no HTTP', async () => {
    const every = ['X-By: us', 'X-Now: later'];
    const text = things('GET /open: { response: 200 }')
      .replace(
        'endpoints:',
        'endpoints:\n  headers: { X-By: us, X-Now: "${now > timestamp(\'2000-01-01T00:00:00Z\') ? \'later\' : null}", X-None: "${actor}" }\n  cors: { origins: any }',
      )
      .replace(', X-None: "${actor}"', '');
    const service = await serving(many(1001), text);
    expect((await ask(service, 'GET /things')).fields).toEqual(
      [...chunked.fields, ...every, 'Access-Control-Allow-Origin: *'].sort(),
    );
    expect(await ask(service, 'GET /nowhere')).toEqual(answer(404, '', every));
    expect(await ask(service, 'PUT /things')).toEqual(
      answer(405, '', ['Allow: GET, HEAD, POST, DELETE', ...every]),
    );
    expect(await ask(service, 'GET /%zz')).toEqual(answer(400, '', every));
    const cors = [...every, 'Access-Control-Allow-Origin: *'];
    expect(await ask(service, 'GET /open')).toEqual(answer(501, '', cors));
    expect(await ask(service, 'POST /things', '{')).toEqual(answer(400, '', cors));
    expect(await ask(service, 'POST /things', thing(1))).toEqual(answer(201, '', cors));
    expect(await ask(service, 'POST /things', thing(1))).toEqual(answer(400, '', cors));
    const { send, answer: next } = wire(service);
    send('garbage\r\n\r\n');
    expect(await next()).toEqual(answer(400, '', ['Connection: close', ...every]));
    expect(
      await ask(service, 'OPTIONS /things', undefined, ['Origin: a', 'Access-Control-Request-Method: GET']),
    ).toEqual(answer(204, '', cors));
  });
});

describe('the base of every path (language §4.1)', () => {
  it('is what every path begins with, and nothing stands elsewhere', async () => {
    const text = `
name: Things
resources:
  Thing: { identifier: id, fields: { id: { type: string } } }
endpoints:
  base: /api/v1
  GET /: { does: list Thing, response: { status: 200, body: "\${page.total}" } }
  GET /things: { does: list Thing, response: { status: 200, body: "\${service.url}" } }
`;
    const service = await start(text);
    expect(await ask(service, 'GET /api/v1')).toEqual(answer(200, 0));
    expect((await ask(service, 'GET /api/v1/things')).body).toBe(service.address);
    for (const path of ['/', '/things', '/api', '/api/v1/', '/api/v1/api/v1', '/API/v1'])
      expect([path, await ask(service, `GET ${path}`)]).toEqual([path, answer(404)]);
  });

  it('leaves the address of the service as the operator names it', async () => {
    const text =
      'name: A\nendpoints: { "GET /": { does: (none), response: { status: 200, body: "${service.url}" } } }';
    expect((await ask(await start(text, { url: 'https://a.example/b' }), 'GET /')).body).toBe(
      'https://a.example/b',
    );
  });
});
