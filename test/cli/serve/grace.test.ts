import { spawn } from 'node:child_process';

import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file: written } = temporaryFolder();
const program = fileURLToPath(new URL('../../../bin/tacet.js', import.meta.url));

const document = `name: Hangs
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }
endpoints:
  others: refuse
  POST /notes: { operation: add, does: create Note, request: { body: Note }, response: 204 }
  GET /notes: { operation: list, does: list Note, response: { status: 200, body: "\${page.items}" } }
  GET /news: { operation: news, does: (none), response: 200 }
  POST /hang: { operation: hang, does: { handled: hang }, response: 204 }
events:
  kinds: { added: { by: [add], body: { id: "\${this.id}" } } }
  envelope: cloudevents
  source: notes
  delivery: { hooks: { webhook: operator }, news: { stream: GET /news } }
`;

const functions = `export const hang = () => new Promise(() => void setInterval(() => {}, 1000));\n`;

describe('tacet serve --grace', () => {
  it('ends by then, whatever deliveries, functions, streams and downloads are under way', async () => {
    let posted = 0;
    const hook = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        posted += 1;
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void hook.close());
    const { port } = hook.address() as { port: number };
    const child = spawn(
      process.execPath,
      [
        program,
        'serve',
        written('hangs.yaml', document),
        ...['--port', '0', '--data', `${folder}/hangs.sqlite`, '--grace', 'PT1S'],
        ...['--handlers', written('hangs.ts', functions), '--deliver', `hooks=http://127.0.0.1:${port}/`],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    let error = '';
    child.stderr.on('data', (text: Buffer) => {
      error += text;
    });
    const address = await new Promise<URL>((resolve) => {
      child.stdout.on('data', (text: Buffer) => {
        said += text;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) resolve(new URL(found[0]));
      });
    });
    const post = (path: string, body?: object): Promise<Response> =>
      fetch(new URL(path, address), {
        method: 'POST',
        ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      });
    for (let id = 0; id < 40; id += 1)
      expect((await post('/notes', { id: `${id}`, text: 'x'.repeat(500_000) })).status).toBe(204);
    const news = await fetch(new URL('/news', address));
    expect(news.status).toBe(200);
    const hanging = post('/hang').catch(() => 'cut');
    const download = connect(Number(address.port), '127.0.0.1');
    download.on('error', () => {});
    download.write('GET /notes HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => download.once('readable', resolve));
    while (posted === 0) await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect([code, error, await hanging]).toEqual([0, '', 'cut']);
    // The grace period, and what the machine is late by.
    expect(performance.now() - began).toBeLessThan(3000);
    download.destroy();
  }, 60_000);

  it('is a duration', async () => {
    const at = written('grace.yaml', document);
    const { code, error } = await tacet(['serve', at, '--grace', '10']);
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('10 is no duration; write --grace PT10S, or PT1M'),
    ]);
  });
});
