import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../command.ts';
import type { Metrics } from './metrics.ts';

/** The address for operators: whether the service lives and is ready, and its metrics. */
export interface Operations {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** What is told there. */
export interface Told {
  /** Why the service does not answer; null: it does. */
  readonly dead: () => Promise<string | null>;
  /** Why it cannot answer requests by now; null: it can. */
  readonly unready: () => Promise<string | null>;
  readonly metrics: Pick<Metrics, 'contentType'> & { readonly text: () => Promise<string> };
}

/**
 * Listens on an address of its own: `/live` is 200 as long as each process answers, `/ready` is 200 while the service can
 * read what it keeps, both are 503 with the reason otherwise, and `/metrics` is for Prometheus.
 *
 * @param place `HOST:PORT`, or `PORT` on loopback; port 0 is one that is free
 * @throws UsageError if that is no address, or is in use
 */
export async function operationsAt(place: string, { dead, unready, metrics }: Told): Promise<Operations> {
  const { host, port } = placeOf(place);
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/live': async (response) => state(response, 'live', await dead()),
    '/ready': async (response) => state(response, 'ready', await unready()),
    '/metrics': async (response) => answer(response, 200, await metrics.text(), metrics.contentType),
  };
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const found = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (found === undefined) answer(response, 404, `there are ${Object.keys(answers).join(', ')}\n`);
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      answer(response, 405, '', undefined, 'GET, HEAD');
    else found(response).catch((error: unknown) => answer(response, 500, `${(error as Error).message}\n`));
  });
  await listen(server, host, port, place);
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function state(response: ServerResponse, name: string, against: string | null): void {
  answer(
    response,
    against === null ? 200 : 503,
    against === null ? `${name}\n` : `not ${name}: ${against}\n`,
  );
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
  allow?: string,
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...(allow !== undefined && { Allow: allow }),
  });
  response.end(text);
}

function placeOf(place: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = place] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(place) ?? [];
  if (!/^\d+$/.test(port) || Number(port) > 65535)
    throw new UsageError(`--ops ${place}: HOST:PORT is wanted, as 127.0.0.1:9090`);
  return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) };
}

function listen(server: Server, host: string, port: number, place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const why =
        code === 'EADDRINUSE' ? 'is in use; name another with --ops' : `cannot be listened on: ${message}`;
      reject(new UsageError(`${place} ${why}`));
    });
    server.listen(port, host, () => resolve());
  });
}
