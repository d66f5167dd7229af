import { describe, expect, it } from 'vitest';
import { type Answer, answer, ask, request, type Served, start, wire } from './served.ts';

/** What part 7 says of messages that cannot be read; without it, the floor answers. */
const errors = `
errors:
  payload: { body: { code: "\${error.code}" } }
  codes:
    garbled: { when: malformed, status: 422 }
`;

const notes = (more = ''): string => `
name: Notes
resources:
  Note:
    identifier: id
    fields:
      id: { type: string, set: { create: "\${uuid()}" } }
      text: { type: string }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 201 }
  GET /notes: { operation: all, does: list Note, response: { status: 200, body: "\${page.total}" } }
  GET /notes/{id}: { operation: one, does: read Note, response: { status: 200, body: Note } }
${more}`;

/** The answer to a message of which the rest is not read. */
const closing = (status: number, body: unknown = ''): Answer => answer(status, body, ['Connection: close']);

/** Sends bytes, and tells the answer, and that the service then ends the connection. */
async function refused(to: Served, bytes: string | Uint8Array): Promise<Answer> {
  const { send, answer: next, rest } = wire(to);
  send(bytes);
  const found = await next();
  expect(await rest()).toEqual({ text: '', reset: false });
  return found;
}

const lines = (...of: readonly string[]): string => of.join('\r\n');

const post = (...fields: readonly string[]): string =>
  lines('POST /notes HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...fields);

/** Messages that RFC 9112 has refused with 400 and the end of the connection, where it does not say more. */
const unreadable: Readonly<Record<string, string>> = {
  'a length and a coding at once (RFC 9112 §6.1)': post(
    'Content-Length: 2',
    'Transfer-Encoding: chunked',
    '',
    '0',
    '',
    '',
  ),
  'two lengths (RFC 9112 §6.3)': post('Content-Length: 2', 'Content-Length: 3', '', '{}'),
  'one length twice (RFC 9112 §6.3, which lets it be refused)': post(
    'Content-Length: 2',
    'Content-Length: 2',
    '',
    '{}',
  ),
  'a list as length': post('Content-Length: 2, 2', '', '{}'),
  'a signed length (RFC 9110 §8.6)': post('Content-Length: +2', '', '{}'),
  'a negative length': post('Content-Length: -2', '', '{}'),
  'a hexadecimal length': post('Content-Length: 0x2', '', '{}'),
  'a coding nobody knows (RFC 9112 §6.1)': post('Transfer-Encoding: xchunked', '', '0', '', ''),
  'chunked not last (RFC 9112 §6.3)': post('Transfer-Encoding: chunked, identity', '', '0', '', ''),
  'a chunk size that is none (RFC 9112 §7.1)': post('Transfer-Encoding: chunked', '', 'x', '{}', '0', '', ''),
  'a bare line feed in the fields (RFC 9112 §2.2)': 'GET /notes HTTP/1.1\nHost: a\n\n',
  'a folded line (RFC 9112 §5.2)': lines('GET /notes HTTP/1.1', 'Host: a', 'X: 1', ' 2', '', ''),
  'a space before the colon (RFC 9112 §5.1)': lines('GET /notes HTTP/1.1', 'Host : a', '', ''),
  'a field without a name': lines('GET /notes HTTP/1.1', 'Host: a', ': 1', '', ''),
  'a NUL in a field (RFC 9110 §5.5)': lines('GET /notes HTTP/1.1', 'Host: a', 'X: 1\u00002', '', ''),
  'a bare carriage return in a field (RFC 9110 §5.5)': lines(
    'GET /notes HTTP/1.1',
    'Host: a',
    'X: 1\r2',
    '',
    '',
  ),
  'no Host (RFC 9112 §3.2)': lines('GET /notes HTTP/1.1', '', ''),
  'two Hosts (RFC 9112 §3.2)': lines('GET /notes HTTP/1.1', 'Host: a', 'Host: b', '', ''),
  'the same Host twice (RFC 9112 §3.2)': lines('GET /notes HTTP/1.1', 'Host: a', 'Host: a', '', ''),
  'two Hosts in HTTP/1.0 (RFC 9112 §3.2)': lines('GET /notes HTTP/1.0', 'Host: a', 'Host: b', '', ''),
  'a Host that is none (RFC 9112 §3.2)': lines('GET /notes HTTP/1.1', 'Host: a/b', '', ''),
  'a Host with a user (RFC 9110 §7.2)': lines('GET /notes HTTP/1.1', 'Host: user@a', '', ''),
  'two Authorizations (RFC 9110 §5.3)': lines(
    'GET /notes HTTP/1.1',
    'Host: a',
    'Authorization: a',
    'Authorization: b',
    '',
    '',
  ),
  'two Content-Types (RFC 9110 §5.3)': post('Content-Type: text/plain', 'Content-Length: 2', '', '{}'),
  'a target that is no path (RFC 9112 §3.2)': lines('GET notes HTTP/1.1', 'Host: a', '', ''),
  'no version': lines('GET /notes', 'Host: a', '', ''),
  'a version nobody knows': lines('GET /notes HTTP/9.9', 'Host: a', '', ''),
  'bytes that are no HTTP': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
  'a greeting of HTTP/2': lines('PRI * HTTP/2.0', '', 'SM', '', ''),
};

describe('a message that cannot be read', () => {
  for (const [what, bytes] of Object.entries(unreadable)) {
    it(`${what}: where no row lists it, 400 and no content`, async () => {
      const service = await start(notes());
      const before = await service.rows();
      expect(await refused(service, bytes)).toEqual(closing(400));
      expect(await service.rows()).toEqual(before);
      expect(await ask(service, 'GET /notes')).toEqual(answer(200, 0));
    });

    it(`${what}: as the row says that lists "malformed"`, async () => {
      const service = await start(notes(errors));
      expect(await refused(service, bytes)).toEqual(closing(422, { code: 'garbled' }));
    });
  }

  it('is answered after the whole requests before it, whose answers it does not take (RFC 9112 §9.3.2)', async () => {
    const service = await start(notes());
    const { send, answer: next, rest } = wire(service);
    send(Buffer.concat([request('POST /notes', [], '{"text":"kept"}'), Buffer.from('garbage\r\n\r\n')]));
    expect(await next()).toEqual(answer(201));
    expect(await next()).toEqual(closing(400));
    expect(await rest()).toEqual({ text: '', reset: false });
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 1));
  });

  it('has its stated payload and the headers of every answer, garbage too', async () => {
    const service = await start(notes(errors).replace('endpoints:', 'endpoints:\n  headers: { X-By: us }'));
    expect(await refused(service, 'garbage\r\n\r\n')).toEqual(
      answer(422, { code: 'garbled' }, ['Connection: close', 'X-By: us']),
    );
  });

  it('leaves a row that names operations aside: no operation was reached', async () => {
    const service = await start(notes(errors.replace('status: 422', 'status: 422, operations: [add]')));
    expect(await refused(service, 'garbage\r\n\r\n')).toEqual(closing(400));
  });
});

describe('host limits answer by protocol alone, whatever part 7 lists', () => {
  it('17 kB of header fields: 431 (RFC 6585 §5)', async () => {
    const service = await start(notes(errors));
    const bytes = request('GET /notes', [`X: ${'x'.repeat(17_000)}`]);
    expect(await refused(service, bytes)).toEqual(closing(431));
  });

  it('a path of 17 kB: 431', async () => {
    const service = await start(notes(errors));
    expect(await refused(service, request(`GET /${'x'.repeat(17_000)}`))).toEqual(closing(431));
  });

  it('2,100 header fields: 431, and 98 beside Host and another: an answer', async () => {
    const service = await start(notes(errors));
    const fields = (count: number): string[] => Array.from({ length: count }, (_, i) => `X${i}:`);
    expect(await refused(service, request('GET /notes', fields(2100)))).toEqual(closing(431));
    expect(await refused(service, request('GET /notes', fields(100)))).toEqual(closing(431));
    expect(await ask(service, 'GET /notes', undefined, fields(99))).toEqual(answer(200, 0));
  });

  it('a chunk extension of 20 kB: 413, and nothing is written', async () => {
    const service = await start(notes(errors));
    const bytes = post('Transfer-Encoding: chunked', '', `2;${'x'.repeat(20_000)}`, '{}', '0', '', '');
    expect(await refused(service, bytes)).toEqual(closing(413));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 0));
  });

  it('header fields that do not come: 408 and the end', async () => {
    const service = await start(notes(errors), { limits: { headersTimeoutMs: 50 } });
    expect(await refused(service, 'GET /notes HTTP/1.1\r\nHost: a\r\n')).toEqual(closing(408));
  });

  it('a body that does not come: 408 and the end, and nothing is written', async () => {
    const service = await start(notes(errors), { limits: { headersTimeoutMs: 50, requestTimeoutMs: 50 } });
    expect(await refused(service, post('Content-Length: 20', '', '{"text":'))).toEqual(closing(408));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 0));
  });

  it('more requests at once than the host takes: 503, and an answer when there is room again', async () => {
    const service = await start(notes(errors), { limits: { concurrentRequests: 1 } });
    const first = wire(service);
    first.send(post('Content-Length: 2', 'Expect: 100-continue', '', ''));
    expect((await first.answer()).status).toBe(100);
    expect(await ask(service, 'GET /notes')).toEqual(answer(503, '', ['Retry-After: 1']));
    first.send('{}');
    expect(await first.answer()).toEqual(answer(201));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 1));
  });

  it('a connection on which nothing is asked is closed', async () => {
    const service = await start(notes(), { limits: { idleTimeoutMs: 1 } });
    const { send, answer: next, rest } = wire(service);
    send(request('GET /notes'));
    expect(await next()).toEqual(answer(200, 0));
    expect(await rest()).toEqual({ text: '', reset: false });
  });
});

describe('a body that is not whole', () => {
  it('ended before its length: nothing is written', async () => {
    const service = await start(notes());
    const { send, socket, rest } = wire(service);
    send(post('Content-Length: 16', '', '{"text":"half'));
    socket.end();
    await rest();
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 0));
    expect(service.faults).toEqual([]);
  });

  it('reset in the middle: nothing is written', async () => {
    const service = await start(notes());
    const { send, socket } = wire(service);
    send(request('GET /notes'));
    send(post('Content-Length: 16', '', '{"text":"half'));
    socket.once('data', () => socket.resetAndDestroy());
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 0));
    expect(service.faults).toEqual([]);
  });

  it('longer than its length: the rest is another message', async () => {
    const service = await start(notes());
    const { send, answer: next, rest } = wire(service);
    send(post('Content-Length: 14', '', '{"text":"one"}{"text":"two"}'));
    expect(await next()).toEqual(answer(201));
    expect(await next()).toEqual(closing(400));
    await rest();
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, 1));
  });
});

describe('a target', () => {
  const path = async (target: string, fields: readonly string[] = []): Promise<Answer> =>
    ask(await start(notes(errors)), `GET ${target}`, undefined, fields);
  const garbled = answer(422, { code: 'garbled' });

  for (const target of [
    '/%zz',
    '/notes/%',
    '/notes/%4',
    '/notes/%00',
    '/notes/a%00b',
    '/notes/%c0%ae%c0%ae',
    '/notes/%e0%80%af',
    '/notes/%ed%a0%80',
    '/notes/%ff',
    '/notes?a=%zz',
    '/notes?a=%00',
    '/notes?%c0%ae',
  ])
    it(`${target}: its coding is broken, so it is malformed`, async () => {
      expect(await path(target)).toEqual(garbled);
    });

  for (const target of [
    '//',
    '//notes',
    '/notes/',
    '/notes//',
    '/%2fnotes',
    '/Notes',
    '/notes/../notes',
    '/./notes',
    '/%2e%2e/notes',
    '/notes/%2e%2e/notes',
    '/notes%20',
    '/notes;v=1',
    '/notes%3Fa=1',
    '/notes/a/b',
    '*',
  ])
    it(`${target}: nothing stands there, for segments compare exactly`, async () => {
      expect(await path(target)).toEqual(answer(404));
    });

  it('is one decoded form: a path spelled in other ways is the same', async () => {
    expect(await path('/%6eotes')).toEqual(answer(200, 0));
    expect(await path('/notes?')).toEqual(answer(200, 0));
  });

  it('in absolute form is served whatever its authority (RFC 9112 §3.2.2)', async () => {
    expect(await path('http://evil.example/notes')).toEqual(answer(200, 0));
    expect(await path('HTTP://evil.example:80/notes?')).toEqual(answer(200, 0));
    expect(await path('http://evil.example')).toEqual(answer(404));
  });

  it('with an encoded slash in an identifier names one segment, and no item', async () => {
    expect(await path('/notes/a%2Fb')).toEqual(answer(404));
  });
});

describe('a query', () => {
  const invalid = `
errors:
  payload: { body: { failures: "\${error.failures}" } }
  codes:
    wrong: { when: invalid, status: 400 }
`;
  // What is closed says that the parameters do nothing; while it is open what they do, they answer 501.
  const limited = `complete: [endpoints]\n${notes(invalid).replace(
    'GET /notes: { operation: all,',
    'GET /notes: { operation: all, request: { query: { limit: { type: integer }, tag: { type: array } } },',
  )}`;

  it('with a value twice where there is no list: invalid', async () => {
    const service = await start(limited);
    expect(await ask(service, 'GET /notes?limit=1&limit=2')).toEqual(
      answer(400, { failures: [{ field: 'limit', keyword: 'twice' }] }),
    );
    expect(await ask(service, 'GET /notes?limit=1')).toEqual(answer(200, 0));
    expect(await ask(service, 'GET /notes?tag=1&tag=2')).toEqual(answer(200, 0));
  });

  for (const name of ['__proto__', 'constructor', 'toString', '__proto__[x]', 'hasOwnProperty', ''])
    it(`with a parameter ${name || 'without a name'}: nobody stated it, so it is refused as any other`, async () => {
      const service = await start(limited);
      expect(await ask(service, `GET /notes?${name}=1`)).toEqual(
        answer(400, { failures: [{ field: name, keyword: 'others' }] }),
      );
      expect(Object.prototype).not.toHaveProperty('x');
    });
});
