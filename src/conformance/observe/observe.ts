import type { Emission, EmittedEvent } from '../../semantics/event/event.ts';
import { type EventsJudgement, judgeEvents } from '../../semantics/judge/events.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Unknown } from '../../semantics/value/value.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';
import { Unreached } from '../check.ts';
import type { Listening } from '../events/listening.ts';
import { patiently } from '../events/told.ts';
import type { Random } from '../random.ts';
import { observeBroker } from './broker.ts';
import type { Observer } from './observer.ts';
import { signaturesOf } from './signed.ts';
import { observeStream } from './stream.ts';
import { observeWebhook, type WebhookObserver } from './webhook.ts';

/** What is needed to observe events. All times are in milliseconds. */
export interface ObservingOptions {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  readonly listening: Listening;
  /** For addresses that nobody can guess. */
  readonly random: Random;
  /** How long is waited for what is to come, beyond what is stated. */
  readonly graceMs: number;
  /** How long one time that is stated is waited for. */
  readonly patienceMs: number;
  readonly wait: (ms: number, what: string, met?: AbortSignal) => Promise<void>;
}

/** Observes all ways of delivery while one walk is played (language §6.4). */
export interface Observing {
  /** Begins to observe each way that can be observed by now, and is not yet. Called before each request. */
  readonly begin: (world: World) => Promise<void>;
  /** The request with addresses of the tester's own. */
  readonly addressed: (request: Request) => Request;
  /** Notes what a request emits. What is refused emits nothing. */
  readonly note: (request: Request, events: Emission, status: number) => void;
  /** Waits until all came that should, or the patience is over, and judges what came. */
  readonly collect: (world: World) => Promise<EventsJudgement>;
  readonly close: () => Promise<void>;
}

/** Observes the events of a service. What its document leaves open is not observed. */
export function observing(specification: Specification, options: ObservingOptions): Observing {
  const ways = [...(stated(stated(specification.events)?.delivery) ?? [])].flatMap(([way, said]) => {
    const delivery = stated(said);
    return delivery ? [{ way, delivery }] : [];
  });
  const observers = new Map<string, Observer>();
  const closed = new Set<string>();
  const emitted: EmittedEvent[] = [];
  const unknownBy = new Set<string>();
  const webhooks = (): WebhookObserver[] =>
    [...observers.values()].filter((observer): observer is WebhookObserver => 'addressed' in observer);
  const judged = (world: World, waitedMs: number | null): EventsJudgement =>
    judgeEvents(
      emitted,
      [...observers.values()].flatMap((observer) => observer.since()),
      { world, waitedMs, unknownBy },
    );
  return {
    begin: async (world) => {
      for (const { way, delivery } of ways) {
        if (observers.has(way) || closed.has(way)) continue;
        try {
          const observer = await observe(way, delivery, world, options);
          if (observer) observers.set(way, observer);
        } catch (error) {
          if (!(error instanceof Unreached)) throw error;
          closed.add(way);
        }
      }
    },
    addressed: (request) => webhooks().reduce((latest, { addressed }) => addressed(latest), request),
    note: ({ operation: { name } }, events, status) => {
      if (events instanceof Unknown) {
        if (status < 400) unknownBy.add(name);
      }
      // What leaves by a way that is not observed yet is not expected.
      else
        emitted.push(
          ...events.map((event) => ({
            ...event,
            deliveries: event.deliveries.filter(({ way }) => observers.has(way)),
          })),
        );
    },
    collect: async (world) => {
      const within = ways.map(({ delivery }) => stated(delivery.within) ?? 0);
      const stating = Math.max(0, ...within.filter((ms) => ms <= options.patienceMs));
      const isHere = (): boolean => judged(world, null).awaited === 0;
      const more = (): Promise<void> =>
        Promise.race([...observers.values()].map((observer) => observer.more()));
      if (observers.size > 0) await patiently(options, 'events', isHere, more, options.graceMs + stating);
      // What nothing emits may come last.
      if (observers.size > 0) await options.wait(options.graceMs / 10, 'events');
      const judgement = judged(world, stating);
      return { ...judgement, ...(await signaturesOf(specification, judgement, world, options.listening)) };
    },
    close: async () => {
      await Promise.all([...observers.values()].map((observer) => observer.close()));
    },
  };
}

/** Null: it cannot be observed yet. Throws `Unreached` if it never can. */
async function observe(
  way: string,
  delivery: Delivery,
  world: World,
  { url, listening, random }: ObservingOptions,
): Promise<Observer | null> {
  const { specification } = world;
  switch (delivery.kind) {
    case 'stream': {
      const key = stated(delivery.stream)?.text;
      const operation = specification.operations.find((each) => each.key === key);
      return operation ? await observeStream(way, operation, world, url) : null;
    }
    case 'broker': {
      if (listening.nats === undefined) throw new Unreached('no broker is given');
      return await observeBroker(way, delivery, listening.nats);
    }
    case 'webhook': {
      const isOperators = stated(delivery.webhook)?.kind === 'operator';
      if (isOperators && !listening.isPlaced)
        throw new Unreached('the operator gives no address of the tester');
      return observeWebhook(way, delivery, specification, await listening.receiver(), random);
    }
  }
}
