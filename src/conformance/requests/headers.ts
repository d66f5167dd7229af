import { madeUpTag } from '../../semantics/request/conditional/tags.ts';
import { modifiedDate } from '../../semantics/request/conditional/validators.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { headerOf, keysSent } from '../../semantics/request/repeats.ts';
import { seen, textOf, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import { headerParameters, type Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { otherAccept, usualAccept } from './accept.ts';
import { originFor } from './origins.ts';
import type { Pool } from './pool.ts';
import { rangeFields } from './ranges.ts';

type Headers = Readonly<Record<string, Value>>;

/** Header fields that fit: those that are stated, the tag of the item, and sometimes a key for repeats. */
export function usualHeaders(
  operation: Operation,
  subject: Stored | undefined,
  world: World,
  pool: Pool,
): Headers {
  const headers: Record<string, Value> = {};
  for (const { name, required, shape } of headerParameters(operation))
    if (stated(required) === true || pool.often(40))
      headers[name.toLowerCase()] = pool.fresh(schemaOf(shape));
  const conditional = stated(operation.endpoint.conditional);
  const tags = subject ? tagsSeen(subject, operation, world) : [];
  const tag = tags.at(-1);
  const isTagged = conditional !== undefined && stated(conditional.ifMatch) !== undefined;
  const isUntagged = conditional !== undefined && stated(conditional.ifNoneMatch) !== undefined;
  if (isTagged && !(isUntagged && pool.often(40))) {
    if (pool.often(tag === undefined ? 60 : 80)) headers['if-match'] = tag ?? '*';
  } else if (isUntagged && pool.often(isTagged ? 80 : 30))
    headers['if-none-match'] = tag !== undefined && pool.often(60) ? tag : '*';
  const origin = pool.often(40) ? originFor(operation, pool) : undefined;
  if (origin !== undefined) headers['origin'] = origin;
  const accept = usualAccept(operation, pool);
  if (accept !== undefined) headers['accept'] = accept;
  Object.assign(headers, dates(operation, subject, world, pool), rangeFields(operation, subject, tags, pool));
  const key = keyHeader(operation);
  const idempotency = stated(operation.endpoint.idempotency);
  const isRequired = idempotency && stated(idempotency.required) === true;
  if (key !== undefined && (isRequired || pool.often(50))) headers[key] = pool.random.uuid();
  return headers;
}

/** The same request under this condition alone (RFC 9110 §13.1). */
export function underCondition(request: Request, name: 'if-match' | 'if-none-match', value: Value): Request {
  const { 'if-match': _, 'if-none-match': __, ...others } = request.headers;
  return { ...request, headers: { ...others, [name]: value } };
}

/**
 * A tag that no item has or had, or that of the request in another form; a media type that is not sent; a key that came
 * before; or none of these.
 */
export function otherHeaders({ operation, headers: given }: Request, world: World, pool: Pool): Headers {
  const headers: Record<string, Value> = {};
  if (stated(operation.endpoint.conditional) && pool.often(70)) {
    const tag = seen(given['if-match'] ?? given['if-none-match'] ?? null);
    const own = typeof tag === 'string' && tag !== '*' ? otherForms(tag) : [];
    headers[pool.random.pick(['if-match', 'if-none-match'])] = pool.random.pick([...unlike, ...own, ...own]);
  }
  const accept = otherAccept(operation, pool);
  if (accept !== undefined && pool.often(70)) headers['accept'] = accept;
  const key = keyHeader(operation);
  if (key !== undefined && pool.often(70)) {
    const known = keysSent(world);
    headers[key] = known.length > 0 && pool.often(70) ? pool.recent(known) : pool.random.uuid();
  }
  return headers;
}

const unlike = [madeUpTag, '*', `W/${madeUpTag}`];

/** A tag as a weak one or a strong one, and in a list (RFC 9110 §8.8.3, §13.1.1). */
function otherForms(tag: string): readonly string[] {
  const strong = tag.replace(/^W\//, '');
  return [tag === strong ? `W/${tag}` : strong, `"nonsense", ${tag}`];
}

/** The time at which an item was changed, or one before or after it (language §4.3). */
function dates(operation: Operation, subject: Stored | undefined, world: World, pool: Pool): Headers {
  const conditional = stated(operation.endpoint.conditional);
  const names = conditional
    ? Object.entries({
        'if-modified-since': conditional.ifModifiedSince,
        'if-unmodified-since': conditional.ifUnmodifiedSince,
      }).filter(([, said]) => stated(said) !== undefined)
    : [];
  const last =
    conditional && subject ? seen(modifiedDate(conditional, subject, new Moment(world, {}))) : null;
  const time = typeof last === 'string' ? Date.parse(last) : world.received.at.most;
  const isMostly = stated(conditional?.ifUnmodifiedSince) === 'required' ? 90 : 40;
  return Object.fromEntries(
    names.flatMap(([name]): [string, Value][] => {
      if (!pool.often(isMostly)) return [];
      const moved = time + (pool.often(60) ? 0 : pool.random.pick([-1000, 1000, 86_400_000]));
      return [[name, pool.often(5) ? 'nonsense' : new Date(moved).toUTCString()]];
    }),
  );
}

/** A request with a key for repeats has a new one, so that it repeats nothing (language §4.4). */
export function withNewKey(request: Request, pool: Pool): Request {
  const key = keyHeader(request.operation);
  if (key === undefined || !(key in request.headers)) return request;
  return { ...request, headers: { ...request.headers, [key]: pool.random.uuid() } };
}

/** The header field, in small letters, of an operation's keys for repeats; undefined: it has none. */
export function keyHeader(operation: Operation): string | undefined {
  const idempotency = stated(operation.endpoint.idempotency);
  return (idempotency && headerOf(idempotency)) || undefined;
}

/** The tags of the item that answers showed, the newest last. */
function tagsSeen(subject: Stored, operation: Operation, world: World): readonly string[] {
  const mark = stated(stated(operation.endpoint.conditional)?.etag) === 'weak' ? 'W/' : '';
  const texts = world.tags(subject).map((made) => seen(textOf([`${mark}"`, made, '"'])));
  return texts.filter((text): text is string => typeof text === 'string');
}
