import { takesBytes } from '../../semantics/request/content/media.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { Bytes, Item, isObject, seen, type Value } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import { type Body, bodyOf } from '../body.ts';
import type { Schema } from '../schema.ts';
import { usualBytes } from './bytes.ts';
import { nearTo, swappedCase } from './near.ts';
import { identifierOf, memberOf, type Pool, usuallyLikely } from './pool.ts';
import { answering } from './receivers.ts';

type Members = Readonly<Record<string, Json>>;

/** A body that fits its shape, as far as one is found; undefined: the operation takes none. */
export function usualBody(
  operation: Operation,
  subject: Stored | undefined,
  world: World,
  pool: Pool,
): Json | Bytes | undefined {
  const body = bodyOf(pool.specification, operation);
  if (body === null) return undefined;
  if (takesBytes(operation)) return usualBytes(operation, pool);
  const properties = membersIn(body, pool);
  if (properties === null) return pool.fresh(body.schema);
  const required = (pool.resolve(body.schema)['required'] ?? []) as readonly string[];
  const isGiven = (name: string): boolean => required.includes(name) || pool.often(50);
  const given = givenIn(operation, properties, body, pool);
  const likely = pool.accepted.isRare(operation) ? likelyIfRare : usuallyLikely;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(given, name) || isGiven(name))
      .map(([name, schema]) => {
        if (Object.hasOwn(given, name)) return [name, given[name] as Json];
        const value = memberValue(name, schema, body, subject, world, pool, likely);
        return [name, answering(value, body.fields.get(name), schema, pool)];
      }),
  );
}

/** How many of a hundred bodies are an example as far as there is one; and of those where most others are refused. */
const [asExample, asExampleIfRare] = [15, 50];

/** How many of a hundred values are likely ones where most bodies are refused. */
const likelyIfRare = 80;

/** How many of a hundred bodies are one that was accepted, but for some members, where most others are refused. */
const asAccepted = 60;

/** Members that are given as an example has them; or, where most bodies are refused, as one that was accepted had them. */
function givenIn(
  operation: Operation,
  properties: Readonly<Record<string, Schema>>,
  { fields }: Body,
  pool: Pool,
): Members {
  const isRare = pool.accepted.isRare(operation);
  const last = isRare && pool.often(asAccepted) ? pool.accepted.lastOf(operation) : undefined;
  if (last === undefined && !pool.often(isRare ? asExampleIfRare : asExample)) return {};
  const members = last ?? exampleIn(properties, pool);
  if (!isRare) return members;
  // The same once more might be refused as such.
  const other = pool.random.pick(Object.keys(properties));
  const isAnew = (name: string): boolean => name === other || isUniqueIn(fields.get(name), pool);
  const kept = Object.entries(members).filter(([name]) => !isAnew(name));
  return Object.fromEntries(pool.often(movedTogether) ? moved(kept, properties, pool) : kept);
}

/** How many of a hundred bodies that are made of another one have their times moved together: what begins ends later. */
const movedTogether = 60;

function moved(
  members: readonly (readonly [string, Json])[],
  properties: Readonly<Record<string, Schema>>,
  pool: Pool,
): readonly (readonly [string, Json])[] {
  const byMs = pool.random.whole(1, 400) * 86_400_000;
  return members.map(([name, value]) => {
    const schema = properties[name] ?? {};
    const { format } = pool.resolve(schema);
    const at = typeof value === 'string' && /^date/.test(String(format)) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at)) return [name, value];
    const later = new Date(at + byMs).toISOString();
    const written = format === 'date' ? later.slice(0, 10) : later;
    return [name, pool.fits(schema, written) ? written : value];
  });
}

/** Whether no two items have the same value in a field. */
function isUniqueIn(field: Field | undefined, { specification }: Pool): boolean {
  if (field === undefined) return false;
  const isUnique = stated(field.unique) !== undefined && stated(field.unique) !== false;
  return isUnique || identifierOf(specification, field.resource) === field.name;
}

/** The members of an example that fits: of each the first, or the second, and so on; none, if there is no example. */
function exampleIn(properties: Readonly<Record<string, Schema>>, pool: Pool): Members {
  const shown = Object.entries(properties).map(([name, schema]) => [name, pool.examplesOf(schema)] as const);
  const length = Math.max(0, ...shown.map(([, examples]) => examples.length));
  if (length === 0) return {};
  const place = pool.random.whole(0, length - 1);
  return Object.fromEntries(
    shown.flatMap(([name, examples]) =>
      examples.length === 0 ? [] : [[name, examples[Math.min(place, examples.length - 1)] as Json]],
    ),
  );
}

/** The members that a body may have; null if it is no object with stated members. */
export function membersIn(body: Body, pool: Pool): Readonly<Record<string, Schema>> | null {
  const properties = pool.resolve(body.schema)['properties'];
  return typeof properties === 'object' && properties !== null
    ? (properties as Record<string, Schema>)
    : null;
}

/** A reference leads to an item. A body that says which item is meant repeats what this item holds. */
function memberValue(
  name: string,
  schema: Schema,
  { refers, fields }: Body,
  subject: Stored | undefined,
  world: World,
  pool: Pool,
  likely: number,
): Json {
  const reference = refers.get(name);
  const key = reference && pool.keyFor(reference, world);
  if (key !== undefined && pool.often(80)) return key;
  if (reference && pool.fits(schema, null) && pool.often(80)) return null;
  const field = fields.get(name);
  const held = field === undefined && subject ? memberOf(subject, name) : undefined;
  if (held !== undefined && pool.often(90)) return held;
  const former = field ? formerKeys(field, world) : [];
  if (former.length > 0 && pool.often(20)) return pool.random.pick(former);
  // In a plan, a text of the document would be taken by an earlier walk.
  if (isUniqueIn(field, pool)) return pool.fresh(schema);
  // Items that are alike in something show what tells them apart.
  const other = pool.often(15) ? pool.otherOf(name, world) : null;
  if (other !== null && pool.fits(schema, other)) return other;
  const value = pool.valueOf(name, schema, world, likely);
  return pool.often(30) ? spelledOtherwise(value, schema, pool) : value;
}

/** The keys of items that were deleted, if a field is their identifier: a new item may have such a key. */
export function formerKeys({ resource, name }: Field, world: World): readonly Json[] {
  if (identifierOf(world.specification, resource) !== name) return [];
  const taken = new Set(world.items(resource).map((stored) => memberOf(stored, name)));
  return world
    .former(resource)
    .flatMap((stored) => memberOf(stored, name) ?? [])
    .filter((key) => !taken.has(key));
}

/** A text that is longer, has capitals, or spaces around it, as far as its shape allows. */
function spelledOtherwise(value: Json, schema: Schema, pool: Pool): Json {
  if (typeof value !== 'string') return value;
  const capitals = value.slice(0, 1).toUpperCase() + value.slice(1);
  const others = [capitals, ` ${capitals} `, `${capitals} ${pool.random.letters(12)}`, `${value} `];
  const other = pool.random.pick(others);
  return pool.fits(schema, other) ? other : value;
}

/** The body with one member changed: left out, added, at a bound or past it, or another's. */
export function bodyOffByOne(content: Json, operation: Operation, world: World, pool: Pool): Json {
  const body = bodyOf(pool.specification, operation);
  const properties = body && membersIn(body, pool);
  const { random } = pool;
  if (!properties || !isMembers(content) || pool.often(5)) return random.pick<Json>([null, [], 'text', 1]);
  const names = Object.keys(properties);
  if (names.length === 0 || pool.often(10)) return { ...content, unstated: 'x' };
  const name = random.pick(names);
  const schema = properties[name] as Schema;
  const { [name]: _, ...others } = content;
  const given = content[name];
  switch (random.whole(1, 7)) {
    case 1:
      return others;
    case 4:
    case 5:
      return { ...content, [name]: given === undefined ? pool.otherOf(name, world) : nearTo(given, pool) };
    case 2:
      return {
        ...content,
        [name]: random.pick<Json>([null, true, 0, 2.5, '', 'other', [], ['a'], { a: 1 }]),
      };
    case 3:
      return { ...content, [name]: pool.otherOf(name, world) };
    default: {
      const probes = pool.atBounds(schema);
      return probes.length > 0 ? { ...content, [name]: random.pick(probes) } : others;
    }
  }
}

/**
 * The body with what only one item may have, as another item has it, or in other case.
 *
 * @param request has the body. What only one of a client's own items may have is mostly as another one of these has it
 * @returns undefined: there is nothing of this kind
 */
export function takenBody(content: Json, request: Request, world: World, pool: Pool): Json | undefined {
  const { subject } = request.operation;
  const items = subject ? world.items(subject.name) : [];
  if (!subject || !isMembers(content) || items.length === 0) return undefined;
  const identifier = stated(subject.identifier)?.map(({ text }) => text) ?? [];
  const unique = [...subject.fields.values()].flatMap((field) => {
    const said = stated(field.unique);
    return said === undefined || said === false ? [] : [field.name];
  });
  const together = (stated(subject.unique) ?? []).flatMap(({ fields }) => fields.map(({ text }) => text));
  const names = [...new Set([...identifier, ...unique, ...together])].filter((name) => name in content);
  if (names.length === 0) return undefined;
  const own = together.length > 0 && pool.often(70) ? itemsOfSender(items, request, world) : [];
  const other = pool.item(own.length > 0 ? own : items);
  // Whether case counts is told by a text that differs in case alone.
  const isSwapped = pool.often(40);
  const taken = (name: string): Json => {
    const value = memberOf(other, name) ?? content[name] ?? null;
    return isSwapped && typeof value === 'string' ? swappedCase(value) : value;
  };
  const values = names.map((name) => [name, taken(name)] as const);
  return { ...content, ...Object.fromEntries(values) };
}

/** The items that refer to whoever sends a request. */
function itemsOfSender(items: readonly Stored[], { credentials }: Request, world: World): readonly Stored[] {
  const secrets = credentials.map(({ value, password }) => seen(password ?? value));
  const senders = [...world.specification.resourcesByName.keys()]
    .flatMap((resource) => world.items(resource))
    .filter(({ members }) => [...members.values()].some((value) => secrets.includes(seen(value))));
  const isSender = ({ resource, handle }: Item): boolean =>
    senders.some((sender) => sender.resource === resource && sender.handle === handle);
  return items.filter(({ members }) =>
    [...members.values()].some((value) => value instanceof Item && isSender(value)),
  );
}

/** Whether JSON is an object. */
export function isMembers(content: Json): content is Members {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** The body of a request, under the name under which the operation takes it; undefined: there is none, or it is bytes. */
export function bodyIn({ operation, content }: Request): Json | undefined {
  if (content instanceof Bytes) return undefined;
  const under = underOf(operation);
  if (content === undefined || under === undefined) return content as Json | undefined;
  return isObject(content) ? (content[under] as Json | undefined) : undefined;
}

/** The request with another body; itself, if there is no other. */
export function withBody(request: Request, change: (body: Json) => Json | undefined): Request {
  const inner = bodyIn(request);
  const body = inner === undefined ? undefined : change(inner);
  if (body === undefined) return request;
  const under = underOf(request.operation);
  return { ...request, content: under === undefined ? body : ({ [under]: body } as Value) };
}

/** The request without a member of its body; itself, if it has none. */
export function withoutMember(request: Request, name: string): Request {
  return withBody(request, (body) => {
    if (!isMembers(body) || !Object.hasOwn(body, name)) return undefined;
    const { [name]: _, ...others } = body;
    return others;
  });
}

function underOf({ request }: Operation): string | undefined {
  return request ? stated(request.under) : undefined;
}
