import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { client, contentOf, jsonOf, told } from '../../src/conformance/http.ts';

/** A server of its own, and what it answers to a request: a status, or why there is none. */
async function asking(answering: RequestListener) {
  const server = createServer(answering).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = client({ usualMs: 1000, shortMs: 10, patience: 1 });
  onTestFinished(() => {
    connection.close();
    server.closeAllConnections();
  });
  return async (method: string, path: string): Promise<unknown> => {
    const url = `http://127.0.0.1:${port}${path}`;
    const { response, failure } = await connection.send({ method, url, headers: [], body: null });
    return response?.status ?? failure;
  };
}

it('waits less for what has not been answered, and as long as ever for the rest', async () => {
  const ask = await asking(({ url }, outgoing) => {
    if (url?.startsWith('/slow')) setTimeout(() => outgoing.writeHead(204).end(), 100);
    else if (!url?.startsWith('/notes/')) outgoing.writeHead(204).end();
  });
  expect(await ask('GET', '/')).toBe(204);
  expect(await ask('GET', '/notes/1')).toBe('no answer within 1 s');
  expect(await ask('GET', '/notes/2')).toBe('no answer within 0.01 s');
  expect(await ask('GET', '/slow')).toBe(204);
  expect(await ask('GET', '/notes/3')).toBe('no answer within 0.01 s');
});

it('sends again what met a connection that was closed, and nothing that an answer began to', async () => {
  const came: string[] = [];
  const ask = await asking(({ method = '', url = '', socket }, outgoing) => {
    came.push(`${method} ${url}`);
    if (url === '/cut')
      outgoing.writeHead(200, { 'Content-Length': 9 }).write('half', () => socket.resetAndDestroy());
    else if (url === '/gone' && came.length === 2) socket.resetAndDestroy();
    else outgoing.writeHead(204).end();
  });
  expect([await ask('GET', '/'), await ask('GET', '/gone')]).toEqual([204, 204]);
  expect([await ask('GET', '/'), await ask('POST', '/cut')]).toEqual([204, 'read ECONNRESET']);
  expect(came).toEqual(['GET /', 'GET /gone', 'GET /gone', 'GET /', 'POST /cut']);
});

it.each([
  ['a text', Buffer.from('\u{e9}\n\ufffd'), false],
  ['nothing', Buffer.alloc(0), false],
  ['no text', Buffer.from([0x61, 0xff]), true],
  ['NUL', Buffer.from([0x61, 0]), true],
])('sends and takes bytes as they are: %s', async (_, content, isTold) => {
  const server = createServer((incoming, outgoing) => incoming.pipe(outgoing)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const connection = client();
  onTestFinished(connection.close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { response } = await connection.send({ method: 'PUT', url, headers: [], ...told(content) });
  expect(response && contentOf(response)).toEqual(isTold ? content : content.toString());
});

const exchange = (body: string) => ({
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [], body: null },
  response: { status: 200, headers: [], body },
  failure: null,
});

it('reads the same text as the same value, and what is none as nothing', () => {
  expect(jsonOf(exchange('{"items":[1]}'))).toEqual({ items: [1] });
  expect(jsonOf(exchange('{"items":[1]}'))).toBe(jsonOf(exchange('{"items":[1]}')));
  expect(jsonOf(exchange('{"items":[2]}'))).toEqual({ items: [2] });
  expect(jsonOf(exchange('{'))).toBeUndefined();
});

it('reads an element of a list that is sent again as the same value, whatever else is there by then', () => {
  const read = (body: string) => jsonOf(exchange(body)) as { items: unknown[] };
  const [first, again] = [read('{"items":[{"a":1},{"a":2}]}'), read('{"items":[{"a":3},{"a":1}]}')];
  expect(again).toEqual({ items: [{ a: 3 }, { a: 1 }] });
  expect(again.items[1]).toBe(first.items[0]);
  const [none] = (jsonOf(exchange('[{"a":null}]')) ?? []) as unknown[];
  const [large] = (jsonOf(exchange('[{"a":1e400}]')) ?? []) as unknown[];
  expect([none, large]).toEqual([{ a: null }, { a: Number.POSITIVE_INFINITY }]);
  const [one] = read('{"items":[{"id":"9e456"}]}').items;
  expect(read('{"items":[{"id":"9e456"},{"a":4}]}').items[0], 'of an identifier').toBe(one);
});
