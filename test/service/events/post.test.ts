import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Resolve } from '../../../src/service/events/names.ts';
import { outsideBut } from '../../../src/service/events/outside.ts';
import { type After, type Poster, type Posting, poster } from '../../../src/service/events/post.ts';
import { receiver } from './receiver.ts';

/** A poster of which names stand for these addresses; loopback is out there only where it is allowed. */
function posting(
  names: Readonly<Record<string, readonly string[]>> = {},
  allowed: readonly string[] = [],
): Poster {
  const resolve: Resolve = async (name) =>
    (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const after: After = (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
  const made = poster(outsideBut(allowed), after, resolve);
  onTestFinished(made.close);
  return made;
}

const message = (url: string, more: Partial<Posting> = {}): Posting => ({
  url,
  headers: [],
  content: '{}',
  timeoutMs: 2000,
  isOperators: false,
  stop: new AbortController().signal,
  ...more,
});

describe('what is posted to (reliability, “Outbound”)', () => {
  it('is no name of which any address is not out there, whatever it stood for when it was given', async () => {
    const { url, posted } = await receiver();
    const { port } = new URL(url);
    const { post } = posting({
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
      'inside.example': ['10.0.0.1'],
    });
    await expect(post(message(`http://mixed.example:${port}/`))).rejects.toThrow(
      'mixed.example is 127.0.0.1, which is not out there',
    );
    await expect(post(message('https://inside.example/'))).rejects.toThrow('inside.example is 10.0.0.1');
    await expect(post(message('http://nobody.example/'))).rejects.toThrow('nobody.example has no address');
    expect(posted).toEqual([]);
  });

  it('is waited for until it answers, or nobody is there', async () => {
    const answers: (() => void)[] = [];
    const { url, count } = await receiver((_, response) => void answers.push(() => response.end()));
    const { post, awaited } = posting({ 'there.example': ['127.0.0.1'] }, ['127.0.0.1/32']);
    const { port } = new URL(url);
    const first = post(message(`http://there.example:${port}/`));
    await count(1);
    expect(awaited()).toBe(1);
    answers[0]?.();
    expect([await first, awaited()]).toEqual([200, 0]);
    const second = post(message('http://127.0.0.1:9/', { isOperators: true }));
    expect(awaited()).toBe(1);
    await expect(second).rejects.toThrow('ECONNREFUSED');
    while (awaited() > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('is such a name where the operator allows its address', async () => {
    const { url, count } = await receiver();
    const { port } = new URL(url);
    const { post } = posting({ 'desk.example': ['127.0.0.1'] }, ['127.0.0.0/8']);
    expect(
      await post(message(`http://desk.example:${port}/a`, { headers: ['X-A', 'b'], content: 'é' })),
    ).toBe(204);
    const [first] = await count(1);
    expect(first).toMatchObject({ content: 'é', headers: { host: `desk.example:${port}`, 'x-a': 'b' } });
  });

  it.each([
    ['http://127.0.0.1/', '127.0.0.1 is not out there'],
    ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1 is not out there'],
    ['ftp://example.com/', 'it is no address of HTTP'],
    ['file:///etc/passwd', 'it is no address of HTTP'],
    ['https://user:pass@example.com/', 'the address names a user'],
    ['http://example.com:22/', 'events are not sent to port 22'],
    ['nothing', 'it is no address of HTTP'],
  ])('is not %s', async (url, problem) => {
    await expect(posting().post(message(url))).rejects.toThrow(problem);
  });

  it('is anything that the operator names', async () => {
    const { url, count } = await receiver();
    expect(await posting().post(message(url, { isOperators: true }))).toBe(204);
    await count(1);
  });
});

describe('a name that is posted to', () => {
  it('is found once for a connection, which goes to what was found then', async () => {
    const { url, count } = await receiver();
    const { port } = new URL(url);
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const asked: string[] = [];
    const resolve: Resolve = async (name) => {
      asked.push(name);
      return (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
    };
    const made = poster(outsideBut(['127.0.0.1']), () => () => {}, resolve);
    onTestFinished(made.close);
    expect(await made.post(message(`http://turns.example:${port}/`))).toBe(204);
    await count(1);
    expect(asked).toEqual(['turns.example']);
  });

  it('is called off with the attempt: when it is late, or is to stop', async () => {
    const signals: AbortSignal[] = [];
    const resolve: Resolve = (_, stop) => {
      signals.push(stop);
      return new Promise((_, reject) => stop.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const late: (() => void)[] = [];
    const after: After = (_, run) => {
      late.push(run);
      return () => {};
    };
    const made = poster(outsideBut([]), after, resolve);
    onTestFinished(made.close);
    const first = made.post(message('http://dead.example/'));
    while (signals.length < 1) await new Promise((done) => setImmediate(done));
    late[0]?.();
    await expect(first).rejects.toThrow('there was no answer in time');
    const stop = new AbortController();
    const second = made.post(message('http://dead.example/', { stop: stop.signal }));
    while (signals.length < 2) await new Promise((done) => setImmediate(done));
    stop.abort();
    await expect(second).rejects.toThrow('the service ends');
    while (signals.some(({ aborted }) => !aborted)) await new Promise((done) => setImmediate(done));
  });
});

describe('an answer', () => {
  const local = ['127.0.0.1'];

  it('is waited for as long as was said', async () => {
    const { url } = await receiver(() => {});
    await expect(posting({}, local).post(message(url, { timeoutMs: 30 }))).rejects.toThrow(
      'there was no answer in time',
    );
  });

  it('that does not end, or is long, is cut off', async () => {
    const long = await receiver((_, response) => void response.writeHead(200).end('x'.repeat(1 << 20)));
    await expect(posting({}, local).post(message(long.url))).rejects.toThrow();
    const endless = await receiver((_, response) => void response.writeHead(200).write('x'));
    await expect(posting({}, local).post(message(endless.url, { timeoutMs: 30 }))).rejects.toThrow();
  });

  it.each([
    [204, 1],
    [400, 2],
    [500, 2],
  ])('of status %i to two messages takes %i connection(s)', async (status, expected) => {
    const ports = new Set<number>();
    const { url } = await receiver((_, response) => {
      ports.add(response.socket?.remotePort ?? 0);
      response.writeHead(status).end();
    });
    const { post } = posting({}, local);
    expect([await post(message(url)), await post(message(url))]).toEqual([status, status]);
    expect(ports.size).toBe(expected);
  });

  it('on a kept connection that was closed meanwhile is asked for once more', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      let requests = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        requests += 1;
        if (connections === 1 && requests === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { post, close } = posting({}, local);
    onTestFinished(() => {
      close();
      server.close();
    });
    expect(await post(message(`http://127.0.0.1:${port}/`))).toBe(204);
    expect(await post(message(`http://127.0.0.1:${port}/`))).toBe(204);
    expect(connections).toBe(2);
  });
});
