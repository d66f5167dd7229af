import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Makers } from '../expression/functions.ts';
import { literal, query, rowOf } from '../expression/query.ts';
import { isAnyCounted } from '../specification/model/counted.ts';
import type { Specification } from '../specification/model/specification.ts';
import { durationOf } from '../specification/reading/duration.ts';
import { stated } from '../specification/reading/said.ts';
import { isExposable, isLoopback } from './access/exposable.ts';
import { compileIssuer } from './access/issuer.ts';
import { CredentialsRefused, compileOutside, type GivenCredentials, type Outside } from './access/outside.ts';
import { passwordQueue } from './access/password-queue.ts';
import { secretsProblem } from './access/sealed-key.ts';
import { type Answered, answeredOf } from './answered.ts';
import { compileChanges } from './change/changes.ts';
import { compileGone, goneTable } from './change/gone.ts';
import { compileMachines, operatorsMoves } from './change/machines.ts';
import { compileQuotas } from './change/quotas.ts';
import { compileSelect } from './change/select.ts';
import { compileTimers, hasTimers, type Timers, timerTable } from './change/timers.ts';
import { close, usualGraceMs } from './closing.ts';
import { environmentOf } from './content/render.ts';
import type { Underway } from './events/courier/courier.ts';
import { compileEvents } from './events/events.ts';
import type { Resolve } from './events/names.ts';
import { operatorsProblem } from './events/operators.ts';
import { outsideBut } from './events/outside.ts';
import { rulesOf } from './evolve/evolve.ts';
import { followWork, worksOf, workTable } from './handlers/work.ts';
import { compileWorked, type Handlers } from './handlers/worked.ts';
import { compileWorker, type Worker } from './handlers/worker.ts';
import { behindProxies } from './http/client-address.ts';
import { type Forwarding, forwarding as forwardingTo } from './http/forward.ts';
import { type Inside, inside } from './http/inside.ts';
import { type Answer, type KeyPair, listener } from './http/listener.ts';
import { type Mounted, mounted } from './http/mounted.ts';
import { idsOf, type RequestIds } from './http/request-ids.ts';
import type { Counter } from './limits/counter.ts';
import { openCounter } from './limits/open.ts';
import { together, withoutPrefixes } from './list/indexes.ts';
import { frame } from './message/frame.ts';
import { type HostLimitName, type HostLimits, hostLimits } from './message/host-limits.ts';
import type { Arrived } from './message/incoming.ts';
import { type Received, receiving } from './message/receiving.ts';
import type { HeldUp, Reply } from './message/reply.ts';
import { reading } from './reading.ts';
import type { Around } from './request/around.ts';
import { answered } from './request/repeats.ts';
import type { KeptResource } from './resource/kept.ts';
import { compileRequests, heldBy, type Told } from './routes.ts';
import { hasSeeds, seedTable, sow } from './seeds.ts';
import { batches } from './store/batch.ts';
import { openStore } from './store/open.ts';
import type { Plan } from './store/plan.ts';
import { statement } from './store/rows.ts';
import { openSqliteReader, type SqliteReader } from './store/sqlite/reader.ts';
import type { Store, Table } from './store/store.ts';
import { type Alarm, compileAlarm } from './time/alarm.ts';
import { type ByItself, moveItem } from './time/by-itself.ts';
import { clock, following, machineWake, type Time, type Wake } from './value/clock.ts';
import { makers as systemMakers } from './value/makers.ts';
import { compileEditions, type Edition } from './versions/editions.ts';
import { compileResources } from './versions/resources.ts';
import { compileWanted, type Wanted } from './wanted.ts';

export interface ServiceOptions {
  /** The file of the SQLite database, made if it is not there; or `postgres://USER@HOST/DATABASE`. */
  readonly data: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: one that is free. Null: it does not listen, as another server hands it requests by `handle` or `fetch`. */
  readonly port?: number | null;
  /**
   * The address at which the operator makes the service reachable, for `service.url`. Default: where it listens. A service
   * that does not listen needs one.
   */
  readonly url?: string;
  /** Listen beyond loopback although it is open who may ask. Default false. */
  readonly exposeUnauthenticated?: boolean;
  /** How long after entry the transitions happen of which that is the operator's to say: `{ 'Parcel.expire': 'P14D' }`. */
  readonly after?: Readonly<Record<string, string>>;
  /** Where events go whose address is the operator's to say, by the name of the delivery (language §6.3). */
  readonly deliver?: Readonly<Record<string, string>>;
  /** The keys that such deliveries are signed with; several with spaces between, while they are changed. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * What the key is encrypted under that signs credentials in the store: the current secret first, then those that it was
   * encrypted under before. Default: none; the key is kept as it is.
   */
  readonly storeSecrets?: readonly string[];
  /** Addresses of the operator's own network that webhooks may be sent to: `127.0.0.1`, `10.0.0.0/8`. Default: none. */
  readonly allowPrivate?: readonly string[];
  /**
   * The proxies of the operator's, or ranges of them, of which `Forwarded` and `X-Forwarded-For` are believed. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** The credentials that are the operator's to give (language §5.2): by scheme, secrets by the names of who has them. */
  readonly credentials?: GivenCredentials;
  readonly limits?: Partial<HostLimits>;
  /** How long requests, deliveries and functions that are under way may go on once it is closed, in milliseconds. Default 10000. */
  readonly graceMs?: number;
  /** Where requests are counted, for all processes that name the same: `redis://HOST`, or an address of PostgreSQL's; or `process`.
   * Default: where `data` is such a one, there, else in this process. */
  readonly counter?: string;
  /** Told of each request that an open point holds up. */
  readonly onHeldUp?: (heldUp: HeldUp) => void;
  /** Told of each request, or connection, that a host limit refuses. */
  readonly onHostLimit?: (limit: HostLimitName) => void;
  /** Told of each request that the host refused though no statement asks for that, and why. */
  readonly onRefused?: (request: Pick<Arrived, 'method' | 'url'>, reason: string) => void;
  /** Told of each request that was answered, and why so, by what it is found in other logs, and what it brought if `keepsContent`. */
  readonly onAnswered?: (answered: Answered, ids: RequestIds, received: Received | null) => void;
  /** Whether each request is made part of a trace. Default: those alone that a trusted proxy made so. */
  readonly makesTraces?: boolean;
  /** Whether `onAnswered` is told which items a request wrote. Default false. */
  readonly tellsItems?: boolean;
  /** Whether `onAnswered` is told what each request brought. Small content is kept for that. Default false. */
  readonly keepsContent?: boolean;
  /** Told of each fault of the service's own: it was answered as `internal` (language §H.4), sent without what cannot be evaluated (`Unsent`), answered by 503 where what is kept cannot be read or written, or it cut its answer short; and by what the request is found, if it is of one. */
  readonly onFault?: (fault: unknown, ids?: RequestIds) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly milliseconds?: () => number;
  /** Wakes by that clock. Default: by the machine's timers, which look at it once a second. */
  readonly wake?: Wake;
  /** Finds the addresses of the names that webhooks are sent to. Default: the system's. */
  readonly resolve?: Resolve;
  readonly makers?: Makers;
  /** The functions that stand as `{ handled: NAME }` (language §I), by name. */
  readonly handlers?: Handlers;
  /** The key and certificate for TLS. Default: none; it speaks plain HTTP. */
  readonly tls?: Tls;
  /** Which of several processes this is that have one file of SQLite's together. Default: no other process has it. */
  readonly sharing?: Sharing;
  /** Opens the store. Default: what `data` names. */
  readonly open?: (file: string, tables: readonly Table[]) => Store | Promise<Store>;
}

/** A key and certificate, and those that take their place while the service runs. */
export interface Tls {
  readonly pair: KeyPair;
  /** To be given what uses others from now on, for new connections. */
  readonly renewed?: (use: (pair: KeyPair) => void) => void;
}

/**
 * A process among several of one machine that serve one file of SQLite's. One writes; the others read, and hand to it
 * each request that may change something, by HTTP over a Unix socket.
 */
export interface Sharing {
  /** The one that writes is started first. */
  readonly role: 'writer' | 'reader';
  /** The path of the socket. */
  readonly socket: string;
  /** Of the one that writes: resolved once no other process hands requests to it any more. Default: at once. */
  readonly alone?: Promise<void>;
}

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

/** The service cannot be started as asked: the message says why and what to do. */
export class StartRefused extends Error {}

/**
 * Runs the service that a specification states, and nothing more. The specification must have been read
 * without an error.
 *
 * @throws StartRefused where it may not listen there, `StoreRefused` where the file cannot serve, and Node's
 * own errors of `listen`, such as `EADDRINUSE`
 */
export async function serve(document: Specification, options: ServiceOptions): Promise<Service> {
  const given = options.handlers ?? {};
  let isEnding = false;
  let isOver = false;
  // What is left behind when a service has ended finds nothing of it any more, which is no fault.
  const fault = (error: unknown, ids?: RequestIds): void => {
    if (!isOver) options.onFault?.(error, ids);
  };
  const { milliseconds: storeClock, hear } = following();
  const wallClock = options.milliseconds ?? storeClock;
  const time: Time = { milliseconds: wallClock, wake: options.wake ?? machineWake(wallClock) };
  const specification = { ...document, handlers: new Set(Object.keys(given)) };
  const { host = '127.0.0.1', port = 0 } = options;
  if (port === null && options.url === undefined)
    throw new StartRefused(
      'a service that does not listen needs the address at which it is reached: url: "https://api.example"',
    );
  if (
    port !== null &&
    !isLoopback(host) &&
    !isExposable(specification) &&
    options.exposeUnauthenticated !== true
  )
    throw new StartRefused(
      `authentication is open, so the service listens on loopback alone, and ${host} is not; state part 5, or take the risk with --expose-unauthenticated`,
    );
  checkAfter(specification, options.after ?? {});
  const clientOf = clientBehind(options.trustedProxies ?? []);
  const newest = { ...compileResources(specification), specification };
  const { resources, writers, kept, tables } = newest;
  const older = compileEditions(specification);
  const editions = [newest, ...new Set(older.values())];
  const environment = environmentOf(writers);
  const machines = compileMachines(specification, environment, options.after);
  const works = worksOf(specification, given);
  const issuer = compileIssuer(specification, resources, environment);
  const operators = {
    addresses: options.deliver ?? {},
    secrets: options.secrets ?? {},
    allowPrivate: options.allowPrivate ?? [],
  };
  const problem = operatorsProblem(specification, operators);
  const refused = problem ?? secretsProblem(options.storeSecrets ?? []);
  if (refused !== null) throw new StartRefused(refused);
  const isOutside = outsideBut(operators.allowPrivate);
  const events = compileEvents(
    specification,
    { writers, model: newest.model, resources, isOutside, fault },
    older,
  );
  const wantedByEach = editions.map(wantedBy);
  const wanted = together([...wantedByEach.map(({ indexes }) => indexes), ...(events?.indexes ?? [])]);
  const outside = outsideOf(specification, options);
  const start = (): string => clock(options.milliseconds)();
  const milliseconds = options.milliseconds ?? (() => performance.now());
  const counter = await openCounter(
    counterPlace(specification, options),
    specification.name,
    options.milliseconds,
  );
  const limits: HostLimits = { ...hostLimits, ...options.limits };
  const openHere: NonNullable<ServiceOptions['open']> = (place, tables) =>
    openStore(place, tables, limits.logBytes);
  const { sharing } = options;
  const isReader = sharing?.role === 'reader';
  let reader: SqliteReader | null = null;
  const openToRead = (place: string, tables: readonly Table[]): Store => {
    reader = openSqliteReader(place, tables, limits.logBytes);
    return reader;
  };
  const openOwn = options.open ?? openHere;
  const open = closingWithIt(counter, isReader ? openToRead : openOwn);
  const opened = await open(options.data, [
    ...kept.map((one) => ({
      ...one.table,
      indexes: withoutPrefixes([...(one.table.indexes ?? []), ...(wanted.get(one.name) ?? [])]),
      columns: wantedByEach.flatMap(({ columns }) => columns.get(one.name) ?? []),
      texts: wantedByEach.flatMap(({ texts }) =>
        texts.flatMap(([of, text]) => (of === one.name ? [text] : [])),
      ),
      rules: rulesOf(specification, one, environment, machines.get(one.name) ?? [], start),
    })),
    ...tables,
    ...(hasSeeds(kept) ? [seedTable] : []),
    ...(hasTimers(machines) ? [timerTable] : []),
    ...(works.length > 0 ? [workTable] : []),
    ...ownTables(specification),
    ...(compileGone(specification) ? [goneTable] : []),
    ...(issuer?.tables ?? []),
    ...(events?.tables ?? []),
  ]);
  const delivering = events?.begin(opened, time) ?? null;
  const store = delivering?.store ?? opened;
  const passwords = passwordQueue(limits.passwordChecks);
  const surroundings = {
    service: { url: options.url ?? '' },
    makers: {
      ...steadily(store, options.makers ?? systemMakers(undefined, options.milliseconds)),
      ...(issuer && { issue: issuer.issue, jwks: issuer.jwks }),
    },
  };
  const now = clock(wallClock, store.latest);
  store.onTime?.(({ latest, aheadMs }) => {
    hear(aheadMs);
    now.pass(latest);
  });
  let alarm: Alarm | null = null;
  const ahead = (): Promise<void> | undefined => (alarm?.isDue() ? alarm.ring() : undefined);
  const commit = batches(store, now, ahead, fault);
  let worker: Worker | null = null;
  const timers = both(
    compileTimers(machines, (due) => alarm?.set(due)),
    followWork(works, () => worker?.tell()),
  );
  const gone = compileGone(specification);
  const aroundOf = (edition: Edition): Around => {
    const { model, resources, writers } = edition;
    const environment = environmentOf(writers);
    const select = compileSelect(model, environment);
    const quotas = compileQuotas(specification, resources, environment);
    return {
      ...shared,
      ...edition,
      select,
      changes: compileChanges({
        ...edition,
        machines,
        timers,
        select,
        environment,
        issuer,
        quotas,
        gone,
        events,
      }),
      handlers: compileWorked(given, resources),
      hold: (operation, held) => heldBy(edition.specification, operation, held),
    };
  };
  const shared = {
    ...surroundings,
    newest: specification,
    store,
    commit: (plan: Plan) => new Promise<Reply | null>((resolve) => commit(plan, resolve)),
    now: store.steady(now, { isTime: true }),
    issuer,
    gone,
    outside,
    counter,
    milliseconds,
    fault,
    tellsItems: options.tellsItems ?? false,
    limits,
    passwords,
    given,
    running: new Map(),
    isReader,
    streams: delivering?.streams ?? null,
  };
  const around = aroundOf(newest);
  const byItself: ByItself = {
    now: around.now,
    resources,
    changes: around.changes,
    frame: (reads, names) => frame(around, null, names, reads),
  };
  if (!isReader && hasTimers(machines))
    alarm = compileAlarm({ ...byItself, store, ...time, latest: now.latest, fault });
  if (!isReader && works.length > 0)
    worker = compileWorker({ ...byItself, ...time, works, store, commit: around.commit, limits, fault });
  const limited = options.onHostLimit ?? (() => {});
  const told: Told = (reply, asked) => {
    if (reply?.heldUp) options.onHeldUp?.(reply.heldUp);
    if (reply?.hostLimit !== undefined) limited(reply.hostLimit);
    const { faults = [] } = reply ?? {};
    const isTold = faults.length > 0 || options.onAnswered !== undefined;
    const ids = isTold ? idsOf(asked.arrived, options.makesTraces === true) : null;
    for (const one of faults) fault(one, ids ?? undefined);
    if (reply?.because?.reason !== undefined) options.onRefused?.(asked.arrived, reply.because.reason);
    if (ids)
      options.onAnswered?.(
        answeredOf(reply, asked),
        ids,
        'received' in asked.arrived ? (asked.arrived as Received) : null,
      );
  };
  const ready = async (): Promise<Ready> => {
    await issuer?.prepare(store, now.latest, options.storeSecrets ?? [], wallClock);
    await alarm?.look();
    if (!isReader && hasSeeds(kept)) await sow(kept, { ...byItself, store, latest: now.latest });
    const answer = compileRequests(newest, older, (one) => (one === newest ? around : aroundOf(one)), told);
    const inTime: Answer = (arrived) =>
      alarm?.isDue() ? alarm.ring().then(() => answer.request(arrived)) : answer.request(arrived);
    const heard: Answer = options.keepsContent ? (arrived) => inTime(receiving(arrived)) : inTime;
    const direct: Answer = clientOf ? (arrived) => heard(clientOf(arrived)) : heard;
    const hears = { fault, limited };
    const forwarding = sharing && isReader ? forwardingTo(sharing.socket) : null;
    const request = reader
      ? reading(direct, { store: reader, now, hasTimers: hasTimers(machines), fault })
      : direct;
    const pair = options.tls?.pair ?? null;
    const { server, take } = listener(request, answer.unreadable, hears, limits, { forwarding, pair });
    options.tls?.renewed?.((other) => (server as SecureServer).setSecureContext(other));
    if (port !== null) await listen(server, port, host);
    const handed =
      sharing && !isReader ? inside(sharing.socket, request, answer.unreadable, hears, limits) : null;
    const opened = await handed?.catch((error: unknown) => {
      server.close();
      throw error;
    });
    return { server, ...mounted(request, take, limits), inside: opened ?? null, forwarding };
  };
  const { server, handle, fetch, end, ...between } = await ready().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const address = addressOf(server, host, options.tls ? 'https' : 'http') ?? surroundings.service.url;
  surroundings.service.url ||= address;
  alarm?.start();
  worker?.start();
  if (!isReader)
    delivering?.start({
      commit: around.commit,
      frame: byItself.frame,
      ...operators,
      isOutside,
      resolve: options.resolve,
      move: (tx, resource, key, transition) => moveItem(byItself, tx, resource, key, transition),
      process: randomUUID(),
      fault,
    });
  return {
    address,
    url: surroundings.service.url,
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
    unready: async () => (isEnding ? 'it ends' : unreadable(store, kept)),
    close: async () => {
      isEnding = true;
      alarm?.stop();
      const running = { server, end, store, worker, passwords, delivering, ...between };
      await close(running, options.graceMs ?? usualGraceMs, sharing?.alone);
      isOver = true;
    },
  };
}

/** Where requests are counted: where several processes may keep what they serve, there, unless it is said. */
function counterPlace(specification: Specification, { counter, data }: ServiceOptions): string | undefined {
  const isCounted = specification.operations.some((operation) => isAnyCounted(specification, operation));
  if (!isCounted) return undefined;
  return counter ?? (/^postgres(ql)?:/.test(data) ? data : undefined);
}

/** A store that takes the counter with it, when it closes or cannot be opened. */
function closingWithIt(counter: Counter, open: NonNullable<ServiceOptions['open']>): typeof open {
  return async (place, tables) => {
    try {
      const store = await open(place, tables);
      const close = async (): Promise<void> => {
        await counter.close();
        await store.close();
      };
      return { ...store, close };
    } catch (error) {
      await counter.close();
      throw error;
    }
  };
}

function wantedBy({ specification, resources, writers, model, ...shown }: Edition): Wanted {
  return compileWanted(specification, resources, model, environmentOf(writers), shown);
}

/** What is made at random is the same where a plan or a look begins anew. */
function steadily({ steady }: Store, makers: Makers): Makers {
  return { ...makers, uuid: steady(makers.uuid), random: steady(makers.random) };
}

function both(timers: Timers, follow: Timers['follow']): Timers {
  return {
    follow: (...written) => {
      timers.follow(...written);
      follow(...written);
    },
  };
}

/** The tables of the service's own, where it needs them. */
function ownTables({ operations }: Specification): Table[] {
  return operations.some(({ endpoint }) => stated(endpoint.idempotency)) ? [answered] : [];
}

/** How credentials are checked that the operator gives, or somebody else issues. */
function outsideOf(
  specification: Specification,
  { credentials = {}, milliseconds = Date.now }: ServiceOptions,
): Outside {
  try {
    return compileOutside(specification, credentials, milliseconds);
  } catch (error) {
    throw error instanceof CredentialsRefused ? new StartRefused(error.message) : error;
  }
}

/** Who sends a request that comes through proxies; null: there are none. */
function clientBehind(proxies: readonly string[]): ReturnType<typeof behindProxies> | null {
  if (proxies.length === 0) return null;
  try {
    return behindProxies(proxies);
  } catch (error) {
    throw error instanceof RangeError ? new StartRefused(error.message) : error;
  }
}

/** Each transition that waits for the operator's word has it, and no other does. */
function checkAfter(specification: Specification, after: Readonly<Record<string, string>>): void {
  const wanted = operatorsMoves(specification);
  const missing = wanted.find((name) => after[name] === undefined);
  if (missing !== undefined)
    throw new StartRefused(
      `how long after entry ${missing} happens is the operator's to say: --after ${missing}=P1D, or another duration`,
    );
  for (const [name, span] of Object.entries(after)) {
    if (!wanted.includes(name))
      throw new StartRefused(
        `${name} is no transition that waits for the operator's word; leave --after ${name} out`,
      );
    if (durationOf(span) === undefined)
      throw new StartRefused(`${span} is no duration; write --after ${name}=P14D, or PT30M`);
  }
}

/** What takes requests. */
interface Ready extends Mounted {
  readonly server: Server;
  readonly inside: Inside | null;
  readonly forwarding: Forwarding | null;
}

/** Where a server listens; null: it does not. */
function addressOf(server: Server, host: string, scheme: string): string | null {
  const address = server.address() as AddressInfo | null;
  return address && `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
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

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, 4096, () => resolve(server));
  });
}
