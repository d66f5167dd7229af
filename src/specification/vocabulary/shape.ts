import { get, type Json, json, type Mapping, type Node, setMember } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Span } from '../../source/text.ts';
import { type Address, step } from '../reading/address.ts';
import { anyOf, defined, type Form, own, point, section, typeNameForm, words } from '../reading/form.ts';
import { literals, literalsFit } from '../reading/literals.ts';
import { shownNames } from '../reading/nearest.ts';
import { mostInstructions, tooMany } from '../reading/pattern.ts';
import {
  asMap,
  entry,
  type Formed,
  formed,
  kindOf,
  knownKeys,
  noMarkerInList,
  nothingAsked,
  type Place,
  type Read,
  type Reading,
  say,
  type Told,
  text,
  unknownName,
  value,
  word,
} from '../reading/reading.ts';
import { isMarker, type Said, stated } from '../reading/said.ts';
import { literalJson } from '../reading/templates.ts';
import { type Access, accessKeys, accessSpelledOut, accessSpellings, accessWords } from './access.ts';
import { checkAgreement } from './agreement.ts';
import { annotations, formats, type Kind, keywords, objectKeywords, types } from './keywords.ts';

/** What a value may look like (language §H.1): a JSON Schema 2020-12 in which names may stand for schemas. */
export interface Shape {
  readonly address: Address;
  readonly at: Span;
  /** Set where the shape is only a name (language §E.10). */
  readonly name: string | null;
  /** The keywords that stand there, in written order. A name within them is `{ "$ref": "#/$defs/Name" }`. */
  readonly keywords: ReadonlyMap<string, Said<Json>>;
  /** Set where the shape is written with `fields`. */
  readonly object: ObjectShape | null;
  /** The names that the shape uses, at any depth. */
  readonly uses: readonly Use[];
  /** Set where it is a member of a shape with `fields`: whether it is shown, and may be given. */
  readonly access?: Access;
  /** What is said of who reads and writes members, at any depth. */
  readonly limited: readonly Said<boolean>[];
}

/** Whether a shape is that of bytes. */
export function isBinary({ keywords: stating }: Pick<Shape, 'keywords'>): boolean {
  return stated(stating.get('format')) === 'binary';
}

export interface Use {
  readonly name: string;
  readonly at: Span;
}

/** `{ fields, required, others }`: what resources are made of. */
export interface ObjectShape {
  readonly fields: ReadonlyMap<string, Said<Shape>>;
  readonly required: Said<readonly Use[]>;
  readonly others: Said<Others>;
}

/** What becomes of members that nobody stated. */
export type Others = 'refuse' | 'ignore' | 'keep';

const about = section('H.1', 'shape');

/** The keywords of JSON Schema, where they stand beside keys of the language. */
export const objectKeywordsForm: Form = defined('objectKeywords', () => ({
  kind: 'record',
  keys: keywordsOf((name) => objectKeywords.includes(name)),
  shared: true,
}));

export const keywordsForm: Form = defined('keywords', () => ({
  kind: 'record',
  keys: keywordsOf((name) => !objectKeywords.includes(name) && name !== 'required'),
  also: () => [objectKeywordsForm],
  shared: true,
}));

function keywordsOf(has: (name: string) => boolean): Readonly<Record<string, Told<Json>>> {
  return Object.fromEntries(Object.entries(keywordKeys).filter(([name]) => has(name)));
}

/** A name, true, false, or a JSON Schema. */
const schemaForm: Form = point('schema', () =>
  anyOf(shapeMap, typeNameForm, own('true or false', { type: 'boolean' })),
);

const besideFields = { dependentRequired: { others: ['fields'] } };

const shapeMap: Form = defined('shapeMap', () => ({
  kind: 'record',
  title: 'shape',
  keys: objectKeys,
  also: () => [keywordsForm],
  more: besideFields,
}));

/** A member of a shape with `fields`. */
const memberForm: Form = point('member', () => anyOf(memberMap, typeNameForm));

const memberMap: Form = defined('memberMap', () => ({
  kind: 'record',
  title: 'shape',
  keys: { ...accessKeys, ...accessSpellings, ...objectKeys },
  also: () => [keywordsForm],
  more: besideFields,
}));

const membersForm: Form = {
  kind: 'map',
  of: { read: { form: memberForm }, absence: 'value', literal: false },
};

/** Reads a shape: a name, or a map of keywords, of which there may be more. */
export const shape: Formed<Shape> = formed(
  point('shape', () => anyOf(shapeMap, typeNameForm)),
  (node, place, reading) => {
    const found = readShape(node, place, reading, []);
    if (found && node.kind === 'map') reading.restOf(place.address, place.at);
    return found;
  },
);

/** Reads a shape whose map may hold further keys, which the caller reads. */
export function readShape(
  node: Node,
  place: Place,
  reading: Reading,
  furtherKeys: readonly string[],
): Shape | undefined {
  const { address } = place;
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    const uses = [{ name: node.value, at: node.span }];
    return { address, at: node.span, name: node.value, keywords: new Map(), object: null, uses, limited: [] };
  }
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const object = map.entries.has('fields') ? readObject(map, place, reading) : null;
  const own = object ? ['fields', 'required', 'others'] : [];
  const found = new Map<string, Said<Json>>();
  const members = [...(object?.fields.values() ?? [])].flatMap((field) => stated(field) ?? []);
  const inner: Inner = {
    uses: members.flatMap((member) => member.uses),
    limited: members.flatMap((member) => member.limited),
  };
  for (const [name, written] of map.entries) {
    if (own.includes(name) || furtherKeys.includes(name)) continue;
    const kind = keywords[name]?.kind;
    if (kind === undefined || !Object.hasOwn(keywords, name)) {
      const known = [...own, ...furtherKeys, ...Object.keys(keywords), 'fields'];
      const close = reading.suggest(name, known);
      const which = accessWords.includes(name)
        ? 'it is said of fields, and of members of a shape with `fields`'
        : 'a shape holds the keywords of JSON Schema 2020-12';
      const hint = close ? `did you mean ${close}?` : which;
      reading.report('unknown-key', written.key, { key: name, where: address }, { hint });
      continue;
    }
    const read: Read<Json> = (of, where, again) => keywordValue(name, kind, of, where, again, inner);
    const where = { address: step(address, name), at: written.key };
    const { absence, literal } = keywordKeys[name] as Told<Json>;
    if (annotations.includes(name)) {
      if (name === 'description') nothingAsked(written.value, reading);
      continue;
    }
    found.set(name, say(written.value, { absence, literal, read }, where, reading));
  }
  literalsFit(map, stated(found.get('type')), reading);
  checkAgreement(map, reading);
  return { address, at: node.span, name: null, keywords: found, object, ...inner };
}

function readObject(map: Mapping, place: Place, reading: Reading): ObjectShape {
  const { address } = place;
  const fieldsPlace = { address: step(address, 'fields'), at: place.at };
  const fields = stated(say(get(map, 'fields'), objectKeys.fields, fieldsPlace, reading)) ?? new Map();
  const required = sayRequired(map, place, reading);
  const isDecided = fields.size > 0 || reading.completeness.closed(fieldsPlace.address) !== undefined;
  for (const { name, at } of stated(required) ?? []) {
    reading.use('field', `${address.replace(/^resources\./, '')}.${name}`, at);
    if (isDecided && !fields.has(name)) unknownName(name, at, 'a field', [...fields.keys()], reading);
  }
  return {
    fields,
    required,
    others: sayOthers(map, place, reading),
  };
}

const fieldMap: Formed<ReadonlyMap<string, Said<Shape>>> = formed(membersForm, (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const fields = new Map<string, Said<Shape>>();
  for (const [name, found] of map.entries) {
    const where = { address: step(place.address, name), at: found.key };
    fields.set(name, say(found.value, value(member), where, reading));
  }
  reading.restOf(place.address, place.at);
  return fields;
});

const member: Formed<Shape> = formed(memberForm, (node, place, reading) => {
  if (node.kind !== 'map') return shape(node, place, reading);
  const map = accessSpelledOut(node, reading);
  const found = readShape(map, place, reading, Object.keys(accessKeys));
  if (found === undefined) return undefined;
  const access = knownKeys(map, accessKeys, place, reading);
  reading.restOf(place.address, place.at);
  const limits = Object.values(access).filter((one) => stated(one) === false);
  return { ...found, access, limited: [...found.limited, ...limits] };
});

export function sayRequired(map: Mapping, place: Place, reading: Reading): Said<readonly Use[]> {
  return say(
    get(map, 'required'),
    objectKeys.required,
    { address: step(place.address, 'required'), at: place.at },
    reading,
  );
}

export function sayOthers(map: Mapping, place: Place, reading: Reading): Said<Others> {
  return say(
    get(map, 'others'),
    objectKeys.others,
    { address: step(place.address, 'others'), at: place.at },
    reading,
  );
}

export const othersWord = word('refuse', 'ignore', 'keep');

const namesForm: Form = {
  kind: 'list',
  of: text.form,
  alone: false,
  more: { uniqueItems: true },
};

const useList: Formed<readonly Use[]> = formed(point('fieldNames', namesForm), (node, place, reading) => {
  if (node.kind !== 'list')
    return reading.report('wrong-kind', node.span, { wanted: 'a list of names', found: kindOf(node) });
  const uses = new Map<string, Use>();
  for (const item of node.items) {
    if (isMarker(item)) {
      noMarkerInList(item, place, reading);
      continue;
    }
    const name = item.kind === 'scalar' && item.value !== null ? item.written : undefined;
    const twin = uses.get(name ?? '');
    if (name === undefined)
      reading.report('wrong-kind', item.span, { wanted: 'a name', found: kindOf(item) });
    else if (twin) reading.report('key-twice', item.span, { key: name }, { related: [twin.at] });
    else uses.set(name, { name, at: item.span });
  }
  return [...uses.values()];
});

/** The keys of a shape with `fields` (language §H.1). */
export const objectKeys = {
  fields: value(
    fieldMap,
    about('Member names and their shapes. Each may state `readable` and `writable`.', {
      rules: '6',
      must: 'check, store and show them',
      see: 'each keyword at, in and past its bound',
      open: 'any JSON value is accepted and returned',
    }),
  ),
  required: entry(
    useList,
    about('The members that must be given.', {
      must: 'refuse without them',
      see: 'leave each out',
      open: 'each is optional to the service',
    }),
  ),
  others: entry(
    othersWord,
    about('What happens to members that nobody stated: `refuse`, `ignore` or `keep` them.', {
      rules: '7 and 8',
      must: 'do so',
      see: 'send one',
      open: 'a request that has any: 501',
    }),
  ),
};

/** What is found within a shape, at any depth. */
interface Inner {
  readonly uses: Use[];
  readonly limited: Said<boolean>[];
}

/** Whether a text is a pattern that can be run; what is wrong with it is reported. */
function isPattern(text: string, at: Span, reading: Reading): boolean {
  const problem = reading.patterns.problem(text);
  if (problem === tooMany) reading.report('patterns-too-large', at, { limit: mostInstructions });
  else if (problem !== undefined) reading.report('bad-pattern', at, { problem });
  return problem === undefined;
}

function keywordValue(
  name: string,
  kind: Kind,
  node: Node,
  place: Place,
  reading: Reading,
  found: Inner,
): Json | undefined {
  const wrong = (wanted: string): undefined =>
    reading.report('bad-keyword', node.span, { keyword: name, wanted, found: kindOf(node) });
  const inner = (of: Node, where: Place): Json => {
    const read = shape(of, where, reading);
    if (read === undefined) return true;
    found.uses.push(...read.uses);
    found.limited.push(...read.limited);
    return schemaOf(read);
  };
  // Of the shapes within, nobody asks for the value as a whole: that would be made of them at each depth again.
  const plain = kind.startsWith('schema') ? flagOf(node) : json(node);
  switch (kind) {
    case 'any':
      return literalJson(node, place, reading);
    case 'number':
      if (typeof plain !== 'number') return wrong('a number');
      return name === 'multipleOf' && plain <= 0 ? wrong('a number above 0') : plain;
    case 'count':
      return Number.isInteger(plain) && (plain as number) >= 0 ? plain : wrong('a whole number from 0');
    case 'flag':
      return typeof plain === 'boolean' ? plain : wrong('true or false');
    case 'text': {
      if (typeof plain !== 'string') return wrong('text');
      if (name === 'format' && !formats.includes(plain)) {
        const close = reading.suggest(plain, formats);
        const hint = close ? `did you mean ${close}?` : `known formats: ${shownNames(formats)}`;
        return reading.report('unknown-format', node.span, { format: plain }, { hint });
      }
      if (name === 'pattern') {
        if (!isPattern(plain, node.span, reading)) return undefined;
      }
      return plain;
    }
    case 'list': {
      if (node.kind !== 'list' || node.items.length === 0) return wrong('a list of at least one value');
      const values = literalJson(node, place, reading) as readonly Json[];
      return isDistinct(values) ? values : wrong('a list in which nothing stands twice');
    }
    case 'type': {
      const given = node.kind === 'list' ? node.items : [node];
      for (const one of given) {
        const type = one.kind === 'scalar' ? one.written : kindOf(one);
        if (one.kind === 'scalar' && typeof one.value === 'string' && types.includes(type)) continue;
        const close = reading.suggest(type, types);
        const hint = close ? `did you mean ${close}?` : `types are: ${types.join(', ')}`;
        return reading.report('unknown-type', one.span, { type }, { hint });
      }
      return given.length > 0 && isDistinct(given.map(json)) ? plain : wrong('types that differ');
    }
    case 'names':
      return isNames(node) ? plain : wrong('a list of names that differ');
    case 'names map':
      return node.kind === 'map' && [...node.entries.values()].every((e) => isNames(e.value))
        ? plain
        : wrong('a map from names to lists of names that differ');
    case 'schema':
      if (typeof plain === 'boolean') return plain;
      return inner(node, place);
    case 'schemas':
      if (node.kind !== 'list' || node.items.length === 0) return wrong('a list of shapes');
      return node.items.map(
        (item, index) => flagOf(item) ?? inner(item, { address: step(place.address, index), at: item.span }),
      );
    case 'schema map': {
      if (node.kind !== 'map') return wrong('a map from names to shapes');
      const schemas: Record<string, Json> = {};
      for (const [key, found] of node.entries) {
        if (name === 'patternProperties') isPattern(key, found.key, reading);
        const where = { address: step(place.address, key), at: found.key };
        setMember(schemas, key, flagOf(found.value) ?? inner(found.value, where));
      }
      return schemas;
    }
  }
}

/** A shape that is true or false alone. */
function flagOf(node: Node): boolean | undefined {
  return node.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined;
}

const mapOf = (form: Form): Form => ({
  kind: 'map',
  of: { read: { form }, absence: 'value', literal: false },
});

const kindForms: Readonly<Record<Kind, Form>> = {
  any: literalJson.form,
  number: own('a number', { type: 'number' }),
  count: own('a whole number', { type: 'integer', minimum: 0 }),
  flag: own('true or false', { type: 'boolean' }),
  text: own('a text', { type: 'string' }, true),
  list: { kind: 'list', of: literalJson.form, alone: false, more: { minItems: 1 } },
  names: point('fieldNames', namesForm),
  'names map': mapOf(point('fieldNames', namesForm)),
  schema: schemaForm,
  schemas: { kind: 'list', of: schemaForm, alone: false, more: { minItems: 1 } },
  'schema map': mapOf(schemaForm),
  type: anyOf(words(...types), {
    kind: 'list',
    of: words(...types),
    alone: false,
    more: { minItems: 1, uniqueItems: true },
  }),
};

/** Keywords whose values are narrower than their kind. */
const narrower: Readonly<Record<string, Form>> = {
  format: words(...formats),
  multipleOf: own('a number above 0', { type: 'number', exclusiveMinimum: 0 }),
};

/** Annotations are for people, and take whatever stands there. */
const anything = own('anything', {}, true);

/** The keywords of JSON Schema as keys (language §H.1). */
const keywordKeys: Readonly<Record<string, Told<Json>>> = Object.fromEntries(
  Object.entries(keywords).map(([name, { kind, states, quiet }]) => {
    const form = annotations.includes(name) ? anything : (narrower[name] ?? kindForms[kind]);
    const told = section('H.1', null)(states, { ...(quiet && { quiet }) });
    return [
      name,
      { read: { form } as never, absence: 'entry', literal: literals.includes(name), about: told },
    ];
  }),
);

function isNames(node: Node): boolean {
  if (node.kind !== 'list') return false;
  const names = node.items.map(json);
  return names.every((name) => typeof name === 'string') && isDistinct(names);
}

/** Whether no two of the values are equal as JSON. */
function isDistinct(values: readonly Json[]): boolean {
  if (values.every((value) => typeof value === 'string')) return new Set(values).size === values.length;
  return new Set(values.map((value) => JSON.stringify(value, sortedMembers))).size === values.length;
}

function sortedMembers(_name: string, value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The JSON Schema of a shape. Members that nobody stated are told by a keyword of our own, `others`
 * (language §H.1): `{ known, rule, address }`, where the rule is that of the nearest `others`, null while open;
 * beside them `unreadable` and `unwritable` name the members that are not shown, and that no client gives.
 */
export const schemaOf = once((of: Shape): { readonly [keyword: string]: Json } => {
  if (of.name !== null) return { $ref: `#/$defs/${of.name}` };
  const schema: Record<string, Json> = {};
  for (const [name, said] of of.keywords) if (said.kind === 'stated') schema[name] = said.value;
  return of.object ? { ...schema, ...objectSchema(of.object) } : schema;
});

/** The members that are not shown, or that no client gives; none: nothing. */
function barred(object: ObjectShape, key: keyof Access, as: string): { readonly [keyword: string]: Json } {
  const names = [...object.fields].flatMap(([name, said]) => {
    const access = stated(said)?.access?.[key];
    return access && stated(access) === false ? [name] : [];
  });
  return names.length > 0 ? { [as]: names } : {};
}

export function objectSchema(object: ObjectShape): { readonly [keyword: string]: Json } {
  const properties: Record<string, Json> = {};
  for (const [name, said] of object.fields)
    setMember(properties, name, said.kind === 'stated' ? schemaOf(said.value) : true);
  return {
    type: 'object',
    properties,
    required: (stated(object.required) ?? []).map((use) => use.name),
    others: {
      known: [...object.fields.keys()],
      rule: stated(object.others) ?? null,
      address: object.others.address,
      ...barred(object, 'readable', 'unreadable'),
      ...barred(object, 'writable', 'unwritable'),
    },
  };
}
