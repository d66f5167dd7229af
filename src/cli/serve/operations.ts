import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../../service/service.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { UsageError } from '../command.ts';
import type { Metrics } from './metrics.ts';

/** The address for operators: whether the service lives and is ready, and its metrics. */
export interface Operations {
  readonly address: string;
  readonly hears: Metrics['hears'];
  /** To be called once the service has started. */
  readonly serves: (service: Service) => void;
  readonly close: () => Promise<void>;
}

/**
 * Listens on an address of its own: `/live` is 200 as long as the process answers, `/ready` is 200 while the service can
 * read what it keeps and 503 with the reason otherwise, and `/metrics` is for Prometheus.
 *
 * @param place `HOST:PORT`, or `PORT` on loopback; port 0 is one that is free
 * @throws UsageError if that is no address, or is in use
 */
export async function operationsAt(place: string, specification: Specification): Promise<Operations> {
  const { host, port } = placeOf(place);
  // Loaded only where it is asked for.
  const { metricsOf } = await import('./metrics.ts');
  const metrics = metricsOf(specification);
  let service: Service | null = null;
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/live': async (response) => answer(response, 200, 'live\n'),
    '/ready': async (response) => {
      const reason = service === null ? 'it starts' : await service.unready();
      answer(response, reason === null ? 200 : 503, reason === null ? 'ready\n' : `not ready: ${reason}\n`);
    },
    '/metrics': async (response) => answer(response, 200, await metrics.text(service), metrics.contentType),
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
    hears: metrics.hears,
    serves: (started) => {
      service = started;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
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
