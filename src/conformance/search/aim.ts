import { acceptedBy } from '../../semantics/access/accepted.ts';
import type { Schema } from '../../semantics/request/given/text.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Item, type Value } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { changesOf } from '../../specification/model/changes.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { bodyOf } from '../body.ts';
import { type Deviation, keyOf, operationOf } from '../deviations/deviation.ts';
import { mayMeet } from '../deviations/meets.ts';
import { bodyIn, isMembers, membersIn, takenBody, withBody, withoutMember } from '../requests/bodies.ts';
import { keyHeader, underCondition } from '../requests/headers.ts';
import type { Pool } from '../requests/pool.ts';
import { askedOperations, oddRequest, parameterValue, spelled } from '../requests/requests.ts';
import { goodCredentialsOf, otherCredentials } from '../requests/senders.ts';
import { atBound, inAnotherMedia, meeting, rowsFor } from './meeting.ts';
import { withMistakenValue } from './mistaken.ts';
import { itemsApart, preparingFor, turnedFor } from './preparing.ts';
import type { Suspect } from './suspect.ts';
import { holding, withTellingValue } from './telling-values.ts';

/** @param world what there is. Default: what a right implementation holds */
type Usual = (among: readonly Operation[], world?: World) => Request;

/**
 * A request to an operation that a statement is about, made so that the statement matters. If the suspect holds something
 * else than it should, the request is mostly about that.
 *
 * @param earlier the requests before
 * @param usual makes a request to one of some operations, which mostly succeeds
 */
export function aimedAt(
  suspect: Suspect,
  world: World,
  pool: Pool,
  earlier: readonly Request[],
  usual: Usual,
): Request {
  suspect.aims += 1;
  if (suspect.isOther && pool.often(80)) return lookAt(suspect.others(world), world, pool, usual, suspect);
  const { deviation } = suspect;
  const prepared = pool.often(60) ? preparedFor(deviation, world, pool, usual) : null;
  if (prepared) return prepared;
  const among = operationsFor(deviation, world.specification);
  const before = pool.often(15) ? earlier.filter(({ operation }) => isAmong(operation, among)) : [];
  if (before.length > 0) return again(pool.recent(before), world, pool);
  const request = pool.about(focusFor(suspect, world, pool), () => usual(among));
  if (isAboutKey(suspect) && pool.often(50)) return withKey(request, earlier, pool);
  if (!pool.often(80)) return request;
  const turning = pool.often(50) ? turnedFor(deviation, request, world, pool) : null;
  return turning ?? changedFor(suspect, request, world, pool);
}

/** A request about an item of which the deviation decides otherwise, or one that makes it so; null: it decides nothing of items. */
function preparedFor(deviation: Deviation, world: World, pool: Pool, usual: Usual): Request | null {
  const items = itemsApart(deviation, world);
  if (items.length === 0) return preparingFor(deviation, world, pool, usual);
  if (pool.often(70) && keyOf(deviation.said) !== 'when') return lookAt(items, world, pool, usual);
  return pool.about(items, () => usual(operationsFor(deviation, world.specification)));
}

/** Whether a statement is about keys of idempotency, or a row that refuses them. */
function isAboutKey({ deviation: { said } }: Suspect): boolean {
  return /\.idempotency\b|^errors\.codes\.\w*key\w*|^errors\.order$/.test(said.address);
}

/** The request with the key of an earlier one, from the same sender; or without one. */
function withKey(request: Request, earlier: readonly Request[], pool: Pool): Request {
  const { operation } = request;
  const name = keyHeader(operation);
  if (name === undefined) return request;
  const { [name]: _, ...others } = request.headers;
  if (pool.often(30)) return { ...request, headers: others };
  // A key is one for all operations, too.
  const before = earlier.filter(
    (each) => name in each.headers && (pool.often(20) || each.operation.address === operation.address),
  );
  if (before.length === 0) return request;
  const { headers, credentials } = pool.recent(before);
  return { ...request, headers: { ...others, [name]: headers[name] ?? null }, credentials };
}

function isAmong({ address }: Operation, among: readonly Operation[]): boolean {
  return among.some((operation) => operation.address === address);
}

/** The same request once more, sometimes from somebody else. */
function again(request: Request, world: World, pool: Pool): Request {
  return pool.often(70) ? request : { ...request, credentials: goodCredentialsOf(request, world, pool) };
}

/** The request with what a statement is about: a condition, a credential, a parameter, a member. */
function changedFor({ deviation }: Suspect, request: Request, world: World, pool: Pool): Request {
  const { said, says } = deviation;
  const { address } = said;
  const apart = pool.often(70)
    ? (withTellingValue(deviation, request, pool) ?? withMistakenValue(deviation, request, world, pool))
    : undefined;
  if (apart) return apart;
  const rows = rowsFor(said, says, world.specification);
  if (rows.length > 0) return rows.reduce((changed, row) => meeting(row, changed, world, pool), request);
  const [isAccess, scheme] = /^authentication\.(?:schemes\.([^.]+))?/.exec(address) ?? [];
  if (isAccess !== undefined) {
    const { path } = pool.often(15) ? toNobody(request, pool) : request;
    return { ...request, path, credentials: otherCredentials(request, world, pool, scheme) };
  }
  const [, parameter = parameterIn(address, says, request)] =
    /\.request\.query\.([^.[]+)/.exec(address) ?? [];
  if (parameter !== undefined)
    return withParameter(request, parameter, world, pool, keyOf(said) === 'filter');
  if (/\.conditional\.if(None)?Match$/.test(address)) return withCondition(request, keyOf(said), pool);
  if (address.endsWith('.request.media')) return inAnotherMedia(request, pool);
  if (/^limits\.sizes\.(body|operations\b)/.test(address))
    return atBound(request, pool, pool.random.whole(0, 1));
  if (address.endsWith('.required')) return withoutSome(request, pool);
  if (keyOf(said) === 'unique') return withBody(request, (body) => takenBody(body, request, world, pool));
  const [, end] = /^the page before (\S+) begins/.exec(says) ?? [];
  if (end !== undefined) return withPageBefore(request, end, world, pool);
  const [, member] = /\.fields\.([^.]+)/.exec(address) ?? [];
  if (member === undefined) return pool.often(60) ? oddRequest(request, world, pool) : request;
  return withBound(request, member, world, pool, keyOf(said) === 'default');
}

/** The same request, but that one parameter of its path names nothing that there is. */
function toNobody(request: Request, pool: Pool): Request {
  const names = Object.keys(request.path);
  return names.length === 0
    ? request
    : { ...request, path: { ...request.path, [pool.random.pick(names)]: 'nobody' } };
}

/** The parameter that a deviation of all of them names first. */
function parameterIn(address: string, says: string, { operation }: Request): string | undefined {
  if (!address.endsWith('.request.query')) return undefined;
  return queryParameters(operation).find(({ name }) => says.startsWith(`${name} `))?.name;
}

/** The items that matter: those to which a field refers, or which most items of a list refer to. */
function focusFor({ deviation: { said } }: Suspect, world: World, pool: Pool): readonly Stored[] {
  if (keyOf(said) !== 'ifDeleted' && pool.often(50)) return [];
  const [, resource = '', field = ''] = /^resources\.(\w+)\.fields\.(\w+)/.exec(said.address) ?? [];
  const from =
    keyOf(said) === 'ifDeleted'
      ? world.all(resource)
      : [...world.specification.resourcesByName.keys()].flatMap((name) => world.all(name));
  const references = from.flatMap(({ members }) => {
    const all = keyOf(said) === 'ifDeleted' ? [members.get(field) ?? null] : [...members.values()];
    return all.filter((value) => value instanceof Item);
  });
  const times = Map.groupBy(references, ({ resource: to, handle }) => `${to} ${handle}`);
  const most = [...times.values()].toSorted((a, b) => b.length - a.length).slice(0, 3);
  return most.flatMap(([item]) => (item && world.stored(item)) ?? []);
}

/** The request with a value in a parameter: one that it may have, or, of what is no filter, one at a bound. */
function withParameter(request: Request, name: string, world: World, pool: Pool, isFilter: boolean): Request {
  const parameter = queryParameters(request.operation).find((each) => each.name === name);
  if (parameter === undefined) return request;
  const { [name]: given, ...others } = request.query;
  if (pool.often(15)) return { ...request, query: others };
  const schema = schemaOf(parameter.shape) as Schema;
  const probes =
    !isFilter && pool.often(50)
      ? [...spelled(pool.atBounds(schema), schema, pool), ...lists(schema, pool)]
      : [];
  if (probes.length > 0) return { ...request, query: { ...request.query, [name]: pool.random.pick(probes) } };
  if (given !== undefined && !isFilter) return request;
  const { subject } = request.operation;
  const items = subject ? world.all(subject.name) : [];
  const value = parameterValue(
    request.operation,
    parameter,
    items.length > 0 ? pool.item(items) : undefined,
    world,
    pool,
  );
  return { ...request, query: pool.often(50) ? { [name]: value } : { ...others, [name]: value } };
}

/** The request for a page of one item, before an item: mostly, others stand before that one. */
function withPageBefore(request: Request, end: string, world: World, pool: Pool): Request {
  const { operation } = request;
  const parameters = queryParameters(operation);
  const parameter = parameters.find(({ name }) => name === end);
  if (parameter === undefined) return request;
  const size = parameters.find(({ roles }) => stated(roles.page) === 'size');
  const value = parameterValue(operation, parameter, undefined, world, pool);
  return { ...request, query: { ...(size && { [size.name]: 1 }), [end]: value } };
}

/** Lists of one element, for a parameter that takes lists: one that an element may be, one at a bound, or any other. */
function lists(schema: Schema, pool: Pool): readonly Value[] {
  const { items } = pool.resolve(schema) as { readonly items?: Schema };
  if (items === undefined) return [];
  return spelled([...pool.atBounds(items), 'other'], items, pool).map((element) => [element]);
}

/** The request under one condition: it has the tag that it had, or one that names no item, or any (RFC 9110 §13.1). */
function withCondition(request: Request, key: string, pool: Pool): Request {
  const { 'if-match': tag, 'if-none-match': other } = request.headers;
  const value = pool.random.pick([tag ?? other ?? '*', '*', '"nonsense"']);
  return underCondition(request, key === 'ifMatch' ? 'if-match' : 'if-none-match', value);
}

/** The request without one of the members of its body. */
function withoutSome(request: Request, pool: Pool): Request {
  const body = bodyIn(request);
  const names = body !== undefined && isMembers(body) ? Object.keys(body) : [];
  return names.length === 0 ? request : withoutMember(request, pool.random.pick(names));
}

/**
 * A request that is about one of these items: mostly one that looks.
 *
 * @param suspect who holds them otherwise. Half of the requests are made as if all held what it does: an item that it alone has
 *   can be named only so. Default: nobody
 */
function lookAt(
  items: readonly Stored[],
  world: World,
  pool: Pool,
  usual: Usual,
  suspect?: Suspect,
): Request {
  const all = askedOperations(world.specification);
  const resources = new Set(items.map(({ resource }) => resource));
  const about = all.filter(({ subject }) => subject && resources.has(subject.name));
  const looking = (about.length > 0 && pool.often(80) ? about : all).filter(
    ({ does }) => pool.often(20) || looks.has(stated(does)?.verb ?? ''),
  );
  const held = suspect && items.length > 0 && pool.often(50) ? suspect.holdsAt(world) : world;
  return pool.about(items, () => usual(looking.length > 0 ? looking : all, held));
}

/** What shows whether an item is there, and what it holds. */
const looks: ReadonlySet<string> = new Set(['read', 'list', 'authenticate']);

/** The operations that a statement is about, or all. */
export const operationsFor = once(
  (deviation: Deviation, specification: Specification): readonly Operation[] =>
    statedFor(deviation, specification) ?? askedOperations(specification),
);

/** Undefined: any may be. */
function statedFor(deviation: Deviation, specification: Specification): readonly Operation[] | undefined {
  const { operations } = specification;
  const { said, operation } = deviation;
  if (operation !== null) return operations.filter(({ address }) => address === operation);
  const rows = rowsFor(said, deviation.says, specification);
  const meeting = operations.filter((each) => rows.every((row) => mayMeet(row, each, specification)));
  if (rows.length > 0 && meeting.length > 0) return meeting;
  const own = operationOf(said, specification);
  if (own) return [own];
  const all = deviation.other ? holding(said, specification) : [];
  if (all.length > 0) return all;
  if (keyOf(said) === 'ifDeleted') return deleting(said, specification);
  const [, resource] = /^(?:resources\.|states\[")(\w+)/.exec(said.address) ?? [];
  const [, rule] = /^authentication\.authorization\.(\w+)/.exec(said.address) ?? [];
  const [, scheme] = /^authentication\.schemes\.([^.]+)/.exec(said.address) ?? [];
  if (scheme !== undefined) return accepting(scheme, specification);
  const [, kind] = /^events\.kinds(?:\.(\w+)|\["(.+?)"\])/.exec(said.address)?.filter(Boolean) ?? [];
  if (kind !== undefined) return emitting(kind, specification);
  const giving = operations.filter(
    ({ request }) => resource !== undefined && stated(request?.body ?? undefined)?.of?.name === resource,
  );
  if (giving.length > 0 && refusing.test(said.address)) return giving;
  const found = operations.filter(
    ({ subject, name, request }) =>
      name === rule ||
      (resource !== undefined &&
        (subject?.name === resource || stated(request?.body ?? undefined)?.of?.name === resource)),
  );
  return found.length > 0 ? found : undefined;
}

/** What only a request that gives values can tell. */
const refusing =
  /\.(type|format|(min|max)(Length|Items|Properties)|pattern|enum|const|(exclusive)?(Min|Max|min|max)imum|multipleOf|uniqueItems|items|holds\b.*|default|taken|writable|required)$/;

/** The operations whose rules accept a scheme. */
function accepting(scheme: string, specification: Specification): readonly Operation[] | undefined {
  const found = specification.operations.filter((operation) =>
    acceptedBy(operation, specification)
      .flat()
      .some((each) => each.scheme === scheme),
  );
  return found.length > 0 ? found : undefined;
}

/** The operations of whose changes a kind of event tells. */
function emitting(kind: string, { events, operations }: Specification): readonly Operation[] | undefined {
  const said = stated(stated(events)?.kinds ?? undefined)?.get(kind);
  const names = new Set((said && stated(stated(said)?.by ?? undefined))?.map(({ text }) => text));
  const found = operations.filter(
    (operation) =>
      names.has(operation.name) ||
      changesOf(operation).some(({ verb }) => [...names].some((each) => each.endsWith(`.${verb}`))),
  );
  return found.length > 0 ? found : undefined;
}

/** The operations that delete what a field refers to. */
function deleting(
  { address }: Said<unknown>,
  specification: Specification,
): readonly Operation[] | undefined {
  const [, resource = '', field = ''] = /^resources\.(\w+)\.fields\.(\w+)/.exec(address) ?? [];
  const to = stated(specification.resourcesByName.get(resource)?.fields.get(field)?.refers)?.resource;
  const found = specification.operations.filter(
    ({ subject, does }) => subject?.name === to && stated(does)?.verb === 'delete',
  );
  return found.length > 0 ? found : undefined;
}

/** The request with another value in a member of its body: at a bound, or past it, or none. */
function withBound(request: Request, name: string, world: World, pool: Pool, isLeftOut: boolean): Request {
  const body = bodyOf(pool.specification, request.operation);
  const schema = body && membersIn(body, pool)?.[name];
  return withBody(request, (whole) => {
    if (!isMembers(whole)) return undefined;
    const { [name]: _, ...others } = whole;
    const probes = schema ? pool.atBounds(schema) : [];
    if (schema && (isLeftOut || probes.length === 0 || pool.often(20))) return others;
    // A field that no client may write is given all the same.
    const value = schema ? pool.random.pick(probes) : freshField(request, name, world, pool);
    return { ...others, [name]: value };
  });
}

function freshField({ operation: { subject } }: Request, name: string, world: World, pool: Pool): Json {
  const field = subject?.fields.get(name);
  if (field === undefined) return 'x';
  return pool.keyFor(field, world) ?? pool.fresh(schemaOf(field.shape));
}
