import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { elsewhere } from '../message/elsewhere.ts';
import type { HostLimitName, HostLimits } from '../message/host-limits.ts';
import { type Arrived, Unreceived } from '../message/incoming.ts';
import { bare, busy, type Reply } from '../message/reply.ts';
import { connections, type Exchange } from './connection.ts';
import { contentOf, hasContent, nothing } from './content.ts';
import { floor, headProblem } from './floor.ts';
import type { Forwarding } from './forward.ts';
import { createServer, secureServer } from './node.ts';
import { endSoon, reset, send, sendAlone } from './send.ts';
import { mayBeHead, type ParserError } from './unreadable.ts';

/** Answers a request; null: nobody knows what became of it, so the connection is closed without an answer. */
export type Answer = (arrived: Arrived) => Reply | null | Promise<Reply | null>;

/** What is answered where there is no request to speak of: what came is not HTTP. */
export type Unreadable = () => Reply;

/** Who hears of what goes wrong beside the answers. */
export interface Hears {
  readonly fault: (error: unknown) => void;
  /** A host limit refuses what came. */
  readonly limited: (limit: HostLimitName) => void;
}

/** What takes requests of `node:http`. */
export interface Listener {
  readonly server: Server;
  /** Answers a request that came to another server. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A private key and its certificate, with those that vouch for it behind: as PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

interface Besides {
  /** Hands on what another process answers. */
  readonly forwarding?: Forwarding | null;
  /** For TLS. Default: none. */
  readonly pair?: KeyPair | null;
}

/**
 * A listener on `node:http` that adds nothing to an answer but what HTTP asks for.
 */
export function listener(
  answer: Answer,
  unreadable: Unreadable,
  { fault, limited }: Hears,
  limits: HostLimits,
  { forwarding = null, pair = null }: Besides = {},
): Listener {
  const options: ServerOptions & { readonly optimizeEmptyRequests: boolean } = {
    maxHeaderSize: limits.headerBytes,
    // Node takes no longer time for the header fields than for the whole request.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs, limits.requestTimeoutMs),
    requireHostHeader: false,
    joinDuplicateHeaders: false,
    noDelay: true,
    // A request without content is no stream then: a third of the work that Node has with it. Node 22 does not know it.
    optimizeEmptyRequests: true,
  };
  const server = pair ? secureServer({ ...options, ...secured(pair, limits) }) : createServer(options);
  server.maxHeadersCount = 0;
  server.maxConnections = limits.concurrentConnections;
  server.on('drop', () => limited('concurrentConnections'));
  let running = 0;
  const done = (exchange: Exchange): void => {
    if (exchange.isRunning) running -= 1;
    exchange.isRunning = false;
  };
  const { arrive, last, afterOthers } = connections(server, done);
  /** Cuts a connection: a reset, since to HTTP/1.0 a mere end would pass for the end of the answer. */
  const cut = ({ request: { socket } }: Exchange, error: unknown): void => {
    if (!(error instanceof Unreceived)) fault(error);
    reset(socket);
  };
  // Content that was not called for may come all the same: Node closes the connection, and that is said.
  const isLast = ({ waits, isOurs }: Exchange): boolean => waits || (isOurs && !server.listening);
  const finish = (exchange: Exchange, reply: Reply, close = false): void => {
    const closes = close || isLast(exchange);
    const sending = send(exchange.response, reply, closes, limits.idleTimeoutMs);
    sending?.catch((error: unknown) => cut(exchange, error));
  };
  const settle = (exchange: Exchange, reply: Reply | null): void => {
    done(exchange);
    if (reply === null) exchange.request.socket.destroy();
    else finish(exchange, reply);
  };
  const fail = (exchange: Exchange, error: unknown): void => {
    if (error === elsewhere && forwarding !== null) {
      forwarding.forward(exchange, {
        goOn: () => goOn(exchange),
        isLast: () => isLast(exchange),
        settle: (reply) => settle(exchange, reply),
      });
      return;
    }
    done(exchange);
    cut(exchange, error);
  };
  const goOn = (exchange: Exchange): void => {
    if (!exchange.waits) return;
    exchange.waits = false;
    exchange.response.writeContinue();
  };
  const handle = (exchange: Exchange): void => {
    const { request } = exchange;
    const problem = headProblem(request, limits.headerCount);
    if (problem !== undefined) {
      if (problem === floor.headerTooLarge) limited('headerCount');
      finish(exchange, problem === floor.badRequest ? unreadable() : bare(problem), true);
      return;
    }
    if (running >= limits.concurrentRequests) {
      limited('concurrentRequests');
      finish(exchange, busy('concurrentRequests'));
      return;
    }
    running += 1;
    exchange.isRunning = true;
    try {
      const { method = '', url = '', headers } = request;
      const content = contentOf(request, () => goOn(exchange), limits.bodyBytes);
      const reply = answer({ method, url, from: request.socket, headers, content });
      if (!(reply instanceof Promise)) settle(exchange, reply);
      else
        reply.then(
          (found) => settle(exchange, found),
          (error: unknown) => fail(exchange, error),
        );
    } catch (error) {
      fail(exchange, error);
    }
  };
  const expectant = (exchange: Exchange): void => {
    // A request without content is whole: its connection goes on (RFC 9110 §10.1.1).
    if (!hasContent(exchange.request)) goOn(exchange);
    handle(exchange);
  };
  const unexpected = (exchange: Exchange): void => finish(exchange, bare(floor.expectationFailed));
  // Node calls `destroySoon` after the last answer of a connection.
  server.on(pair ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.destroySoon = () => endSoon(socket);
  });
  const fresh = { isRunning: false, waits: false, isOurs: true };
  server.on('request', (request, response) => arrive({ ...fresh, request, response, begin: handle }));
  server.on('checkContinue', (request, response) =>
    arrive({ ...fresh, request, response, begin: expectant, waits: true }),
  );
  server.on('checkExpectation', (request, response) =>
    arrive({ ...fresh, request, response, begin: unexpected }),
  );
  server.on('connect', async (request: IncomingMessage, socket: Duplex) => {
    const { method = '', url = '', headers } = request;
    try {
      const reply = await answer({ method, url, from: request.socket, headers, content: nothing });
      afterOthers(socket, () => sendAlone(socket, reply ?? bare(floor.unknownPath)));
    } catch {
      socket.destroy();
    }
  });
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const latest = last(socket);
    /** The request whose content cannot be read. */
    const broken = latest?.request.complete === false ? latest : null;
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // What comes after the last answer is dropped.
    if (!socket.writable) return;
    if (broken?.response.writableEnded) {
      endSoon(socket);
      return;
    }
    const limit = limitOf(error, broken !== null);
    if (limit) limited(limit);
    const isPerhapsHead = mayBeHead(error, latest?.request);
    afterOthers(socket, () => {
      // A request has one answer. The content may have been found unreadable while that is being sent.
      if (broken?.response.writableEnded) endSoon(socket);
      else if (broken?.response.headersSent) reset(broken.request.socket);
      else sendAlone(socket, problemOf(error, unreadable), isPerhapsHead);
    });
  });
  const take = (request: IncomingMessage, response: ServerResponse): void =>
    arrive({ ...fresh, request, response, begin: handle, isOurs: false });
  return { server, take };
}

/** HTTP/1.1 is what there is by ALPN (RFC 7301): a client that wants another protocol alone is refused. */
function secured({ key, cert }: KeyPair, { headersTimeoutMs }: HostLimits): TlsOptions {
  return { key, cert, ALPNProtocols: ['http/1.1'], handshakeTimeout: headersTimeoutMs };
}

/**
 * The host limit that Node's parser met; undefined: none.
 *
 * @param isBegun whether the header fields of the request are there
 */
function limitOf({ code }: NodeJS.ErrnoException, isBegun: boolean): HostLimitName | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headerBytes';
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return undefined;
  return isBegun ? 'requestTimeoutMs' : 'headersTimeoutMs';
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
