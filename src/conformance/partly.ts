import type { Json } from '../source/node.ts';
import type { Address } from '../specification/reading/address.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';

/** Marks what is no JSON value. A symbol, so that no observed value can look like one of these. */
const tag = Symbol('partly');

/** A value that is known in part: JSON in which some places are unknown. */
export type Partly =
  | null
  | boolean
  | number
  | string
  | readonly Partly[]
  | { readonly [member: string]: Partly }
  | Hole
  | Mixed
  | Item
  | Reference
  | World
  | Shown
  | Listed
  | Absent;

/** What is not known. An observed value may fill it. */
export interface Hole {
  readonly [tag]: 'hole';
  /** The member of an item that it is; null where it is none, and nothing is learned by filling it. */
  readonly of: { readonly item: Item; readonly field: string } | null;
  /**
   * What may fill it where the service picks (language §F.1, G.4): a text of this form, or anything, which nothing
   * is too. Null where that is not known.
   */
  readonly picks: RegExp | 'anything' | null;
  /** The open points that it is unknown for. */
  readonly points: readonly Address[];
  /** Whether it stands for a list. */
  readonly list: boolean;
  /** The least and the greatest that it may be: a time, a duration, or what comes of one; null where that is not known. */
  readonly between: readonly [Partly, Partly] | null;
}

/** A text of which parts are unknown. */
export interface Mixed {
  readonly [tag]: 'mixed';
  readonly pieces: readonly (string | Hole)[];
}

/** An item as far as it is known: what was seen of it, and what is known not to be there. */
export interface Item {
  readonly [tag]: 'item';
  readonly resource: Resource;
  readonly known: ReadonlyMap<string, Json>;
  readonly absent: ReadonlySet<string>;
  /** What is foreseen of members that were not seen, and are known in part. */
  readonly foreseen: ReadonlyMap<string, Partly>;
}

/** A reference: the key that it is kept and written as, and the item itself as far as it is known (language §G.3). */
export interface Reference {
  readonly [tag]: 'reference';
  readonly key: Json;
  /** The field of the other resource whose value the key is. */
  readonly field: string;
  readonly item: Item | null;
}

/** What is known of all that is kept; it stands among the names of an expression under `worldName`. */
export interface World {
  readonly [tag]: 'world';
  /** The item of a resource with this value in a field; null where it was not seen, or may have changed since. */
  readonly find: (resource: string, field: string, key: Json) => Item | null;
  /** All items of a resource; null where they were not seen, or may have changed since. */
  readonly all: (resource: string) => readonly Item[] | null;
}

/** No expression can spell it. */
export const worldName = '(world)';

/** `R(x)`: x, or each of a list, shown as the resource says. What it holds is judged member by member. */
export interface Shown {
  readonly [tag]: 'shown';
  readonly many: boolean;
}

/** An object of which these members are stated; whether there are more is an open point (language §D.1, H.3). */
export interface Listed {
  readonly [tag]: 'listed';
  readonly members: { readonly [member: string]: Partly };
  readonly rest: Address;
}

/**
 * What is not there: reads as null, and is left out of a payload (language §G.3). A member of `error` that no
 * statement sets may be sent as null or be left out.
 */
export interface Absent {
  readonly [tag]: 'absent';
  readonly orNull: boolean;
}

export const absent: Absent = { [tag]: 'absent', orNull: false };
export const absentOrNull: Absent = { [tag]: 'absent', orNull: true };
/** What `absent()` comes to: the member of a payload or a map whose value it is is left out (language §G.4). */
export const leftOut: Absent = { [tag]: 'absent', orNull: false };

export function hole(about: Partial<Omit<Hole, typeof tag>> = {}): Hole {
  const { of = null, picks = null, points = [], list = false, between = null } = about;
  return { [tag]: 'hole', of, picks, points, list, between };
}

/** What hangs on these values, and on their open points. */
export function hanging(...on: readonly Partly[]): Hole {
  return hole({ points: [...new Set(on.flatMap(pointsOf))] });
}

function pointsOf(value: Partly): readonly Address[] {
  if (isHole(value)) return value.points;
  if (isMixed(value)) return value.pieces.flatMap(pointsOf);
  if (kind(value) !== undefined || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => pointsOf(one as Partly));
}

/** Whatever the service picks, nothing included (language §F.1). */
export const anything = hole({ picks: 'anything' });

export function item(
  resource: Resource,
  known: Iterable<readonly [string, Json]>,
  missing: Iterable<string>,
  foreseen: Iterable<readonly [string, Partly]> = [],
): Item {
  return itemOf(resource, new Map(known), new Set(missing), new Map(foreseen));
}

/** The same of what nobody else holds, and so may change. */
export function itemOf(
  resource: Resource,
  known: Item['known'],
  missing: Item['absent'],
  foreseen: Item['foreseen'],
): Item {
  return { [tag]: 'item', resource, known, absent: missing, foreseen };
}

/** Items of which it is known who they are, whatever is known of their members. */
const holders = new WeakMap<Item, object>();

/** The item, known to be this one. */
export function heldBy(one: Item, holder: object): Item {
  holders.set(one, holder);
  return one;
}

/** Who an item is known to be; undefined where its members alone tell. */
export function holderOf(one: Item): object | undefined {
  return holders.get(one);
}

export function reference(key: Json, field: string, to: Item | null): Reference {
  return { [tag]: 'reference', key, field, item: to };
}

export function world(find: World['find'], all: World['all']): World {
  return { [tag]: 'world', find, all };
}

export function shown(many: boolean): Shown {
  return { [tag]: 'shown', many };
}

export function listed(members: Listed['members'], rest: Address): Listed {
  return { [tag]: 'listed', members, rest };
}

export const isHole = (value: Partly | undefined): value is Hole => kind(value) === 'hole';
export const isMixed = (value: Partly | undefined): value is Mixed => kind(value) === 'mixed';
export const isItem = (value: Partly | undefined): value is Item => kind(value) === 'item';
export const isReference = (value: Partly | undefined): value is Reference => kind(value) === 'reference';
export const isWorld = (value: Partly | undefined): value is World => kind(value) === 'world';
export const isShown = (value: Partly | undefined): value is Shown => kind(value) === 'shown';
export const isListed = (value: Partly | undefined): value is Listed => kind(value) === 'listed';
export const isAbsent = (value: Partly | undefined): value is Absent => kind(value) === 'absent';

/** The members of an object, or those of it that are stated; undefined for any other value. */
export function membersIn(value: Partly): Listed['members'] | undefined {
  if (isListed(value)) return value.members;
  const isObject = !isPlain(value) && kind(value) === undefined && !Array.isArray(value);
  return isObject ? (value as Listed['members']) : undefined;
}

/** Whether a value is a text, a number, true, false or null, of which nothing is left to tell. */
export function isPlain(value: Partly): value is null | boolean | number | string {
  return typeof value !== 'object' || value === null;
}

function kind(value: Partly | undefined): string | undefined {
  return typeof value === 'object' && value !== null ? (value as { [tag]?: string })[tag] : undefined;
}

/** Whether a value is known throughout; what is known not to be there is. */
export function isKnown(value: Partly): boolean {
  if (isPlain(value)) return true;
  const own = kind(value);
  if (own !== undefined) return own === 'absent' || own === 'reference';
  return Object.values(value).every((one) => isKnown(one as Partly));
}

/** A value that is known throughout, as JSON: what is not there reads as null. */
export function toJson(value: Partly): Json {
  if (isPlain(value)) return value;
  if (isAbsent(value)) return null;
  if (isReference(value)) return value.key;
  if (Array.isArray(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toJson(one as Partly)]));
}

/** Texts and unknown texts, one after the other. Anything else among them leaves the whole unknown. */
export function concat(parts: readonly Partly[]): Partly {
  const pieces: (string | Hole)[] = [];
  for (const part of parts) {
    if (typeof part === 'string' || isHole(part)) pieces.push(part);
    else if (isMixed(part)) pieces.push(...part.pieces);
    else return hanging(...parts);
  }
  const joined: (string | Hole)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else if (piece !== '') joined.push(piece);
  }
  if (joined.every((piece) => typeof piece === 'string')) return joined.join('');
  return { [tag]: 'mixed', pieces: joined };
}
