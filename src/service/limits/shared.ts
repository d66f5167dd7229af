import { createHash } from 'node:crypto';
import type { Rate } from './window.ts';

/** How long a place among those that run at once is kept for a process that is not heard of, in milliseconds. */
export const leaseMs = 15_000;

/**
 * The name under which processes count together: short, whatever it is made of, and telling nobody who asked. What is
 * counted otherwise, as in another version of the document, has another.
 */
export function windowName({ name, window, allow, everyMs }: Rate, whose: string): string {
  return digest([name, window, allow, everyMs, whose]);
}

export function placeName(name: string, whose: string): string {
  return digest([name, whose]);
}

function digest(of: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url');
}

/** Renews what is held again and again, until that is over. */
export function renewed(renew: () => Promise<unknown>, over: () => Promise<unknown>): () => void {
  // What cannot be told ends by itself, with its lease.
  const ignore = (): void => {};
  const timer = setInterval(() => void renew().catch(ignore), leaseMs / 3);
  timer.unref();
  return () => {
    clearInterval(timer);
    over().catch(ignore);
  };
}
