import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();

const document = `name: Notes
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string, maxLength: 9 } } }
endpoints:
  others: refuse
  base: /v1
  PUT /notes/{id}: { operation: putNote, does: { create: Note, present: replace }, request: { body: Note }, response: 204 }
  GET /notes/{id}: { operation: readNote, does: read Note, response: { status: 200, body: Note } }
`;

interface Serving {
  readonly url: string;
  readonly ops: string;
}

/** Serves the document while the function runs, with an address for operators. */
async function serving(words: readonly string[], run: (serving: Serving) => Promise<void>): Promise<void> {
  const end = new AbortController();
  const started = Promise.withResolvers<Serving>();
  let out = '';
  const ended = tacet(
    ['serve', file('notes.yaml', document), '--port', '0', '--data', join(folder, 'notes.sqlite'), ...words],
    {
      ended: end.signal,
      out: (text) => {
        out += text;
        const [, url, ops] = /address +(\S+)[\s\S]*ops +(\S+)\/live/.exec(out) ?? [];
        if (url !== undefined && ops !== undefined) started.resolve({ url, ops });
      },
    },
  );
  ended.then(({ error }) => started.reject(new Error(error)));
  try {
    await run(await started.promise);
  } finally {
    end.abort();
    await ended;
  }
}

/** The lines of the metrics of a name, without what differs from run to run. */
const lines = (metrics: string, name: string): string[] =>
  metrics.split('\n').filter((line) => line.startsWith(name) && !/_bucket|_sum/.test(line));

describe('tacet serve --ops', () => {
  it('tells that the process lives, and that the service can read what it keeps', async () => {
    await serving(['--ops', '0'], async ({ ops }) => {
      const live = await fetch(`${ops}/live`);
      expect([live.status, await live.text()]).toEqual([200, 'live\n']);
      const ready = await fetch(`${ops}/ready`);
      expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
    });
  });

  it('counts requests by operation and status, and refusals by condition', async () => {
    await serving(['--ops', '0'], async ({ url, ops }) => {
      const headers = { 'Content-Type': 'application/json' };
      await fetch(`${url}/v1/notes/a`, { method: 'PUT', headers, body: '{"text":"short"}' });
      await fetch(`${url}/v1/notes/a`, { method: 'PUT', headers, body: '{"text":"much too long"}' });
      await fetch(`${url}/v1/notes/a`);
      await fetch(`${url}/v1/notes/of-nobody?secret=1`);
      await fetch(`${url}/v1/elsewhere`, { method: 'PROPFIND' });
      const response = await fetch(`${ops}/metrics`);
      const metrics = await response.text();
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      const requests = lines(metrics, 'http_server_request_duration_seconds_count');
      const row = (method: string, route: string, status: number, operation: string): string =>
        `http_server_request_duration_seconds_count{operation="${operation}",http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"} 1`;
      expect(requests.sort()).toEqual(
        [
          row('PUT', '/v1/notes/{id}', 204, 'putNote'),
          row('PUT', '/v1/notes/{id}', 400, 'putNote'),
          row('GET', '/v1/notes/{id}', 200, 'readNote'),
          row('GET', '/v1/notes/{id}', 404, 'readNote'),
          row('_OTHER', '', 404, ''),
        ].sort(),
      );
      expect(lines(metrics, 'tacet_refusals_total').sort()).toEqual([
        'tacet_refusals_total{operation="",condition="unknown path"} 1',
        'tacet_refusals_total{operation="putNote",condition="invalid"} 1',
        'tacet_refusals_total{operation="readNote",condition="unknown"} 1',
      ]);
      expect(metrics).not.toContain('of-nobody');
      expect(metrics).toContain('process_cpu_seconds_total');
    });
  });

  it('counts what a host limit refuses', async () => {
    await serving(['--ops', '0', '--max-body', '8B'], async ({ url, ops }) => {
      await fetch(`${url}/v1/notes/a`, { method: 'PUT', body: '{"text":"short"}' });
      expect(lines(await (await fetch(`${ops}/metrics`)).text(), 'tacet_host_limit_total')).toEqual([
        'tacet_host_limit_total{limit="bodyBytes"} 1',
      ]);
    });
  });

  it('answers nothing else', async () => {
    await serving(['--ops', '0'], async ({ url, ops }) => {
      expect((await fetch(`${ops}/v1/notes/a`)).status).toBe(404);
      expect((await fetch(`${url}/metrics`)).status).toBe(404);
      const posted = await fetch(`${ops}/ready`, { method: 'POST' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });

  it.each(['nine', '127.0.0.1', '127.0.0.1:99999', ':9090'])('refuses %s', async (place) => {
    expect(await tacet(['serve', file('notes.yaml', document), '--ops', place])).toMatchObject({
      code: 2,
      error: expect.stringContaining(`--ops ${place}: HOST:PORT is wanted, as 127.0.0.1:9090`),
    });
  });

  it('says so where the address is in use', async () => {
    await serving(['--ops', '0'], async ({ ops }) => {
      const place = new URL(ops).host;
      expect(
        await tacet(['serve', file('notes.yaml', document), '--port', '0', '--ops', place]),
      ).toMatchObject({
        code: 2,
        error: expect.stringContaining(`${place} is in use; name another with --ops`),
      });
    });
  });
});
