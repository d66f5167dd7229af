import type { Json } from '../../source/node.ts';
import { isExtended } from './extensions.ts';
import { bringing, neverGiven, perhapsGiven } from './guesses/maker.ts';
import type { Meant } from './guesses/meant.ts';
import type { Kept } from './guesses/recognised.ts';
import { givenIn } from './guesses/taken.ts';
import type { Described } from './operations.ts';
import { type Branch, branch, hosted, jsonOf, leaf, opened, type Piece } from './piece.ts';
import { isSet, type Place, type Places, raw, rawMembers } from './place.ts';
import { isSame } from './same.ts';
import { defaultOf, isObject, ownShape, propertiesOf, requiredOf, type Shaping } from './shape.ts';
import { freeName, type Told } from './webhooks.ts';

/**
 * The names of part 2, by the pointers of the schemas: objects with stated members, and what messages of AsyncAPI hold. A
 * schema that several descriptions have has one name.
 */
export function schemaNames(places: Places, told: readonly Told[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  const add = (name: string, place: Place, isFirst: boolean): void => {
    const own = resourceName(name);
    const isShared =
      !isFirst && [...found].some(([at, each]) => each === own && isSame(places.at(at), place, places));
    found.set(place.pointer, isShared ? own : freeName(own, taken));
  };
  for (const [description, root] of places.described) {
    const components = raw(root, 'components');
    for (const [name, place] of rawMembers(components && raw(components, 'schemas'))) {
      if (name.startsWith('x-') || raw(place, '$ref')) continue;
      if (isObject(place, places) || isExtended(place)) add(name, place, root.pointer === '');
    }
    for (const { kind, schema } of told.filter((each) => each.description === description)) {
      const place = schema && places.followed(schema);
      if (description.format !== 'AsyncAPI' || place === undefined || found.has(place.pointer)) continue;
      if (saying.some((keyword) => raw(place, keyword))) add(kind, place, false);
    }
  }
  return found;
}

/** Keywords of which one at least says what a value looks like. */
const saying = ['type', 'properties', 'items', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const'];

/** A name as part 2 has it: `pet_list` is `PetList`. */
function resourceName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(joined) ? joined : `S${joined}`;
}

/** Part 2: the named objects. Of those that paths lead to, it is asked what singles them out. */
export function resourcesPiece(
  kept: readonly Kept[],
  meant: ReadonlyMap<Described, Meant>,
  shaping: Shaping,
): Piece | undefined {
  const { places, names } = shaping;
  // Of schemas that share a name, the first one is taken.
  const pointers = new Map([...names].reverse().map(([pointer, name]) => [name, pointer]));
  const all = [...pointers].reverse().map(([name, pointer]): [string, Piece] => {
    const place = places.at(pointer);
    const one = kept.find((each) => each.name === name);
    const defaults = one ? defaultsIn(one, place, meant, shaping) : new Map<string, Json>();
    const piece = opened(ownShape(place, shaping));
    const { span } = place.node;
    if (one === undefined || !('entries' in piece)) {
      const plain = branch(span, { identifier: leaf('(none)', span), ...entriesOf(piece) });
      return [name, hosted(plain, place)];
    }
    const required = requiredIn(one, meant, shaping);
    const asked = branch(span, {
      identifier: leaf(`(open) ${questionOf(one)}?`, span),
      ...entriesOf(piece),
      fields: withMakers(withDefaults(piece.entries.get('fields') as Branch, defaults), one, meant, shaping),
      required: required.length > 0 ? leaf(required, span) : undefined,
    });
    return [name, hosted(asked, place)];
  });
  return all.length > 0 ? branch(places.root.node.span, Object.fromEntries(all)) : undefined;
}

function questionOf({ key, collection: { parameter, itemPath, path }, isSingle }: Kept): string {
  if (isSingle) return `what tells those at ${path} apart`;
  return parameter === null
    ? `${key}, which the items of ${path} have`
    : `${key}, which is what {${parameter}} in ${itemPath} is`;
}

/** What a client has to give when it makes an item, and the key: an answer may have to show more than that. */
function requiredIn(
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  { places }: Shaping,
): readonly string[] {
  const properties = propertiesOf(kept.schema, places);
  const required = requiredOf(kept.schema, places).filter((name) => properties.has(name));
  const making = bringing(kept, meant);
  if (kept.isSingle && making.length === 0) return [];
  return required.filter(
    (name) => name === kept.key || making.every(([{ body }]) => givenIn(body, name, places) === 'required'),
  );
}

function entriesOf(piece: Piece): Record<string, Piece> {
  return 'entries' in piece ? Object.fromEntries(piece.entries) : {};
}

/**
 * What members are by default that a client may leave out: as the resource says, or the bodies that bring items, where these
 * agree. A default is what whoever takes the value assumes if it is left out (OpenAPI 3.0 §4.7.24).
 */
function defaultsIn(
  kept: Kept,
  place: Place,
  meant: ReadonlyMap<Described, Meant>,
  shaping: Shaping,
): ReadonlyMap<string, Json> {
  const { places } = shaping;
  const bodies = bringing(kept, meant).flatMap(([{ body }]) =>
    body?.schema === undefined ? [] : [places.followed(body.schema)],
  );
  const found = bodies.map((body) => defaultsOf(body, shaping));
  const [first = new Map<string, Json>(), ...others] = found;
  const agreed = [...first].filter(([name, value]) =>
    others.every((other) => JSON.stringify(other.get(name)) === JSON.stringify(value)),
  );
  return new Map([...agreed, ...defaultsOf(place, shaping)]);
}

/** What members of a schema are by default. */
function defaultsOf(place: Place, shaping: Shaping): ReadonlyMap<string, Json> {
  return new Map(
    [...propertiesOf(place, shaping.places)].flatMap(([name, schema]): [string, Json][] => {
      const value = isSet(shaping.places.followed(schema), 'readOnly') ? {} : defaultOf(schema, shaping);
      return value.default === undefined ? [] : [[name, value.default]];
    }),
  );
}

function withDefaults(fields: Branch, defaults: ReadonlyMap<string, Json>): Branch {
  const entries = new Map(fields.entries);
  for (const [name, value] of defaults) {
    const field = fields.entries.get(name);
    const own = field && jsonOf(field);
    if (!field || typeof own !== 'object' || own === null || Array.isArray(own)) continue;
    const shape = { ...(own as Readonly<Record<string, Json>>), default: value };
    entries.set(name, reshaped(field, shape));
  }
  return { ...fields, entries };
}

/** The field with another shape, in the same place. */
function reshaped({ at, host }: Piece, shape: Json): Piece {
  return { ...opened(leaf(shape, at)), ...(host && { host }) };
}

/** The fields, with a question of who makes those that no client brings. */
function withMakers(
  fields: Branch,
  kept: Kept,
  meant: ReadonlyMap<Described, Meant>,
  shaping: Shaping,
): Branch {
  const { key } = kept;
  const making = bringing(kept, meant).filter(([, { verb, isUpsert }]) => verb === 'create' && !isUpsert);
  const isBrought = making.some(([{ body }]) => givenIn(body, key, shaping.places) === 'required');
  const names = [...(making.length === 0 || isBrought ? [] : [key]), ...neverGiven(kept, meant, shaping)];
  const perhaps = perhapsGiven(kept, meant, shaping);
  const entries = new Map(fields.entries);
  for (const name of [...names, ...perhaps]) {
    const field = fields.entries.get(name);
    const own = field && jsonOf(field);
    if (!field || typeof own !== 'object' || own === null || Array.isArray(own)) continue;
    // Whoever makes it writes it.
    const { writable: _, ...shape } = own as Record<string, never>;
    const set = perhaps.includes(name)
      ? { writable: true, set: asked }
      : { set: name === key ? asked : openly };
    entries.set(name, reshaped(field, { ...shape, ...set }));
  }
  return { ...fields, entries };
}

const question = '(open) what does the service make of it?';
const asked = { create: question };
/** It may be made anew at any change. */
const openly = { create: question, update: question };
