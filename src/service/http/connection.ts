import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request, the answer that it gets, and how that begins. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: (exchange: Exchange) => void;
  /** Whether it counts among those that are being answered. */
  isRunning: boolean;
  /** Whether its client waits to be told to send the content (RFC 9110 §10.1.1). */
  waits: boolean;
  /** Whether it came to the server of this listener. */
  readonly isOurs: boolean;
}

/** What came over a connection. */
interface Connection {
  /** In the order in which they came; the first is begun. */
  readonly unfinished: Exchange[];
  last: Exchange | null;
  isPaused: boolean;
}

export interface Connections {
  /** Begins an exchange once the one before it on its connection is answered, as unsafe requests have to (RFC 9112 §9.3.2). */
  readonly arrive: (exchange: Exchange) => void;
  /** The latest exchange of a connection, answered or not. */
  readonly last: (socket: Duplex) => Exchange | null;
  /** Answers leave in the order of their requests (RFC 9112 §9.3.2): this waits for those of whole requests. */
  readonly afterOthers: (socket: Duplex, then: () => void) => void;
}

/** How many requests of one connection may wait for their turn before no more are read. */
const pipelined = 16;

/** @param closed told of each exchange that is over, whether it was answered or not */
export function connections(server: Server, closed: (exchange: Exchange) => void): Connections {
  // A connection has one entry for as long as it lives: what is put there for each request costs the collector dear.
  const all = new WeakMap<Duplex, Connection>();
  const of = (socket: Duplex): Connection => {
    const known = all.get(socket);
    if (known) return known;
    const made: Connection = { unfinished: [], last: null, isPaused: false };
    all.set(socket, made);
    return made;
  };
  function over(this: ServerResponse): void {
    const { socket } = this.req;
    const connection = of(socket);
    const { unfinished } = connection;
    const index = unfinished.findIndex(({ response }) => response === this);
    const [exchange] = index === -1 ? [] : unfinished.splice(index, 1);
    if (exchange) closed(exchange);
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
    if (connection.isPaused && unfinished.length < pipelined) {
      connection.isPaused = false;
      socket.resume();
    }
    const next = unfinished[0];
    if (index === 0 && next && !socket.destroyed) next.begin(next);
  }
  return {
    arrive: (exchange) => {
      const { request, response } = exchange;
      const connection = of(request.socket);
      connection.last = exchange;
      response.on('close', over);
      if (connection.unfinished.push(exchange) === 1) exchange.begin(exchange);
      // Who does not wait for answers is made to wait, so that what he asks is not heaped up here.
      else if (connection.unfinished.length > pipelined) {
        connection.isPaused = true;
        request.socket.pause();
      }
    },
    last: (socket) => of(socket).last,
    afterOthers: (socket, then) => {
      const before = of(socket).unfinished.findLast(
        ({ request, response }) => request.complete && !response.writableFinished,
      );
      if (before) before.response.once('close', then);
      else then();
    },
  };
}
