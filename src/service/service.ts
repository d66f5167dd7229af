import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Makers } from '../expression/functions.ts';
import { setMember } from '../source/node.ts';
import { durationOf } from '../specification/duration.ts';
import { handlersIn } from '../specification/handlers.ts';
import { type Hold, holds } from '../specification/holds.ts';
import type { Operation } from '../specification/operation.ts';
import type { Segment } from '../specification/parts/endpoints.ts';
import { stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { compileIssuer } from './access/issuer.ts';
import { type Alarm, compileAlarm } from './alarm.ts';
import type { Around } from './around.ts';
import { batches } from './batch.ts';
import { compileChanges } from './change/changes.ts';
import { compileSelect } from './change/select.ts';
import { clock } from './clock.ts';
import { compileFields } from './content.ts';
import type { Streams } from './events/streams.ts';
import { rulesOf } from './evolve.ts';
import { frame } from './frame.ts';
import { followWork, worksOf, workTable } from './handlers/work.ts';
import { compileWorked, type Handlers } from './handlers/worked.ts';
import { compileWorker, type Worker } from './handlers/worker.ts';
import { allowed, floor, targetOf } from './http/floor.ts';
import { type Answer, listener } from './http/listener.ts';
import { Router, segmentsOf } from './http/router.ts';
import type { Arrived } from './incoming.ts';
import type { Counter } from './limits/counter.ts';
import { compileCrowded } from './limits/crowded.ts';
import { openCounter } from './limits/open.ts';
import { withoutPrefixes } from './list/indexes.ts';
import { makers as systemMakers } from './makers.ts';
import { compileOperation, type Handle } from './operation.ts';
import { isExposable, isLoopback } from './parts/authentication.ts';
import { type CompiledCors, compileCors } from './parts/endpoints.ts';
import { compileRefusals, type Refusals } from './parts/errors.ts';
import { compileEvents } from './parts/events.ts';
import { type HostLimits, hostLimits } from './parts/limits.ts';
import { compileResources } from './parts/resources.ts';
import { compileMachines, operatorsMoves } from './parts/states.ts';
import type { Plan } from './plan.ts';
import { refuse } from './refusal.ts';
import { environmentOf } from './render.ts';
import { answered } from './repeats.ts';
import { bare, type HeldUp, type Reply } from './reply.ts';
import { hasSeeds, seedTable, sow } from './seeds.ts';
import { openStore } from './store/open.ts';
import type { Store, Table } from './store/store.ts';
import { compileTimers, hasTimers, type Timers, timerTable } from './timers.ts';
import { indexesWanted } from './wanted.ts';

export interface ServiceOptions {
  /** The file of the SQLite database, made if it is not there; or `postgres://USER@HOST/DATABASE`. */
  readonly data: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: one that is free. */
  readonly port?: number;
  /** The address at which the operator makes the service reachable, for `service.url`. Default: where it listens. */
  readonly url?: string;
  /** Listen beyond loopback although it is open who may ask. Default false. */
  readonly exposeUnauthenticated?: boolean;
  /** How long after entry the transitions happen of which that is the operator's to say: `{ 'Parcel.expire': 'P14D' }`. */
  readonly after?: Readonly<Record<string, string>>;
  readonly limits?: Partial<HostLimits>;
  /** Where requests are counted, for all processes that name the same: `redis://HOST`. Default: in this process. */
  readonly counter?: string;
  /** Told of each request that an open point holds up. */
  readonly onHeldUp?: (heldUp: HeldUp) => void;
  /** Told of each fault of the service's own: it was answered as `internal` (language §H.4), or by 503 where what is kept cannot be read or written, or it cut its answer short. */
  readonly onFault?: (fault: unknown) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly milliseconds?: () => number;
  readonly makers?: Makers;
  /** The functions that stand as `{ handled: NAME }` (language §I), by name. */
  readonly handlers?: Handlers;
  /** Opens the store. Default: what `data` names. */
  readonly open?: (file: string, tables: readonly Table[]) => Store | Promise<Store>;
}

/** A service that runs. */
export interface Service {
  /** Where it listens. */
  readonly address: string;
  /** `service.url`. */
  readonly url: string;
  /** Takes no more requests, finishes those under way while the host's request time-out lasts, and closes the store. */
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
  const specification = { ...document, handlers: new Set(Object.keys(given)) };
  const host = options.host ?? '127.0.0.1';
  if (!isLoopback(host) && !isExposable(specification) && options.exposeUnauthenticated !== true)
    throw new StartRefused(
      `authentication is open, so the service listens on loopback alone, and ${host} is not; state part 5, or take the risk with --expose-unauthenticated`,
    );
  checkAfter(specification, options.after ?? {});
  const { resources, writers, model, along, kept, tables } = compileResources(specification);
  const environment = environmentOf(writers);
  const machines = compileMachines(specification, environment, options.after);
  const works = worksOf(specification, given);
  const issuer = compileIssuer(specification, resources);
  const events = compileEvents(specification, writers);
  const wanted = indexesWanted(specification, resources, model, environment, along);
  const start = (): string => clock(options.milliseconds)();
  const milliseconds = options.milliseconds ?? (() => performance.now());
  const counter = await openCounter(options.counter, specification.name, milliseconds);
  const open = closingWithIt(counter, options.open ?? openStore);
  const opened = await open(options.data, [
    ...kept.map((one) => ({
      ...one.table,
      indexes: withoutPrefixes([...(one.table.indexes ?? []), ...(wanted.get(one.name) ?? [])]),
      rules: rulesOf(specification, one, environment, machines.get(one.name) ?? [], start),
    })),
    ...tables,
    ...(hasSeeds(kept) ? [seedTable] : []),
    ...(hasTimers(machines) ? [timerTable] : []),
    ...(works.length > 0 ? [workTable] : []),
    ...ownTables(specification),
    ...(issuer?.tables ?? []),
    ...(events?.tables ?? []),
  ]);
  const delivering = events?.begin(opened, options.milliseconds ?? Date.now) ?? null;
  const store = delivering?.store ?? opened;
  const limits: HostLimits = { ...hostLimits, ...options.limits };
  const surroundings = {
    service: { url: options.url ?? '' },
    makers: {
      ...steadily(store, options.makers ?? systemMakers(undefined, options.milliseconds)),
      ...(issuer && { issue: issuer.issue }),
    },
  };
  const now = clock(options.milliseconds, store.latest);
  let alarm: Alarm | null = null;
  const ahead = (): Promise<void> | undefined => (alarm?.isDue() ? alarm.ring() : undefined);
  const commit = batches(store, now, ahead, options.onFault ?? (() => {}));
  const select = compileSelect(model, environment);
  let worker: Worker | null = null;
  const timers = both(
    compileTimers(machines, (due) => alarm?.set(due)),
    followWork(works, () => worker?.tell()),
  );
  const crowded = compileCrowded(specification, resources);
  const changes = compileChanges(
    machines,
    resources,
    timers,
    select,
    model,
    environment,
    issuer,
    crowded,
    events?.emitting ?? null,
  );
  const around: Around = {
    ...surroundings,
    model,
    along,
    changes,
    select,
    store,
    commit: (plan: Plan) => new Promise((resolve) => commit(plan, resolve)),
    now: store.steady(now),
    resources,
    writers,
    issuer,
    crowded,
    counter,
    milliseconds,
    limits,
    given,
    handlers: compileWorked(given, resources),
    running: new Map(),
    hold: (operation, held) =>
      notImplemented(
        operation,
        held.map((address) => pointOf(specification, operation, address)),
      ),
  };
  if (hasTimers(machines))
    alarm = compileAlarm({
      store,
      now: around.now,
      latest: now.latest,
      milliseconds: options.milliseconds ?? Date.now,
      resources,
      changes,
      frame: (tx, names) => frame(around, null, names, tx),
      fault: options.onFault ?? (() => {}),
    });
  if (works.length > 0)
    worker = compileWorker({
      works,
      store,
      commit: around.commit,
      now: around.now,
      resources,
      changes,
      limits,
      frame: (tx, names) => frame(around, null, names, tx),
      fault: options.onFault ?? (() => {}),
    });
  try {
    await issuer?.prepare(store, now.latest);
    await alarm?.look();
    if (hasSeeds(kept)) {
      const { writing } = changes;
      await sow(kept, {
        store,
        now: around.now,
        latest: now.latest,
        writing,
        frame: (tx, names) => frame(around, null, names, tx),
      });
    }
  } catch (error) {
    await store.close();
    throw error;
  }
  const told = (reply: Reply | null): Reply | null => {
    if (reply?.heldUp) options.onHeldUp?.(reply.heldUp);
    if (reply?.fault !== undefined) options.onFault?.(reply.fault);
    return reply;
  };
  const answer = compile(specification, around, told, delivering?.streams ?? null);
  const request: Answer = (arrived) =>
    alarm?.isDue() ? alarm.ring().then(() => answer.request(arrived)) : answer.request(arrived);
  const server = listener(request, answer.unreadable, options.onFault ?? (() => {}), limits);
  try {
    await listen(server, options.port ?? 0, host);
  } catch (error) {
    await store.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  surroundings.service.url ||= address;
  alarm?.start();
  worker?.start();
  return {
    address,
    url: surroundings.service.url,
    close: async () => {
      alarm?.stop();
      await delivering?.close();
      await close(server, store, worker, limits.requestTimeoutMs);
    },
  };
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

function notImplemented(operation: Operation, points: readonly Hold[]): Reply {
  return { ...bare(floor.notImplemented), heldUp: { operation, points } };
}

function pointOf(specification: Specification, operation: Operation, address: string): Hold {
  const at = specification.points.get(address)?.at ?? operation.at;
  const handler = handlersIn(specification).find((one) => one.address === address)?.name;
  return { address, at, why: 'open', ...(handler !== undefined && { handler }) };
}

/** What stands at a path: its operations by method. */
interface Path {
  readonly operations: Map<string, Compiled>;
}

interface Compiled {
  readonly handle: Handle;
  readonly names: readonly string[];
  readonly cors: CompiledCors | null;
}

/** Everything that can be decided when the specification is read is decided here; a request meets functions. */
function compile(
  specification: Specification,
  around: Around,
  told: (reply: Reply | null) => Reply | null,
  streams: Streams | null,
) {
  const endpoints = stated(specification.endpoints);
  const base: Segment[] = ((endpoints && stated(endpoints.base)) ?? '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((literal) => ({ literal }));
  const router = new Router<Path>();
  for (const operation of specification.operations) {
    const path = router.add([...base, ...operation.path], { operations: new Map() });
    path.operations.set(operation.method, compileOne(specification, operation, around, streams));
  }
  const refusals = compileRefusals(specification, null, around.writers);
  const everywhere = endpoints && stated(endpoints.headers);
  const fields = compileFields(everywhere, environmentOf(around.writers));
  const withFields = (reply: Reply): Reply =>
    everywhere === undefined
      ? reply
      : { ...reply, headers: [...reply.headers, ...fields(frame(around, null, { now: around.now() }))] };
  const noOperation = (condition: 'malformed' | 'unknown path' | 'method not allowed'): Reply =>
    outside(refusals, condition, around);
  const notAllowed = (operations: ReadonlyMap<string, Compiled>): Reply => {
    const reply = noOperation('method not allowed');
    return { ...reply, headers: ['Allow', allowed(operations.keys()), ...reply.headers] };
  };
  const request: Answer = (arrived) => {
    const { method, url, from, headers, content } = arrived;
    const target = targetOf(url);
    const segments = target && segmentsOf(target.path);
    if (target !== null && segments === null) return withFields(noOperation('malformed'));
    const found = segments && router.find(segments);
    if (!target || !found) return withFields(noOperation('unknown path'));
    const { operations } = found.value;
    const allowance = method === 'OPTIONS' ? preflight(operations, arrived) : undefined;
    if (allowance) return withFields(allowance);
    const operation = operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);
    if (operation === undefined) return withFields(notAllowed(operations));
    const path: Record<string, string> = {};
    for (const [index, name] of operation.names.entries()) setMember(path, name, found.given[index]);
    const finished = (reply: Reply | null): Reply | null => {
      told(reply);
      return reply && withFields(withCors(reply, operation.cors, headers['origin']));
    };
    const reply = operation.handle({ method, url, from, headers, content, query: target.query, path });
    return reply instanceof Promise ? reply.then(finished) : finished(reply);
  };
  return { request, unreadable: () => withFields(noOperation('malformed')) };
}

function withCors(reply: Reply, cors: CompiledCors | null, origin: Arrived['headers'][string]): Reply {
  if (cors === null) return reply;
  return { ...reply, headers: reply.headers.concat(cors.fields(single(origin))) };
}

function compileOne(
  specification: Specification,
  operation: Operation,
  around: Around,
  streams: Streams | null,
): Compiled {
  const points = holds(specification, operation);
  const cors = stated(operation.cors);
  const held = notImplemented(operation, points);
  const own: Handle = points.length === 0 ? compileOperation(specification, operation, around) : () => held;
  const handle = streams?.has(operation.key) ? streaming(specification, own, streams) : own;
  const names = operation.path.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  // Which origins may use it is what the other words are about: while that is open, no field is sent (language §4.1).
  return { handle, names, cors: cors && stated(cors.origins) ? compileCors(cors) : null };
}

/**
 * An endpoint whose answer goes on with events. Whether it is still for the one who asked is asked again and again,
 * unless that would be counted (language §8.1).
 */
function streaming({ limits }: Specification, own: Handle, streams: Streams): Handle {
  const part = stated(limits);
  const isCounted = part !== undefined && (stated(part.rates) ?? stated(part.concurrency)) !== undefined;
  return async (incoming) => {
    const reply = await own(incoming);
    const isStill = async (): Promise<boolean> => isCounted || (await own(incoming))?.status === 200;
    return reply && streams.follow(reply, incoming, isStill);
  };
}

/** A refusal where no operation was reached. */
function outside(
  refusals: Refusals,
  condition: 'malformed' | 'unknown path' | 'method not allowed',
  around: Around,
): Reply {
  return refusals.reply(refuse(condition), (names) => frame(around, null, { now: around.now(), ...names }));
}

/**
 * A preflight request (Fetch standard §3.3.2) to a path of which an endpoint states `cors`: that of the method
 * asked for, or else any. 204 is a choice (language §F.1).
 */
function preflight(operations: ReadonlyMap<string, Compiled>, arrived: Arrived): Reply | undefined {
  const origin = single(arrived.headers['origin']);
  const method = single(arrived.headers['access-control-request-method']);
  if (origin === undefined || method === undefined) return undefined;
  const asked = operations.get(method);
  const cors = asked ? asked.cors : [...operations.values()].find((one) => one.cors !== null)?.cors;
  if (!cors) return undefined;
  const headers = single(arrived.headers['access-control-request-headers']);
  return { status: 204, headers: cors.preflight({ origin, method, headers }), body: null };
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, 4096, () => resolve());
  });
}

async function close(server: Server, store: Store, worker: Worker | null, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(timer);
  await worker?.stop(timeoutMs);
  await store.close();
}
