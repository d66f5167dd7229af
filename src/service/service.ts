import { randomUUID } from 'node:crypto';
import { literal, query, rowOf } from '../expression/query.ts';
import { nextTurn } from '../source/turns.ts';
import type { Specification } from '../specification/model/specification.ts';
import { checkStart, clientBehind } from './admitted.ts';
import { close, usualGraceMs } from './closing.ts';
import { compileDocument } from './compiling.ts';
import type { Underway } from './events/courier/courier.ts';
import type { Delivering } from './events/events.ts';
import type { Mounted } from './http/mounted.ts';
import type { RequestIds } from './http/request-ids.ts';
import { addressOf, type Listening, type ListeningAround, takeRequests } from './listening.ts';
import { type HostLimits, hostLimits } from './message/host-limits.ts';
import { openKept } from './opening.ts';
import type { ServiceOptions } from './options.ts';
import type { KeptResource } from './resource/kept.ts';
import { compileRequests } from './routes.ts';
import { hasSeeds, sow } from './seeds.ts';
import { statement } from './store/rows.ts';
import type { Store } from './store/store.ts';
import { telling } from './telling.ts';
import { moveItem } from './time/by-itself.ts';
import { clocksOf, type Working, work } from './working.ts';

export { type ServiceOptions, type Sharing, StartRefused, type Tls } from './options.ts';

/** A service that runs. */
export interface Service extends Pick<Mounted, 'handle' | 'fetch'> {
  /** Where it listens; `url`, if it does not. */
  readonly address: string;
  /** `service.url`. */
  readonly url: string;
  /** Why it cannot answer requests by now; null: it can. It looks whether what is kept can be read. */
  readonly unready: () => Promise<string | null>;
  /** Carries out what is due by now; resolved once nothing of it is under way. */
  readonly settle: () => Promise<void>;
  /** What is under way of what is sent by itself. */
  readonly underway: () => Underway;
  /** Begins nothing more, finishes what is under way while the grace period lasts, and closes the store. */
  readonly close: () => Promise<void>;
}

/** How far a service is with its end. */
interface Ending {
  hasBegun: boolean;
  isOver: boolean;
}

/**
 * Runs the service that a specification states, and nothing more. The specification must have been read
 * without an error.
 *
 * @throws StartRefused where it may not listen there, `StoreRefused` where the file cannot serve, and Node's
 * own errors of `listen`, such as `EADDRINUSE`
 */
export async function serve(given: Specification, options: ServiceOptions): Promise<Service> {
  const ending: Ending = { hasBegun: false, isOver: false };
  // What is left behind when a service has ended finds nothing of it any more, which is no fault.
  const fault = (error: unknown, ids?: RequestIds): void => {
    if (!ending.isOver) options.onFault?.(error, ids);
  };
  const specification = { ...given, handlers: new Set(Object.keys(options.handlers ?? {})) };
  checkStart(specification, options);
  const clientOf = clientBehind(options.trustedProxies ?? []);
  const document = compileDocument(specification, options, fault);
  // A document of many endpoints takes long to compile: what else this process does goes on between.
  await nextTurn();
  const limits: HostLimits = { ...hostLimits, ...options.limits };
  const clocks = clocksOf(options);
  const opened = await openKept(document, options, limits);
  const delivering = document.events?.begin(opened.store, clocks) ?? null;
  const working = work({ document, options, opened, delivering, limits, clocks, fault });
  const around = { document, options, working, reader: opened.reader, limits, clientOf, fault };
  const listening = await ready(around, clocks.milliseconds).catch(async (error: unknown) => {
    await working.store.close();
    throw error;
  });
  begin(around, listening, delivering);
  return running(around, listening, delivering, ending);
}

/** Makes what has to be there before the first request, and takes requests. */
async function ready(around: ListeningAround, milliseconds: () => number): Promise<Listening> {
  const { document, options, working, fault } = around;
  const { newest, older, issuer } = document;
  const { store, now, alarm, byItself } = working;
  await issuer?.prepare(store, now.latest, options.storeSecrets ?? [], milliseconds);
  await alarm?.look();
  await nextTurn();
  if (!working.around.isReader && hasSeeds(newest.kept))
    await sow(newest.kept, { ...byItself, store, latest: now.latest });
  const aroundOf: Working['aroundOf'] = (one) => (one === newest ? working.around : working.aroundOf(one));
  return takeRequests(around, compileRequests(newest, older, aroundOf, telling(options, fault)));
}

/** Begins what happens by itself, once it is known where the service is reached. */
function begin(
  { document, options, working, fault }: ListeningAround,
  { server }: Listening,
  delivering: Delivering | null,
): void {
  const { around, byItself, service, alarm, worker } = working;
  service.url ||= addressIn(options, server) ?? '';
  alarm?.start();
  worker?.start();
  if (around.isReader) return;
  delivering?.start({
    commit: around.commit,
    frame: byItself.frame,
    ...document.operators,
    isOutside: document.isOutside,
    resolve: options.resolve,
    move: (tx, resource, key, transition) => moveItem(byItself, tx, resource, key, transition),
    process: randomUUID(),
    fault,
  });
}

function addressIn({ host = '127.0.0.1', tls }: ServiceOptions, server: Listening['server']): string | null {
  return addressOf(server, host, tls ? 'https' : 'http');
}

/** The service as whoever started it sees it. */
function running(
  { document, options, working, fault }: ListeningAround,
  { server, handle, fetch, end, ...between }: Listening,
  delivering: Delivering | null,
  ending: Ending,
): Service {
  const { store, around, service, alarm, worker } = working;
  return {
    address: addressIn(options, server) ?? service.url,
    url: service.url,
    handle,
    fetch,
    settle: async () => {
      try {
        await alarm?.ring();
        await worker?.ring();
        await delivering?.ring();
      } catch (error) {
        fault(error);
      }
    },
    underway: () => delivering?.underway() ?? { own: 0, awaited: 0 },
    unready: async () => (ending.hasBegun ? 'it ends' : unreadable(store, document.newest.kept)),
    close: async () => {
      ending.hasBegun = true;
      alarm?.stop();
      const { passwords } = around;
      const all = { server, end, store, worker, passwords, delivering, ...between };
      await close(all, options.graceMs ?? usualGraceMs, options.sharing?.alone);
      ending.isOver = true;
    },
  };
}

/** Why nothing can be read of what is kept; null: it can. */
async function unreadable(store: Store, [kept]: readonly KeptResource[]): Promise<string | null> {
  if (kept === undefined) return null;
  const any = statement(query(rowOf(kept.table), { limit: literal(1) }));
  try {
    await store.read((reads) => reads.rows(any, []));
    return null;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}
