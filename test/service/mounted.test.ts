import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Service, type ServiceOptions, StartRefused, serve } from '../../src/service/service.ts';
import { specificationOf } from './served.ts';

const folder = mkdtempSync(join(tmpdir(), 'tacet-mounted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const notes = specificationOf(`
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, text: { type: string } }, required: [text] }
endpoints:
  others: refuse
  POST /notes: { operation: write, does: create Note, request: { body: Note }, response: { status: 201, headers: { Location: "\${service.url}/notes/\${string(this.id)}" }, body: Note } }
  GET /notes: { operation: list, does: { list: Note, order: id }, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /notes/{id}: { operation: read, does: read Note, response: { status: 200, body: Note } }
  DELETE /notes/{id}: { operation: remove, does: delete Note, response: 204 }
  GET /feed: { operation: follow, does: (none), response: { status: 200 } }
authentication: (none)
events: { kinds: { written: { by: [write], body: { text: "\${this.text}" } } }, envelope: (none), delivery: { feed: { stream: GET /feed } } }
errors: { codes: { unknown: { when: unknown, status: 404 }, unfit: { when: [malformed, invalid], status: 422 }, large: { when: too large body, status: 413 } } }
`);

let count = 0;
const mount = (options: Partial<ServiceOptions> = {}): Promise<Service> => {
  count += 1;
  const data = join(folder, `${count}.sqlite`);
  return serve(notes, { data, port: null, url: 'https://notes.example', ...options });
};

const json = { 'Content-Type': 'application/json' };
const post = (text: string): Request =>
  new Request('https://notes.example/notes', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ text }),
  });
const at = (path: string, method = 'GET'): Request => new Request(`https://notes.example${path}`, { method });

describe('a service that does not listen', () => {
  it('answers requests of the Fetch standard', async () => {
    const service = await mount();
    const made = await service.fetch(post('a'));
    expect([made.status, made.headers.get('location')]).toEqual([201, 'https://notes.example/notes/1']);
    expect(await made.json()).toEqual({ id: 1, text: 'a' });
    const [read, head, gone, none] = [
      await service.fetch(at('/notes/1')),
      await service.fetch(at('/notes/1', 'HEAD')),
      await service.fetch(at('/notes/1', 'DELETE')),
      await service.fetch(at('/notes/1')),
    ];
    expect(await read.text()).toBe('{"id":1,"text":"a"}');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '19', '']);
    expect([gone.status, await gone.text(), none.status]).toEqual([204, '', 404]);
    expect(service.address).toBe('https://notes.example');
    await service.close();
  });

  it('sends what happens while the answer goes on', async () => {
    const service = await mount();
    const { body } = await service.fetch(at('/feed'));
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    await service.fetch(post('b'));
    let seen = '';
    while (!seen.includes('"text":"b"')) seen += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    await service.close();
  });

  it('takes as much content as the host does', async () => {
    const service = await mount({ limits: { bodyBytes: 40 } });
    expect((await service.fetch(post('short'))).status).toBe(201);
    expect((await service.fetch(post('x'.repeat(50)))).status).toBe(413);
    await service.close();
  });

  it('answers requests of another server, which goes on when it ends', async () => {
    const service = await mount();
    const server = createServer(service.handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const made = await fetch(`${url}/notes`, { method: 'POST', headers: json, body: '{"text":"c"}' });
    expect([made.status, await made.text()]).toEqual([201, '{"id":1,"text":"c"}']);
    // The connection is the other server's to close.
    expect(made.headers.get('connection')).not.toBe('close');
    await service.close();
    expect((await fetch(`${url}/notes`)).status).toBe(503);
    expect((await service.fetch(at('/notes'))).status).toBe(503);
    server.close();
    server.closeAllConnections();
  });

  it('has to be told where it is reached', async () => {
    const data = join(folder, 'none.sqlite');
    await expect(serve(notes, { data, port: null })).rejects.toThrow(StartRefused);
    await expect(serve(notes, { data, port: null })).rejects.toThrow('url: "https://api.example"');
  });
});
