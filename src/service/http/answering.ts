import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { elsewhere } from '../message/elsewhere.ts';
import type { HostLimitName, HostLimits } from '../message/host-limits.ts';
import { type Arrived, Unreceived } from '../message/incoming.ts';
import { bare, busy, type Reply } from '../message/reply.ts';
import type { Connections, Exchange } from './connection.ts';
import { contentOf, hasContent, nothing } from './content.ts';
import { floor, headProblem } from './floor.ts';
import type { Forwarding } from './forward.ts';
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

export interface AnsweringAround {
  readonly server: Server;
  readonly answer: Answer;
  readonly unreadable: Unreadable;
  readonly hears: Hears;
  readonly limits: HostLimits;
  /** Hands on what another process answers; null: there is none. */
  readonly forwarding: Forwarding | null;
}

/** Answers the exchanges of a server, as many at once as the host admits. */
export class Answering {
  readonly #around: AnsweringAround;
  #running = 0;

  constructor(around: AnsweringAround) {
    this.#around = around;
  }

  /** Answers a request whose header fields are there. */
  handle(exchange: Exchange): void {
    const { request } = exchange;
    const { answer, limits } = this.#around;
    if (this.#isRefused(exchange)) return;
    this.#running += 1;
    exchange.isRunning = true;
    try {
      const { method = '', url = '', headers } = request;
      const content = contentOf(request, () => this.#goOn(exchange), limits.bodyBytes);
      const reply = answer({ method, url, from: request.socket, headers, content });
      if (!(reply instanceof Promise)) this.#settle(exchange, reply);
      else
        reply.then(
          (found) => this.#settle(exchange, found),
          (error: unknown) => this.#fail(exchange, error),
        );
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** Answers a request whose client waits to be told to send the content. */
  handleExpectant(exchange: Exchange): void {
    // A request without content is whole: its connection goes on (RFC 9110 §10.1.1).
    if (!hasContent(exchange.request)) this.#goOn(exchange);
    this.handle(exchange);
  }

  /** Refuses an expectation that is none of HTTP's. */
  refuseExpectation(exchange: Exchange): void {
    this.#finish(exchange, bare(floor.expectationFailed));
  }

  /** Notes that an exchange is over, whether it was answered or not. */
  done(exchange: Exchange): void {
    if (exchange.isRunning) this.#running -= 1;
    exchange.isRunning = false;
  }

  /** Refuses what no answer is asked for: its header fields break HTTP, or too many requests are being answered. */
  #isRefused(exchange: Exchange): boolean {
    const { limits, unreadable, hears } = this.#around;
    const problem = headProblem(exchange.request, limits.headerCount);
    if (problem !== undefined) {
      if (problem === floor.headerTooLarge) hears.limited('headerCount');
      this.#finish(exchange, problem === floor.badRequest ? unreadable() : bare(problem), true);
      return true;
    }
    if (this.#running < limits.concurrentRequests) return false;
    hears.limited('concurrentRequests');
    this.#finish(exchange, busy('concurrentRequests'));
    return true;
  }

  #settle(exchange: Exchange, reply: Reply | null): void {
    this.done(exchange);
    if (reply === null) exchange.request.socket.destroy();
    else this.#finish(exchange, reply);
  }

  #finish(exchange: Exchange, reply: Reply, close = false): void {
    const closes = close || this.#isLast(exchange);
    const sending = send(exchange.response, reply, closes, this.#around.limits.idleTimeoutMs);
    sending?.catch((error: unknown) => this.#cut(exchange, error));
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { forwarding } = this.#around;
    if (error === elsewhere && forwarding !== null) {
      forwarding.forward(exchange, {
        goOn: () => this.#goOn(exchange),
        isLast: () => this.#isLast(exchange),
        settle: (reply) => this.#settle(exchange, reply),
      });
      return;
    }
    this.done(exchange);
    this.#cut(exchange, error);
  }

  /** Cuts a connection: a reset, since to HTTP/1.0 a mere end would pass for the end of the answer. */
  #cut({ request: { socket } }: Exchange, error: unknown): void {
    if (!(error instanceof Unreceived)) this.#around.hears.fault(error);
    reset(socket);
  }

  // Content that was not called for may come all the same: Node closes the connection, and that is said.
  #isLast({ waits, isOurs }: Exchange): boolean {
    return waits || (isOurs && !this.#around.server.listening);
  }

  #goOn(exchange: Exchange): void {
    if (!exchange.waits) return;
    exchange.waits = false;
    exchange.response.writeContinue();
  }
}

/** Answers CONNECT, for which Node has no response. */
export async function answerConnect(
  { answer }: Pick<AnsweringAround, 'answer'>,
  { afterOthers }: Connections,
  request: IncomingMessage,
  socket: Duplex,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  try {
    const reply = await answer({ method, url, from: request.socket, headers, content: nothing });
    afterOthers(socket, () => sendAlone(socket, reply ?? bare(floor.unknownPath)));
  } catch {
    socket.destroy();
  }
}

/** Answers what Node's parser cannot read, where it can still be answered. */
export function answerUnreadable(
  { unreadable, hears }: Pick<AnsweringAround, 'unreadable' | 'hears'>,
  { last, afterOthers }: Connections,
  error: ParserError,
  socket: Duplex,
): void {
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
  if (limit) hears.limited(limit);
  const isPerhapsHead = mayBeHead(error, latest?.request);
  afterOthers(socket, () => {
    // A request has one answer. The content may have been found unreadable while that is being sent.
    if (broken?.response.writableEnded) endSoon(socket);
    else if (broken?.response.headersSent) reset(broken.request.socket);
    else sendAlone(socket, problemOf(error, unreadable), isPerhapsHead);
  });
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
