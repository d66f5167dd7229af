import { callsMade, namesIn } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { plain } from '../../semantics/value/plain.ts';
import { Ending, seen, type Value } from '../../semantics/value/value.ts';
import type { Cursor } from '../../semantics/world/cursors.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import { Ways } from '../../semantics/world/ways.ts';
import { itemOf, type World } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import type { Schema } from '../schema.ts';
import { swappedCase } from './near.ts';
import { identifierOf, memberOf, type Pool } from './pool.ts';

type Values = Readonly<Record<string, Value>>;

/** A request for the page at a cursor that an answer showed: the same list, with a size that may be another. */
export interface NextPage {
  readonly path: Values;
  readonly query: Values;
}

/** Null: no answer showed a cursor of this list. */
export function nextPage(operation: Operation, world: World, pool: Pool): NextPage | null {
  const parameter = queryParameters(operation).find(({ roles }) => stated(roles.page) === 'cursor');
  const given = world.cursors.filter((cursor) => cursor.request.operation === operation.name);
  if (parameter === undefined || given.length === 0) return null;
  const { made, request } = pool.recent(given) as Cursor;
  const pages = queryParameters(operation).filter(({ roles }) => stated(roles.page) !== undefined);
  const others = Object.entries(request.query).filter(
    ([name, value]) => value !== null && !pages.some((page) => page.name === name),
  );
  const size = pages.find(({ roles }) => stated(roles.page) === 'size');
  return {
    path: request.path,
    query: {
      ...Object.fromEntries(others),
      ...(size && pool.often(60) && { [size.name]: pageValue(size, operation, world, pool) }),
      [parameter.name]: seen(made),
    },
  };
}

/** What a parameter says of a page: counts within the list and just past it, items of it, and cursors. */
export function pageValue(parameter: Parameter, operation: Operation, world: World, pool: Pool): Value {
  const { subject } = operation;
  const schema = schemaOf(parameter.shape);
  const items = subject ? world.items(subject.name) : [];
  const fitting = (value: number): Json => (pool.fits(schema, value) ? value : pool.fresh(schema));
  switch (stated(parameter.roles.page)) {
    case 'size':
      return fitting(pool.often(80) ? pool.random.whole(1, 3) : pool.random.pick(sizesAround(world)));
    case 'offset':
      return fitting(pool.random.whole(0, items.length + 1));
    case 'start':
      return fitting(pool.random.whole(1, items.length + 2));
    case 'number':
      return fitting(pool.random.whole(1, 3));
    case 'cursor':
      return seen(world.cursors.length > 0 && pool.often(70) ? pool.recent(world.cursors).made : 'nonsense');
    default: {
      const name = subject && identifierOf(world.specification, subject.name);
      const key = name && items.length > 0 ? memberOf(pool.item(items), name) : undefined;
      if (key === undefined || pool.often(10)) return pool.fresh(schema);
      return pool.fits(schema, key) ? key : String(key);
    }
  }
}

/** Sizes at the bound of part 8, and beside it. */
function sizesAround({ specification: { limits } }: World): readonly number[] {
  const sizes = stated(stated(limits)?.sizes);
  const most = sizes && stated(sizes.page);
  return most === undefined ? [0, 50] : [0, most, most + 1];
}

/** A field, or two, by which the client may sort. */
export function sortValue(fields: readonly { readonly text: string }[], schema: Schema, pool: Pool): Value {
  const names = fields.map(({ text }) => text);
  const count = pool.often(40) ? 2 : 1;
  const chosen = Array.from({ length: count }, () => pool.random.pick(['', '-']) + pool.random.pick(names));
  const isList = [schema['type'] ?? []].flat().includes('array');
  return isList ? chosen : chosen.join(',');
}

/** A value of a filter: mostly what an item holds, or a part of it, in a field that the filter reads. */
export function filterValue(
  { name, shape, roles }: Parameter,
  subject: Stored | undefined,
  world: World,
  pool: Pool,
): Json {
  const schema = schemaOf(shape);
  const filter = stated(roles.filter);
  const read = filter && pool.often(75) ? fieldsRead(filter) : null;
  const held = subject ? heldBy(subject, read, world, pool) : [];
  const all = filter && searchesWords(filter) ? [...held, ...searchesFor(held, pool)] : held;
  const wanted = pool.often(75) ? all : [];
  const from = (inner: Schema, member: string): Json => {
    const fitting = wanted.filter((value) => pool.fits(inner, value));
    return fitting.length > 0 ? pool.random.pick(fitting) : pool.valueOf(member, inner, world);
  };
  const { items, properties } = pool.resolve(schema);
  if (items) return Array.from({ length: pool.random.whole(1, 2) }, () => from(items as Schema, name));
  if (!properties) return from(schema, name);
  const members = Object.entries(properties as Record<string, Schema>);
  return Object.fromEntries(
    members.filter(() => pool.often(60)).map(([member, inner]) => [member, from(inner, member)]),
  );
}

/** The names in the expressions of a filter; null: it reads nothing by name. */
const fieldsRead = once((filter: PlacedTemplate): ReadonlySet<string> | null => {
  const names = expressionsIn(filter.template).flatMap(({ syntax }) => namesIn(syntax));
  return names.length > 0 ? new Set(names) : null;
});

/**
 * What an item holds or comes to, with parts of its texts, the elements of its lists, and numbers one further.
 *
 * @param read the names of the fields; null: all
 */
function heldBy(subject: Stored, read: ReadonlySet<string> | null, world: World, pool: Pool): Json[] {
  const { fields = new Map() } = world.newest.resourcesByName.get(subject.resource) ?? {};
  const all: string[] = [...fields.keys()];
  const some = all.filter((name) => read?.has(name));
  return (some.length > 0 ? some : all).flatMap((name): Json[] => {
    const value = memberOf(subject, name) ?? derivedOf(subject, name, world);
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value as Json[];
    if (typeof value === 'number') return [value, value, value + 1, value - 1];
    return typeof value === 'string' ? [value, ...partsOf(value, pool)] : [value];
  });
}

/** Whether a filter looks for words. */
const searchesWords = once((filter: PlacedTemplate): boolean =>
  expressionsIn(filter.template).some(({ syntax }) => callsMade(syntax).includes('matches')),
);

/** Two words of an item, a word beside one that is perhaps nowhere, and a word without its first letter, or its last. */
function searchesFor(held: readonly Json[], { random }: Pool): readonly string[] {
  const words = held.flatMap((value) => (typeof value === 'string' ? wordsOf(value) : []));
  if (words.length === 0) return [];
  const word = random.pick(words);
  const [nowhere, short] = [random.letters(6), random.pick([word.slice(1), word.slice(0, -1)])];
  return [`${word} ${random.pick(words)}`, random.pick([`${word} ${nowhere}`, `${nowhere} ${word}`]), short];
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Its words, and some of its characters, as they are and in the other case. */
function partsOf(text: string, { random }: Pool): readonly string[] {
  const words = wordsOf(text);
  const all = [...text];
  const begin = random.whole(0, Math.max(0, all.length - 3));
  const piece = all.slice(begin, begin + random.whole(2, 5)).join('');
  return [...words, piece, swappedCase(random.pick([text, piece, ...words]))];
}

/** What a field of an item comes to; undefined: that is not known. */
function derivedOf(subject: Stored, name: string, world: World): Json | undefined {
  const resource = world.newest.resourcesByName.get(subject.resource);
  if (resource === undefined || stated(resource.fields.get(name)?.derived) === undefined) return undefined;
  const moment = new Moment(world.fork(new Ways()), {});
  try {
    return plain(moment.member(itemOf(subject, resource), name));
  } catch (error) {
    if (error instanceof Ending) return undefined;
    throw error;
  }
}
