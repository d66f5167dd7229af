import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Incoming } from '../incoming.ts';
import type { HostLimits } from '../parts/limits.ts';
import { bare, isStream, type Reply } from '../reply.ts';
import { floor, headProblem } from './floor.ts';

/** Answers a request; null: nobody knows what became of it, so the connection is closed without an answer. */
export type Answer = (incoming: Incoming) => Promise<Reply | null>;

/** What is answered where there is no request to speak of: what came is not HTTP. */
export type Unreadable = () => Reply;

/** The body is larger than the host takes. */
export class BodyTooLarge extends Error {}

/** The client went away before its body was whole. */
export class BodyCut extends Error {}

/** A listener on `node:http` that adds nothing to an answer but what HTTP asks for. */
export function listener(answer: Answer, unreadable: Unreadable, limits: HostLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
    joinDuplicateHeaders: false,
    noDelay: true,
  });
  server.maxHeadersCount = 0;
  let running = 0;
  const handle = (request: IncomingMessage, response: ServerResponse, waits: boolean): void => {
    const problem = hostProblem(request) ?? headProblem(request, limits.headerCount);
    if (problem !== undefined) {
      send(
        request,
        response,
        problem === floor.oneHost ? { ...unreadable(), close: true } : { ...bare(problem), close: true },
      );
      return;
    }
    if (running >= limits.concurrentRequests) {
      send(request, response, bare(floor.unavailable));
      return;
    }
    running += 1;
    let counted = true;
    const done = (): void => {
      if (counted) running -= 1;
      counted = false;
    };
    response.on('close', done);
    answer(incomingOf(request, response, waits, limits.bodyBytes)).then(
      (reply) => {
        done();
        if (reply === null) request.socket.destroy();
        else send(request, response, reply);
      },
      (error: unknown) => {
        done();
        if (error instanceof BodyTooLarge)
          send(request, response, { ...bare(floor.contentTooLarge), close: true });
        else if (!(error instanceof BodyCut)) request.socket.destroy();
      },
    );
  };
  server.on('request', (request, response) => handle(request, response, false));
  server.on('checkContinue', (request, response) => handle(request, response, true));
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    refuse(socket, bare(floor.unknownPath)),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket, problemOf(error, unreadable));
  });
  return server;
}

/** RFC 9112 §3.2: HTTP/1.1 wants one Host; Node would answer its absence with a body-less 400 of its own. */
function hostProblem(request: IncomingMessage): number | undefined {
  return request.httpVersion !== '1.0' && request.headers.host === undefined ? floor.oneHost : undefined;
}

function problemOf(error: NodeJS.ErrnoException, unreadable: Unreadable): Reply {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return bare(floor.headerTooLarge);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return bare(floor.contentTooLarge);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return bare(floor.timeout);
    default:
      return unreadable();
  }
}

function incomingOf(
  request: IncomingMessage,
  response: ServerResponse,
  waits: boolean,
  limit: number,
): Incoming {
  const url = request.url ?? '';
  return {
    method: request.method ?? '',
    url,
    query: null,
    path: {},
    headers: request.headers,
    body: () => {
      const { headers } = request;
      const length = headers['content-length'];
      if (length === undefined && headers['transfer-encoding'] === undefined) return Promise.resolve(null);
      if (length !== undefined && Number(length) > limit) return Promise.reject(new BodyTooLarge());
      if (waits) response.writeContinue();
      return readAll(request, limit);
    },
  };
}

function readAll(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        request.pause();
        reject(new BodyTooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)),
    );
    request.on('close', () => reject(new BodyCut()));
    request.on('error', () => reject(new BodyCut()));
  });
}

/** Statuses that have no content and no length (RFC 9110 §8.6). */
const lengthless = new Set([204, 304]);

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  const { status, body } = reply;
  const headers = [...reply.headers];
  response.sendDate = true;
  // Persistence is HTTP/1.1's default (RFC 9112 §9.3) and needs no field; closing does (§9.6).
  if (reply.close) response.setHeader('Connection', 'close');
  else if (response.shouldKeepAlive && request.httpVersion !== '1.0') response.removeHeader('Connection');
  for (const [name, values] of together(headers)) response.setHeader(name, values);
  if (isStream(body)) {
    response.writeHead(status);
    void stream(request, response, body.chunks());
    return;
  }
  if (!lengthless.has(status))
    response.setHeader('Content-Length', body === null ? 0 : Buffer.byteLength(body));
  response.writeHead(status);
  response.end(body ?? undefined);
}

/** Values of one field that stands several times stay apart, in order. */
function together(flat: readonly string[]): Map<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  for (let i = 0; i < flat.length; i += 2) {
    const [name, value] = [flat[i] as string, flat[i + 1] as string];
    const before = found.get(name);
    found.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  return found;
}

async function stream(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: AsyncIterable<string>,
): Promise<void> {
  try {
    if (request.method === 'HEAD') return void response.end();
    for await (const chunk of chunks) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    request.socket.destroy();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Answers on a connection that has no request, and closes it. */
function refuse(socket: Duplex, reply: Reply): void {
  const body = typeof reply.body === 'string' ? reply.body : '';
  const lines = [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
  ];
  for (let i = 0; i < reply.headers.length; i += 2)
    lines.push(`${reply.headers[i]}: ${reply.headers[i + 1]}`);
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body);
  socket.end(lines.join('\r\n'));
}
