import { describe, expect, it } from 'vitest';
import { bare } from '../../src/service/message/reply.ts';
import { openStore } from '../../src/service/store/open.ts';
import type { Plan } from '../../src/service/store/plan.ts';
import { type Answer, answer, place, request, type Served, start, wire } from './served.ts';

const things = `
name: Things
resources:
  Thing:
    identifier: id
    fields: { id: { type: string } }
  File: { identifier: id, fields: { id: { type: string }, content: { type: string, format: binary } } }
endpoints:
  others: refuse
  GET /things: { does: list Thing, response: { status: 200, body: "\${Thing(page.items)}" } }
  GET /things/{id}: { does: read Thing, response: { status: 200, body: Thing } }
  GET /read: { does: (none), request: { body: { type: object } }, response: { status: 200, body: "\${'read'}" } }
  PUT /files/{id}:
    does: { create: File, with: { content: "\${request.body}" } }
    request: { media: a/b, body: { type: string, format: binary } }
    response: 204
  GET /files/{id}: { does: read File, response: { status: 200, media: a/b, body: "\${this.content}" } }
  GET /empty: { does: (none), response: 204 }
  GET /same: { does: (none), response: 304 }
  HEAD /own: { does: (none), response: { status: 200, headers: { X: a } } }
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    garbled: { when: malformed, status: 422 }
    absent: { when: [unknown Thing, unknown File], status: 404 }
    wrong: { when: method not allowed, status: 405 }
`;

/** A store that has so many things, with identifiers of at least so many characters. */
async function filled(count: number, width = 1): Promise<string> {
  const data = await place();
  const store = await openStore(data, [{ name: 'Thing', keyFields: ['id'], keyKinds: ['text'] }]);
  const plan: Plan = {
    decide: (tx) => {
      for (let id = 0; id < count; id++)
        tx.insert('Thing', { key: [`a${id}`.padEnd(width, '-')], text: '{}' });
      return { keep: true, reply: bare(201) };
    },
    conflict: () => bare(400),
    fault: () => bare(500),
  };
  expect(await store.commit([plan], () => 0)).toEqual([bare(201)]);
  await store.close();
  return data;
}

/** All that the service sends before it ends the connection, as text. */
async function sentTo(to: Served, ...packets: readonly (string | Uint8Array)[]): Promise<string> {
  const { send, socket, rest } = wire(to);
  for (const packet of packets) {
    send(packet);
    // The service reads each packet by itself.
    await new Promise((resolve) => setTimeout(resolve, packets.length > 1 ? 10 : 0));
  }
  socket.setTimeout(5000, () => socket.destroy());
  const { text, reset } = await rest();
  expect(reset).toBe(false);
  return text;
}

/** The content of the last answer in a text. */
const contentOf = (text: string): string => text.slice(text.lastIndexOf('\r\n\r\n') + 4);

const garbled = '{"code":"garbled"}';
const message = (...lines: readonly string[]): string => lines.join('\r\n');

/** Messages that cannot be read, after the name of their method. */
const unreadable: Readonly<Record<string, string>> = {
  'a target that is no path': message(' (any)/things HTTP/1.1', 'Host: a', '', ''),
  'such a target, and content': message(' (any)/things HTTP/1.1', 'Host: a', 'Content-Length: 2', '', '{}'),
  'a version nobody knows': message(' /things HTTP/9.9', 'Host: a', '', ''),
  'a space before the colon': message(' /things HTTP/1.1', 'Host : a', '', ''),
  'a bare line feed': ' /things HTTP/1.1\nHost: a\n\n',
  'a NUL in a field': message(' /things HTTP/1.1', 'Host: a', 'X: 1\u00002', '', ''),
  'two lengths': message(' /things HTTP/1.1', 'Host: a', 'Content-Length: 2', 'Content-Length: 3', '', '{}'),
  'chunked not last': message(
    ' /things HTTP/1.1',
    'Host: a',
    'Transfer-Encoding: chunked, x',
    '',
    '0',
    '',
    '',
  ),
  'no Host': message(' /things HTTP/1.1', '', ''),
  'two Hosts': message(' /things HTTP/1.1', 'Host: a', 'Host: b', '', ''),
  'a chunk size that is none': message(
    ' /read HTTP/1.1',
    'Host: a',
    'Transfer-Encoding: chunked',
    '',
    'x',
    '',
  ),
  'a coding nobody knows': message(
    ' /read HTTP/1.1',
    'Host: a',
    'Transfer-Encoding: xchunked',
    '',
    '0',
    '',
    '',
  ),
};

describe.each(Object.entries(unreadable))('a message that cannot be read: %s', (_what, rest) => {
  it('has its payload if it is GET, and no content if it is HEAD (RFC 9110 §9.3.2)', async () => {
    const service = await start(things);
    const [get, head] = [await sentTo(service, `GET${rest}`), await sentTo(service, `HEAD${rest}`)];
    expect(get).toMatch(/^HTTP\/1\.1 422 /);
    expect(contentOf(get)).toBe(garbled);
    expect(head).toMatch(/^HTTP\/1\.1 422 [\s\S]*\r\nConnection: close\r\n/);
    expect(contentOf(head)).toBe('');
  });

  it('has neither more nor less behind another request on its connection', async () => {
    const service = await start(things);
    for (const before of [request('GET /empty'), request('HEAD /things'), request('GET /read', [], '{}')])
      for (const packets of [
        [before, Buffer.from(`HEAD${rest}`)],
        [Buffer.concat([before, Buffer.from(`HEAD${rest}`)])],
      ]) {
        const text = await sentTo(service, ...packets);
        expect(text).toMatch(/HTTP\/1\.1 422 /);
        expect(contentOf(text)).toBe('');
      }
    expect(contentOf(await sentTo(service, request('HEAD /things'), `GET${rest}`))).toBe(garbled);
  });
});

describe('a message that cannot be read and comes in pieces', () => {
  it('has no content if its method is not known any more: it may be HEAD', async () => {
    const service = await start(things);
    for (const pieces of [
      ['HE', 'AD (any) HTTP/1.1\r\n\r\n'],
      ['\r\n', '\r\nHEAD (any) HTTP/1.1\r\n\r\n'],
      ['HEAD ', '(any) HTTP/1.1\r\n\r\n'],
      ['HEAD /things HTTP/1.1\r\nX: 1', '2\r\nHost : a\r\n\r\n'],
      ['GET /things HTTP/1.1\r\nX: 1', '2\r\nHost : a\r\n\r\n'],
    ]) {
      const text = await sentTo(service, ...pieces);
      expect(text).toMatch(/^HTTP\/1\.1 422 /);
      expect(text).not.toContain('Content-Length');
      expect(contentOf(text)).toBe('');
    }
  });

  it('has its payload if no method begins as it does', async () => {
    const service = await start(things);
    expect(contentOf(await sentTo(service, 'gar', 'bage\r\n\r\n'))).toBe(garbled);
    expect(contentOf(await sentTo(service, 'HE', 'LLO / HTTP/1.1\r\n\r\n'))).toBe(garbled);
  });
});

describe('every answer to HEAD', () => {
  const paths = [
    '/things',
    '/things/a1',
    '/things/none',
    '/files/a',
    '/files/b',
    '/empty',
    '/same',
    '/own',
    '/nowhere',
  ];
  const fields: readonly (readonly string[])[] = [
    [],
    ['Range: bytes=0-0'],
    ['Expect: a cake'],
    ['Accept: text/none'],
  ];

  it('ends with its header fields: the next answer follows at once, whatever content the request has', async () => {
    const service = await start(things, { data: await filled(1001) });
    await sentTo(service, request('PUT /files/a', ['Content-Type: a/b', 'Connection: close'], 'bytes'));
    for (const path of paths)
      for (const more of fields)
        for (const content of [undefined, '{}', 'x'.repeat(100_000)]) {
          const { send, answer: next } = wire(service);
          send(Buffer.concat([request(`HEAD ${path}`, more, content), request('GET /things/a1')]));
          expect((await next(true)).status).toBeGreaterThanOrEqual(200);
          expect(await next()).toEqual(answer(200, { id: 'a1' }));
        }
  });

  it('is the last if the connection closes, be it while content still comes', async () => {
    const service = await start(things, { data: await filled(1001) });
    for (const path of [...paths, '/read'])
      for (const content of ['', '{"a":', 'x'.repeat(10_000)]) {
        const head = message(
          `HEAD ${path} HTTP/1.1`,
          'Host: a',
          'Connection: close',
          `Content-Length: ${content.length + 1}`,
          '',
          '',
        );
        const text = await sentTo(service, `${head}${content}`, ' ', request('GET /things/a1'));
        expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
        expect(contentOf(text)).toBe('');
      }
  });

  it.each<[string, Parameters<typeof start>[1], Buffer, number]>([
    ['too much content', { limits: { bodyBytes: 1 } }, request('HEAD /read', [], '{"a":1}'), 413],
    ['too many fields', { limits: { headerCount: 1 } }, request('HEAD /things', ['A: 1']), 431],
    [
      'content that does not come',
      { limits: { headersTimeoutMs: 50, requestTimeoutMs: 50 } },
      request('HEAD /read', [], '{"a":1}').subarray(0, -1),
      408,
    ],
    [
      'an expectation that is not met',
      {},
      request('HEAD /things', ['Expect: 100-continue'], '{}').subarray(0, -2),
      200,
    ],
  ])('has no content if it refuses what is not read: %s', async (_what, options, bytes, status) => {
    const service = await start(things, options);
    const { send, answer: next, socket } = wire(service);
    send(bytes);
    const head: Answer = await next(true);
    expect(head.status).toBe(status);
    const more = new Promise((resolve) => socket.once('data', resolve).once('close', () => resolve('')));
    if (!head.fields.includes('Connection: close')) socket.end();
    expect(String(await more)).toBe('');
  });
});

describe('a request whose content turns out unreadable', () => {
  const chunked = (line: string): string =>
    message(`${line} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked', '', '');

  /** All that comes if nobody reads between the first bytes of the answer and the last packet. */
  async function heldUp(first: string, ...packets: readonly string[]): Promise<string> {
    const service = await start(things, { data: await filled(20_000, 500) });
    const { send, socket, rest } = wire(service);
    send(first);
    await new Promise<void>((resolve) => socket.once('data', () => resolve(void socket.pause())));
    for (const packet of packets) {
      send(packet);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    socket.resume();
    return (await rest()).text;
  }

  it('has one answer: that which is being sent is cut', async () => {
    const text = await heldUp(chunked('GET /things'), 'x\r\n');
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(text).not.toContain('"a19999-');
  });

  it.each(['HEAD /things', 'HEAD /nowhere', 'HEAD /read'])(
    'has one answer, without content, if it has to wait for another: %s',
    async (line) => {
      const text = await heldUp(request('GET /things').toString(), chunked(line), 'x\r\n');
      expect(text).toContain('"a19999-');
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(2);
      expect(contentOf(text)).toBe('');
    },
  );
});
