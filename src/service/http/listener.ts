import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { HostLimits } from '../message/host-limits.ts';
import {
  type Answer,
  Answering,
  type AnsweringAround,
  answerConnect,
  answerUnreadable,
  type Hears,
  type Unreadable,
} from './answering.ts';
import { connections, type Exchange } from './connection.ts';
import type { Forwarding } from './forward.ts';
import { createServer, secureServer } from './node.ts';
import { endSoon } from './send.ts';
import type { ParserError } from './unreadable.ts';

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
  hears: Hears,
  limits: HostLimits,
  { forwarding = null, pair = null }: Besides = {},
): Listener {
  const options = optionsOf(limits);
  const server = pair ? secureServer({ ...options, ...secured(pair, limits) }) : createServer(options);
  server.maxHeadersCount = 0;
  server.maxConnections = limits.concurrentConnections;
  server.on('drop', () => hears.limited('concurrentConnections'));
  // Node calls `destroySoon` after the last answer of a connection.
  server.on(pair ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.destroySoon = () => endSoon(socket);
  });
  return { server, take: answering({ server, answer, unreadable, hears, limits, forwarding }) };
}

/** Has the requests of a server answered; returns what answers those that came to another one. */
function answering(around: AnsweringAround): Listener['take'] {
  const { server } = around;
  const all = new Answering(around);
  const known = connections(server, (exchange) => all.done(exchange));
  const { arrive } = known;
  const handle = (exchange: Exchange): void => all.handle(exchange);
  const expectant = (exchange: Exchange): void => all.handleExpectant(exchange);
  const unexpected = (exchange: Exchange): void => all.refuseExpectation(exchange);
  const fresh = { isRunning: false, waits: false, isOurs: true };
  server.on('request', (request, response) => arrive({ ...fresh, request, response, begin: handle }));
  server.on('checkContinue', (request, response) =>
    arrive({ ...fresh, request, response, begin: expectant, waits: true }),
  );
  server.on('checkExpectation', (request, response) =>
    arrive({ ...fresh, request, response, begin: unexpected }),
  );
  server.on('connect', (request: IncomingMessage, socket: Duplex) =>
    answerConnect(around, known, request, socket),
  );
  server.on('clientError', (error: ParserError, socket: Duplex) =>
    answerUnreadable(around, known, error, socket),
  );
  return (request, response) => arrive({ ...fresh, request, response, begin: handle, isOurs: false });
}

function optionsOf(limits: HostLimits): ServerOptions & { readonly optimizeEmptyRequests: boolean } {
  return {
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
}

/** HTTP/1.1 is what there is by ALPN (RFC 7301): a client that wants another protocol alone is refused. */
function secured({ key, cert }: KeyPair, { headersTimeoutMs }: HostLimits): TlsOptions {
  return { key, cert, ALPNProtocols: ['http/1.1'], handshakeTimeout: headersTimeoutMs };
}
