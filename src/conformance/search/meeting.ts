import type { Schema } from '../../semantics/request/given/text.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { versionNames } from '../../semantics/version/meant.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Condition, ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { bodyOffByOne, isMembers, membersIn, takenBody, withBody } from '../requests/bodies.ts';
import { otherHeaders } from '../requests/headers.ts';
import { memberOf, type Pool } from '../requests/pool.ts';
import { oddRequest, spelled } from '../requests/requests.ts';
import { goodCredentialsOf, wrongCredentials } from '../requests/senders.ts';
import { isInJson, mostBytes, mostOf, otherMedia } from '../requests/unread.ts';

type Change = (request: Request, world: World, pool: Pool, subject: string) => Request;

/** A request changed so that a row of part 7 may refuse it. */
export function meeting(row: Row, request: Request, world: World, pool: Pool): Request {
  const conditions = stated(row.when) ?? [];
  const all = conditions.flatMap(({ names, subject }: Condition) => names.map((name) => ({ name, subject })));
  if (all.length === 0) return request;
  const { name, subject } = pool.random.pick(all);
  const change = changes[name];
  return change
    ? change(request, world, pool, subject)
    : pool.often(50)
      ? request
      : oddRequest(request, world, pool);
}

/** The rows of part 7, by their codes. */
export const rowsOf = once(
  ({ errors }: Specification): ReadonlyMap<string, Row> =>
    new Map(
      [...(stated(stated(errors)?.codes) ?? [])].flatMap(([code, said]): [string, Row][] => {
        const row = stated(said);
        return row ? [[code, row]] : [];
      }),
    ),
);

/** The rows of part 7 that a statement is about: its own, or two of which the order is another. */
export function rowsFor(
  { address }: Said<unknown>,
  says: string,
  specification: Specification,
): readonly Row[] {
  const rows = rowsOf(specification);
  const [, code] = /^errors\.codes\.([^.[]+)/.exec(address) ?? [];
  if (code !== undefined) return [rows.get(code) ?? []].flat();
  const [, first] = /^elements (\d+) and/.exec(says) ?? [];
  if (address !== 'errors.order' || first === undefined) return [];
  return inOrder(specification)
    .slice(Number(first) - 1, Number(first) + 1)
    .flatMap((name) => rows.get(name) ?? []);
}

/** The codes of part 7, the first one that is answered before the others. */
function inOrder({ errors }: Specification): readonly string[] {
  const order = stated(errors)?.order;
  const list: unknown = order && stated(order);
  return Array.isArray(list) ? list.map(({ text }: { readonly text: string }) => text) : [];
}

/** How a request comes to meet a condition that depends on the request alone. */
const changes: Partial<Record<ConditionName, Change>> = {
  malformed: (request, _, pool) =>
    request.content === undefined
      ? request
      : { ...request, content: pool.random.pick<Json | undefined>([undefined, [], 'text', null]) },
  'credential missing': (request) => ({ ...request, credentials: [] }),
  'credential wrong': (request, world, pool) => ({
    ...request,
    credentials: wrongCredentials(request, world, pool),
  }),
  'not authorized': (request, world, pool) => ({
    ...request,
    credentials: goodCredentialsOf(request, world, pool),
  }),
  unknown: elsewhere,
  gone: elsewhere,
  invalid: unfit,
  'not unique': (request, world, pool) => withBody(request, (body) => takenBody(body, request, world, pool)),
  'too large': (request, _, pool, subject) => tooLarge(request, pool, subject),
  'unsupported media': (request, _, pool) => inAnotherMedia(request, pool),
  'wrong credentials': (request, world, pool) =>
    withBody(request, (body) => bodyOffByOne(body, request.operation, world, pool)),
  'version unknown': (request, { newest }) =>
    versionNames(newest).length > 0 ? { ...request, version: 'nonsense' } : request,
  'key missing': (request) => ({ ...request, headers: {} }),
  'key reused': (request, world, pool) => ({
    ...request,
    headers: { ...request.headers, ...otherHeaders(request, world, pool) },
  }),
  'precondition missing': (request) => ({ ...request, headers: {} }),
  'precondition failed': (request, world, pool) => ({
    ...request,
    headers: { ...request.headers, ...otherHeaders(request, world, pool) },
  }),
};

/** The request with content, or for a page, one past its bound (language §8.3). */
function tooLarge(request: Request, pool: Pool, subject: string): Request {
  const { operation, query } = request;
  const pages = queryParameters(operation).filter(({ roles }) => stated(roles.page) === 'size');
  const bound = stated(stated(stated(pool.specification.limits)?.sizes)?.page);
  if (bound !== undefined && pages[0] && (subject === 'page' || request.content === undefined))
    return { ...request, query: { ...query, [pages[0].name]: bound + 1 } };
  return atBound(request, pool, 1);
}

/** The request with content of as many bytes as are allowed, or of more. */
export function atBound(request: Request, pool: Pool, more: number): Request {
  const most = mostOf(request.operation, pool);
  if (!isInJson(request) || most === undefined || most > mostBytes) return request;
  return { ...request, leastBytes: most + more };
}

/** The request with content of another media type, or of none that is named. */
export function inAnotherMedia(request: Request, pool: Pool): Request {
  if (!isInJson(request)) return request;
  const { headers } = request;
  return { ...request, headers: { ...headers, 'content-type': pool.random.pick(otherMedia) } };
}

/** The request for an item that does not exist: one that was deleted, or that nobody made. */
function elsewhere(request: Request, world: World, pool: Pool, resource: string): Request {
  const { operation, path } = request;
  const own = [...operation.bindings].flatMap(([name, binding]) => {
    if (binding.kind === 'text') return [];
    const to = binding.kind === 'other' ? binding.resource : operation.subject?.name;
    return to !== undefined && ['', to].includes(resource) ? [{ name, to, field: binding.field }] : [];
  });
  if (own.length === 0) return request;
  const { name, to, field } = pool.random.pick(own);
  const former = world.former(to).flatMap((stored) => memberOf(stored, field) ?? []);
  const shape = pool.specification.resourcesByName.get(to)?.fields.get(field)?.shape;
  const made = shape ? pool.fresh(schemaOf(shape)) : 'nobody';
  const value = former.length > 0 && pool.often(50) ? pool.random.pick(former) : made;
  return { ...request, path: { ...path, [name]: value === '' || value === null ? 'nobody' : value } };
}

/** The request with a value that does not fit: in the body, if it has one. */
function unfit(request: Request, world: World, pool: Pool, subject: string): Request {
  const { operation, query } = request;
  const [, field] = subject.split('.');
  const parameters = queryParameters(operation);
  if (request.content !== undefined && (parameters.length === 0 || pool.often(70)))
    return withBody(request, (body) => {
      const unfit = field === undefined ? undefined : withUnfit(body, field, request, pool);
      return unfit ?? bodyOffByOne(body, operation, world, pool);
    });
  if (parameters.length === 0) return { ...request, query: { ...query, unstated: 'x' } };
  const { name, shape } = pool.random.pick(parameters);
  const schema = schemaOf(shape) as Schema;
  const probes = spelled([...pool.atBounds(schema), 'other'], schema, pool);
  if (probes.length === 0) return { ...request, query: { ...query, unstated: 'x' } };
  return { ...request, query: { ...query, [name]: pool.random.pick(probes) } };
}

function withUnfit(body: Json, name: string, { operation }: Request, pool: Pool): Json | undefined {
  const shape = bodyOf(pool.specification, operation);
  const schema = shape && membersIn(shape, pool)?.[name];
  const probes = schema ? pool.atBounds(schema).filter((value) => !pool.fits(schema, value)) : [];
  if (probes.length === 0 || !isMembers(body)) return undefined;
  return { ...body, [name]: pool.random.pick(probes) };
}
