import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tacet, temporaryFolder } from '../terminal.ts';

const { path: folder, file } = temporaryFolder();
const program = fileURLToPath(new URL('../../../bin/tacet.js', import.meta.url));
const document = file(
  'sums.yaml',
  `name: Sums
complete: true
resources:
  Sum: { identifier: id, fields: { id: { type: string }, by: { type: integer }, each: { derived: "\${1 / this.by}" } }, required: [by] }
endpoints:
  others: refuse
  base: /v1
  PUT /sums/{id}: { operation: put, does: create Sum, request: { body: Sum }, response: 204 }
  GET /sums/{id}: { operation: get, does: read Sum, response: { status: 200, body: Sum } }
errors:
  codes:
    unknown: { when: unknown, status: 404 }
`,
);
const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Log {
  readonly severityNumber: number;
  readonly body: Value;
  readonly attributes: readonly Attribute[];
  readonly traceId?: string;
  readonly spanId?: string;
}

interface Collected {
  readonly url: string;
  readonly spans: Span[];
  readonly logs: Log[];
  readonly resources: (readonly Attribute[])[];
}

/** A collector on loopback, which takes OTLP as JSON. */
async function collector(): Promise<Collected> {
  const collected = { spans: [] as Span[], logs: [] as Log[], resources: [] as (readonly Attribute[])[] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { resourceSpans = [], resourceLogs = [] } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { resource, scopeSpans } of resourceSpans) {
      collected.resources.push(resource.attributes);
      for (const { spans } of scopeSpans) collected.spans.push(...spans);
    }
    for (const { scopeLogs } of resourceLogs)
      for (const { logRecords } of scopeLogs) collected.logs.push(...logRecords);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, ...collected };
}

/** Serves while the function runs; gives what was printed. */
async function serving(
  words: readonly string[],
  use: (address: string) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ out: string; error: string }> {
  const end = new AbortController();
  const started = Promise.withResolvers<string>();
  let [out, error] = ['', ''];
  const look = (): void => {
    const [, address] = /address +(\S+)/.exec(out + error) ?? [];
    if (address !== undefined) started.resolve(address);
  };
  const ended = tacet(['serve', document, '--port', '0', '--data', join(folder, 'data.sqlite'), ...words], {
    ended: end.signal,
    environment,
    out: (text) => {
      out += text;
      look();
    },
    error: (text) => {
      error += text;
      look();
    },
  });
  void ended.then((printed) => started.reject(new Error(printed.error + error)));
  try {
    await use(await started.promise);
  } finally {
    end.abort();
    await ended;
  }
  return { out, error };
}

const attributes = (all: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(all.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const headers = {
  'Content-Type': 'application/json',
  'X-Request-Id': 'r1',
  traceparent: `00-${traceId}-${spanId}-01`,
};

describe('tacet serve --otlp', () => {
  it('sends a span for each request, by the conventions for HTTP', async () => {
    const { url, spans, resources } = await collector();
    await serving(['--otlp', url], async (address) => {
      await fetch(`${address}/v1/sums/a`, { method: 'PUT', headers, body: '{"by":1}' });
      await fetch(`${address}/v1/sums/of-nobody?secret=1`, { headers });
      await fetch(`${address}/elsewhere`, { method: 'PROPFIND' });
    });
    const common = { 'url.scheme': 'http' };
    expect(spans.map(({ name, kind, attributes: all }) => [name, kind, attributes(all)])).toEqual([
      [
        'PUT /v1/sums/{id}',
        2,
        {
          ...common,
          'http.request.method': 'PUT',
          'http.route': '/v1/sums/{id}',
          'url.path': '/v1/sums/a',
          'http.response.status_code': 204,
          operation: 'put',
        },
      ],
      [
        'GET /v1/sums/{id}',
        2,
        {
          ...common,
          'http.request.method': 'GET',
          'http.route': '/v1/sums/{id}',
          'url.path': '/v1/sums/of-nobody',
          'http.response.status_code': 404,
          operation: 'get',
          condition: 'unknown',
        },
      ],
      [
        'HTTP',
        2,
        {
          ...common,
          'http.request.method': '_OTHER',
          'url.path': '/elsewhere',
          'http.response.status_code': 404,
          condition: 'unknown path',
        },
      ],
    ]);
    for (const { startTimeUnixNano, endTimeUnixNano, parentSpanId, traceId: own } of spans) {
      expect(BigInt(endTimeUnixNano) > BigInt(startTimeUnixNano)).toBe(true);
      // Nobody whom the operator trusts has begun a trace.
      expect([parentSpanId, own === traceId]).toEqual([undefined, false]);
    }
    expect(new Set(spans.map((one) => one.traceId)).size).toBe(3);
    expect(attributes(resources[0] ?? [])).toMatchObject({ 'service.name': 'Sums' });
  });

  it('goes on with the trace of a trusted proxy, and logs faults and requests in it', async () => {
    const { url, spans, logs } = await collector();
    const { out } = await serving(
      ['--otlp', url, '--log', 'json', '--trusted-proxy', '127.0.0.1'],
      async (address) => {
        await fetch(`${address}/v1/sums/b`, { method: 'PUT', headers, body: '{"by":0}' });
        await fetch(`${address}/v1/sums/b`, { headers });
      },
    );
    expect(spans.map((one) => [one.traceId, one.parentSpanId, one.status.code])).toEqual([
      [traceId, spanId, 0],
      [traceId, spanId, 2],
    ]);
    expect(attributes(spans[1]?.attributes ?? [])).toMatchObject({ 'error.type': '500' });
    const failed = spans[1]?.spanId;
    expect(logs.map((one) => [one.severityNumber, one.body.stringValue, one.traceId, one.spanId])).toEqual([
      [9, '204 PUT /v1/sums/{id}', traceId, spans[0]?.spanId],
      [17, expect.stringContaining('internal: '), traceId, failed],
      [17, '500 GET /v1/sums/{id}', traceId, failed],
    ]);
    for (const { attributes: all } of logs) expect(attributes(all)).toMatchObject({ 'request.id': 'r1' });
    expect(out.match(new RegExp(`"request":"r1","trace":"${traceId}"`, 'g'))).toHaveLength(2);
  });

  it('is asked for by the variable of OpenTelemetry, too, and the line of a request has its trace', async () => {
    const { url, spans } = await collector();
    const { out } = await serving(
      ['--log', 'json'],
      async (address) => void (await fetch(`${address}/elsewhere`)),
      { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    );
    expect(spans).toHaveLength(1);
    expect(out).toContain(`"trace":"${spans[0]?.traceId}"`);
  });

  it('is left out where OpenTelemetry is disabled', async () => {
    const { url, spans } = await collector();
    await serving([], async (address) => void (await fetch(`${address}/elsewhere`)), {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_SDK_DISABLED: 'true',
    });
    expect(spans).toEqual([]);
  });

  it('says so if the collector takes nothing, and serves on', async () => {
    const refusing = createServer((request, response) => {
      request.resume();
      response.writeHead(400).end();
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void refusing.close());
    const { port } = refusing.address() as { port: number };
    const { error } = await serving(['--otlp', `http://127.0.0.1:${port}`], async (address) => {
      expect((await fetch(`${address}/elsewhere`)).status).toBe(404);
    });
    expect(error).toBe('OpenTelemetry: Bad Request\n');
  });

  it.each(['localhost:4318', 'ftp://a', '4318'])('refuses %s', async (place) => {
    expect(await tacet(['serve', document, '--otlp', place])).toMatchObject({
      code: 2,
      error: expect.stringContaining(
        `${place} is no address of a collector: --otlp http://HOST:4318 is wanted`,
      ),
    });
  });

  it.each([
    ['none of the SDK', [], 0],
    ['the SDK', ['--otlp', 'http://127.0.0.1:9'], 1],
  ])('loads %s with %j', async (_, words, least) => {
    const list = file('loaded', '');
    const hook = file(
      'hook.mjs',
      `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });
`,
    );
    const data = join(folder, 'loaded.sqlite');
    const child = spawn(
      process.execPath,
      ['--import', hook, program, 'serve', document, '--port', '0', '--data', data, ...words],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    const loaded = readFileSync(list, 'utf8').split('\n');
    expect(loaded.some((url) => url.endsWith('src/service/service.ts'))).toBe(true);
    const ofSdk = loaded.filter((url) => url.includes('@opentelemetry'));
    expect(Math.min(ofSdk.length, 1)).toBe(least);
  });
});
