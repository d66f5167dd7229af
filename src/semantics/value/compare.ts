import { compareInstants, instantOf, lengthOf, millisecondsOf } from './times.ts';
import { every, not, some, type Truth } from './truth.ts';
import {
  Bytes,
  Collection,
  Item,
  isKnown,
  isList,
  isObject,
  Lapse,
  Links,
  Made,
  PageAddress,
  Range,
  Stretch,
  seen,
  Text,
  theirs,
  Unknown,
  unknown,
  type Value,
} from './value.ts';

/** How two values compare: as they are, as instants, or as durations. Their types say so when they are read. */
export type Form = 'plain' | 'time' | 'duration';

/** Two values as they were seen. Of two made values, of which only one was seen, both stay: their series tells more. */
function seenTogether(one: Value, other: Value): readonly [Value, Value] {
  const [a, b] = [seen(one), seen(other)];
  const areMade = one instanceof Made && other instanceof Made;
  const areTexts = one instanceof Text && other instanceof Text;
  const isUnseen = a instanceof Made || b instanceof Made || a instanceof Text || b instanceof Text;
  return (areMade || areTexts) && isUnseen ? [one, other] : [a, b];
}

/** Objects and lists are equal by what they hold, items by which they are, an item and a text by its key (§G.3, §G.6). */
export function equal(one: Value, other: Value, form: Form = 'plain'): Truth {
  if (form === 'plain' && typeof one !== 'object' && typeof other !== 'object') return one === other;
  const [a, b] = seenTogether(one, other);
  if (a instanceof Lapse || b instanceof Lapse) return lapsesEqual(a, b);
  if (a instanceof Unknown || b instanceof Unknown)
    return isNot(a, b) || isNot(b, a) ? false : unknown([a, b]);
  if (a instanceof Item || b instanceof Item) return itemEqual(a, b, form);
  if (a instanceof Bytes && b instanceof Bytes) return Buffer.compare(a.content, b.content) === 0;
  if (a instanceof Text) return textEqual(a, b);
  if (b instanceof Text) return textEqual(b, a);
  if (a instanceof Made) return madeEqual(a, b);
  if (b instanceof Made) return madeEqual(b, a);
  if (a instanceof Stretch) return equal(a.known, b, form);
  if (b instanceof Stretch) return equal(a, b.known, form);
  if (a instanceof PageAddress || a instanceof Links) return addressEqual(a, b);
  if (b instanceof PageAddress || b instanceof Links) return addressEqual(b, a);
  if (a instanceof Range) return rangeEqual(a, b);
  if (b instanceof Range) return rangeEqual(b, a);
  if (a instanceof Collection) return collectionEqual(a, b);
  if (b instanceof Collection) return collectionEqual(b, a);
  if (isList(a) && isList(b))
    return (
      a.length === b.length &&
      every(
        a.map((x, i) => [x, b[i] as Value] as const),
        ([x, y]) => equal(x, y, form),
      )
    );
  if (isObject(a) && isObject(b)) return membersEqual(a, b);
  if (form !== 'plain' && typeof a === 'string' && typeof b === 'string') {
    const order = orderOf(a, b, form);
    return order instanceof Unknown ? order : order === 0;
  }
  return a === b;
}

/** Whether a value is one that an unknown one is not. */
function isNot(value: Value, other: Value): boolean {
  return value instanceof Unknown && value.not.some((each) => seen(each) === other);
}

function membersEqual(a: { readonly [name: string]: Value }, b: { readonly [name: string]: Value }): Truth {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length || !names.every((name) => Object.hasOwn(b, name))) return false;
  return every(names, (name) => equal(a[name] as Value, b[name] as Value));
}

/**
 * Whether somebody else's item may be this one: none, one that is not there, or one that others may refer to. If its key is
 * known, it is there, and its key tells.
 */
function mayBeEither({ handle, key }: Item, other: Value): boolean {
  if (handle !== theirs) return false;
  if (other === null) return !isKnown(key);
  return other instanceof Item && (other.handle === null || other.handle <= theirs);
}

function theirsEqual(a: Item, b: Value): Truth {
  if (!(b instanceof Item) || a.by === null || a.by !== b.by) return unknown([]);
  return a.resource === b.resource && equal(a.key, b.key);
}

function itemEqual(a: Value, b: Value, form: Form): Truth {
  if (!(a instanceof Item)) return itemEqual(b, a, form);
  if (mayBeEither(a, b) || (b instanceof Item && mayBeEither(b, a))) return theirsEqual(a, b);
  if (!(b instanceof Item)) {
    if (
      a.by === null ||
      (typeof b === 'object' && !(b instanceof Made) && !(b instanceof Text) && !(b instanceof Range))
    )
      return false;
    return equal(a.key, b, form);
  }
  if (a.resource !== b.resource) return false;
  if (a.handle !== null && b.handle !== null) return a.handle === b.handle;
  // References that lead to no item are equal if their keys are.
  if (a.handle !== b.handle) return false;
  return a.by === b.by && equal(a.key, b.key);
}

/** An address is a text, of which only something is known. */
function addressEqual(address: PageAddress | Links, other: Value): Truth {
  const mayBeNull = other === null && (address instanceof Links || address.isOptional);
  const isText = mayBeNull || typeof other === 'string' || other instanceof Text || other instanceof Made;
  return (
    address === other ||
    (isText || other instanceof PageAddress || other instanceof Links ? unknown([]) : false)
  );
}

function madeEqual(made: Made, other: Value): Truth {
  if (made === other) return true;
  if (made.form === 'time' && areApart(made, other)) return false;
  if (other instanceof Made)
    return made.form === other.form && made.series !== other.series ? unknown([]) : isOneMoment(made, other);
  if (made.form === 'fresh') return false;
  const kind = made.form === 'integer' ? 'number' : 'string';
  const may = typeof other === kind || (other instanceof Range && kind === 'number');
  return may ? unknown([]) : false;
}

/** Whether two times are surely not the same. */
function areApart(made: Made, other: Value): boolean {
  const difference = timeDifference(made, other);
  return difference !== undefined && (difference.least > 0 || difference.most < 0);
}

/** The milliseconds between two times of which at least one is made; undefined: one of them is no time. */
export function timeDifference(a: Value, b: Value): Range | undefined {
  // Between two times of one clock, it does not matter what the clock shows.
  const areMade = a instanceof Made && b instanceof Made && a.when && b.when;
  const [left, right] = areMade ? [a.when.received, b.when.received] : [shownTime(a), shownTime(b)];
  return difference(left, right);
}

/** The bounds of a number less another one; undefined: of one of them nothing is known. */
function difference(left: Range | undefined, right: Range | undefined): Range | undefined {
  return left && right && new Range(left.least - right.most, left.most - right.least);
}

function shownTime(value: Value): Range | undefined {
  const text = seen(value);
  if (text instanceof Made) return text.form === 'time' ? text.when?.taken : undefined;
  const time = typeof text === 'string' ? millisecondsOf(text) : undefined;
  return time === undefined ? undefined : new Range(time, time);
}

/** Nobody can guess a text with a fresh one in it. Two that are made alike are equal if what is made in them is. */
function textEqual({ pieces }: Text, other: Value): Truth {
  if (other instanceof Text && other.pieces.length === pieces.length) {
    const pairs = pieces.map((piece, place) => [piece, other.pieces[place] as string | Made] as const);
    const different = pairs.filter(([piece, beside]) => piece !== beside);
    if (different.length === 0) return true;
    const [[piece, beside]] = different as [(typeof pairs)[number]];
    if (different.length === 1 && piece instanceof Made && beside instanceof Made)
      return madeEqual(piece, beside);
  }
  const isOther = typeof other !== 'string' && !(other instanceof Text) && !(other instanceof Made);
  const isFresh = pieces.some((piece) => piece instanceof Made && piece.form === 'fresh');
  return isOther || isFresh ? false : unknown([]);
}

/** Values of one series differ. But two times of one series may be the same moment. */
function isOneMoment(made: Made, other: Made): Truth {
  return made.form === 'time' && other.form === 'time' ? unknown([]) : false;
}

function rangeEqual({ least, most }: Range, other: Value): Truth {
  if (other instanceof Range) return most < other.least || other.most < least ? false : unknown([]);
  if (typeof other !== 'number' || other < least || other > most) return false;
  return least === most ? true : unknown([]);
}

function collectionEqual(list: Collection, other: Value): Truth {
  const items = isList(other) ? other : other instanceof Collection ? other.items : null;
  if (items === null) return false;
  const isClosed = list.closed && (isList(other) || (other as Collection).closed);
  const fewer = isList(other) && other.length < list.items.length;
  if (fewer || (isClosed && items.length !== list.items.length)) return false;
  const isOrdered = list.ordered && (isList(other) || (other as Collection).ordered);
  return isClosed && isOrdered ? equal(list.items, items) : unknown([...list.items, ...items]);
}

/** Whether two known values are the same in every use. Equal references by two fields are not. */
export function isSame(a: Value, b: Value): boolean {
  if (a instanceof Item && b instanceof Item)
    return a.handle === b.handle && a.by === b.by && isSame(a.key, b.key);
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((item, place) => isSame(item, b[place] as Value));
  if (!isObject(a) || !isObject(b)) return a === b && !(a instanceof Unknown);
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name] as Value, b[name] as Value))
  );
}

/** Whether a list holds a value, or an object a member of this name. */
export function among(value: Value, list: Value, form: Form = 'plain'): Truth {
  const within = seen(list);
  if (within instanceof Unknown) return unknown([within, value]);
  if (isList(within)) return some(within, (item) => equal(item, value, form));
  if (within instanceof Stretch) return among(value, within.known, form);
  if (within instanceof Collection) {
    const found = some(within.items, (item) => equal(item, value, form));
    return found === true || within.closed ? found : unknown([found, value]);
  }
  if (!isObject(within)) return false;
  const name = seen(value);
  if (name instanceof Unknown || name instanceof Made || name instanceof Text) return unknown([name]);
  return typeof name === 'string' && Object.hasOwn(within, name);
}

export type Ordering = '<' | '<=' | '>' | '>=';

/** Null, values of different kinds, lists, objects and items have no order: each comparison is false (language §G.6). */
export function ordered(a: Value, comparison: Ordering, b: Value, form: Form = 'plain'): Truth {
  const order = orderOf(...seenTogether(a, b), form);
  if (order === undefined) return false;
  if (order instanceof Unknown) return order;
  if (order instanceof Range) return boundedOrder(order, comparison);
  switch (comparison) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** What bounds of the difference say of a comparison. */
function boundedOrder({ least, most }: Range, comparison: Ordering): Truth {
  switch (comparison) {
    case '<':
      return most < 0 ? true : least >= 0 ? false : unknown([]);
    case '<=':
      return most <= 0 ? true : least > 0 ? false : unknown([]);
    case '>':
      return not(boundedOrder(new Range(least, most), '<='));
    case '>=':
      return not(boundedOrder(new Range(least, most), '<'));
  }
}

/** Less than 0, 0 or more than 0, or bounds of it; undefined: the two have no order. */
function orderOf(a: Value, b: Value, form: Form): number | Range | Unknown | undefined {
  if (a instanceof Lapse || b instanceof Lapse) return lapseDifference(a, b) ?? unknown([a, b]);
  if (a instanceof Unknown || b instanceof Unknown)
    return isOrderless(a) || isOrderless(b) ? undefined : unknown([a, b]);
  if (a instanceof Text || b instanceof Text)
    return isOrderless(a) || isOrderless(b) ? undefined : unknown([]);
  if (a instanceof Made || b instanceof Made) return madeOrder(a, b, form);
  if (a instanceof Range || b instanceof Range) return rangeOrder(a, b);
  if (typeof a === 'string' && typeof b === 'string') return textOrder(a, b, form);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

/** Beside what has no order, nothing has one. */
function isOrderless(value: Value): boolean {
  return (
    value === null ||
    (typeof value === 'object' &&
      !(value instanceof Unknown) &&
      !(value instanceof Made) &&
      !(value instanceof Text) &&
      !(value instanceof Range))
  );
}

/** Later values of one series of integers or times are not less; those of other series tell nothing. */
function madeOrder(a: Value, b: Value, form: Form): number | Range | Unknown | undefined {
  if (isOrderless(a) || isOrderless(b) || typeof a === 'boolean' || typeof b === 'boolean') return undefined;
  if (a === b) return 0;
  const apart = form === 'time' ? timeDifference(a, b) : undefined;
  if (!(a instanceof Made && b instanceof Made) || a.series !== b.series) return apart ?? unknown([]);
  if (a.form === 'integer') return a.place - b.place;
  if (a.form !== 'time') return unknown([]);
  const { least, most } = apart ?? new Range(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return a.place < b.place ? new Range(least, Math.min(most, 0)) : new Range(Math.max(least, 0), most);
}

/** By how much one duration is longer, in milliseconds; undefined: nobody can say. */
function lapseDifference(a: Value, b: Value): Range | undefined {
  return difference(lapseOf(a), lapseOf(b));
}

function lapseOf(value: Value): Range | undefined {
  if (value instanceof Lapse) return value.bounds;
  const length = typeof value === 'string' ? lengthOf(value) : undefined;
  const ms = Number(length) / 1000;
  return length === undefined ? undefined : new Range(ms, ms);
}

function lapsesEqual(a: Value, b: Value): Truth {
  const longer = lapseDifference(a, b);
  return longer && (longer.least > 0 || longer.most < 0) ? false : unknown([a, b]);
}

function rangeOrder(a: Value, b: Value): Range | undefined {
  return difference(boundsOf(a), boundsOf(b));
}

function boundsOf(value: Value): Range | undefined {
  if (value instanceof Range) return value;
  return typeof value === 'number' ? new Range(value, value) : undefined;
}

function textOrder(a: string, b: string, form: Form): number | Unknown {
  if (form === 'plain') return codePointOrder(a, b);
  if (form === 'duration') {
    const [left, right] = [lengthOf(a), lengthOf(b)];
    return left === undefined || right === undefined ? unknown([]) : Number(left - right);
  }
  const [left, right] = [instantOf(a), instantOf(b)];
  return left === undefined || right === undefined ? unknown([]) : compareInstants(left, right);
}

/** Text is ordered by code point (language §G.6). */
export function codePointOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  // Two characters past U+FFFF may begin alike, and differ in their second half only.
  const isHalf = isLow(a.charCodeAt(at)) || isLow(b.charCodeAt(at));
  const from = at > 0 && isHalf && isHigh(a.charCodeAt(at - 1)) ? at - 1 : at;
  return (a.codePointAt(from) ?? 0) - (b.codePointAt(from) ?? 0);
}

/** Whether a code unit is the second half of a character past U+FFFF. */
function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether a code unit is the first half of one. */
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether two values of a field are the same, for `unchanged`. */
export function isSameValue(a: Value | undefined, b: Value | undefined): Truth {
  if (a === undefined || b === undefined) return a === b;
  if (a instanceof Item && b instanceof Item) return a.handle === b.handle && equal(a.key, b.key);
  return equal(a, b);
}
