import { isDeepStrictEqual } from 'node:util';
import { get, type Json, json } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { annotations } from '../../specification/vocabulary/keywords.ts';
import type { Losses } from '../losses.ts';
import { branch, hosted, jsonOf, leaf, listed, type Piece, without } from './piece.ts';
import { isSet, type Place, type Places, raw, rawElements, textIn } from './place.ts';
import { notesOf, paragraphsOf } from './prose.ts';

/** What shapes are made with. */
export interface Shaping {
  readonly places: Places;
  readonly losses: Losses;
  /** Named schemas that are objects, by their pointer: each is an entry of part 2. */
  readonly names: ReadonlyMap<string, string>;
  /** The pointers of the schemas whose defaults are stated: those of parameters, and of members of what is kept. */
  readonly defaults: Set<string>;
  /** Values that schemas have in the examples of bodies, by their pointers. */
  readonly examples: ReadonlyMap<string, readonly Json[]>;
}

/** Keywords that mean the same, in the order in which they are written. */
const carried = [
  ...['enum', 'const', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...[
    'exclusiveMaximum',
    'multipleOf',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
    'dependentRequired',
  ],
];

/** Keywords that hold one schema, or schemas by name. */
const [single, mapped] = [
  ['not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ['patternProperties', 'dependentSchemas'],
];

/** Formats that say what a text looks like (JSON Schema 2020-12 §7.3). */
const formats = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference'],
  ...['uuid', 'json-pointer', 'regex'],
]);

/** What is told to people (JSON Schema Validation §9), and what a note tells that the language has no word for. */
const told = ['title', 'description', 'deprecated', 'example', 'examples'];
const noted = ['xml', 'externalDocs', 'discriminator'];

/** How many schemas `allOf` leads through, one in another: one may hold itself. */
const mostDeep = 20;

/** The shape that a schema means (language §H.1). A named object is its name. */
export function shapeOf(schema: Place, shaping: Shaping, within: readonly string[] = []): Piece {
  const { places, losses, names } = shaping;
  const place = places.followed(schema);
  const name = names.get(place.pointer);
  const { span } = schema.node;
  if (name !== undefined) return leaf(name, span);
  if (within.includes(place.pointer) || within.length > 40) {
    losses.add('gap', 'a schema that holds itself', place.pointer);
    return leaf({}, span);
  }
  const inner = [...within, place.pointer];
  const only = onlyOne(place);
  if (only) return shapeOf(only, shaping, inner);
  return ownShape(place, shaping, inner);
}

/** The shape that a schema means, though it has a name. */
export function ownShape(place: Place, shaping: Shaping, within: readonly string[] = [place.pointer]): Piece {
  if (isObject(place, shaping.places)) return objectOf(place, shaping, within);
  return leaf(plainOf(place, shaping, within), place.node.span);
}

/** `allOf` of one schema beside which nothing is said but what people read. */
function onlyOne(place: Place): Place | undefined {
  const all = rawElements(raw(place, 'allOf'));
  const others = place.node.kind === 'map' ? [...place.node.entries.keys()] : [];
  const isAlone = others.every((key) => ['allOf', 'nullable', ...told, ...noted].includes(key));
  return all.length === 1 && isAlone ? all[0] : undefined;
}

/** Whether a schema is an object with stated members, by itself or by what `allOf` puts together. */
export function isObject(place: Place, places: Places, depth = 0): boolean {
  if (depth > mostDeep || raw(place, 'oneOf') || raw(place, 'anyOf')) return false;
  if (raw(place, 'properties')) return true;
  const parts = places.elements(raw(place, 'allOf'));
  return parts.length > 0 && parts.every((part) => isObject(part, places, depth + 1) || isEmptyObject(part));
}

function isEmptyObject({ node }: Place): boolean {
  return get(node, 'type')?.kind === 'scalar' && get(node, 'properties') === undefined;
}

/** The members of an object, with those that `allOf` adds; the latest of the same name. */
export function propertiesOf(place: Place, places: Places, depth = 0): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  if (depth > mostDeep) return found;
  for (const part of places.elements(raw(place, 'allOf')))
    for (const [name, schema] of propertiesOf(part, places, depth + 1)) found.set(name, schema);
  const own = raw(place, 'properties');
  if (own?.node.kind === 'map')
    for (const name of own.node.entries.keys()) found.set(name, raw(own, name) as Place);
  return found;
}

export function requiredOf(place: Place, places: Places, depth = 0): readonly string[] {
  const own = rawElements(raw(place, 'required')).flatMap(({ node }) =>
    node.kind === 'scalar' ? [String(node.value)] : [],
  );
  if (depth > mostDeep) return own;
  const others = places.elements(raw(place, 'allOf')).flatMap((part) => requiredOf(part, places, depth + 1));
  return [...new Set([...others, ...own])];
}

/** `fields`, `required` and `others` of an object (language §H.1). */
export function objectOf(place: Place, shaping: Shaping, within: readonly string[] = [place.pointer]): Piece {
  const { places } = shaping;
  const properties = propertiesOf(place, places);
  const required = requiredOf(place, places).filter((name) => properties.has(name));
  const { span } = place.node;
  const fields = Object.fromEntries(
    [...properties].map(([name, schema]) => [name, hosted(fieldOf(schema, shaping, within), schema)]),
  );
  const isClosed = closes(place, places, 0);
  return branch(span, {
    fields: branch(span, fields),
    required: required.length > 0 ? leaf(required, span) : undefined,
    others: isClosed ? leaf('refuse', span) : undefined,
    ...Object.fromEntries(countsOf(place, places).map(([name, count]) => [name, leaf(count, span)])),
    ...piecesOf(toldOf(place, shaping, []), span),
  });
}

/** How many members an object has at least, and at most: of what `allOf` adds, the strictest. */
function countsOf(place: Place, places: Places): readonly (readonly [string, number])[] {
  const all = (name: string, part = place, depth = 0): readonly number[] => {
    if (depth > mostDeep) return [];
    const own = get(part.node, name);
    const parts = places.elements(raw(part, 'allOf'));
    const count = own?.kind === 'scalar' && Number.isSafeInteger(own.value) ? [Number(own.value)] : [];
    return [...count, ...parts.flatMap((each) => all(name, each, depth + 1))];
  };
  const [least, most] = [all('minProperties'), all('maxProperties')];
  return [
    ...(least.length > 0 ? [['minProperties', Math.max(...least)] as const] : []),
    ...(most.length > 0 ? [['maxProperties', Math.min(...most)] as const] : []),
  ];
}

export function closes(place: Place, places: Places, depth = 0): boolean {
  if (depth > mostDeep) return false;
  const own = get(place.node, 'additionalProperties') ?? get(place.node, 'unevaluatedProperties');
  if (own?.kind === 'scalar' && own.value === false) return true;
  return places.elements(raw(place, 'allOf')).some((part) => closes(part, places, depth + 1));
}

/** A member of an object: its shape, and who may read and write it. */
function fieldOf(schema: Place, shaping: Shaping, within: readonly string[]): Piece {
  const shape = innerOf(schema, shaping, within);
  const place = shaping.places.followed(schema);
  const says = {
    ...(isSet(place, 'readOnly') && { writable: false }),
    ...(isSet(place, 'writeOnly') && { readable: false }),
  };
  if (Object.keys(says).length === 0) return shape;
  const value = jsonOf(shape);
  if (typeof value === 'string') {
    shaping.losses.add('gap', 'readOnly or writeOnly beside a named schema', place.pointer);
    return shape;
  }
  return leaf({ ...(value as Record<string, Json>), ...says }, schema.node.span);
}

/** A JSON Schema without objects of stated members. */
function plainOf(place: Place, shaping: Shaping, within: readonly string[]): Json {
  const { node, pointer } = place;
  const { losses } = shaping;
  if (node.kind !== 'map') return {};
  const types = typesOf(place);
  const found: Record<string, Json> = {};
  if (types.length > 0) found['type'] = types.length === 1 ? (types[0] as string) : types;
  const inexact: string[] = [];
  for (const name of carried) {
    const said = get(node, name);
    if (said && isExact(json(said))) found[name] = json(said);
    else if (said) inexact.push(name);
  }
  const isKnown = formatted(place, types, found, losses);
  exclusive(found);
  const values = found['enum'];
  if (Array.isArray(values)) found['enum'] = valuesOf(values as readonly Json[], types);
  for (const name of single) {
    const inner = raw(place, name);
    if (inner) found[name] = schemaIn(inner, shaping, within);
  }
  for (const name of mapped) {
    const inner = raw(place, name);
    if (inner?.node.kind !== 'map') continue;
    const schemas = [...inner.node.entries.keys()].map((key) => [key, raw(inner, key) as Place] as const);
    found[name] = Object.fromEntries(schemas.map(([key, each]) => [key, schemaIn(each, shaping, within)]));
  }
  for (const name of ['oneOf', 'anyOf', 'allOf', 'prefixItems'] as const) {
    const all = rawElements(raw(place, name));
    if (all.length > 0) found[name] = all.map((each) => schemaIn(each, shaping, within));
  }
  const items = raw(place, 'items');
  if (items && types.includes('array')) Object.assign(found, itemsOf(place, items, shaping, within));
  const others = raw(place, 'additionalProperties');
  if (others?.node.kind === 'map') found['additionalProperties'] = schemaIn(others, shaping, within);
  const isSaid = shaping.defaults.has(pointer);
  const notes = [...inexact, ...(isKnown ? [] : ['format']), ...(isSaid ? [] : ['default'])];
  return { ...found, ...toldOf(place, shaping, notes) };
}

/** The listed values, with null where the type takes it; without null where the type does not. */
function valuesOf(values: readonly Json[], types: readonly string[]): readonly Json[] {
  if (types.includes('null')) return [...new Set([...values, null])];
  return types.length === 0 ? values : values.filter((value) => value !== null);
}

/** Whether a document, or a ledger, can say a value: whole numbers past 2⁵³ are not the same to every reader (language §A.4). */
export function isExact(value: Json): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

/**
 * What a schema tells people: annotations, and a note of what the language has no word for. It states nothing (language §E.18).
 *
 * @param notes the names of further members to note
 */
function toldOf(place: Place, shaping: Shaping, notes: readonly string[]): Readonly<Record<string, Json>> {
  const { node, pointer } = place;
  const { losses } = shaping;
  const [title, description] = [
    textIn(place, 'title'),
    paragraphsOf([(textIn(place, 'description') ?? '').trim()]),
  ];
  const [one, several] = [get(node, 'example'), get(node, 'examples')];
  const all = [...(one ? [json(one)] : []), ...(several?.kind === 'list' ? several.items.map(json) : [])];
  const own = all.filter(isExact);
  const given = (shaping.examples.get(pointer) ?? []).filter(
    (value) => isExact(value) && !own.some((each) => isDeepStrictEqual(each, value)),
  );
  const examples = [...own, ...given];
  const others = own.length < all.length ? ['example', 'examples'] : [];
  const names = [...notes, ...others, ...noted].filter((name) => get(node, name));
  for (const name of names) losses.add('prose', name, `${pointer}/${name}`);
  const note = notesOf(place, names);
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(isSet(place, 'deprecated') && { deprecated: true }),
    ...(examples.length > 0 && { examples }),
    ...(note !== undefined && { $comment: note }),
  };
}

function piecesOf(members: Readonly<Record<string, Json>>, at: Span): Readonly<Record<string, Piece>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, leaf(value, at)]));
}

/** What a schema is by default, if its type takes it; else that is a loss. */
export function defaultOf(schema: Place, { places, losses, defaults }: Shaping): { readonly default?: Json } {
  const place = places.followed(schema);
  const said = get(place.node, 'default');
  if (said === undefined) return {};
  defaults.add(place.pointer);
  const value = json(said);
  const types = typesOf(place);
  const isOne = types.length === 0 || types.some((type) => isOfType(value, type));
  if (!isOne) losses.add('dropped', 'a default of another type', `${place.pointer}/default`);
  return isOne ? { default: value } : {};
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** What elements look like; before JSON Schema 2020-12, a list says it of the first ones. */
function itemsOf(
  place: Place,
  items: Place,
  shaping: Shaping,
  within: readonly string[],
): Readonly<Record<string, Json>> {
  if (items.node.kind !== 'list') return { items: schemaIn(items, shaping, within) };
  const further = raw(place, 'additionalItems');
  return {
    prefixItems: rawElements(items).map((each) => schemaIn(each, shaping, within)),
    ...(further && { items: schemaIn(further, shaping, within) }),
  };
}

/** A schema within another one: true and false are schemas, too. */
function schemaIn(schema: Place, shaping: Shaping, within: readonly string[]): Json {
  const { node } = schema;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  return jsonOf(innerOf(schema, shaping, within));
}

/** A shape within another one. Beside one that no type says, such as a name, null is a second shape. */
function innerOf(schema: Place, shaping: Shaping, within: readonly string[]): Piece {
  const shape = shapeOf(schema, shaping, within);
  const place = shaping.places.followed(schema);
  const value = jsonOf(shape);
  const types = typeof value === 'object' && value !== null && 'type' in value ? [value['type']].flat() : [];
  const isAny = typeof value === 'object' && Object.keys(value as object).length === 0;
  if (!isNullable(place) || isAny || types.includes('null')) return shape;
  const { span } = place.node;
  const several =
    typeof value === 'object' && value !== null && 'anyOf' in value ? value['anyOf'] : undefined;
  if (Array.isArray(several))
    return leaf({ ...(value as object), anyOf: [...(several as readonly Json[]), { type: 'null' }] }, span);
  // What people read is about both.
  const told = 'entries' in shape ? [...shape.entries].filter(([name]) => annotations.includes(name)) : [];
  const bare = told.reduce((left: Piece, [name]) => without(left, [name]), shape);
  return branch(span, {
    anyOf: listed([bare, leaf({ type: 'null' }, span)], span),
    ...Object.fromEntries(told),
  });
}

/** Whether null is said to be a value, whatever others are. */
function isNullable(place: Place): boolean {
  const type = get(place.node, 'type');
  return (
    isSet(place, 'nullable') ||
    (type?.kind === 'list' && type.items.length > 1 && type.items.some((each) => json(each) === 'null'))
  );
}

function typesOf(place: Place): readonly string[] {
  const said = get(place.node, 'type');
  const written =
    said?.kind === 'list'
      ? said.items.map((item) => String(json(item)))
      : said?.kind === 'scalar'
        ? [String(said.value)]
        : raw(place, 'items')
          ? ['array']
          : [];
  const isNull = isSet(place, 'nullable') && written.length > 0 && !written.includes('null');
  return isNull ? [...written, 'null'] : written;
}

/** A format that is known stays; a width of numbers becomes bounds. Whether it is one of these. */
function formatted(
  place: Place,
  types: readonly string[],
  found: Record<string, Json>,
  losses: Losses,
): boolean {
  const format = textIn(place, 'format');
  if (format !== undefined && formats.has(format) && types.includes('string')) found['format'] = format;
  else if (format === 'int32' && types.includes('integer')) {
    found['minimum'] ??= -(2 ** 31);
    found['maximum'] ??= 2 ** 31 - 1;
    losses.add('spelling', 'format int32, as bounds', `${place.pointer}/format`);
  } else return false;
  return true;
}

/** OpenAPI 3.0 has flags where JSON Schema 2020-12 has bounds. */
function exclusive(found: Record<string, Json>): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof found[flag] !== 'boolean') continue;
    if (found[flag] && found[bound] !== undefined) {
      found[flag] = found[bound];
      delete found[bound];
    } else delete found[flag];
  }
}
