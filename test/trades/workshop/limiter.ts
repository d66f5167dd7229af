import type { Response } from 'express';
import { Refused } from './request.ts';

const most = 6;
const minuteMs = 60_000;

/** Counts the requests of each account in windows of a minute. */
export class Limiter {
  readonly #windows = new Map<string, { readonly endsMs: number; count: number }>();

  count(account: string, nowMs: number, response: Response): void {
    let window = this.#windows.get(account);
    if (window === undefined || window.endsMs <= nowMs) {
      window = { endsMs: nowMs + minuteMs, count: 0 };
      this.#windows.set(account, window);
    }
    const isOver = window.count >= most;
    if (!isOver) window.count += 1;
    response.setHeader('X-Rate-Left', String(most - window.count));
    if (!isOver) return;
    response.setHeader('Retry-After', String(Math.ceil((window.endsMs - nowMs) / 1000)));
    throw new Refused('too-many-jobs');
  }
}
