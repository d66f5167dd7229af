import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Broken, Event, Person } from './records.ts';

export interface Hook {
  readonly id: number;
  readonly owner: string;
  readonly url: string;
  readonly kinds: readonly string[];
  readonly secret: string;
  status: 'active' | 'paused';
}

interface Delivery {
  readonly hook: Hook;
  readonly event: Event;
  attempts: number;
  /** When it is tried next, in milliseconds; null while it is tried. */
  dueMs: number | null;
}

const pausesMs = [10_000, 60_000];
const timeoutMs = 5_000;

/** Posts events to the hooks that want them, the first time in order, until they are accepted. */
export class Courier {
  readonly hooks = new Map<number, Hook>();
  readonly #broken: Broken;
  readonly #now: () => number;
  readonly #agent = new Agent();
  readonly #deliveries = new Set<Delivery>();
  #first = Promise.resolve();
  #made = 0;

  constructor(broken: Broken, now: () => number) {
    this.#broken = broken;
    this.#now = now;
  }

  add(given: Omit<Hook, 'id' | 'status'>): Hook {
    this.#made += 1;
    const hook: Hook = { ...given, id: this.#made, status: 'active' };
    this.hooks.set(hook.id, hook);
    return hook;
  }

  remove({ id }: Hook): void {
    this.hooks.delete(id);
  }

  tell(event: Event, people: ReadonlyMap<string, Person>): void {
    for (const hook of this.hooks.values()) {
      const isMeant = people.get(hook.owner)?.role === 'staff' || event.patient === hook.owner;
      const isHeard = isMeant || this.#broken('told-of-others');
      if (hook.status !== 'active' || !hook.kinds.includes(event.kind) || !isHeard) continue;
      const delivery = { hook, event, attempts: 0, dueMs: null };
      this.#deliveries.add(delivery);
      this.#first = this.#first.then(() => this.#attempt(delivery));
    }
  }

  /** Whether something is tried now, or has its turn. */
  get isBusy(): boolean {
    return [...this.#deliveries].some(({ dueMs }) => dueMs === null);
  }

  /** When something is tried next, in milliseconds; null if nothing is. */
  due(): number | null {
    const times = [...this.#deliveries].flatMap(({ dueMs }) => dueMs ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Tries again what is due. */
  settle(): void {
    for (const delivery of this.#deliveries)
      if (delivery.dueMs !== null && delivery.dueMs <= this.#now()) void this.#attempt(delivery);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    delivery.dueMs = null;
    const isThere = this.hooks.has(delivery.hook.id);
    if (!isThere || (await this.#post(delivery))) {
      this.#deliveries.delete(delivery);
      return;
    }
    const pause = pausesMs[delivery.attempts];
    delivery.attempts += 1;
    if (pause !== undefined) delivery.dueMs = this.#now() + pause;
    else {
      this.#deliveries.delete(delivery);
      delivery.hook.status = 'paused';
    }
  }

  /** Whether an event is accepted. */
  #post({ hook, event }: Delivery): Promise<boolean> {
    const { id, kind, at, data } = event;
    const content = JSON.stringify({ id, kind, at, data });
    const over = this.#broken('content-alone-signed') ? content : `${id}.${content}`;
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(content),
      'X-Clinic-Event': kind,
      'X-Clinic-Signature': `sha256=${createHmac('sha256', hook.secret).update(over).digest('hex')}`,
    };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const options = { agent: this.#agent, method: 'POST', headers, timeout: timeoutMs };
    const sent = request(hook.url, options, (response) => {
      response.resume();
      response.on('error', () => {});
      const { statusCode = 0 } = response;
      resolve(statusCode === 200 || statusCode === 204 || (this.#broken('any-2xx') && statusCode < 300));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(false));
    sent.end(content);
    return promise;
  }

  close(): void {
    this.#deliveries.clear();
    this.#agent.destroy();
  }
}
