import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExitCode } from '../../src/cli/command.ts';
import { start, todo } from '../service/served.ts';
import { tacet } from './terminal.ts';

interface Proxied {
  readonly url: string;
  /** Asks the proxy to end: its exit code, and what it printed. */
  readonly end: () => Promise<{ readonly code: ExitCode; readonly out: string }>;
}

async function proxied(target: string, ...options: readonly string[]): Promise<Proxied> {
  const ending = new AbortController();
  const began = Promise.withResolvers<string>();
  const printed = tacet(['proxy', 'examples/todo.md', '--url', target, '--port', '0', ...options], {
    ended: ending.signal,
    environment: process.env,
    error: (text) => {
      const [url] = /http:\S+(?= forwards)/.exec(text) ?? [];
      if (url) began.resolve(url);
      else began.reject(new Error(text));
    },
  });
  const end = async (): ReturnType<Proxied['end']> => {
    ending.abort();
    return await printed;
  };
  onTestFinished(async () => void (await end()));
  return { url: await began.promise, end };
}

/** A service that answers as it is told to. */
async function answering(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer({}, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = { 'content-type': 'application/json' };

describe('tacet proxy', () => {
  it('forwards what is sent and answered, and finds no violation of a right service', async () => {
    const { address } = await start(todo);
    const proxy = await proxied(address, '--closed');
    const made = await fetch(`${proxy.url}/`, { method: 'POST', headers: json, body: '{"title":"milk"}' });
    expect(made.status).toBe(201);
    const item = (await made.json()) as { url: string };
    expect(item.url).toMatch(new RegExp(`^${address}/`));
    const path = new URL(item.url).pathname;
    const all = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(`${proxy.url}${path}`)).json()),
    );
    expect(all).toEqual(all.map(() => item));
    expect((await fetch(`${proxy.url}${path}`, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(`${proxy.url}${path}`)).status).toBe(404);
    const { code, out } = await proxy.end();
    expect(out).toMatch(/8 exchanges with [\s\S]*determined: 100 %[\s\S]*\nno violation\n$/);
    expect(code).toBe(0);
  });

  it('shows each violation, though the content is coded', async () => {
    const content = gzipSync('{"title":1}');
    const target = await answering((request, response) => {
      request.resume();
      response.writeHead(201, { ...json, location: 'x', 'content-encoding': 'gzip' }).end(content);
    });
    const proxy = await proxied(target);
    const answer = await fetch(`${proxy.url}/`, { method: 'POST', headers: json, body: '{"title":"milk"}' });
    expect(await answer.text()).toBe('{"title":1}');
    const { code, out } = await proxy.end();
    expect(out).toContain('  POST /: body.title\n    expected  "milk"\n    found     1\n');
    expect(code).toBe(1);
  });

  it('passes on each piece of an answer as it comes', async () => {
    const more = Promise.withResolvers<void>();
    const target = await answering((_, response) => {
      response.writeHead(200, json).write('[');
      void more.promise.then(() => response.end(']'));
    });
    const proxy = await proxied(target);
    const { body } = await fetch(`${proxy.url}/`);
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('[');
    more.resolve();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(']');
    await proxy.end();
  });

  it('answers 502 if the implementation does not answer', async () => {
    const proxy = await proxied(await answering((request) => void request.socket.destroy()));
    const { status, headers } = await fetch(`${proxy.url}/`);
    expect([status, headers.get('content-length')]).toEqual([502, '0']);
    const { code, out } = await proxy.end();
    expect(out).toContain('     1  no answer was recorded\n');
    expect(code).toBe(3);
  });

  it('forwards content without a stated length', async () => {
    const seen = Promise.withResolvers<string>();
    const target = await answering((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        seen.resolve(`${request.headers['transfer-encoding']} ${request.headers.host} ${text}`);
        response.writeHead(204).end();
      });
    });
    const proxy = await proxied(target);
    const body = new Blob(['some ', 'text']).stream();
    await fetch(`${proxy.url}/x`, { method: 'DELETE', body, duplex: 'half' } as RequestInit);
    expect(await seen.promise).toBe(`chunked ${new URL(target).host} some text`);
    await proxy.end();
  });

  it.each([
    [[], '--url names the implementation'],
    [['--url', 'localhost'], 'localhost is no address of a service'],
    [['--url', 'http://localhost', '--port', 'x'], 'x is no port'],
  ])('refuses %j', async (argv, message) => {
    const { code, error } = await tacet(['proxy', 'examples/todo.md', ...argv]);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) });
  });
});
