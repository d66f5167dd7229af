import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type Incoming, Unreceived } from '../incoming.ts';
import type { HostLimits } from '../parts/limits.ts';
import { bare, isStream, type Reply } from '../reply.ts';
import { floor, headProblem } from './floor.ts';

/** Answers a request; null: nobody knows what became of it, so the connection is closed without an answer. */
export type Answer = (incoming: Incoming) => Promise<Reply | null>;

/** What is answered where there is no request to speak of: what came is not HTTP. */
export type Unreadable = () => Reply;

/** A request and the answer that it gets. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How many requests of one connection may wait for their turn before no more are read. */
const pipelined = 16;

/** How long a connection that was refused stays open for its client to read why. */
const lingerMs = 1000;

/** A listener on `node:http` that adds nothing to an answer but what HTTP asks for. */
export function listener(
  answer: Answer,
  unreadable: Unreadable,
  fault: (error: unknown) => void,
  limits: HostLimits,
): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs, limits.requestTimeoutMs),
    requireHostHeader: false,
    joinDuplicateHeaders: false,
    noDelay: true,
  });
  server.maxHeadersCount = 0;
  let running = 0;
  const exchanges = new WeakMap<Duplex, Exchange[]>();
  const waiting = (socket: Duplex): Exchange[] =>
    (exchanges.get(socket) ?? []).filter(({ response }) => !response.writableFinished);
  /** Begins once the one before it on its connection is answered, as unsafe requests have to (RFC 9112 §9.3.2). */
  const inTurn = (exchange: Exchange, begin: () => void): void => {
    const { socket } = exchange.request;
    const unfinished = waiting(socket);
    exchanges.set(socket, [...unfinished, exchange]);
    exchange.response.on('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    const before = unfinished.at(-1);
    if (before) before.response.on('close', begin);
    else begin();
    // Who does not wait for answers is made to wait, so that what he asks is not heaped up here.
    if (unfinished.length < pipelined) return;
    socket.pause();
    exchange.response.on('close', () => {
      if (waiting(socket).length < pipelined) socket.resume();
    });
  };
  /** Cuts a connection: a reset, since to HTTP/1.0 a mere end would pass for the end of the answer. */
  const cut = ({ request: { socket } }: Exchange, error: unknown): void => {
    if (!(error instanceof Unreceived)) fault(error);
    socket.resetAndDestroy();
  };
  const finish = (exchange: Exchange, reply: Reply, close = false): void => {
    send(exchange, reply, close || !server.listening, limits.idleTimeoutMs).catch((error: unknown) =>
      cut(exchange, error),
    );
  };
  const handle = (exchange: Exchange, waits: boolean): void => {
    const { request, response } = exchange;
    if (request.socket.destroyed) return;
    const problem = headProblem(request, limits.headerCount);
    if (problem !== undefined) {
      finish(exchange, problem === floor.badRequest ? unreadable() : bare(problem), true);
      return;
    }
    if (running >= limits.concurrentRequests) {
      finish(exchange, bare(floor.unavailable));
      return;
    }
    running += 1;
    let counted = true;
    const done = (): void => {
      if (counted) running -= 1;
      counted = false;
    };
    response.on('close', done);
    answer(incomingOf(exchange, waits, limits.bodyBytes)).then(
      (reply) => {
        done();
        if (reply === null) request.socket.destroy();
        else finish(exchange, reply);
      },
      (error: unknown) => {
        done();
        cut(exchange, error);
      },
    );
  };
  server.on('request', (request, response) => {
    const exchange = { request, response };
    inTurn(exchange, () => handle(exchange, false));
  });
  server.on('checkContinue', (request, response) => {
    const exchange = { request, response };
    inTurn(exchange, () => handle(exchange, true));
  });
  server.on('checkExpectation', (request, response) => {
    const exchange = { request, response };
    inTurn(exchange, () => finish(exchange, bare(floor.expectationFailed)));
  });
  /** Answers leave in the order of their requests (RFC 9112 §9.3.2): this waits for those of whole requests. */
  const afterOthers = (socket: Duplex, then: () => void): void => {
    const before = waiting(socket).findLast(({ request }) => request.complete);
    if (before) before.response.once('close', then);
    else then();
  };
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const { method = '', url = '', headers } = request;
    const asked = { method, url, query: null, path: {}, headers, body: () => Promise.resolve(null) };
    answer(asked).then(
      (reply) => afterOthers(socket, () => refuse(socket, reply ?? bare(floor.unknownPath))),
      () => socket.destroy(),
    );
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const last = exchanges.get(socket)?.at(-1);
    const answered = last && !last.request.complete && last.response.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || answered) {
      socket.destroy();
      return;
    }
    afterOthers(socket, () => refuse(socket, problemOf(error, unreadable)));
  });
  return server;
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

function incomingOf({ request, response }: Exchange, waits: boolean, limit: number): Incoming {
  const { method = '', url = '', headers } = request;
  return {
    method,
    url,
    query: null,
    path: {},
    headers,
    body: () => {
      const length = headers['content-length'];
      if (length === undefined && headers['transfer-encoding'] === undefined) return Promise.resolve(null);
      if (length !== undefined && Number(length) > limit) return Promise.resolve('too large');
      if (waits) response.writeContinue();
      return readAll(request, limit);
    },
  };
}

/** Reads a body. What is past the limit is read too, and not kept: a client reads no answer while it sends. */
function readAll(request: IncomingMessage, limit: number): Promise<Buffer | 'too large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('too large');
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => reject(new Unreceived()));
    request.on('error', () => reject(new Unreceived()));
  });
}

/** Statuses that have no content and no length (RFC 9110 §8.6). */
const lengthless = new Set([204, 304]);

async function send(
  { request, response }: Exchange,
  { status, headers, body }: Reply,
  close: boolean,
  idleTimeoutMs: number,
): Promise<void> {
  if (response.destroyed) return;
  for (let i = 0; i < headers.length; i += 2)
    response.appendHeader(headers[i] as string, headers[i + 1] as string);
  if (isStream(body)) response.removeHeader('Content-Length');
  else if (!lengthless.has(status)) response.setHeader('Content-Length', Buffer.byteLength(body ?? ''));
  // HTTP/1.1 keeps a connection without saying so (RFC 9112 §9.3), HTTP/1.0 does not; closing is said (§9.6).
  if (close) response.setHeader('Connection', 'close');
  else if (response.shouldKeepAlive && request.httpVersion !== '1.0') response.removeHeader('Connection');
  else if (response.shouldKeepAlive && !isStream(body)) response.setHeader('Connection', 'keep-alive');
  response.writeHead(status);
  if (isStream(body) && request.method !== 'HEAD')
    for await (const chunk of body.chunks()) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response, idleTimeoutMs);
    }
  response.end(isStream(body) ? undefined : (body ?? undefined));
}

/** Waits for the client to read on; one that reads nothing for too long is cut, since its list is held for it. */
function drained(response: ServerResponse, idleTimeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unreceived()), idleTimeoutMs);
    const done = (): void => {
      clearTimeout(timer);
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
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(timer));
}
