import type { Frame } from '../../expression/compile.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { streamsIn } from '../../specification/model/streams.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Indexes } from '../list/indexes.ts';
import type { Reply } from '../message/reply.ts';
import type { Plan } from '../store/plan.ts';
import type { Reads, Store, Table } from '../store/store.ts';
import type { Time } from '../value/clock.ts';
import type { Edition } from '../versions/editions.ts';
import { type Barred, compileBarred } from './barred.ts';
import { type Broker, compileBroker, natsAt } from './broker.ts';
import { type Courier, compileCourier, type Underway } from './courier/courier.ts';
import type { Way } from './courier/way.ts';
import { deliveryTable } from './deliveries.ts';
import { compileEmitting, type Emitting } from './emitting.ts';
import { eventTable } from './event.ts';
import { type Lease, leaseOn, leaseTable } from './lease.ts';
import { type Resolve, systemNames } from './names.ts';
import { deliveriesIn, type Operators } from './operators.ts';
import { compileOutbox, telling } from './outbox.ts';
import type { IsOutside } from './outside.ts';
import { compileContentOf, compileOlderContents } from './payloads.ts';
import { poster } from './post.ts';
import { compileStreams, type Streams } from './streams.ts';
import {
  type Compiling,
  compileWebhook,
  type Sending as SendingTo,
  type Webhook,
  webhookIndexes,
} from './webhooks.ts';

/** Part 6 (language §6), compiled: what a change tells others, what that is kept in, and how it is sent. */
export interface CompiledEvents {
  readonly emitting: Emitting;
  readonly barred: Barred;
  readonly tables: readonly Table[];
  /** By what is found where events go. */
  readonly indexes: readonly Indexes[];
  /** Begins to tell of what is stored in a store. */
  readonly begin: (store: Store, time: Time) => Delivering;
}

/** What sending takes of the service around it. */
export interface SendingAround extends Omit<Operators, 'allowPrivate'> {
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  readonly frame: (reads: Reads | undefined, names: Readonly<Record<string, unknown>>) => Frame;
  readonly isOutside: IsOutside;
  readonly resolve?: Resolve | undefined;
  readonly move: SendingTo['move'];
  /** Tells this process from others on the same store. */
  readonly process: string;
  readonly fault: (error: unknown) => void;
}

/** Events on their way, while the service runs. */
export interface Delivering {
  /** The store to use from now on: it tells of events once they are committed. */
  readonly store: Store;
  readonly streams: Streams;
  /** Begins to send. */
  readonly start: (around: SendingAround) => void;
  /** Sends all that is due now; resolved once that is done. */
  readonly ring: () => Promise<void>;
  readonly underway: () => Underway;
  /** Begins nothing more; ends once what is under way is done, or told to stop. */
  readonly close: (stop: AbortSignal) => Promise<void>;
}

/** How often it looks for what other processes of the service have committed. */
const lookMs = 250;

/** How often it looks for what `tacet events` has put in line, in milliseconds. */
const besideMs = 1000;

/** Null where nothing is emitted, as while part 6 is open. */
export function compileEvents(
  specification: Specification,
  given: Omit<Compiling, 'events' | 'contentOf'> & { readonly isOutside: IsOutside },
  older: ReadonlyMap<string, Edition>,
): CompiledEvents | null {
  const { events, authentication } = specification;
  const contentOf = compileContentOf(specification, older);
  const around = { ...given, contentOf };
  const part = stated(events);
  const emits = [...((part && stated(part.kinds)) ?? [])].some(([, kind]) => stated(stated(kind)?.by));
  if (part === undefined || (!emits && streamsIn(part).size === 0)) return null;
  const webhooks = new Map(
    deliveriesIn(part).flatMap(([name, one]): [string, Webhook][] => {
      const webhook = one.kind === 'webhook' ? compileWebhook(name, one, { ...around, events: part }) : null;
      return webhook ? [[name, webhook]] : [];
    }),
  );
  const brokers = new Map(
    deliveriesIn(part).flatMap(([name, one]): [string, Broker][] => {
      const broker = one.kind === 'broker' ? compileBroker(name, one, { ...around, events: part }) : null;
      return broker ? [[name, broker]] : [];
    }),
  );
  const dispatches = [...webhooks.values(), ...brokers.values()].map(({ dispatch }) => dispatch);
  const indexes = deliveriesIn(part).flatMap(([, one]) =>
    one.kind === 'webhook' ? [webhookIndexes(one, { ...around, events: part })] : [],
  );
  let isNew = false;
  const emitting = compileEmitting(
    part,
    { ...around, isActorOpen: authentication.kind === 'open' },
    dispatches,
    compileOlderContents(specification, older, given.fault),
    () => {
      isNew = true;
    },
  );
  return {
    emitting,
    barred: compileBarred(part, around.isOutside),
    indexes,
    tables: [eventTable, ...(dispatches.length > 0 ? [deliveryTable, leaseTable] : [])],
    begin: (store, time) => {
      const streams = compileStreams(streamsIn(part), compileOutbox(store), time.milliseconds, contentOf);
      let sending: Sending | null = null;
      const wake = (): void => {
        streams.wake();
        sending?.courier.wake();
      };
      const looking = store.isShared
        ? setInterval(wake, lookMs).unref()
        : setInterval(() => sending?.courier.wake(), besideMs).unref();
      return {
        store: telling(store, (isLast) => {
          if (!isNew) return;
          // What is under way may have emitted, too.
          isNew = !isLast;
          wake();
        }),
        streams,
        start: (more) => {
          if (dispatches.length > 0) sending = send({ webhooks, brokers }, store, time, more);
        },
        ring: async () => await sending?.courier.ring(),
        underway: () => {
          const awaited = sending?.awaited() ?? 0;
          return { own: (sending?.courier.underway() ?? 0) - awaited, awaited };
        },
        close: async (stop) => {
          clearInterval(looking);
          streams.close();
          await sending?.courier.close(stop);
          await Promise.race([sending?.lease.release(), aborted(stop)]);
          await sending?.close();
        },
      };
    },
  };
}

function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve());
  });
}

interface Sending {
  readonly courier: Courier;
  readonly lease: Lease;
  readonly awaited: () => number;
  readonly close: () => Promise<void>;
}

interface Ways {
  readonly webhooks: ReadonlyMap<string, Webhook>;
  readonly brokers: ReadonlyMap<string, Broker>;
}

function send(
  { webhooks, brokers }: Ways,
  store: Store,
  { milliseconds, wake }: Time,
  around: SendingAround,
): Sending {
  const { fault, commit, isOutside, resolve } = around;
  const posting = poster(isOutside, (ms, run) => wake(milliseconds() + ms, run), resolve ?? systemNames());
  const ways = new Map(
    [...webhooks].map(([name, { way }]): [string, Way] => [
      name,
      way({ ...around, store, milliseconds, poster: posting }),
    ]),
  );
  const connections = [...brokers].map(([name, { way }]) => {
    const { publish, close } = natsAt(around.addresses[name] as string, around.secrets[name]);
    ways.set(
      name,
      way(store, publish, () => around.frame(undefined, {})),
    );
    return close;
  });
  const lease = leaseOn(store, around.process, milliseconds, () => courier.wake(), fault);
  const { holds: leads, isHeld: isLeading } = lease;
  const courier = compileCourier({ store, ways, milliseconds, wake, commit, leads, isLeading, fault });
  lease.start();
  void lease.beat().then(courier.wake);
  return {
    courier,
    lease,
    awaited: posting.awaited,
    close: async () => {
      posting.close();
      await Promise.all(connections.map((close) => close()));
    },
  };
}
