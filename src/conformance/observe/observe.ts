import { envelopeOf } from '../../semantics/event/envelope.ts';
import type { Emission, EmittedEvent, EventDelivery } from '../../semantics/event/event.ts';
import { calm } from '../../semantics/event/exhausted.ts';
import { idOf, type ObservedEvent } from '../../semantics/judge/event.ts';
import { type EventFinding, type EventsJudgement, judgeEvents } from '../../semantics/judge/events.ts';
import { judge } from '../../semantics/judge/judge.ts';
import { tellsOfOurs } from '../../semantics/judge/ours.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { step } from '../../semantics/request/request.ts';
import { Range, seen, Unknown, unknown } from '../../semantics/value/value.ts';
import { clockOffMs } from '../../semantics/world/received.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Delivery } from '../../specification/vocabulary/delivery.ts';

import type { Listening } from '../events/listening.ts';
import type { Random } from '../random.ts';
import { Unreached } from '../result.ts';
import { type Attempts, attemptsAt, attemptsEnd, judgedAttempts } from './attempts.ts';
import { observeBroker } from './broker.ts';
import type { Observed, Observer } from './observer.ts';
import { signed } from './signed.ts';
import { credentialsOf, observeStream } from './stream.ts';
import { observeWebhook, type WebhookObserver } from './webhook.ts';

/** What is needed to observe events. All times are in milliseconds. */
export interface ObservingOptions {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  readonly listening: Listening;
  /** For addresses that nobody can guess. */
  readonly random: Random;
  readonly now: () => number;
  /** How long is waited for what is to come, beyond what is stated. */
  readonly graceMs: number;
  /** How long one time that is stated is waited for. */
  readonly patienceMs: number;
  readonly wait: (ms: number, met?: AbortSignal) => Promise<void>;
  readonly heard: Heard;
}

/** What several walks find out about ways of delivery. */
export interface Heard {
  /** Ways by which nothing came, although it was waited for. */
  readonly mute: Set<string>;
  /** How addresses begin from which something came. */
  readonly reached: Set<string>;
}

/** What an event comes to, and the request that it belongs to. */
export interface Observation<Source> {
  readonly finding: EventFinding;
  /** The request that emits it. Of an event that nothing emits, the last one before it was seen. */
  readonly source: Source;
}

/** An event that a request emits, with those of its deliveries that may still come. */
interface Noted<Source> {
  readonly event: EmittedEvent;
  readonly source: Source;
  /** When it was emitted at the earliest, in milliseconds since 1970: a timer may have done so before the request. */
  readonly sinceMs: number;
}

/** An event that came, and the last request before it was seen. */
interface Arrived<Source> {
  readonly came: Observed;
  readonly source: Source;
}

/** Attempts are waited for no longer than this, in milliseconds, however patient the tester is. */
const longestMs = 86_400_000;

/** Into how many slices of time the patience is divided, and how many are waited while other events come. */
const [slices, mostSlices] = [5, 60];

/** A way of delivery that can be observed. */
interface Way {
  readonly way: string;
  readonly delivery: Delivery;
}

/** Begins to observe the events of a service; null: its document states none that can be observed. */
export async function observing<Source>(
  specification: Specification,
  options: ObservingOptions,
): Promise<Observing<Source> | null> {
  const { listening, random } = options;
  const ways = [...(stated(stated(specification.events)?.delivery) ?? [])].flatMap(([way, said]): Way[] => {
    const delivery = stated(said);
    return delivery && isObservable(delivery, listening) ? [{ way, delivery }] : [];
  });
  if (ways.length === 0) return null;
  const observers: Observer[] = [];
  for (const { way, delivery } of ways)
    if (delivery.kind === 'webhook')
      observers.push(
        observeWebhook({
          way,
          delivery,
          specification,
          random,
          receiver: await listening.receiver(),
          reached: options.heard.reached,
        }),
      );
  return new Observing(specification, ways, observers, options);
}

function isObservable(delivery: Delivery, { nats, isPlaced }: Listening): boolean {
  if (delivery.kind === 'broker') return nats !== undefined;
  return delivery.kind === 'stream' || stated(delivery.webhook)?.kind !== 'operator' || isPlaced;
}

/**
 * Observes all ways of delivery while requests follow from one another (language §6.4).
 *
 * @typeParam Source what is known of a request
 */
export class Observing<Source> {
  readonly #specification: Specification;
  readonly #ways: readonly Way[];
  readonly #options: ObservingOptions;
  readonly #observers = new Map<string, Observer>();
  /** Those that the service ended. */
  readonly #past: Observer[] = [];
  /** Ways that cannot be observed, as was found. */
  readonly #closed = new Set<string>();
  readonly #taken = new Map<Observer, number>();
  #noted: readonly Noted<Source>[] = [];
  #arrived: readonly Arrived<Source>[] = [];
  #last: Source | null = null;
  /** When the latest answer came, in milliseconds since 1970. */
  #latestMs: number;
  readonly #unknownBy = new Set<string>();
  /** Ways that are observed since the last request. */
  readonly #begun = new Set<string>();
  /** What was judged, by its way and address, and its id or its content. */
  readonly #settled = new Set<string>();
  /** How many credentials were known when a stream was asked for that nobody may read. */
  readonly #unread = new Map<string, number>();

  constructor(
    specification: Specification,
    ways: readonly Way[],
    observers: readonly Observer[],
    options: ObservingOptions,
  ) {
    this.#specification = specification;
    this.#ways = ways;
    this.#options = options;
    this.#latestMs = options.now();
    for (const observer of observers) this.#add(observer);
  }

  /**
   * Begins to observe each way that can be observed by now, and is not yet. Called before each request.
   *
   * @returns the world after it
   */
  async begin(world: World): Promise<World> {
    this.#poll();
    let after = world;
    for (const { way, delivery } of this.#ways) {
      if (this.#observers.has(way) || this.#closed.has(way)) continue;
      try {
        after = await this.#open(way, delivery, after);
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        this.#closed.add(way);
      }
    }
    const { reached } = this.#options.heard;
    if (reached.size === after.reached.length) return after;
    after.reached = [...reached];
    calm(after);
    return after;
  }

  /** The request with addresses of the tester's own. */
  addressed(request: Request): Request {
    return this.#webhooks().reduce((latest, { addressed }) => addressed(latest), request);
  }

  /** Notes what a request emits. What is refused emits nothing. */
  note({ operation: { name } }: Request, events: Emission, status: number | null, source: Source): void {
    this.#last = source;
    const sinceMs = this.#latestMs;
    this.#latestMs = this.#options.now();
    if (events instanceof Unknown) {
      if (status === null || status < 400) this.#unknownBy.add(name);
      return;
    }
    // What leaves by a way that is not observed yet is not expected. What a timer emits may have left before it was.
    const isEarly = ({ by }: EmittedEvent, { way }: EventDelivery): boolean =>
      by.includes('.') && this.#begun.has(way);
    const noted = events.map((event) => ({
      ...event,
      deliveries: event.deliveries
        .filter(({ way }) => this.#observers.has(way))
        .map((each) => (isEarly(event, each) ? perhaps(each) : each)),
    }));
    this.#begun.clear();
    this.#noted = [...this.#noted, ...noted.map((event) => ({ event, source, sinceMs }))];
  }

  /**
   * Waits until all came that should, or the patience is over, and judges what came.
   *
   * @param isLost whether nobody knows what the last request did
   */
  async collect(world: World, isLost: boolean): Promise<readonly Observation<Source>[]> {
    const { patienceMs, graceMs, wait, now } = this.#options;
    this.#poll();
    if (this.#noted.length + this.#arrived.length === 0) return [];
    const within = this.#ways.map(({ delivery }) => stated(delivery.within) ?? 0);
    const statingMs = Math.max(0, ...within.filter((ms) => ms <= patienceMs));
    const isQuiet = !isLost && (await this.#await(world, graceMs + statingMs));
    if (isQuiet) await this.#awaitAttempts(world);
    // What nothing emits may come last.
    await wait(graceMs / 10, new AbortController().signal);
    this.#poll();
    const judgement = this.#judged(world, isQuiet ? statingMs : null, true);
    const { secrets } = this.#options.listening;
    const isOfOne = (url: string): boolean => !this.#isRepeated(url);
    const sinceMs = ({ id }: EmittedEvent): number =>
      this.#noted.find(({ event }) => event.id === id)?.sinceMs ?? now();
    const about = [world, secrets, isOfOne, sinceMs] as const;
    const findings = await signed(this.#specification, judgement.findings, ...about);
    const attempts = this.#attempts().flatMap((each) => judgedAttempts(each, world, now()) ?? []);
    const observations = [...findings, ...attempts].flatMap((finding) => this.#observation(finding, world));
    this.#settle(findings, world);
    return observations;
  }

  /** Waits until all attempts were made that may be seen. */
  async #awaitAttempts(world: World): Promise<void> {
    const { patienceMs, wait, now } = this.#options;
    const ends = this.#attempts().map((each) => attemptsEnd(each, world) ?? 0);
    const waits = ends
      .map((end) => end - now())
      .filter((ms) => ms > 0 && ms <= Math.min(patienceMs, longestMs));
    if (waits.length === 0) return;
    await wait(Math.max(...waits));
    this.#poll();
  }

  #attempts(): readonly Attempts[] {
    return this.#webhooks().flatMap((observer) => attemptsAt(observer, this.#specification));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#observers.values(), ...this.#past].map((observer) => observer.close()));
  }

  #add(observer: Observer): void {
    this.#observers.set(observer.way, observer);
    this.#begun.add(observer.way);
  }

  #webhooks(): WebhookObserver[] {
    return [...this.#observers.values()].filter(
      (observer): observer is WebhookObserver => 'addressed' in observer,
    );
  }

  /** What is refused may hold up what follows it. */
  #isRefusing(url: string): boolean {
    return this.#webhooks().some((each) => each.isRefusing(url));
  }

  #isRepeated(url: string): boolean {
    return this.#webhooks().some((each) => each.isRepeated(url));
  }

  /** The world after the way is begun to be observed; as it was, if that cannot be done yet. Throws `Unreached` if it never can. */
  async #open(way: string, delivery: Delivery, world: World): Promise<World> {
    const { url, listening, now } = this.#options;
    if (delivery.kind === 'broker' && listening.nats !== undefined)
      this.#add(await observeBroker(way, delivery, listening.nats));
    if (delivery.kind !== 'stream') return world;
    const key = stated(delivery.stream)?.text;
    const operation = world.specification.operations.find((each) => each.key === key);
    const known = credentialsOf(world).length;
    if (operation === undefined || this.#unread.get(way) === known) return world;
    const sentMs = now();
    const opened = await observeStream(way, operation, world, url);
    if (opened === null) {
      this.#unread.set(way, known);
      return world;
    }
    this.#add(opened.observer);
    const received = { at: new Range(sentMs, now() + 1), offMs: clockOffMs };
    return judge(step(world, opened.request, received), opened.answer, true).next ?? world;
  }

  /** Takes what came. A stream that the service ended is asked for again, and what it should have told may have been lost. */
  #poll(): void {
    const source = this.#last;
    for (const observer of [...this.#observers.values(), ...this.#past]) {
      const all = observer.came();
      const further = all.slice(this.#taken.get(observer) ?? 0);
      this.#taken.set(observer, all.length);
      if (source === null || further.length === 0) continue;
      this.#options.heard.mute.delete(observer.way);
      this.#arrived = [...this.#arrived, ...further.map((came) => ({ came, source }))];
    }
    for (const [way, observer] of this.#observers)
      if (observer.hasEnded()) {
        this.#observers.delete(way);
        this.#past.push(observer);
        this.#unread.delete(way);
        this.#noted = this.#noted.map((each) => ({ ...each, event: withoutProof(each.event, way) }));
      }
  }

  /** Waits until all came that should, or nothing came for so long. False: events still come. */
  async #await(world: World, quietMs: number): Promise<boolean> {
    const { wait, now } = this.#options;
    const count = (): number => [...this.#taken.values()].reduce((sum, taken) => sum + taken, 0);
    let judgedAt = -1;
    let awaited = 0;
    const isHere = (): boolean => {
      this.#poll();
      // Nothing that came since is nothing new.
      if (count() !== judgedAt) ({ awaited } = this.#judged(world, null, false));
      judgedAt = count();
      return awaited === 0;
    };
    const more = (): Promise<void> =>
      Promise.race([...this.#observers.values()].map((observer) => observer.more()));
    const sliceMs = quietMs / slices;
    for (let quiet = 0, all = 0; quiet < slices && !isHere(); all++) {
      if (all === mostSlices) return false;
      const [before, beganMs] = [count(), now()];
      await patiently(wait, isHere, more, sliceMs);
      // While this process has other work, nothing of what came may have been received.
      const isBusy = now() - beganMs > 1.5 * sliceMs;
      if (count() > before) quiet = 0;
      else if (!isBusy) quiet += 1;
    }
    for (const { way } of this.#ways)
      if (!this.#arrived.some(({ came }) => came.way === way) && !this.#observers.get(way)?.isReached(null))
        this.#options.heard.mute.add(way);
    return true;
  }

  /** @param isFinal whether what does not come by a way that may not lead here is not missing */
  #judged(world: World, waitedMs: number | null, isFinal: boolean): EventsJudgement {
    // At an address that several items may hold, it is not known for which of them an event comes.
    const isSurelyHere = ({ way, to, url }: EventDelivery): boolean => {
      const observer = this.#observers.get(way);
      const at = seen(url);
      if (
        to !== null &&
        (typeof at !== 'string' ||
          observer?.isHere(at) !== true ||
          this.#isRepeated(at) ||
          this.#isRefusing(at))
      )
        return false;
      const isReached = observer?.isReached(to === null ? null : (at as string)) === true;
      return isReached || (!isFinal && !this.#options.heard.mute.has(way));
    };
    const emitted = this.#noted.map(({ event }) => ({
      ...event,
      deliveries: event.deliveries.map((each) => (isSurelyHere(each) ? each : perhaps(each))),
    }));
    const observed = this.#arrived.map(({ came }) => came);
    const untilMs = this.#options.now();
    return judgeEvents(emitted, observed, { world, waitedMs, unknownBy: this.#unknownBy, untilMs });
  }

  #observation(finding: EventFinding, world: World): Observation<Source>[] {
    const { expected, came, differences } = finding;
    const isRepeat = expected === null && came !== null && this.#settled.has(contentKey(came));
    // Without an id, it may be one that is delivered again.
    if (isRepeat && finding.id === null) return [];
    // What tells nothing of ours may be others'.
    if (expected === null && came !== null && !tellsOfOurs(came, world)) return [];
    const source =
      this.#noted.find(({ event }) => event.id === expected?.event.id)?.source ??
      this.#arrived.find((each) => each.came === came)?.source ??
      this.#last;
    return source === null || (differences.length === 0 && finding.by.length === 0)
      ? []
      : [{ finding, source }];
  }

  /** What was judged is not judged again. What may still come is. */
  #settle(findings: readonly EventFinding[], world: World): void {
    const shown = { envelope: envelopeOf(stated(this.#specification.events)?.envelope) };
    for (const { came, id } of findings)
      if (came !== null) this.#settled.add(contentKey(came)).add(idKey(came, id));
    const came = new Set(findings.map((each) => each.came));
    this.#arrived = this.#arrived.filter((each) => {
      const id = idOf(shown, each.came);
      return !came.has(each.came) && !(id !== null && this.#settled.has(idKey(each.came, id)));
    });
    const isDone = (event: EmittedEvent, { way, to, url, field }: EventDelivery): boolean =>
      findings.some(({ expected }) => {
        if (expected?.event.id !== event.id || expected.delivery.way !== way) return false;
        const now = seen((to && world.stored(to)?.members.get(field)) ?? null);
        const at = seen(expected.delivery.url);
        return to === null || to.handle === expected.delivery.to?.handle || at === seen(url) || at === now;
      });
    this.#noted = this.#noted
      .map(({ event, ...noted }) => ({
        ...noted,
        event: { ...event, deliveries: event.deliveries.filter((each) => !isDone(event, each)) },
      }))
      .filter(({ event }) => event.deliveries.length > 0);
  }
}

/** An event that may come, or not. */
function perhaps(delivery: EventDelivery): EventDelivery {
  return { ...delivery, isSent: unknown([]) };
}

/** The event, of which it is not known whether it comes by a way. */
function withoutProof(event: EmittedEvent, way: string): EmittedEvent {
  return { ...event, deliveries: event.deliveries.map((each) => (each.way === way ? perhaps(each) : each)) };
}

function contentKey({ way, url, content }: ObservedEvent): string {
  return JSON.stringify([way, url, 'content', content]);
}

function idKey({ way, url }: ObservedEvent, id: string | null): string {
  return JSON.stringify([way, url, 'id', id]);
}

/** Waits until something is so, and no longer than so many milliseconds. */
async function patiently(
  wait: ObservingOptions['wait'],
  isSo: () => boolean,
  more: () => Promise<void>,
  longestMs: number,
): Promise<void> {
  const met = new AbortController();
  let isOver = false;
  const over = wait(longestMs, met.signal).then(() => {
    isOver = true;
  });
  while (!isOver && !isSo()) await Promise.race([more(), over]);
  met.abort();
}
