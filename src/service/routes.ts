import { setMember } from '../source/node.ts';
import { handlersIn } from '../specification/model/handlers.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Hold, holds } from '../specification/openness/holds.ts';
import { stated } from '../specification/reading/said.ts';
import type { Segment } from '../specification/vocabulary/paths.ts';
import { compileFields } from './content/content.ts';
import { environmentOf } from './content/render.ts';
import type { Streams } from './events/streams.ts';
import type { Answer, Unreadable } from './http/answering.ts';
import { type CompiledCors, compileCors } from './http/cors.ts';
import { allowed, floor, targetOf } from './http/floor.ts';
import { pathsServed } from './http/paths.ts';
import { Router, segmentsOf } from './http/router.ts';
import { withVary } from './http/vary.ts';
import { compileRefusals } from './judge/refusals.ts';
import { handOver } from './message/elsewhere.ts';
import { type FrameOf, frame } from './message/frame.ts';
import { type Arrived, type Incoming, type OfVersion, single } from './message/incoming.ts';
import { refuse } from './message/refusal.ts';
import { bare, type Reply } from './message/reply.ts';
import type { Around } from './request/around.ts';
import { compileMeans, type Means } from './request/choosing.ts';
import { compileOperation, type Handle } from './request/operation.ts';
import type { Ask } from './run/run.ts';
import type { Edition } from './versions/editions.ts';
import { compileVersioning } from './versions/versioning.ts';

/** What stands at a path: its operations by method. */
interface Path {
  readonly operations: Map<string, AtPath>;
}

interface Compiled {
  readonly of: Operation;
  readonly handle: Handle;
  /** Whether a request means this one, where there are several; null: any. */
  readonly means: Means | null;
  readonly cors: CompiledCors | null;
}

/** An operation at one of its paths. */
interface AtPath extends Compiled {
  /** The parameters of this path, in order. */
  readonly names: readonly string[];
  /** Which segment each is. */
  readonly places: Incoming['places'];
  /** Where a request means one of several operations: these, in order. */
  readonly choices?: readonly AtPath[];
}

/** A specification that is compiled: what becomes of any request. */
interface Requests {
  readonly request: Answer;
  /** What came is not HTTP. */
  readonly unreadable: Unreadable;
}

/** The operations of one version. */
interface Routes {
  /** Whether something stands at a path, for a method or for any. */
  readonly stands: (path: string, method?: string) => boolean;
  readonly answer: (arrived: Arrived, url: string, version: OfVersion | null) => ReturnType<Answer>;
  readonly unreadable: Unreadable;
}

/** Hears of every answer, to what was asked, and of which operation if there is one. */
export type Told = (reply: Reply | null, asked: Asked) => void;

export interface Asked {
  readonly arrived: Arrived;
  readonly specification: Specification;
  /** Null where no operation was reached. */
  readonly operation: Operation | null;
  readonly version: string | null;
  readonly tookMs: number;
}

/**
 * Compiles what answers requests. Everything that can be decided when the specification is read is decided here; a
 * request meets functions.
 *
 * @param older the older versions that differ, by name
 * @param aroundOf what the operations of a version need of the service
 * @param told hears of every answer
 */
export function compileRequests(
  newest: Edition,
  older: ReadonlyMap<string, Edition>,
  aroundOf: (edition: Edition) => Around,
  told: Told,
): Requests {
  const { specification } = newest;
  const around = aroundOf(newest);
  const own = compileRoutes(specification, around, told);
  const { unreadable } = own;
  const versioned = compileVersioning(specification, (path) => usual.stands(path));
  if (versioned === null) return { unreadable, request: (arrived) => own.answer(arrived, arrived.url, null) };
  const compiled = new Map<Edition, Routes>();
  for (const one of older.values())
    compiled.set(one, compiled.get(one) ?? compileRoutes(one.specification, aroundOf(one), told));
  const routesOf = (name: string): Routes => {
    const edition = older.get(name);
    return (edition && compiled.get(edition)) ?? own;
  };
  const versioning = stated(specification.versioning);
  const usual = routesOf((versioning && stated(versioning.default)?.text) ?? '');
  return {
    unreadable,
    request: (came) => {
      const version = versioned(came, around.now());
      const { arrived, among, fields } = version;
      const path = targetOf(arrived.url)?.path ?? '';
      const every = among.map(routesOf);
      // A path or method that no version has is told first (language §H.4).
      const routes =
        every.find((one) => one.stands(path, arrived.method)) ??
        every.find((one) => one.stands(path)) ??
        every[0] ??
        own;
      const answer = routes.answer(arrived, came.url, version);
      return answer instanceof Promise
        ? answer.then((reply) => withFields(reply, fields))
        : withFields(answer, fields);
    },
  };
}

function compileRoutes(specification: Specification, around: Around, told: Told): Routes {
  const outside = compileOutside(specification, around);
  const compiled = new Map<Operation, Compiled>();
  const ask = compileAsk(specification, compiled, outside, around, told);
  for (const one of specification.operations) compiled.set(one, compileOne(specification, one, around, ask));
  const router = compileRouter(specification, compiled);
  return {
    stands: (path, method) => {
      const operations = router.find(segmentsOf(path) ?? [])?.value.operations;
      return (
        operations !== undefined && (method === undefined || operationFor(operations, method) !== undefined)
      );
    },
    answer: (arrived, url, version) => {
      const begunMs = around.milliseconds();
      const finished = (reply: Reply | null, of: AtPath | null): Reply | null => {
        const tookMs = around.milliseconds() - begunMs;
        const operation = of?.of ?? null;
        told(reply, { arrived, specification, operation, version: version?.name ?? null, tookMs });
        return reply && outside.withEvery(withCors(reply, of?.cors ?? null, arrived.headers['origin']));
      };
      const found = operationOf(router, outside, arrived, url, version);
      if ('status' in found) return finished(found, null);
      const { operation, incoming } = found;
      const reply = operation.handle(incoming);
      return reply instanceof Promise
        ? reply.then((one) => finished(one, operation))
        : finished(reply, operation);
    },
    unreadable: () => outside.withEvery(outside.noOperation('malformed')),
  };
}

/** The operation that a request means, and what it is given; or the answer where it reaches none. */
function operationOf(
  router: Router<Path>,
  { noOperation, notAllowed }: Outside,
  arrived: Arrived,
  url: string,
  version: OfVersion | null,
): Reply | { readonly operation: AtPath; readonly incoming: Incoming } {
  const { method, from, headers, content } = arrived;
  const target = targetOf(arrived.url);
  const segments = target && segmentsOf(target.path);
  if (target !== null && segments === null) return noOperation('malformed', 'path');
  const found = segments && router.find(segments);
  if (!target || !found) return noOperation('unknown path');
  const { operations } = found.value;
  const allowance = method === 'OPTIONS' ? preflight(operations, arrived) : undefined;
  if (allowance) return allowance;
  const first = operationFor(operations, method);
  if (first === undefined) return notAllowed(operations);
  const incomingAt = ({ names, places }: AtPath): Incoming => {
    const path: Record<string, string> = {};
    for (const [index, name] of names.entries()) setMember(path, name, found.given[index]);
    return { method, url, from, headers, content, query: target.query, path, places, version };
  };
  const operation = first.choices ? chosen(first.choices, incomingAt) : first;
  return operation ? { operation, incoming: incomingAt(operation) } : noOperation('unknown path');
}

/** Answers to what reaches no operation, and the fields that all answers have. */
interface Outside {
  readonly noOperation: (
    condition: 'malformed' | 'unknown path' | 'method not allowed',
    ...subjects: readonly string[]
  ) => Reply;
  readonly notAllowed: (operations: ReadonlyMap<string, Compiled>) => Reply;
  /** An answer with what `endpoints.headers` states of all. */
  readonly withEvery: (reply: Reply) => Reply;
}

function compileOutside(specification: Specification, around: Around): Outside {
  const refusals = compileRefusals(specification, null, around.writers);
  const everywhere = stated(stated(specification.endpoints)?.headers);
  const fields = compileFields(everywhere, environmentOf(around.writers));
  const alone: FrameOf = (names) => frame(around, null, { now: around.now(), ...names });
  const noOperation: Outside['noOperation'] = (condition, ...subjects) =>
    refusals.reply(refuse(condition, ...subjects), alone);
  return {
    noOperation,
    notAllowed: (operations) => {
      const reply = noOperation('method not allowed');
      // Another status says something else, and conceals the methods (RFC 9110 §15.5.6).
      if (reply.status !== floor.methodNotAllowed) return reply;
      return { ...reply, headers: ['Allow', allowed(operations.keys()), ...reply.headers] };
    },
    withEvery: (reply) =>
      everywhere === undefined
        ? reply
        : withFields(reply, besidesOwn(fields(alone({}), around.fault), reply.own)),
  };
}

/** Asks for an operation as if a client had. */
function compileAsk(
  specification: Specification,
  compiled: ReadonlyMap<Operation, Compiled>,
  { noOperation, withEvery }: Outside,
  around: Around,
  told: Told,
): Ask {
  return (operation, incoming) => {
    const { handle, means } = compiled.get(operation) as Compiled;
    const begunMs = around.milliseconds();
    const isThere = !Object.values(incoming.path).includes('') && (means === null || means(incoming));
    const finished = (reply: Reply | null): Reply | null => {
      const { version } = incoming;
      const tookMs = around.milliseconds() - begunMs;
      told(reply, { arrived: incoming, specification, operation, version: version?.name ?? null, tookMs });
      return reply && withEvery(reply);
    };
    const reply = isThere ? handle(incoming) : noOperation('unknown path');
    return reply instanceof Promise ? reply.then(finished) : finished(reply);
  };
}

function compileRouter(
  { endpoints, operations: all }: Specification,
  compiled: ReadonlyMap<Operation, Compiled>,
): Router<Path> {
  const base: Segment[] = (stated(stated(endpoints)?.base) ?? '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((literal) => ({ literal }));
  const router = new Router<Path>();
  for (const { path, isCaseless, forms } of pathsServed(base, all)) {
    const { operations } = router.add(path, { operations: new Map() }, isCaseless);
    for (const { operation, path: own } of forms)
      put(operations, { ...(compiled.get(operation) as Compiled), ...placesOf(own) });
  }
  return router;
}

/** Puts an operation where it is the first of its method, or one of several. */
function put(operations: Map<string, AtPath>, one: AtPath): void {
  const { method, endpoint } = one.of;
  const first = operations.get(method);
  const isOfSeveral = endpoint.among !== null;
  if (first === undefined) operations.set(method, isOfSeveral ? { ...one, choices: [one] } : one);
  else if (isOfSeveral && first.of.endpoint.among === endpoint.among)
    operations.set(method, { ...first, choices: [...(first.choices ?? []), one] });
}

/** The first of several operations that a request means (language §4.1, `when`). */
function chosen(choices: readonly AtPath[], incomingAt: (one: AtPath) => Incoming): AtPath | undefined {
  return choices.find((one) => one.means === null || one.means(incomingAt(one)));
}

function placesOf(path: readonly Segment[]): Pick<AtPath, 'names' | 'places'> {
  const named = path.flatMap((segment, at) =>
    'parameter' in segment ? [[segment.parameter, at] as const] : [],
  );
  return { names: named.map(([name]) => name), places: Object.fromEntries(named) };
}

function operationFor(operations: ReadonlyMap<string, AtPath>, method: string): AtPath | undefined {
  return operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);
}

function withFields<R extends Reply | null>(reply: R, fields: readonly string[]): R {
  return reply === null || fields.length === 0
    ? reply
    : { ...reply, headers: withVary(reply.headers, fields) };
}

/** Without the fields that the answer itself is about: what it states goes before what is stated of all. */
function besidesOwn(fields: readonly string[], own: Reply['own']): readonly string[] {
  if (own === undefined) return fields;
  return fields.filter((_, index) => !own.includes((fields[index - (index % 2)] as string).toLowerCase()));
}

function withCors(reply: Reply, cors: CompiledCors | null, origin: Arrived['headers'][string]): Reply {
  return cors === null ? reply : withFields(reply, cors.fields(single(origin)));
}

function compileOne(specification: Specification, operation: Operation, around: Around, ask: Ask): Compiled {
  const points = holds(specification, operation);
  const cors = stated(operation.cors);
  const held = notImplemented(operation, points);
  const own: Handle =
    points.length === 0
      ? onFirstUse(() => compileOperation(specification, operation, around, ask))
      : () => held;
  const { streams } = around;
  const handle = streams?.has(operation.key) ? streaming(specification, own, streams, around) : own;
  // Which origins may use it is what the other words are about: while that is open, no field is sent (language §4.1).
  const means = compileMeans(specification, operation, around);
  return { of: operation, handle, means, cors: cors && stated(cors.origins) ? compileCors(cors) : null };
}

/** What is compiled when it is asked for the first time: a service that compiled all would start late if it states much. */
function onFirstUse(compile: () => Handle): Handle {
  let compiled: Handle | undefined;
  return (incoming) => {
    compiled ??= compile();
    return compiled(incoming);
  };
}

/**
 * An endpoint whose answer goes on with events. Whether it is still for the one who asked is asked again and again,
 * unless that would be counted (language §8.1).
 */
function streaming({ limits }: Specification, own: Handle, streams: Streams, { isReader }: Around): Handle {
  // Events are told of in the process that writes them.
  if (isReader) return handOver;
  const part = stated(limits);
  const isCounted = part !== undefined && (stated(part.rates) ?? stated(part.concurrency)) !== undefined;
  return async (incoming) => {
    const reply = await own(incoming);
    const isStill = async (): Promise<boolean> => isCounted || (await own(incoming))?.status === 200;
    return reply && streams.follow(reply, incoming, isStill);
  };
}

/** The answer to what cannot be carried out without points that are open. */
export function heldBy(
  specification: Specification,
  operation: Operation,
  addresses: readonly string[],
): Reply {
  const points = addresses.map((address): Hold => {
    const at = specification.points.get(address)?.at ?? operation.at;
    const handler = handlersIn(specification).find((one) => one.address === address)?.name;
    return { address, at, why: 'open', ...(handler !== undefined && { handler }) };
  });
  return notImplemented(operation, points);
}

function notImplemented(operation: Operation, points: readonly Hold[]): Reply {
  return { ...bare(floor.notImplemented), heldUp: { operation, points } };
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
