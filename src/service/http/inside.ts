import { rmSync } from 'node:fs';
import type { HostLimits } from '../message/host-limits.ts';
import { type Arrived, single } from '../message/incoming.ts';
import type { Answer, Hears, Unreadable } from './answering.ts';
import { fromField } from './forward.ts';
import { listener } from './listener.ts';

/** What processes that read hand their requests to. */
export interface Inside {
  /** Takes no more once those processes have ended, or `stop` is aborted. */
  readonly close: (alone: Promise<void>, stop: AbortSignal) => Promise<void>;
}

/** Listens on a Unix socket for the requests that other processes of the service hand over. */
export async function inside(
  path: string,
  answer: Answer,
  unreadable: Unreadable,
  hears: Hears,
  limits: HostLimits,
): Promise<Inside> {
  const wider = {
    ...limits,
    headerCount: limits.headerCount + added,
    headerBytes: limits.headerBytes + 1024,
  };
  const { server } = listener((arrived) => answer(asItCame(arrived)), unreadable, hears, wider);
  // Who sends keeps its connections as long as it lives.
  server.keepAliveTimeout = 0;
  // A process that was killed has left its socket.
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, exclusive: true }, resolve);
  });
  return {
    close: async (alone, stop) => {
      const stopped = new Promise<void>((resolve) => {
        if (stop.aborted) resolve();
        stop.addEventListener('abort', () => resolve());
      });
      await Promise.race([alone, stopped]);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if (stop.aborted) server.closeAllConnections();
      stop.addEventListener('abort', () => server.closeAllConnections());
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** How many header fields a request has more than when it came. */
const added = 2;

function asItCame(arrived: Arrived): Arrived {
  const { [fromField]: from, ...headers } = arrived.headers;
  const socket = arrived.from;
  return {
    ...arrived,
    headers,
    from: {
      remoteAddress: single(from),
      get destroyed() {
        return socket.destroyed === true;
      },
    },
  };
}
