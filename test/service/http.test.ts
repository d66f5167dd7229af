import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answer, ask, request, start, wire } from './served.ts';

/** The founding document, of which every part is open. */
const founding = `# Service specification

## What the service does

Open.

## Resources and their fields

## States and transitions

## Endpoints

## Authentication

## Events

## Errors

## Limits

## Versioning
`;

const things = `
name: Things
resources:
  Thing:
    identifier: id
    fields:
      id: { type: string }
      size: { type: integer }
endpoints:
  POST /things: { operation: add, does: create Thing, request: { body: Thing }, response: { status: 201, body: Thing } }
  GET /things: { operation: all, does: list Thing, response: { status: 200, body: "\${Thing(page.items)}" } }
  GET /things/{id}: { operation: one, does: read Thing, response: { status: 200, body: Thing } }
  DELETE /things/{id}: { operation: remove, does: delete Thing, response: 204 }
  GET /silent: { operation: silent, response: 200 }
  POST /silent: { operation: taken, request: { body: { type: object } }, response: 200 }
  GET /empty: { operation: nothing, does: (none), response: 200 }
  GET /reset: { operation: reset, does: (none), response: 205 }
  GET /same: { operation: same, does: (none), response: 304 }
`;

describe('a service of which nothing is stated', () => {
  for (const line of [
    'GET /',
    'POST /',
    'HEAD /',
    'OPTIONS /',
    'TRACE /',
    'PUT /a/b?c',
    'OPTIONS *',
    'GET /%7e',
  ])
    it(`answers ${line} with 404, and adds nothing but what HTTP asks for`, async () => {
      const service = await start(founding);
      expect(await ask(service, line)).toEqual({
        status: 404,
        fields: ['Content-Length: 0', 'Date: *'],
        body: '',
      });
    });

  it('answers CONNECT with 404, and opens no tunnel', async () => {
    const service = await start(founding);
    const { send, answer: next, rest } = wire(service);
    send('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n');
    expect(await next()).toEqual(answer(404, '', ['Connection: close']));
    expect(await rest()).toEqual({ text: '', reset: false });
  });

  it('answers a body with 404 too, and the next request on the connection after it', async () => {
    const service = await start(founding);
    const { send, answer: next } = wire(service);
    send(request('POST /', [], 'x'.repeat(100_000)));
    send(request('GET /'));
    expect([await next(), await next()]).toEqual([answer(404), answer(404)]);
  });
});

describe('the fields of an answer', () => {
  it('200 with a body: its type and length', async () => {
    const service = await start(things);
    expect(await ask(service, 'GET /things')).toEqual({
      status: 200,
      fields: ['Content-Length: 2', 'Content-Type: application/json', 'Date: *'],
      body: [],
    });
  });

  it('200 without a body: its length, which is nothing', async () => {
    const service = await start(things);
    expect(await ask(service, 'GET /empty')).toEqual({
      status: 200,
      fields: ['Content-Length: 0', 'Date: *'],
      body: '',
    });
  });

  it('204 and 304: no length (RFC 9110 §8.6)', async () => {
    const service = await start(things);
    await ask(service, 'POST /things', { id: 'a' });
    expect(await ask(service, 'DELETE /things/a')).toEqual({ status: 204, fields: ['Date: *'], body: '' });
    expect(await ask(service, 'GET /same')).toEqual({ status: 304, fields: ['Date: *'], body: '' });
  });

  it('205: a length of nothing (RFC 9110 §15.3.6)', async () => {
    expect(await ask(await start(things), 'GET /reset')).toEqual({
      status: 205,
      fields: ['Content-Length: 0', 'Date: *'],
      body: '',
    });
  });

  it('501: none of its own, and the log names the point', async () => {
    const service = await start(things);
    expect(await ask(service, 'GET /silent')).toEqual({
      status: 501,
      fields: ['Content-Length: 0', 'Date: *'],
      body: '',
    });
    expect(service.heldUp).toEqual([['endpoints["GET /silent"].does']]);
  });

  it('405: the methods of the path, HEAD with GET (RFC 9110 §15.5.6)', async () => {
    const service = await start(things);
    const notAllowed = (allow: string) => ({
      status: 405,
      fields: [`Allow: ${allow}`, 'Content-Length: 0', 'Date: *'],
      body: '',
    });
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'POST', 'PROPFIND', 'QUERY'])
      expect(await ask(service, `${method} /things/a`)).toEqual(notAllowed('GET, HEAD, DELETE'));
    expect(await ask(service, 'DELETE /things')).toEqual(notAllowed('POST, GET, HEAD'));
  });

  it('a request that asks for more gets no more: no range, no coding, no validator, no server', async () => {
    const service = await start(things);
    const fields = [
      'Range: bytes=0-0',
      'Accept-Encoding: gzip',
      'If-None-Match: *',
      'TE: trailers',
      'Accept: text/html',
    ];
    expect(await ask(service, 'GET /things', undefined, fields)).toEqual(answer(200, []));
  });
});

describe('HEAD', () => {
  it('is GET without the content: the same status and fields (RFC 9110 §9.3.2)', async () => {
    const service = await start(things);
    await ask(service, 'POST /things', { id: 'a', size: 1 });
    for (const path of ['/things', '/things/a', '/things/b', '/empty', '/silent', '/nowhere']) {
      const { body: _, ...head } = await ask(service, `HEAD ${path}`);
      const { body: __, ...get } = await ask(service, `GET ${path}`);
      expect(head).toEqual(get);
    }
  });

  it('sends no content, so that the next answer follows at once', async () => {
    const service = await start(things);
    await ask(service, 'POST /things', { id: 'a' });
    const { send, answer: next } = wire(service);
    send(Buffer.concat([request('HEAD /things'), request('GET /things')]));
    expect(await next(true)).toEqual({ ...answer(200, [{ id: 'a' }]), body: '' });
    expect(await next()).toEqual(answer(200, [{ id: 'a' }]));
  });

  it('is not allowed where GET is not', async () => {
    const service = await start(things.replace('  GET /silent: { operation: silent, response: 200 }\n', ''));
    expect(await ask(service, 'HEAD /silent')).toEqual(answer(405, '', ['Allow: POST']));
  });
});

describe('a connection', () => {
  it('is kept in HTTP/1.1, and says nothing of it (RFC 9112 §9.3)', async () => {
    const { send, answer: next } = wire(await start(things));
    for (const _ of [1, 2, 3]) {
      send(request('GET /things'));
      expect(await next()).toEqual(answer(200, []));
    }
  });

  it('is closed when the client asks, and that is said (RFC 9112 §9.6)', async () => {
    const { send, answer: next, rest } = wire(await start(things));
    send(request('GET /things', ['Connection: close']));
    expect(await next()).toEqual(answer(200, [], ['Connection: close']));
    expect(await rest()).toEqual({ text: '', reset: false });
  });

  it.each([
    ['content', 'GET /things HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n', '123456789'],
    ['a request', 'GET /things HTTP/1.1\r\nHost: a\r\n', request('GET /things')],
    ['what is not HTTP', 'GET /things HTTP/1.1\r\nHost: a\r\n', 'a\r\n\r\n'],
  ])('that is closed resets no client which still sends %s (RFC 9112 §9.6)', async (_what, head, more) => {
    const { port } = await start(things);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const closed = new Promise<'closed' | 'reset'>((resolve) => {
      socket.on('error', () => resolve('reset'));
      socket.on('close', () => resolve('closed'));
    });
    const ended = new Promise<void>((resolve) => socket.on('end', resolve).resume());
    socket.write(`${head}Connection: close\r\n\r\n`);
    await ended;
    await new Promise<void>((resolve) => socket.write(more, () => resolve()));
    await new Promise<void>((resolve) => socket.write(more, () => resolve()));
    socket.end();
    expect(await closed).toBe('closed');
  });

  it('is closed in HTTP/1.0', async () => {
    const { send, answer: next, rest } = wire(await start(things));
    send('GET /things HTTP/1.0\r\n\r\n');
    expect(await next()).toEqual(answer(200, [], ['Connection: close']));
    expect(await rest()).toEqual({ text: '', reset: false });
  });

  it('is kept in HTTP/1.0 when the client asks, and that is said', async () => {
    const { send, answer: next } = wire(await start(things));
    for (const _ of [1, 2]) {
      send('GET /things HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
      expect(await next()).toEqual(answer(200, [], ['Connection: keep-alive']));
    }
  });

  it('carries requests one behind another, and each out before the next (RFC 9112 §9.3.2)', async () => {
    const service = await start(things);
    const { send, answer: next } = wire(service);
    send(
      Buffer.concat([
        request('POST /things', [], '{"id":"a"}'),
        request('GET /things/a'),
        request('DELETE /things/a'),
        request('GET /things/a'),
        request('GET /nowhere'),
        request('GET /things'),
      ]),
    );
    expect([await next(), await next(), await next(), await next(), await next(), await next()]).toEqual([
      answer(201, { id: 'a' }),
      answer(200, { id: 'a' }),
      answer(204),
      answer(404),
      answer(404),
      answer(200, []),
    ]);
  });

  it('does not change its protocol: Upgrade is ignored (RFC 9110 §7.8)', async () => {
    const service = await start(things);
    const { send, answer: next } = wire(service);
    for (const protocol of ['websocket', 'h2c']) {
      send(request('GET /things', ['Connection: Upgrade', `Upgrade: ${protocol}`]));
      expect(await next()).toEqual(answer(200, []));
    }
  });

  it('carries a chunked body, a list of them, and what stands behind it', async () => {
    const service = await start(things);
    const { send, answer: next } = wire(service);
    const head =
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    send(`${head}5\r\n{"id"\r\n5;x=y\r\n:"a"}\r\n0\r\nTrailer: 1\r\n\r\n`);
    send(request('GET /things'));
    expect(await next()).toEqual(answer(201, { id: 'a' }));
    expect(await next()).toEqual(answer(200, [{ id: 'a' }]));
  });
});

describe('an expectation (RFC 9110 §10.1.1)', () => {
  const expecting = (path: string, body: string): Buffer => {
    const whole = request(`POST ${path}`, ['Expect: 100-continue'], body);
    return whole.subarray(0, whole.length - body.length);
  };

  it('of 100-continue is met when the body is to be read', async () => {
    const { send, answer: next } = wire(await start(things));
    send(expecting('/things', '{"id":"a"}'));
    expect(await next()).toEqual({ status: 100, fields: [], body: '' });
    send('{"id":"a"}');
    expect(await next()).toEqual(answer(201, { id: 'a' }));
  });

  for (const [path, expected] of [
    ['/silent', answer(501, '', ['Connection: close'])],
    ['/nowhere', answer(404, '', ['Connection: close'])],
    ['/empty', answer(405, '', ['Allow: GET, HEAD', 'Connection: close'])],
  ] as const)
    it(`of 100-continue is not met where the body is not read: ${path}, ${expected.status} at once`, async () => {
      const { send, answer: next, rest } = wire(await start(things));
      send(expecting(path, '{"id":"a"}'));
      expect(await next()).toEqual(expected);
      expect(await rest()).toEqual({ text: '', reset: false });
    });

  it.each(['GET /things', 'POST /nowhere'])(
    'of 100-continue without content leaves the connection open: %s',
    async (line) => {
      const { send, answer: next } = wire(await start(things));
      send(request(line, ['Expect: 100-continue']));
      expect(await next()).toEqual({ status: 100, fields: [], body: '' });
      expect((await next()).fields).not.toContain('Connection: close');
      send(request('GET /things'));
      expect(await next()).toEqual(answer(200, []));
    },
  );

  it('of 100-continue is not met for a body past the host limit', async () => {
    const { send, answer: next } = wire(await start(things, { limits: { bodyBytes: 9 } }));
    send(expecting('/things', '{"id":"a"}'));
    expect(await next()).toEqual(answer(413, '', ['Connection: close']));
  });

  it('of anything else is refused: 417', async () => {
    const { send, answer: next } = wire(await start(things));
    send(request('GET /things', ['Expect: a cake']));
    expect(await next()).toEqual(answer(417));
    send(request('GET /things'));
    expect(await next()).toEqual(answer(200, []));
  });
});

describe('a service that is closed', () => {
  it('finishes what is under way, says that it closes, and takes no more', async () => {
    const service = await start(things);
    const { send, answer: next, rest } = wire(service);
    send(request('POST /things', ['Expect: 100-continue'], '{"id":"a"}').subarray(0, -10));
    expect((await next()).status).toBe(100);
    const closed = service.close();
    send('{"id":"a"}');
    expect(await next()).toEqual(answer(201, { id: 'a' }, ['Connection: close']));
    expect(await rest()).toEqual({ text: '', reset: false });
    await closed;
    await expect(ask(service, 'GET /things')).rejects.toThrow();
    const again = await start(things, { data: service.data });
    expect(await ask(again, 'GET /things')).toEqual(answer(200, [{ id: 'a' }]));
  });

  it('does not wait for connections on which nothing is asked', async () => {
    const service = await start(things);
    const { send, answer: next, rest } = wire(service);
    send(request('GET /things'));
    await next();
    await service.close();
    expect((await rest()).text).toBe('');
  });

  it('does not wait for ever for a request that does not come whole', async () => {
    const service = await start(things, { limits: { headersTimeoutMs: 100, requestTimeoutMs: 100 } });
    const { send, answer: next } = wire(service);
    send(request('POST /things', ['Expect: 100-continue'], '{"id":"a"}').subarray(0, -10));
    expect((await next()).status).toBe(100);
    await service.close();
  });
});
