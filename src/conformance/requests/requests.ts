import {
  isForm,
  isFormData,
  isListedParts,
  takenAs,
  takesBytes,
  usualMedia,
} from '../../semantics/request/content/media.ts';
import { type Schema, typedAs } from '../../semantics/request/given/text.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { plain } from '../../semantics/value/plain.ts';
import { Bytes, Item, type Value } from '../../semantics/value/value.ts';
import { editionsOf } from '../../semantics/version/meant.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { spellingsOf } from '../../specification/model/path-spelling.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { streamsIn } from '../../specification/model/streams.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { mayLackContent, type Parameter, requestByMedia } from '../../specification/vocabulary/request.ts';
import { type Shape, schemaOf } from '../../specification/vocabulary/shape.ts';
import { otherAccept } from './accept.ts';
import { bodyOffByOne, formerKeys, isMembers, takenBody, usualBody, withBody } from './bodies.ts';
import { filesFor, otherBytes, partsFor, usualBytesMedia } from './bytes.ts';
import { withElements } from './elements.ts';
import { otherHeaders, usualHeaders } from './headers.ts';
import { filterValue, nextPage, pageValue, sortValue } from './lists.ts';
import { nearTo } from './near.ts';
import { preflightFields } from './origins.ts';
import { memberOf, type Pool } from './pool.ts';
import { type Items, otherCredentials, usualCredentials } from './senders.ts';
import { unreadable } from './unread.ts';
import { type Spoken, spoken, spokenVersion, stating, versionsOf } from './version.ts';

/** How many requests of a hundred ask for a page's leave. */
const preflights = 5;

/** How many parameters of a hundred that find no item have a value of one, all the same. */
const storedFirst = 70;

/** How many requests of a hundred spell the path otherwise than the document does, where it has several ways. */
const otherwiseSpelled = 15;

/** How many requests of a hundred are to a version that may lack the operation. */
const astray = 5;

/** The operations to which requests are made, in whatever version. Streams do not end, so they are not read. */
export const askedOperations = once((specification: Specification): readonly Operation[] => {
  const stating = stated(specification.events);
  const streams = stating ? streamsIn(stating) : new Set<string>();
  const all = editionsOf(specification).flatMap(({ operations }) => operations);
  const distinct = new Map(all.toReversed().map((operation) => [operation.address, operation]));
  const ended = [...distinct.values()].filter(({ key }) => !streams.has(key)).toReversed();
  return ended.length > 0 ? ended : specification.operations;
});

/** A request to an operation with what the world holds, which may succeed: mostly of the newest version. */
export function usualRequest(operation: Operation, world: World, pool: Pool, url: string): Request {
  const version = versionFor(operation, spokenVersion(world.specification, pool), pool);
  const [inVersion, own] = [world.in(version.specification), pool.in(version.specification)];
  const meant = operationIn(operation, version) ?? operation;
  const preflight = pool.often(preflights) ? preflightFields(meant, own) : undefined;
  const request = requestOf(meant, inVersion, own, url);
  if (preflight)
    return spoken({ ...request, headers: preflight, content: undefined, isPreflight: true }, version);
  return spoken(request, version);
}

/** The version that was chosen, if it has the operation; else one that has it, or mostly so. */
function versionFor(operation: Operation, chosen: Spoken, pool: Pool): Spoken {
  if (operationIn(operation, chosen) !== undefined || pool.often(astray)) return chosen;
  const having = versionsOf(pool.specification).filter((each) => operationIn(operation, each) !== undefined);
  return having.length > 0 ? pool.random.pick(having) : chosen;
}

function operationIn({ address }: Operation, { specification }: Spoken): Operation | undefined {
  return specification.operations.find((operation) => operation.address === address);
}

function requestOf(operation: Operation, world: World, pool: Pool, url: string): Request {
  pool.begin();
  const items = itemsFor(operation, world, pool);
  const { subject } = items;
  const isLeftOut = mayLackContent(operation.request) && pool.often(25);
  const media = mediaFor(operation, pool);
  const taken = takenAs(operation, media);
  const inParts = isListedParts(media) ? partsFor(taken, pool) : undefined;
  const made = isLeftOut ? undefined : (inParts ?? usualBody(taken, subject, world, pool));
  const body = withElements(taken, made, world, pool, (inner) => requestOf(inner, world, pool, url));
  const files = body !== undefined && isFormData(media) ? filesFor(taken, pool) : null;
  const next = pool.often(50) ? nextPage(operation, world, pool) : null;
  const spellings = pool.often(otherwiseSpelled) ? spellingsOf(operation) : [];
  return {
    operation,
    path: next?.path ?? pathOf(operation, items, world, pool),
    ...(spellings.length > 0 && { spelling: pool.random.pick(spellings) }),
    query: next?.query ?? queryOf(operation, subject, world, pool),
    headers: {
      ...usualHeaders(operation, subject, world, pool),
      ...(body !== undefined && { 'content-type': media }),
    },
    credentials: usualCredentials(operation, items, world, pool),
    content: inContent(
      taken,
      files && isMembers(body as Json) ? { ...(body as object), ...files.members } : body,
    ),
    ...(files && { parts: files.parts }),
    url,
  };
}

/** The items that a request is about: where one refers to another, mostly these two. */
function itemsFor({ subject, bindings, does }: Operation, world: World, pool: Pool): Items {
  // What is made has no part in where it is made, but that another one may stand there.
  const alike = stated(does)?.verb === 'create' ? 30 : 90;
  const choose = (resource: string): Stored | undefined => {
    const items = world.items(resource);
    return items.length > 0 ? pool.item(items) : undefined;
  };
  const chosen = subject ? choose(subject.name) : undefined;
  const bound = new Map<string, Stored>();
  for (const binding of bindings.values()) {
    if (binding.kind !== 'other') continue;
    const stored =
      (pool.often(alike) && referredBy(chosen, binding.resource, world)) || choose(binding.resource);
    if (stored) bound.set(binding.as ?? '', stored);
  }
  return { subject: chosen, bound };
}

/** The item of a resource to which an item refers. */
function referredBy(stored: Stored | undefined, resource: string, world: World): Stored | undefined {
  const references = [...(stored?.members.values() ?? [])].filter((value) => value instanceof Item);
  const found = references.find((item) => item.resource === resource && item.handle !== null);
  return found && world.stored(found);
}

function pathOf(
  { bindings, subject, does }: Operation,
  { subject: stored, bound }: Items,
  world: World,
  pool: Pool,
): Record<string, Value> {
  // What is made under a key of the client is mostly new.
  const isNew = stated(does)?.verb === 'create' && pool.often(60);
  const path: Record<string, Value> = {};
  for (const [name, binding] of bindings) {
    if (binding.kind === 'text') {
      const alike =
        stored && pool.often(storedFirst) ? memberLike(name, binding.parameter, stored, subject) : undefined;
      const schema = binding.parameter ? schemaOf(binding.parameter.shape) : {};
      const made = (): Json => (binding.parameter ? textOf(pool.fresh(schema)) : 'any');
      path[name] = alike ?? pool.shownFor(name, schema) ?? made();
      continue;
    }
    const isSubject = binding.kind === 'subject';
    const item = isSubject ? stored : bound.get(binding.as ?? '');
    const resource = isSubject ? subject : pool.specification.resourcesByName.get(binding.resource);
    const field = resource?.fields.get(binding.field);
    const held = item && memberOf(item, binding.field);
    const made = (): Json => (field ? pool.fresh(schemaOf(field.shape)) : 'nobody');
    const former = isSubject && isNew && field && pool.often(20) ? formerKeys(field, world) : [];
    const other = former.length > 0 ? pool.random.pick(former) : made();
    path[name] = held === undefined || (isSubject && isNew) ? textOf(other) : held;
  }
  return path;
}

/** What an item has in a member that a parameter is called like, or else has the type of. */
function memberLike(
  name: string,
  parameter: Parameter | null,
  stored: Stored,
  subject: Resource | null,
): Json | undefined {
  const typed = ({ shape }: { readonly shape: Shape }): string => {
    const { type, format } = schemaOf(shape);
    return `${type} ${format}`;
  };
  const fields = [...(subject?.fields.values() ?? [])];
  const isLike = (field: Field): boolean => parameter !== null && typed(field) === typed(parameter);
  const field = subject?.fields.get(name) ?? fields.find(isLike);
  const value = field && memberOf(stored, field.name);
  return value === null || value === '' ? undefined : value;
}

/** A parameter of a path is never empty. */
function textOf(value: Json): Json {
  return value === '' || value === null || typeof value === 'object' ? 'nobody' : value;
}

function queryOf(
  operation: Operation,
  subject: Stored | undefined,
  world: World,
  pool: Pool,
): Record<string, Value> {
  const given = queryParameters(operation).filter(
    ({ required }) => stated(required) === true || pool.often(30),
  );
  return Object.fromEntries(
    given
      .map(
        (parameter) => [parameter.name, parameterValue(operation, parameter, subject, world, pool)] as const,
      )
      .filter(([, value]) => !isEmpty(value)),
  );
}

/** A value of a parameter, mostly one that an item holds. */
export function parameterValue(
  operation: Operation,
  parameter: Parameter,
  subject: Stored | undefined,
  world: World,
  pool: Pool,
): Value {
  const { name, shape, binding, roles } = parameter;
  const fields = stated(roles.sort);
  const schema = schemaOf(shape);
  if (fields && fields.length > 0) return sortValue(fields, schema, pool);
  if (stated(roles.page)) return pageValue(parameter, operation, world, pool);
  const held = subject && memberOf(subject, binding?.field ?? name);
  if (held !== undefined && pool.fits(schema, held) && pool.often(70)) return held;
  if (stated(roles.filter)) return filterValue(parameter, subject, world, pool);
  return pool.valueOf(name, schema, world);
}

/** No style can write an empty list or object. */
function isEmpty(value: Value): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The media type of the content: mostly JSON, or sometimes a form, in parts or not; or one that is stated of bytes. */
function mediaFor(operation: Operation, pool: Pool): string {
  if (takesBytes(operation)) return usualBytesMedia(operation, pool);
  const { data, form } = formsOf(operation);
  if (data && pool.often(60)) return data;
  return form && pool.often(30) ? form : usualMedia(operation);
}

/** The forms that an operation takes: in parts, and not. */
const formsOf = once(({ request }: Operation): { readonly data?: string; readonly form?: string } => {
  const types = request ? requestByMedia(request).flatMap(({ media }) => stated(media) ?? []) : [];
  const [data, form] = [types.find(isFormData), types.find(isForm)];
  return { ...(data !== undefined && { data }), ...(form !== undefined && { form }) };
});

function inContent({ request }: Operation, body: Value | undefined): Value | undefined {
  if (body instanceof Bytes) return body;
  const under = request && stated(request.under);
  return body === undefined || under === undefined ? body : { [under as string]: body };
}

/** Values as a parameter's text is read: `5.5` is no integer, so it stays a text. What no text can be is left out. */
export function spelled(values: readonly Json[], schema: Schema, pool: Pool): readonly Value[] {
  const scalars = values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value));
  const resolved = pool.resolve(schema);
  const read = scalars.map((value) => typedAs(resolved, String(value)));
  return [...new Set(read)].filter((value) => value !== undefined && value !== '') as readonly Value[];
}

/** The same request with one thing wrong, or at a bound. */
export function oddRequest(request: Request, newest: World, all: Pool): Request {
  const { operation, path, query, content } = request;
  const version = stating(newest.specification, request.version);
  const [world, pool] = [newest.in(version), all.in(version)];
  const names = Object.keys(path);
  const parameters = queryParameters(operation);
  const ways: (() => Request)[] = [];
  if (names.length > 0)
    ways.push(() => {
      const name = pool.random.pick(names);
      const gone = goneKeys(operation, name, world);
      const unheld = pool.often(50) ? unheldKey(operation, name, pool) : 'nobody';
      const key = gone.length > 0 && pool.often(50) ? pool.random.pick(gone) : unheld;
      return { ...request, path: { ...path, [name]: key } };
    });
  if (parameters.length > 0)
    ways.push(() => {
      const { name, shape } = pool.random.pick(parameters);
      const given = plain(query[name] ?? null) ?? null;
      const near = given !== null && pool.often(50) ? [nearTo(given, pool)] : [];
      const schema = schemaOf(shape) as Schema;
      const probes = spelled(near.length > 0 ? near : pool.atBounds(schema), schema, pool);
      return probes.length === 0
        ? request
        : { ...request, query: { ...query, [name]: pool.random.pick(probes) } };
    });
  if (operation.request?.others.kind === 'stated')
    ways.push(() => ({ ...request, query: { ...query, unstated: 'x' } }));
  if (content !== undefined && operation.request?.required.kind === 'stated')
    ways.push(() => withoutContent(request));
  if (content !== undefined) {
    const changed = (): Request => withBody(request, (body) => bodyOffByOne(body, operation, world, pool));
    const taken = withBody(request, (body) => takenBody(body, request, world, pool));
    ways.push(changed, changed, changed);
    if (taken !== request) ways.push(() => taken);
    const unread = [...unreadable(operation, pool), ...otherBytes(operation, pool)];
    if (unread.length > 0) ways.push(() => pool.random.pick(unread)(request));
  }
  const isAsked =
    operation.endpoint.conditional.kind === 'stated' || operation.endpoint.idempotency.kind === 'stated';
  if (isAsked || otherAccept(operation, pool) !== undefined)
    ways.push(() => ({ ...request, headers: otherHeaders(request, world, pool) }));
  if (pool.specification.authentication.kind === 'stated')
    ways.push(() => ({ ...request, credentials: otherCredentials(request, world, pool) }));
  return ways.length > 0 ? pool.random.pick(ways)() : request;
}

function withoutContent({ headers, ...request }: Request): Request {
  const { 'content-type': _, ...others } = headers;
  return { ...request, headers: others, content: undefined };
}

/** A key of the right form that hardly any item has: a path that takes numbers alone leads nowhere with a text. */
function unheldKey({ bindings, subject }: Operation, name: string, pool: Pool): Json {
  const binding = bindings.get(name);
  const own = binding?.parameter ? (schemaOf(binding.parameter.shape) as Schema) : undefined;
  const probes = own && pool.often(40) ? spelled(pool.atBounds(own), own, pool) : [];
  if (probes.length > 0) return textOf(pool.random.pick(probes) as Json);
  if (binding === undefined || binding.kind === 'text') return own ? textOf(pool.fresh(own)) : 'nobody';
  const resource =
    binding.kind === 'subject' ? subject : pool.specification.resourcesByName.get(binding.resource);
  const schema = resource?.fields.get(binding.field)?.shape;
  if (schema === undefined) return 'nobody';
  const large = pool.random.whole(1_000_000, 999_999_999);
  return pool.fits(schemaOf(schema), large) ? large : textOf(pool.fresh(schemaOf(schema)));
}

/** The keys of items that were deleted, of the resource that a parameter of the path singles out. */
function goneKeys({ bindings, subject }: Operation, name: string, world: World): readonly Json[] {
  const binding = bindings.get(name);
  if (binding === undefined || binding.kind === 'text') return [];
  const resource = binding.kind === 'subject' ? subject?.name : binding.resource;
  if (resource === undefined) return [];
  return world.former(resource).flatMap((stored) => memberOf(stored, binding.field) ?? []);
}
