import { drop, get, type Json, type Mapping, mapping, type Node, put, scalar } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { accessSpelledOut, accessWords } from '../access.ts';
import { step } from '../address.ts';
import { type Item, items } from '../item.ts';
import {
  asMap,
  boolean,
  entry,
  kindOf,
  knownKeys,
  listOf,
  literal,
  named,
  type Place,
  type Placed,
  placedText,
  type Read,
  type Reading,
  record,
  say,
  unknownKeys,
  type Values,
  value,
  word,
} from '../reading.ts';
import { isMarker, isOpenMarker, isSaid, marker, type Said, stated } from '../said.ts';
import { type Others, readShape, type Shape, sayOthers, sayRequired, shape, type Use } from '../shape.ts';
import {
  expression,
  holdsExpression,
  isHandled,
  literalJson,
  type PlacedTemplate,
  template,
} from '../templates.ts';

/** Part 2: an entry is a resource, which is kept; a shape, which is not; or a view of a resource (language §2). */
export type Entry = Resource | NamedShape | View;

export interface Resource {
  readonly kind: 'resource';
  readonly name: string;
  readonly address: string;
  readonly at: Span;
  /** The fields by which one item is known. */
  readonly identifier: Said<readonly Placed[]>;
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: Said<readonly Use[]>;
  readonly others: Said<Others>;
  /** Lists of fields of which no two items have the same values. */
  readonly unique: Said<readonly UniqueTogether[]>;
  /** What always holds: an expression a sentence. */
  readonly invariants: Said<ReadonlyMap<string, Said<PlacedTemplate>>>;
  /** The items that are there before the first request. */
  readonly items: Said<readonly Item[]>;
  /** Further keywords about objects, as a shape without fields. */
  readonly further: Shape;
}

/** Fields that are unique together; caseless: their texts are the same whatever the case of their letters. */
export interface UniqueTogether {
  readonly fields: readonly Placed[];
  readonly caseless: boolean;
}

export interface NamedShape {
  readonly kind: 'shape';
  readonly name: string;
  readonly at: Span;
  readonly shape: Shape;
}

export interface View {
  readonly kind: 'view';
  readonly name: string;
  readonly at: Span;
  readonly of: Said<Placed>;
  /** The fields of the resource that it shows, or all but those that it omits. */
  readonly shows: Said<readonly Placed[]>;
  readonly omits: Said<readonly Placed[]>;
  /** Further fields, which are derived. */
  readonly fields: ReadonlyMap<string, Field>;
}

export interface Field {
  readonly name: string;
  /** The resource or view that it is a field of. */
  readonly resource: string;
  readonly address: string;
  readonly at: Span;
  readonly shape: Shape;
  readonly default: Said<Json>;
  /** What the service sets on creation, and at any change of the item. */
  readonly create: Said<PlacedTemplate>;
  readonly update: Said<PlacedTemplate>;
  readonly derived: Said<PlacedTemplate>;
  /** How a given value is taken in, and a kept one shown. */
  readonly taken: Said<PlacedTemplate>;
  readonly shown: Said<PlacedTemplate>;
  readonly readable: Said<boolean | PlacedTemplate>;
  readonly writable: Said<boolean | 'once' | 'same' | PlacedTemplate>;
  readonly secret: Said<'hashed'>;
  readonly unique: Said<boolean | 'caseless' | 'ever'>;
  /** What holds of its value: an expression a sentence. */
  readonly holds: Said<ReadonlyMap<string, Said<PlacedTemplate>>>;
  /** The key of the item that it is a reference to. */
  readonly refers: Said<Reference>;
  readonly ifDeleted: Said<'refuse' | 'delete' | 'clear' | 'keep'>;
}

/** The key of an item: `R.field`, or R alone where its identifier is open or several fields (language §2). */
export interface Reference {
  readonly resource: string;
  readonly field: string | null;
  readonly at: Span;
}

const setKeys = { create: entry(template), update: entry(template) };

/** What a field may hold beside JSON Schema. */
const fieldKeys = {
  default: literal(literalJson),
  set: entry(record(setKeys)),
  derived: entry(template),
  taken: entry(template),
  shown: entry(template),
  readable: entry(flagOrExpression(boolean)),
  writable: entry(flagOrExpression(writableWord)),
  secret: entry(word('hashed')),
  unique: entry(uniqueWord),
  holds: entry(named(value(expression))),
  refers: entry(reference),
  ifDeleted: entry(word('refuse', 'delete', 'clear', 'keep')),
};

const resourceKeys = {
  unique: entry(uniqueLists),
  invariants: entry(named(value(expression))),
  items: entry(items),
};

/** Keywords that say of what kind a value is, each in its way. */
const typing = ['type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'];

export type Resources = ReadonlyMap<string, Said<Entry>>;

export const read: Read<Resources> = (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const entries = new Map<string, Said<Entry>>();
  for (const [name, found] of map.entries) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) reading.report('bad-name', found.key, { name });
    const where = { address: step(place.address, name), at: found.key };
    entries.set(name, say(found.value, value(readEntry(name)), where, reading));
  }
  reading.restOf(place.address, place.at);
  return entries;
};

function readEntry(name: string): Read<Entry> {
  return (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    if (map.entries.has('of')) return readView(name, map, place, reading);
    const identifier = get(map, 'identifier');
    if (identifier?.kind === 'scalar' && marker(identifier.value)?.kind === 'none')
      return readNamedShape(name, map, place, reading);
    return readResource(name, map, place, reading);
  };
}

/** A resource that is named and not described: everything about it is open. */
export function silent(name: string, at: Span, reading: Reading): Resource {
  return readResource(name, mapping([], at), { address: step('resources', name), at }, reading);
}

function readNamedShape(name: string, map: Mapping, place: Place, reading: Reading): NamedShape | undefined {
  const found = shape(drop(map, 'identifier'), place, reading);
  return found && { kind: 'shape', name, at: place.at, shape: found };
}

function readView(name: string, map: Mapping, place: Place, reading: Reading): View {
  const listed = listOf(placedText);
  const [shows, omits] = [map.entries.get('shows'), map.entries.get('omits')];
  unknownKeys(map, ['of', 'shows', 'omits', 'fields'], place, reading);
  if (shows && omits)
    reading.report(
      'contradiction',
      omits.key,
      { problem: 'a view either shows fields or omits some' },
      { related: [shows.key] },
    );
  const keys = {
    of: value(placedText),
    shows: (omits ? entry : value)(listed),
    omits: entry(listed),
  };
  const found = knownKeys(map, keys, place, reading);
  return { kind: 'view', name, at: place.at, ...found, fields: readFields(name, map, place, reading) };
}

function readResource(name: string, map: Mapping, place: Place, reading: Reading): Resource {
  const identifierPlace = { address: step(place.address, 'identifier'), at: place.at };
  const own = ['identifier', 'fields', 'required', 'others', ...Object.keys(resourceKeys)];
  const found = knownKeys(map, resourceKeys, place, reading);
  const bare = own.reduce(drop, map);
  const further = readShape(bare, place, reading, []) as Shape;
  const resource: Resource = {
    kind: 'resource',
    name,
    address: place.address,
    at: place.at,
    identifier: say(get(map, 'identifier'), value(identifierNames), identifierPlace, reading),
    fields: readFields(name, map, place, reading),
    required: sayRequired(map, place, reading),
    others: sayOthers(map, place, reading),
    ...found,
    further,
  };
  reading.restOf(place.address, place.at);
  return resource;
}

const identifierNames: Read<readonly Placed[]> = (node, place, reading) => {
  const items = node.kind === 'list' ? node.items : [node];
  const names = items.map((item) => {
    if (!isMarker(item)) return placedText(item, place, reading);
    const hint = 'write (open) in place of the whole list, or leave the field out of it';
    return reading.report('marker-in-literal', item.span, { text: '(open)' }, { hint });
  });
  return names.includes(undefined) ? undefined : (names as Placed[]);
};

function readFields(
  resource: string,
  map: Mapping,
  place: Place,
  reading: Reading,
): ReadonlyMap<string, Field> {
  const where = { address: step(place.address, 'fields'), at: place.at };
  const fields = get(map, 'fields');
  if (fields === undefined) {
    reading.restOf(where.address, where.at);
    return new Map();
  }
  return stated(say(fields, value(fieldMap(resource)), where, reading)) ?? new Map();
}

const fieldMap =
  (resource: string): Read<ReadonlyMap<string, Field>> =>
  (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    const fields = new Map<string, Field>();
    for (const [name, found] of map.entries) {
      const read = readField(resource, name);
      const where = { address: step(place.address, name), at: found.key };
      const said = say(found.value, value(read), where, reading);
      // A field of which only the name is stated: any value is taken and given back.
      const silent = isSaid(said) ? undefined : read(mapping([], where.at), where, reading);
      const field = stated(said) ?? silent;
      if (field) fields.set(name, field);
    }
    reading.restOf(place.address, place.at);
    return fields;
  };

function readField(resource: string, name: string): Read<Field> {
  return (node, place, reading) => {
    if (node.kind === 'scalar') {
      const only = readShape(node, place, reading, []);
      if (only === undefined) return undefined;
      reading.point(place.address, node.assumed ? 'assumed' : 'stated', node.span);
      return field([resource, name], only, flags(mapping([], node.span), place), place, reading);
    }
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    const found = readShape(map, place, reading, [...Object.keys(fieldKeys), ...accessWords]);
    return found && field([resource, name], found, flags(spelledOut(map, reading), place), place, reading);
  };
}

function field(
  [resource, name]: readonly [string, string],
  shape: Shape,
  map: Mapping,
  place: Place,
  reading: Reading,
): Field {
  const found: Values<typeof fieldKeys> = knownKeys(map, fieldKeys, place, reading);
  const set = stated(found.set);
  const typed = typing.some((keyword) => shape.keywords.has(keyword)) || isSaid(found.refers);
  if (shape.name === null && !typed && shape.object === null)
    reading.point(step(place.address, 'type'), 'open', place.at);
  reading.restOf(place.address, place.at);
  const { set: _, ...rest } = found;
  return {
    name,
    resource,
    address: place.address,
    at: place.at,
    shape,
    create: set?.create ?? silence(place, 'create'),
    update: set?.update ?? silence(place, 'update'),
    ...rest,
  };
}

function silence<T>(place: Place, key: string): Said<T> {
  return { kind: 'open', question: null, address: step(step(place.address, 'set'), key), at: place.at };
}

/** Language §E.9: `readOnly`, `writeOnly`, `derived` and `secret` say what `readable` and `writable` are. */
function spelledOut(map: Mapping, reading: Reading): Mapping {
  const put1 = (of: Mapping, spelling: string, key: string, flag: boolean): Mapping => {
    const written = map.entries.get(spelling);
    if (written === undefined || isOpenMarker(written.value) || isNone(written.value)) return of;
    if (of.entries.has(key)) return of;
    return put(of, key, scalar(flag, written.value.span, written.value.assumed), written.key);
  };
  const shown = put1(accessSpelledOut(map, reading), 'derived', 'readable', true);
  return put1(put1(shown, 'derived', 'writable', false), 'secret', 'readable', false);
}

/** A field that does not say whether it is read and written is both; what the service sets is not written (§E.8). */
function flags(map: Mapping, { at }: Place): Mapping {
  const create = get(get(map, 'set'), 'create');
  const isSet = create !== undefined && !isOpenMarker(create) && !isNone(create);
  const put1 = (of: Mapping, key: string, flag: Node): Mapping =>
    of.entries.has(key) ? of : put(of, key, flag, at);
  const writable = scalar(!isSet, at, isSet ? create.assumed : undefined);
  return put1(put1(map, 'readable', scalar(true, at)), 'writable', writable);
}

function isNone(node: Node): boolean {
  return node.kind === 'scalar' && marker(node.value)?.kind === 'none';
}

function flagOrExpression<T>(flag: Read<T>): Read<T | PlacedTemplate> {
  return (node, place, reading) =>
    holdsExpression(node) || isHandled(node) ? expression(node, place, reading) : flag(node, place, reading);
}

function writableWord(node: Node, place: Place, reading: Reading): boolean | 'once' | 'same' | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  return word('once', 'same')(node, place, reading);
}

function uniqueWord(node: Node, place: Place, reading: Reading): boolean | 'caseless' | 'ever' | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  return word('caseless', 'ever')(node, place, reading);
}

function uniqueLists(node: Node, place: Place, reading: Reading): readonly UniqueTogether[] | undefined {
  if (node.kind !== 'list' || node.items.some((item) => item.kind === 'scalar'))
    return reading.report('wrong-kind', node.span, {
      wanted: 'a list of lists of fields',
      found: kindOf(node),
    });
  return node.items.flatMap((item) => {
    if (item.kind === 'map') unknownKeys(item, ['fields', 'caseless'], place, reading);
    const [fields, caseless] = item.kind === 'map' ? [get(item, 'fields'), get(item, 'caseless')] : [item];
    if (fields?.kind !== 'list') {
      const found = fields ? kindOf(fields) : 'nothing';
      reading.report('wrong-kind', (fields ?? item).span, { wanted: 'a list of fields', found });
      return [];
    }
    const isCaseless = caseless && boolean(caseless, place, reading);
    return [{ fields: listOf(placedText)(fields, place, reading) ?? [], caseless: isCaseless === true }];
  });
}

function reference(node: Node, place: Place, reading: Reading): Reference | undefined {
  const written = placedText(node, place, reading);
  if (written === undefined) return undefined;
  const match = /^([A-Z][A-Za-z0-9]*)(?:\.(.+))?$/.exec(written.text);
  if (match === null) return reading.report('bad-reference', node.span, { found: written.text });
  return { resource: match[1] as string, field: match[2] ?? null, at: node.span };
}
