import { createHmac, randomUUID } from 'node:crypto';
import { type ClientRequest, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { Clock } from './clock.ts';
import { duration, type Items } from './items.ts';
import type { Item, Scene, Statements } from './kinds.ts';

/** Part 6: what a change tells, and its way to the hooks of those who asked to be told. */
export class Events {
  readonly #table: Statements;
  readonly #items: Items;
  readonly #clock: Clock;
  /** The certificates that are trusted besides, in PEM. */
  readonly #trust: string | undefined;
  /** By hook: the first attempts go one after the other. */
  readonly #lines = new Map<unknown, Promise<void>>();
  /** What is on its way. */
  readonly #sent = new Set<ClientRequest>();
  #isClosed = false;
  constructor(table: Statements, items: Items, clock: Clock, trust: string | undefined) {
    this.#table = table;
    this.#items = items;
    this.#clock = clock;
    this.#trust = trust;
  }

  /** Sends no more, and ends what is on its way: a host that is made up may never answer. */
  close(): void {
    this.#isClosed = true;
    for (const one of this.#sent) one.destroy();
  }

  /** Tells that something was done: an operation, or a transition by its name. */
  tell(by: string, scene: Scene): void {
    const { kinds, envelope, source, subject, delivery } = this.#table.events;
    if (!delivery.hooks) return;
    for (const [kind, { by: causes, body }] of Object.entries(kinds)) {
      if (!causes.includes(by)) continue;
      const data = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value(scene)]));
      const id = randomUUID();
      const whole = {
        specversion: '1.0',
        id,
        source: source?.(scene),
        type: kind,
        subject: subject?.(scene),
        time: scene.now,
        datacontenttype: 'application/json',
        data,
      };
      const content = JSON.stringify(envelope === 'cloudevents' ? whole : data);
      const event = { kind, item: scene.item ?? {} };
      for (const [hook, item] of this.#items.hooks)
        if (delivery.hooks.where?.({ ...scene, item, event }) ?? true) this.#send(hook, id, content);
    }
  }

  #send(hook: unknown, id: string, content: string): void {
    const first = (this.#lines.get(hook) ?? Promise.resolve()).then(async () => {
      if (!(await this.#attempt(hook, id, content))) this.#retry(hook, id, content, 0);
    });
    this.#lines.set(hook, first);
  }

  #retry(hook: unknown, id: string, content: string, count: number): void {
    const pause = this.#table.events.delivery.hooks?.retries?.[count];
    if (pause === undefined) return;
    const again = async (): Promise<void> => {
      if (!(await this.#attempt(hook, id, content))) this.#retry(hook, id, content, count + 1);
    };
    this.#clock.after(duration(pause), () => void again());
  }

  /** Whether it was taken: any 2xx. A hook that is gone is told nothing more. */
  async #attempt(hook: unknown, id: string, content: string): Promise<boolean> {
    const item = this.#items.hooks.get(hook);
    const { hooks } = this.#table.events.delivery;
    if (item === undefined || !hooks || this.#isClosed) return true;
    const url = String(item['url']);
    const send = url.startsWith('https:') ? secure : plain;
    const headers = {
      'Content-Type':
        this.#table.events.envelope === 'cloudevents' ? 'application/cloudevents+json' : 'application/json',
      'Content-Length': String(Buffer.byteLength(content)),
      ...this.#signature(item, id, content),
    };
    const timeoutMs = duration(hooks.timeout ?? 'PT15S');
    return await new Promise((resolve) => {
      try {
        const options = { method: 'POST', headers, ...(this.#trust && { ca: this.#trust }) };
        const sent = send(url, options, (answer) => {
          answer.resume();
          const status = answer.statusCode ?? 0;
          resolve(status >= 200 && status < 300);
        });
        const callOff = this.#clock.after(timeoutMs, () => sent.destroy(new Error('no answer in time')));
        this.#sent.add(sent);
        sent.on('close', () => {
          this.#sent.delete(sent);
          callOff();
        });
        sent.on('error', () => resolve(false));
        sent.end(content);
      } catch {
        resolve(false);
      }
    });
  }

  /** Standard Webhooks 1.0: an HMAC over the id, the time and the content. */
  #signature(hook: Item, id: string, content: string): Record<string, string> {
    const { sign, secret } = this.#table.events.delivery.hooks ?? {};
    const key = secret?.({ actor: null, now: '', item: hook });
    if (sign !== 'standard-webhooks' || key === undefined) return {};
    const time = String(Math.floor(this.#clock.now() / 1000));
    const bytes = Buffer.from(String(key).replace(/^whsec_/, ''), 'base64');
    const mac = createHmac('sha256', bytes).update(`${id}.${time}.${content}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` };
  }
}
