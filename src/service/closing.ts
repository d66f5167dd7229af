import type { Server } from 'node:http';
import type { PasswordQueue } from './access/password-queue.ts';
import type { Delivering } from './events/events.ts';
import type { Worker } from './handlers/worker.ts';
import type { Forwarding } from './http/forward.ts';
import type { Inside } from './http/inside.ts';
import type { Mounted } from './http/mounted.ts';
import type { Store } from './store/store.ts';

/** How long what is under way may go on once a service is to end, in milliseconds. */
export const usualGraceMs = 10_000;

/** What runs in a service. */
interface Running {
  readonly server: Server;
  readonly end: Mounted['end'];
  readonly store: Store;
  readonly worker: Worker | null;
  readonly passwords: PasswordQueue;
  readonly delivering: Pick<Delivering, 'close'> | null;
  /** What other processes hand their requests to; null: there are none. */
  readonly inside: Inside | null;
  /** What hands requests to another process; null: they are all answered here. */
  readonly forwarding: Forwarding | null;
}

/**
 * Ends a service: nothing new begins, and what is under way goes on until it is done, or the grace period is over. Then
 * connections are cut, and deliveries and functions of the operator's are left: the next start takes them up again.
 *
 * @param alone resolved once no other process hands requests to this one any more
 */
export async function close(
  { server, end, store, worker, passwords, delivering, inside, forwarding }: Running,
  graceMs: number,
  alone: Promise<void> = Promise.resolve(),
): Promise<void> {
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort();
    server.closeAllConnections();
  }, graceMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const ended = [
    closed,
    end(stop.signal),
    delivering?.close(stop.signal),
    worker?.stop(stop.signal),
    inside?.close(alone, stop.signal),
  ];
  try {
    await Promise.all(ended);
  } finally {
    clearTimeout(timer);
    forwarding?.close();
    await passwords.close();
    await store.close();
  }
}
