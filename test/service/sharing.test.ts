import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answered } from '../../src/service/answered.ts';
import { type Service, type ServiceOptions, serve } from '../../src/service/service.ts';
import { reader as read } from './running.ts';

const document = `name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  PUT /notes/{id}: { operation: put, does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes/{id}: { operation: get, does: read Note, response: { status: 200, body: Note } }
  GET /notes: { operation: list, does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /counted: { operation: counted, does: (none), response: 204 }
  GET /news: { operation: news, does: (none), response: 200 }
limits:
  rates: { few: { allow: 2, every: PT1H, per: address, operations: [counted] } }
errors:
  codes:
    slow: { when: rate exceeded, status: 429 }
    unknown: { when: unknown, status: 404 }
    invalid: { when: invalid, status: 422 }
events:
  kinds: { kept: { by: [put], body: { id: "\${this.id}" } } }
  envelope: cloudevents
  source: notes
  delivery: { news: { stream: GET /news } }
`;

interface Shared {
  readonly writer: Service;
  readonly reader: Service;
  /** What each answered, as \`writer put\`. */
  readonly answered: string[];
  readonly socket: string;
}

/** A process that writes and one that reads, as far as they know: they share nothing but the file and the socket. */
async function shared(
  text = document,
  options: Partial<ServiceOptions> = {},
  alone = Promise.resolve(),
): Promise<Shared> {
  const { specification, diagnostics } = read(text);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'tacet-sharing-'));
  const socket = join(folder, 'writer');
  const answered: string[] = [];
  const started = async (role: 'writer' | 'reader'): Promise<Service> => {
    const service = await serve(specification, {
      data: join(folder, 'data.sqlite'),
      sharing: { role, socket, alone },
      onAnswered: ({ operation }: Answered) => answered.push(`${role} ${operation}`),
      graceMs: 100,
      ...options,
    });
    onTestFinished(() => service.close());
    return service;
  };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const writer = await started('writer');
  return { writer, reader: await started('reader'), answered, socket };
}

const json = { 'Content-Type': 'application/json' };
const put = (service: Service, id: string, text: string): Promise<Response> =>
  fetch(`${service.address}/notes/${id}`, { method: 'PUT', headers: json, body: JSON.stringify({ text }) });
const textAt = async (service: Service, path: string): Promise<string> =>
  (await fetch(service.address + path)).text();

/** What is answered on a connection of its own, without its date. */
function raw({ address }: Service, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTo(Number(new URL(address).port), '127.0.0.1');
    let said = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      said += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said.replace(/Date: .*\r\n/, '')));
    socket.write(request);
  });
}

describe('a process that reads', () => {
  it('answers what only reads, and hands over what may change something', async () => {
    const { reader, answered } = await shared();
    expect((await put(reader, 'a', 'one')).status).toBe(204);
    expect(await textAt(reader, '/notes/a')).toBe('{"id":"a","text":"one"}');
    expect(await textAt(reader, '/notes')).toBe('[{"id":"a","text":"one"}]');
    expect((await fetch(`${reader.address}/elsewhere`)).status).toBe(404);
    expect(answered).toEqual(['writer put', 'reader get', 'reader list', 'reader null']);
  });

  it('reads nothing older than what was answered before', async () => {
    const { writer, reader } = await shared();
    for (let turn = 0; turn < 200; turn += 1) {
      expect((await put(turn % 2 ? writer : reader, 'a', `${turn}`)).status).toBe(204);
      expect(await textAt(reader, '/notes/a')).toBe(`{"id":"a","text":"${turn}"}`);
    }
  });

  it('answers as the process that writes does, whatever it hands over', async () => {
    const { writer, reader } = await shared();
    const head = (line: string): string => `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const body = 'Content-Type: application/json\r\n';
    for (const request of [
      `${head('PUT /notes/b')}${body}Content-Length: 14\r\n\r\n{"text":"two"}`,
      `${head('PUT /notes/b')}${body}Transfer-Encoding: chunked\r\n\r\ne\r\n{"text":"two"}\r\n0\r\n\r\n`,
      `${head('PUT /notes/b')}${body}Content-Length: 3\r\n\r\n{"t`,
      `PUT /notes/b HTTP/1.0\r\n${body}Content-Length: 14\r\n\r\n{"text":"two"}`,
      `${head('PUT /notes/b')}${body}Content-Length: 99999999\r\n\r\n{}`,
      `${head('PUT /notes/b')}Content-Length: 2\r\n\r\n{}`,
    ])
      expect(await raw(reader, request)).toBe(await raw(writer, request));
  });

  it('hands on the content of a client that waits to be told to send it', async () => {
    const { reader } = await shared();
    const socket = connectTo(Number(new URL(reader.address).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let said = '';
    const until = (part: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (said.includes(part)) resolve();
        };
        look();
        socket.on('data', look);
      });
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      said += chunk;
    });
    socket.write(
      'PUT /notes/c HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 16\r\nExpect: 100-continue\r\n\r\n',
    );
    await until('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{"text":"three"}');
    await until('HTTP/1.1 204 No Content\r\n');
    expect(await textAt(reader, '/notes/c')).toBe('{"id":"c","text":"three"}');
  });

  it('hands over what is counted, with the address that it comes from', async () => {
    const { writer, reader, answered } = await shared();
    const headers = { 'Tacet-From': '192.0.2.1' };
    const statuses: number[] = [];
    for (const { address } of [reader, writer, reader])
      statuses.push((await fetch(`${address}/counted`, { headers })).status);
    expect(statuses).toEqual([204, 204, 429]);
    expect(new Set(answered)).toEqual(new Set(['writer counted']));
  });

  it('hands on events as they come', async () => {
    const { writer, reader } = await shared();
    const news = await fetch(`${reader.address}/news`);
    await put(writer, 'd', 'four');
    const pieces = (news.body as ReadableStream<Uint8Array>).getReader();
    let said = '';
    while (!said.includes('"id":"d"')) said += new TextDecoder().decode((await pieces.read()).value);
    await pieces.cancel();
  });

  it('answers 503 to what it cannot hand over, and reads on', async () => {
    const { writer, reader } = await shared();
    await put(writer, 'a', 'one');
    await writer.close();
    expect((await put(reader, 'a', 'two')).status).toBe(503);
    expect(await textAt(reader, '/notes/a')).toBe('{"id":"a","text":"one"}');
  });

  it('is answered by the one that writes until it has ended itself', async () => {
    const { promise: alone, resolve } = Promise.withResolvers<void>();
    const { writer, reader } = await shared(document, { graceMs: 60_000 }, alone);
    const closed = writer.close();
    expect((await put(reader, 'a', 'late')).status).toBe(204);
    await reader.close();
    resolve();
    await closed;
  });

  it('closes the connection without an answer if nobody knows what became of the request', async () => {
    const { writer, reader, socket } = await shared();
    await writer.close();
    const dying = createServer((peer) => peer.once('data', () => peer.destroy()));
    await new Promise<void>((resolve) => dying.listen(socket, resolve));
    onTestFinished(() => void dying.close());
    await expect(put(reader, 'a', 'two')).rejects.toThrow('fetch failed');
  });
});

describe('what happens by itself', () => {
  const timed = `name: Parcels
complete: true
resources:
  Parcel: { identifier: id, fields: { id: { type: string }, state: { readOnly: true } } }
states:
  Parcel.state:
    initial: sent
    states: [sent, late]
    final: [late]
    transitions: { expire: { from: sent, to: late, after: PT10S } }
endpoints:
  others: refuse
  PUT /parcels/{id}: { operation: put, does: create Parcel, request: { body: { type: object } }, response: 204 }
  GET /parcels/{id}: { operation: get, does: read Parcel, response: { status: 200, body: Parcel } }
`;

  it('has happened before a process that reads is asked', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const time = { milliseconds: () => now, wake: () => () => {} };
    const { reader, answered } = await shared(timed, time);
    await fetch(`${reader.address}/parcels/a`, { method: 'PUT', headers: json, body: '{}' });
    expect(await textAt(reader, '/parcels/a')).toBe('{"id":"a","state":"sent"}');
    now += 10_001;
    expect(await textAt(reader, '/parcels/a')).toBe('{"id":"a","state":"late"}');
    expect(await textAt(reader, '/parcels/a')).toBe('{"id":"a","state":"late"}');
    expect(answered).toEqual(['writer put', 'reader get', 'writer get', 'reader get']);
  });
});
