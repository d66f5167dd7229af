import { drop, get, type Mapping, mapping, type Node, put, scalar } from '../../../source/node.ts';
import type { Span } from '../../../source/text.ts';
import { step } from '../../reading/address.ts';
import {
  anyOf,
  choice,
  defined,
  type Form,
  markerForm,
  point,
  type Snippet,
  section,
  typeNames,
} from '../../reading/form.ts';
import {
  absent,
  asMap,
  entry,
  type Formed,
  formed,
  knownKeys,
  listOf,
  named,
  type Place,
  type Placed,
  placedText,
  type Reading,
  record,
  say,
  text,
  unknownKeys,
  type Values,
  value,
} from '../../reading/reading.ts';
import { isMarker, isOpenMarker, isSaid, marker, type Said, stated } from '../../reading/said.ts';
import { expression, type PlacedTemplate } from '../../reading/templates.ts';
import { accessSpelledOut, accessWords, bytesHidden } from '../access.ts';
import { type Guards, guardKeys } from '../guards.ts';
import { type Item, items } from '../item.ts';
import { type Field, fieldForm, fieldKeys, fieldsForm } from '../resource/field.ts';
import { keyNames, type UniqueTogether, uniqueTogether } from '../resource/unique.ts';
import {
  keywordsForm,
  type Others,
  objectKeys,
  objectKeywordsForm,
  readShape,
  type Shape,
  sayOthers,
  sayRequired,
  shape,
  type Use,
} from '../shape.ts';

export type { Field, Reference } from '../resource/field.ts';

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
  /** When an item may be created, updated or deleted. A transition has a guard of its own (language §3.1). */
  readonly guards: Said<Guards>;
  /** The items that are there before the first request. */
  readonly items: Said<readonly Item[]>;
  /** Further keywords about objects, as a shape without fields. */
  readonly further: Shape;
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

const entries = section('2.1', 'resources.resource');
const ofView = section('2.1', 'resources.view');

const resourceKeys = {
  unique: entry(
    uniqueTogether,
    entries('Lists of fields that are unique together, also as `{ fields, caseless }`.', {
      rules: '4',
      must: 'refuse a second, under any race: `not unique`',
      see: 'repeat them',
      open: 'not checked',
    }),
  ),
  invariants: entry(
    named(value(expression)),
    entries('What always holds: a sentence, and its expression.', {
      rules: '6',
      must: 'refuse what would break it: `invariant broken`',
      see: 'both sides of it',
      open: 'not checked',
    }),
  ),
  guards: entry(
    record(guardKeys),
    entries('When an item may be created, updated or deleted: an expression for each.', {
      rules: '7 to 9',
      must: 'otherwise refuse: `guard refused R.create`',
      see: 'both sides of it',
      open: 'unguarded',
    }),
  ),
  items: entry(
    items,
    entries('Items that exist before the first request: field names and literals.', {
      rules: '5',
      must: 'store them once, before the first request',
      see: 'read them; they count as existing (F.3)',
      open: 'none at first',
    }),
  ),
};

const namesForm = anyOf(
  { kind: 'list', of: text.form, alone: false, more: { minItems: 1 } },
  text.form,
  markerForm,
);

const ownKeys = {
  identifier: value(
    formed(namesForm, keyNames(identifierNames)),
    entries('The field, or the list of fields, that identifies an item. `(none)`: the entry is a shape.', {
      must: 'keep it unique, never change it',
      see: 'create, read back, create twice',
      open: 'nothing can be created: 501',
    }),
  ),
  ...objectKeys,
};

const viewKeys = {
  of: value(
    placedText,
    ofView('The resource that this view shows.', {
      must: 'show its items',
      see: 'each member',
      open: 'nothing',
    }),
  ),
  shows: value(
    listOf(placedText),
    ofView('Which readable fields of the resource the view shows.', {
      must: 'show exactly these',
      see: 'each member',
      open: '501 where the view is used',
    }),
  ),
  omits: entry(
    listOf(placedText),
    ofView('In place of `shows`: which readable fields the view does not show.', {
      must: 'show all others',
      see: 'each member',
      open: '`shows` says',
    }),
  ),
};

const resourceForm: Form = defined('resource', () => ({
  kind: 'record',
  title: 'resource',
  keys: {
    ...ownKeys,
    fields: { ...ownKeys.fields, read: { form: point('fields', fieldsForm) } },
    ...resourceKeys,
    of: viewKeys.of,
  },
  also: () => [objectKeywordsForm],
}));

const namedShapeForm: Form = defined('namedShape', () => ({
  kind: 'record',
  title: 'shape',
  keys: ownKeys,
  also: () => [keywordsForm],
  more: { dependentRequired: { others: ['fields'] } },
}));

const viewForm: Form = defined('view', () => ({
  kind: 'record',
  title: 'view',
  keys: {
    ...viewKeys,
    fields: {
      read: { form: point('fields', fieldsForm) },
      absence: 'entry',
      literal: false,
      about: ofView('Further fields, each `derived`.', {
        must: 'show them',
        see: 'each member',
        open: 'none',
      }),
    },
  },
  more: { if: { not: { required: ['shows'] } }, else: { properties: { omits: false } } },
}));

const none = { type: 'string', pattern: '^\\s*\\(none\\)\\s*$' };

const entryForm: Form = point('entry', () =>
  choice(
    [
      { when: { required: ['of'] }, form: viewForm },
      { when: { required: ['identifier'], properties: { identifier: none } }, form: namedShapeForm },
    ],
    resourceForm,
  ),
);

const snippets: readonly Snippet[] = [
  {
    label: 'resource',
    description: 'A resource: kept, and known by an identifier',
    body: {
      '${1:Thing}': {
        identifier: 'id',
        fields: {
          id: { type: 'string', format: 'uuid', set: { create: '\\${uuid()\\}' } },
          '${2:name}': { type: '${3:string}' },
        },
        required: ['${2:name}'],
      },
    },
  },
  {
    label: 'shape',
    description: 'A shape: a form of values, not kept',
    body: {
      '${1:Shape}': {
        identifier: '(none)',
        fields: { '${2:name}': { type: '${3:string}' } },
        required: ['${2:name}'],
      },
    },
  },
  {
    label: 'view',
    description: 'A view: which fields of a resource are shown',
    body: { '${1:View}': { of: '${2:Resource}', shows: ['${3:name}'] } },
  },
];

const entriesForm: Form = {
  kind: 'map',
  of: { read: { form: entryForm }, absence: 'value', literal: false },
  names: typeNames,
  snippets,
};

/** Keywords that say of what kind a value is, each in its way. */
const typing = ['type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'];

export type Resources = ReadonlyMap<string, Said<Entry>>;

export const read: Formed<Resources> = formed(entriesForm, (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const entries = new Map<string, Said<Entry>>();
  for (const [name, found] of map.entries) {
    if (!typeNames.pattern.test(name)) reading.report('bad-name', found.key, { name });
    const where = { address: step(place.address, name), at: found.key };
    entries.set(name, say(found.value, value(readEntry(name)), where, reading));
  }
  reading.restOf(place.address, place.at);
  return entries;
});

function readEntry(name: string): Formed<Entry> {
  return formed(entryForm, (node, place, reading) => {
    const map = asMap(node, reading);
    if (map === undefined) return undefined;
    if (map.entries.has('of')) return readView(name, map, place, reading);
    const identifier = get(map, 'identifier');
    if (identifier?.kind === 'scalar' && marker(identifier.value)?.kind === 'none')
      return readNamedShape(name, map, place, reading);
    return readResource(name, map, place, reading);
  });
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
  const [shows, omits] = [map.entries.get('shows'), map.entries.get('omits')];
  unknownKeys(map, [...Object.keys(viewKeys), 'fields'], place, reading);
  if (shows && omits)
    reading.report(
      'contradiction',
      omits.key,
      { problem: 'a view either shows fields or omits some' },
      { related: [shows.key] },
    );
  const keys = { ...viewKeys, shows: absent(viewKeys.shows, omits ? 'entry' : 'value') };
  const found = knownKeys(map, keys, place, reading);
  return { kind: 'view', name, at: place.at, ...found, fields: readFields(name, map, place, reading) };
}

function readResource(name: string, map: Mapping, place: Place, reading: Reading): Resource {
  const identifierPlace = { address: step(place.address, 'identifier'), at: place.at };
  const own = Object.keys({ ...ownKeys, ...resourceKeys });
  const found = knownKeys(map, resourceKeys, place, reading);
  const bare = own.reduce(drop, map);
  const further = readShape(bare, place, reading, []) as Shape;
  const resource: Resource = {
    kind: 'resource',
    name,
    address: place.address,
    at: place.at,
    identifier: say(get(map, 'identifier'), ownKeys.identifier, identifierPlace, reading),
    fields: readFields(name, map, place, reading),
    required: sayRequired(map, place, reading),
    others: sayOthers(map, place, reading),
    ...found,
    further,
  };
  reading.restOf(place.address, place.at);
  return resource;
}

function identifierNames(node: Node, place: Place, reading: Reading): readonly Placed[] | undefined {
  const items = node.kind === 'list' ? node.items : [node];
  const names = items.map((item) => {
    if (!isMarker(item)) return placedText(item, place, reading);
    const hint = 'write (open) in place of the whole list, or leave the field out of it';
    return reading.report('marker-in-literal', item.span, { text: '(open)' }, { hint });
  });
  return names.includes(undefined) ? undefined : (names as Placed[]);
}

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

const fieldMap = (resource: string): Formed<ReadonlyMap<string, Field>> =>
  formed(fieldsForm, (node, place, reading) => {
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
  });

function readField(resource: string, name: string): Formed<Field> {
  return formed(fieldForm, (node, place, reading) => {
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
  });
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

/** Language §E.9: `readOnly`, `writeOnly`, `derived`, `secret` and `format: binary` say what `readable` and `writable` are. */
function spelledOut(map: Mapping, reading: Reading): Mapping {
  const put1 = (of: Mapping, spelling: string, key: string, flag: boolean): Mapping => {
    const written = map.entries.get(spelling);
    if (written === undefined || isOpenMarker(written.value) || isNone(written.value)) return of;
    if (of.entries.has(key)) return of;
    return put(of, key, scalar(flag, written.value.span, written.value.assumed), written.key);
  };
  const shown = put1(accessSpelledOut(map, reading), 'derived', 'readable', true);
  return bytesHidden(put1(put1(shown, 'derived', 'writable', false), 'secret', 'readable', false));
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
