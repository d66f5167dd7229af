import { alone, type Connect, type Connection, limit, line, streamOf } from './open.ts';

/** How many connections looks of one statement share. */
const mostShared = 4;

/** Connections on which many ask at once, each by itself. */
export interface Shared {
  /** Asks on the connection that has least to do; the server ends what takes longer than so many milliseconds. */
  readonly ask: <T>(timeMs: number | undefined, ask: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Connects now, rather than with the first question. */
  readonly connect: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Has what is sent to the server in one turn of the event loop go in one piece: each piece is a call of the system. */
export function gather(connection: Connection): void {
  const stream = streamOf(connection);
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** A further connection is made where each of the others has something to do. */
export function sharing(connectTo: Connect): Shared {
  const all = Array.from({ length: mostShared }, () => ({ line: line(() => connectTo('ask')), asked: 0 }));
  const least = () => all.reduce((one, other) => (other.asked < one.asked ? other : one));
  return {
    ask: async (timeMs, ask) => {
      const one = least();
      one.asked += 1;
      try {
        const connection = await one.line.get();
        gather(connection);
        limit(connection, timeMs);
        return await alone(connection, () => ask(connection));
      } finally {
        one.asked -= 1;
      }
    },
    connect: () => least().line.get(),
    close: async () => {
      await Promise.all(all.map((one) => one.line.close()));
    },
  };
}
