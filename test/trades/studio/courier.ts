import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Account, Booking, Hook, Move, Store } from './store.ts';
import { shownInstant } from './time.ts';

interface Delivery {
  readonly hook: Hook;
  readonly id: string;
  readonly content: string;
  attempts: number;
  /** When the next attempt is due, in microseconds since 1970. */
  at: number;
}

const pauses = [10_000_000, 120_000_000];
const timeoutMs = 5_000;

/** Tells bands of the moves of their bookings, until they have heard. */
export class Courier {
  readonly #store: Store;
  #waiting: Delivery[] = [];
  readonly #busy = new Set<Hook>();

  constructor(store: Store) {
    this.#store = store;
    store.heard = (booking, by, actor, at) => this.#note(booking, by, actor, at);
  }

  #note(booking: Booking, by: Move, actor: Account | null, at: number): void {
    const owner = this.#store.broken('hook-actor') ? actor : booking.band;
    const id = randomUUID();
    const data = { booking: booking.id, status: booking.status, fee: booking.fee, by: `Booking.${by}` };
    const content = JSON.stringify({ id, kind: 'booking.moved', at: shownInstant(at), data });
    for (const hook of this.#store.hooks)
      if (hook.owner === owner) this.#waiting.push({ hook, id, content, attempts: 0, at });
  }

  get due(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ at }) => at));
  }

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** Begins each attempt that is due; one at a time for each receiver. */
  attend(): void {
    const due = this.#waiting.filter(({ at }) => at <= this.#store.now);
    for (const delivery of due.toSorted((a, b) => a.at - b.at))
      if (!this.#busy.has(delivery.hook)) void this.#attempt(delivery);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    this.#busy.add(delivery.hook);
    this.#waiting = this.#waiting.filter((other) => other !== delivery);
    const status = await this.#post(delivery);
    this.#busy.delete(delivery.hook);
    const isOver = this.#store.broken('retry-4xx') && status >= 400 && status < 500;
    const pause = pauses[delivery.attempts];
    if ((status >= 200 && status < 300) || pause === undefined || isOver) return;
    delivery.attempts += 1;
    delivery.at = this.#store.now + pause;
    this.#waiting.push(delivery);
  }

  /** The status of the receiver; 0 if it did not answer. */
  #post({ hook, id, content }: Delivery): Promise<number> {
    const time = Math.floor(this.#store.now / 1_000_000);
    const signed = this.#store.broken('signed-body') ? content : `${id}.${time}.${content}`;
    const key = Buffer.from(hook.secret.replace(/^whsec_/, ''), 'base64');
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(content),
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    };
    return new Promise((resolve) => {
      const outgoing = request(hook.url, { method: 'POST', headers, timeout: timeoutMs }, (incoming) => {
        incoming.on('error', () => resolve(0));
        incoming.resume();
        resolve(incoming.statusCode ?? 0);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', () => resolve(0));
      outgoing.end(content);
    });
  }
}
