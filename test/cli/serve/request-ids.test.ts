import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();
const document = file(
  'sums.yaml',
  `name: Sums
complete: true
resources:
  Sum: { identifier: id, fields: { id: { type: string }, by: { type: integer }, each: { derived: "\${1 / this.by}" } } }
endpoints:
  others: refuse
  PUT /sums/{id}: { operation: put, does: create Sum, request: { body: Sum }, response: 204 }
  GET /sums/{id}: { operation: get, does: read Sum, response: { status: 200, body: Sum } }
`,
);
const trace = '0af7651916cd43dd8448eb211c80319c';

it('tacet serve logs the ids of a request in its line, and behind a fault', async () => {
  const end = new AbortController();
  const started = Promise.withResolvers<string>();
  let [out, error] = ['', ''];
  const words = ['--port', '0', '--data', join(folder, 'data.sqlite'), '--log', 'json'];
  const ended = tacet(['serve', document, ...words, '--trusted-proxy', '127.0.0.1'], {
    ended: end.signal,
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
      const [, url] = /address +(\S+)/.exec(error) ?? [];
      if (url !== undefined) started.resolve(url);
    },
  });
  const address = await started.promise;
  error = '';
  const ask = (id: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${address}/sums/a`, {
      ...init,
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': id,
        traceparent: `00-${trace}-b7ad6b7169203331-01`,
      },
    });
  await ask('r1', { method: 'PUT', body: '{"by":0}' });
  for (const id of ['r2', 'r3']) await ask(id);
  end.abort();
  await ended;
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ request, trace: of, status }) => [request, of, status])).toEqual([
    ['r1', trace, 204],
    ['r2', trace, 500],
    ['r3', trace, 500],
  ]);
  // The same fault is told once, and then counted.
  expect(error).toMatch(new RegExp(`^internal: .*\\(request r2, trace ${trace}\\)\n$`));
});
