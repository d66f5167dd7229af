import { createHmac } from 'node:crypto';
import type { Event, Hook, Registry } from './registry.ts';

/** An event on its way to a hook. */
interface Delivery {
  readonly hook: string;
  /** Where the hook was when the event happened. */
  readonly url: string;
  readonly event: Event;
  readonly at: number;
  tries: number;
  /** When the next attempt is made, in milliseconds since 1970. */
  due: number;
}

const pausesMs = [60_000, 600_000];
const timeoutMs = 10_000;
const success = [200, 202, 204];

/** Posts events to hooks. Each hook has one attempt at a time, and first attempts go in the order of the events. */
export class Courier {
  readonly #registry: Registry;
  readonly #source: () => string;
  readonly #stop = new AbortController();
  readonly #busy = new Set<string>();
  #waiting: Delivery[] = [];

  constructor(registry: Registry, source: () => string) {
    this.#registry = registry;
    this.#source = source;
    registry.listener = (event) => this.#take(event);
  }

  close(): void {
    this.#waiting = [];
    this.#stop.abort();
  }

  #take(event: Event): void {
    const { hooks, broken } = this.#registry;
    const now = this.#registry.milliseconds();
    for (const hook of hooks.values()) {
      if (hook.status !== 'active' && !broken('paused-told')) continue;
      if (hook.owner !== event.owner && !broken('others-told')) continue;
      if (hook.kinds.includes(event.kind))
        this.#waiting.push({ hook: hook.id, url: hook.url, event, at: now, tries: 0, due: now });
    }
    this.work();
  }

  /** When the next attempt is due, in milliseconds since 1970; null: none is. */
  next(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ due }) => due));
  }

  /** Begins the attempts that are due. */
  work(): void {
    const now = this.#registry.milliseconds();
    const due = this.#waiting.filter((delivery) => delivery.due <= now);
    // Sorting is stable: what is due at one time goes in the order of the events.
    for (const delivery of due.sort((a, b) => a.due - b.due)) {
      if (this.#busy.has(delivery.hook)) continue;
      this.#busy.add(delivery.hook);
      void this.#attempt(delivery).finally(() => {
        this.#busy.delete(delivery.hook);
        if (!this.#stop.signal.aborted) this.work();
      });
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const hook = this.#registry.hooks.get(delivery.hook);
    const isGood = hook === undefined || (await this.#post(delivery, hook));
    if (this.#stop.signal.aborted) return;
    delivery.tries += 1;
    const pauses = this.#registry.broken('one-retry') ? pausesMs.slice(0, 1) : pausesMs;
    const pause = pauses[delivery.tries - 1];
    if (!isGood && pause !== undefined) {
      delivery.due = this.#registry.milliseconds() + pause;
      return;
    }
    this.#waiting = this.#waiting.filter((other) => other !== delivery);
    if (!isGood && hook !== undefined && !this.#registry.broken('never-paused')) this.#registry.pause(hook);
  }

  /** Whether the hook took the event. */
  async #post({ url, event, at }: Delivery, hook: Hook): Promise<boolean> {
    const { broken } = this.#registry;
    const content = JSON.stringify(this.#envelope(event));
    const timestamp = broken('time-of-event') ? at : this.#registry.milliseconds();
    try {
      const response = await fetch(broken('address-of-event') ? url : hook.url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'Content-Type': broken('plain-json') ? 'application/json' : 'application/cloudevents+json',
          ...this.#signed(event.id, Math.floor(timestamp / 1000), content, hook.secret),
        },
        body: content,
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await response.body?.cancel();
      return broken('any-success') ? response.ok : success.includes(response.status);
    } catch {
      return false;
    }
  }

  #envelope({ id, kind, subject, time, data }: Event): object {
    return {
      specversion: '1.0',
      id,
      source: `${this.#source()}/devices`,
      type: kind,
      subject,
      time,
      datacontenttype: 'application/json',
      data,
    };
  }

  #signed(id: string, seconds: number, content: string, secret: string): Readonly<Record<string, string>> {
    const { broken } = this.#registry;
    const key = broken('secret-undecoded') ? secret : Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${seconds}.${content}`).digest('base64');
    return {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    };
  }
}
