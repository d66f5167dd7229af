import { createHash } from 'node:crypto';
import { fold } from '../../expression/fold.ts';
import { codePointOrder, equal, type Form, ordered } from './compare.ts';
import { finite, plus, whole } from './numbers.ts';
import { isReached, omit, pick, textsOf } from './picking.ts';
import { duration, httpDate, timestamp, timeWithDigits, wholeSeconds } from './times.ts';
import {
  Bytes,
  Collection,
  Item,
  isKnown,
  isList,
  isObject,
  Made,
  type Members,
  NotComputable,
  Range,
  Stretch,
  seen,
  Text,
  textOf,
  Unknown,
  unknown,
  type Value,
} from './value.ts';

/** What a function may ask besides its arguments: how its values compare, by their types. */
type Run = (args: readonly Value[], form: Form) => Value;

interface Definition {
  readonly parameters: readonly Kind[];
  readonly optional: number;
  /** The last parameter may be given any number of times. */
  readonly repeats?: true;
  /** Null may be given. Otherwise a function of null cannot be computed (language §G.6). */
  readonly takesNull?: true;
  /** What is known of the result if something of the arguments is unknown. Default: nothing. */
  readonly partly?: Run;
  readonly run: Run;
}

/** What a parameter takes. A null within a list is nothing, and is taken. */
type Kind =
  | 'digestible'
  | 'text'
  | 'number'
  | 'integer'
  | 'object'
  | 'texts'
  | 'numbers'
  | 'lists'
  | 'list'
  | 'any';

const kinds: Readonly<Record<Kind, (value: Value) => boolean>> = {
  digestible: (value) => typeof value === 'string' || value instanceof Bytes,
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  object: isObject,
  texts: (value) => isListOf(value, kinds.text),
  numbers: (value) => isListOf(value, kinds.number),
  lists: (value) => isListOf(value, isList),
  list: isList,
  any: (value) => value !== null,
};

function isListOf(value: Value, is: (element: Value) => boolean): boolean {
  return isList(value) && value.every((element) => element === null || is(element));
}

function of(parameters: readonly Kind[], run: (...args: never[]) => Value): Definition {
  return { parameters, optional: 0, run: (args) => run(...(args as never[])) };
}

function ofForm(parameters: readonly Kind[], run: Run): Definition {
  return { parameters, optional: 0, run };
}

/** The functions whose value follows from their arguments alone (language §G.4). */
const definitions: Readonly<Record<string, Definition>> = {
  size: { ...of(['any'], size), partly: ([value]) => sizeOfCollection(value as Value) },
  startsWith: of(['text', 'text'], (text: string, other: string) => text.startsWith(other)),
  endsWith: of(['text', 'text'], (text: string, other: string) => text.endsWith(other)),
  contains: of(['text', 'text'], (text: string, other: string) => text.includes(other)),
  lower: of(['text'], (text: string) => text.toLowerCase()),
  upper: of(['text'], (text: string) => text.toUpperCase()),
  trim: of(['text'], (text: string) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '')),
  slug: of(['text'], slug),
  substring: { ...of(['text', 'integer', 'integer'], substring), optional: 1 },
  replace: of(['text', 'text', 'text'], (text: string, what: string, by: string) =>
    pieces(text, what).join(by),
  ),
  split: of(['text', 'text'], pieces),
  int: {
    ...ofForm(['any'], ([value], form) =>
      form === 'plain' ? whole(Math.trunc(numeric(value as Value))) : wholeSeconds(String(value)),
    ),
    partly: ([time]) => secondsOf(time as Value),
  },
  double: of(['any'], numeric),
  round: of(['number'], (value: number) => whole(Math.sign(value) * Math.round(Math.abs(value)))),
  string: { ...of(['any', 'integer'], string), optional: 1, takesNull: true, partly: stringOf },
  timestamp: of(['text'], timestamp),
  duration: of(['text'], duration),
  sum: of(['numbers'], (values: readonly (number | null)[]) =>
    values.reduce<number>((total, value) => plus(total, value ?? 0), 0),
  ),

  min: ofForm(['list'], ([list], form) => extreme(list as readonly Value[], '<', form)),
  max: ofForm(['list'], ([list], form) => extreme(list as readonly Value[], '>', form)),
  join: {
    ...of(['texts', 'text'], (texts: readonly Value[], by = '') => texts.map(written).join(by)),
    optional: 1,
    partly: joinedOf,
  },
  sort: ofForm(['list'], ([list], form) => sorted(list as readonly Value[], form)),
  distinct: {
    ...ofForm(['list'], ([list], form) => distinct(list as readonly Value[], form)),
    partly: ([list], form) => distinctOf(list as Value, form),
  },
  flatten: { ...of(['lists'], flattened), partly: ([lists]) => flattenedOf(lists as Value) },
  merge: {
    ...of(['object'], merged),
    repeats: true,
    takesNull: true,
    partly: (all) => (all.every(isMembersOrNull) ? merged(...all) : unknown(all, true)),
  },
  keys: {
    ...of(['object'], keys),
    partly: ([value]) =>
      isObject(value as Value) ? keys(value as Members) : unknown([value as Value], true),
  },
  object: { ...of(['lists'], objectOf), partly: ([pairs]) => objectOfPairs(pairs as Value) },
  type: { ...of(['any'], typeName), takesNull: true },
  pick: { ...of(['any', 'texts'], pick), takesNull: true, partly: (args) => named(pick, args) },
  omit: { ...of(['any', 'texts'], omit), takesNull: true, partly: (args) => named(omit, args) },
  matches: { ...of(['text', 'any'], matches), repeats: true, takesNull: true },
  sha256: of(['digestible'], sha256),
  httpDate: { ...of(['text'], httpDate), partly: ([time]) => httpDateOf(time as Value) },
  absent: of([], () => null),
};

/**
 * The value of a call of a function that makes nothing (language §G.4). Unknown if the function is not one of these.
 *
 * @throws NotComputable if the arguments are none that the function takes
 */
export function call(name: string, args: readonly Value[], form: Form): Value {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (definition === undefined) return unknown(args, true);
  const given = args.map((value) => (inAnyOrder.has(name) ? listOf(seen(value), form) : seen(value)));
  const { parameters, takesNull, partly } = definition;
  const refused = given.some((value, place) => {
    if (!isKnown(value)) return false;
    const kind = parameters[Math.min(place, parameters.length - 1)] as Kind;
    return !(value === null && takesNull) && !kinds[kind](value);
  });
  if (refused) throw new NotComputable(`${name} does not take such a value`);
  if (given.every(isKnown)) return definition.run(given.map(plain), form);
  return partly ? partly(given, form) : unknown(given, true);
}

/** Functions of a list whose value does not hang on its order. */
const inAnyOrder = new Set(['sum', 'min', 'max', 'sort']);

/** The numbers of a list that is complete, or its texts, in some order. Two times may be the same one in two texts. */
function listOf(value: Value, form: Form): Value {
  if (value instanceof Stretch) return listOf(value.known, form);
  if (!(value instanceof Collection && value.closed)) return value;
  const isOf = (type: string): boolean => value.items.every((item) => typeof seen(item) === type);
  return isOf('number') || (form === 'plain' && isOf('string')) ? value.items : value;
}

/** A known value with what is bound in it in place of what was made. */
function plain(value: Value): Value {
  const found = seen(value);
  if (found instanceof Item) return found;
  if (isList(found)) return found.map(plain);
  return isObject(found)
    ? Object.fromEntries(Object.entries(found).map(([name, member]) => [name, plain(member)]))
    : found;
}

function size(value: Value): number {
  if (typeof value === 'string') return [...value].length;
  if (value instanceof Bytes) return value.content.byteLength;
  if (isList(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  throw new NotComputable('size takes a text, a list or an object');
}

function sizeOfCollection(value: Value): Value {
  if (isList(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (value instanceof Stretch) {
    const { least, most } = value.window;
    return least === most ? least : new Range(least, most);
  }
  if (!(value instanceof Collection)) return unknown([value], true);
  return value.closed ? value.items.length : new Range(value.items.length, Number.POSITIVE_INFINITY);
}

function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words === null ? '' : words.join('-');
}

function substring(text: string, from: number, to?: number): string {
  const characters = [...text];
  const place = (at: number): number =>
    Math.min(characters.length, Math.max(0, at < 0 ? characters.length + at : at));
  const [begin, end] = [place(from), to === undefined ? characters.length : place(to)];
  return begin < end ? characters.slice(begin, end).join('') : '';
}

function pieces(text: string, by: string): string[] {
  if (by === '') throw new NotComputable('the empty text cannot be searched for');
  return text.split(by);
}

function numeric(value: Value): number {
  if (typeof value === 'number') return value;
  const isNumeral = typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
  if (!isNumeral) throw new NotComputable('this is no number');
  return finite(Number(value));
}

function string(value: Value, digits?: number): string {
  if (digits === undefined) return written(value);
  return timeWithDigits(typeof value === 'string' ? value : '', digits);
}

/** A made text is one already; a made time is cut. */
function stringOf([value, digits]: readonly Value[]): Value {
  if (value instanceof Text) return value;
  if (!(value instanceof Made)) return unknown([value as Value], true);
  if (value.form === 'integer') return digits === undefined ? new Text([value]) : unknown([value], true);
  if (typeof digits !== 'number') return value;
  const cut = new Range(-1000 / 10 ** digits, 0);
  return value.derived(`with ${digits} digits`, cut, (text) => timeWithDigits(text, digits));
}

/** The date of a made time. */
function httpDateOf(time: Value): Value {
  if (!(time instanceof Made) || time.form !== 'time') return unknown([time], true);
  return time.derived('as a date', new Range(-1000, 0), httpDate);
}

/** The whole seconds of a made time. */
function secondsOf(time: Value): Value {
  const shown = time instanceof Made && time.form === 'time' ? time.when?.taken : undefined;
  const isBounded = shown && Number.isFinite(shown.least) && Number.isFinite(shown.most);
  if (!isBounded) return unknown([time], !(time instanceof Made && time.form === 'time'));
  return new Range(Math.floor(shown.least / 1000), Math.floor(shown.most / 1000));
}

/** A value as it is written into text (language §G.1): null is nothing; a list or an object has no such form. */
export function written(value: Value): string {
  if (value === null) return '';
  if (value instanceof Item && value.by !== null) return written(value.key);
  if (typeof value === 'object') throw new NotComputable('a list or an object cannot be written into text');
  return String(value);
}

/** The least, or the greatest; null of nothing. Nulls are left out. Of values without an order the first counts. */
function extreme(list: readonly Value[], comparison: '<' | '>', form: Form): Value {
  return list.reduce<Value>((best, value) => {
    if (best === null) return value;
    return value !== null && ordered(value, comparison, best, form) === true ? value : best;
  }, null);
}

function sorted(list: readonly Value[], form: Form): Value {
  return [...list].sort((a, b) =>
    ordered(a, '<', b, form) === true ? -1 : ordered(a, '>', b, form) === true ? 1 : 0,
  );
}

function distinct(list: readonly Value[], form: Form): readonly Value[] {
  return list.filter(
    (value, place) => list.findIndex((other) => equal(other, value, form) === true) === place,
  );
}

/** The same of a list of which the order is not known. It has to be known of any two whether they are equal. */
function distinctOf(list: Value, form: Form): Value {
  if (!(list instanceof Collection && list.closed)) return unknown([list], true);
  const { items, ordered } = list;
  const isSure = items.every((one, place) =>
    items.slice(place + 1).every((other) => !(equal(one, other, form) instanceof Unknown)),
  );
  return isSure ? new Collection(distinct(items, form), { rest: undefined, ordered }) : unknown([list], true);
}

function flattened(lists: readonly (readonly Value[] | null)[]): readonly Value[] {
  return lists.flatMap((list) => (list === null ? [null] : list));
}

/** The same of a list of which the order is not known. */
function flattenedOf(lists: Value): Value {
  const inner = lists instanceof Collection && lists.closed ? lists.items.map(seen) : null;
  if (inner === null || !kinds.lists(inner)) return unknown([lists], true);
  const items = flattened(inner as readonly (readonly Value[] | null)[]);
  return new Collection(items, { rest: undefined, ordered: (lists as Collection).ordered });
}

function isMembersOrNull(value: Value): value is Members | null {
  return value === null || isObject(value);
}

function merged(...all: readonly (Members | null)[]): Members {
  return Object.assign({}, ...all) as Members;
}

function keys(value: Members): string[] {
  return Object.keys(value).sort(codePointOrder);
}

/** `pick` or `omit` of a value of which something is unknown: its members are known, as far as names reach into it. */
function named(run: typeof pick, [value = null, names = null]: readonly Value[]): Value {
  const texts = isKnown(names) ? (plain(names) as readonly Value[] | null) : undefined;
  const isSure = texts !== undefined && (texts === null || isReached(value, textsOf(texts)));
  return isSure ? run(value, texts) : unknown([value, names], true);
}

/** The texts of a list joined, where some of them were made. */
function joinedOf([texts, by = '']: readonly Value[]): Value {
  const isText = (value: Value): value is string | null | Made | Text =>
    value === null ||
    typeof value === 'string' ||
    value instanceof Text ||
    (value instanceof Made && value.form !== 'integer');
  const all = isList(texts as Value) ? (texts as readonly Value[]).map(seen) : null;
  if (typeof by !== 'string' || all === null || !all.every(isText))
    return unknown([texts as Value, by], true);
  const pieces = all.map((value) => (value instanceof Text ? value.pieces : value === null ? [] : [value]));
  return textOf(pieces.flatMap((piece, place) => (place === 0 ? piece : [by, ...piece])));
}

/** The same of pairs whose names are known. */
function objectOfPairs(pairs: Value): Value {
  const isPair = (pair: Value): boolean =>
    isList(pair) && pair.length === 2 && typeof seen(pair[0] as Value) === 'string';
  if (!isList(pairs) || !pairs.every(isPair)) return unknown([pairs], true);
  return objectOf(pairs.map((pair) => [seen((pair as Value[])[0] as Value), (pair as Value[])[1] as Value]));
}

function objectOf(pairs: readonly (readonly Value[] | null)[]): Members {
  return Object.fromEntries(
    pairs.map((pair) => {
      if (pair?.length !== 2 || typeof pair[0] !== 'string')
        throw new NotComputable('object takes a list of [name, value]');
      return [pair[0], pair[1] as Value];
    }),
  );
}

function typeName(value: Value): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Whether each word of a text begins a word of one of the others (language §4.5). A word has letters, marks and digits. */
function matches(wanted: Value, ...texts: readonly Value[]): boolean {
  const among = texts.flat().flatMap(wordsOf);
  return wordsOf(wanted).every((word) => among.some((other) => other.startsWith(word)));
}

function wordsOf(text: Value): string[] {
  if (text === null) return [];
  if (typeof text !== 'string') throw new NotComputable('matches takes texts, and lists of texts');
  return String(fold(text)).match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? [];
}

function sha256(value: string | Bytes): Members {
  const digest = createHash('sha256').update(value instanceof Bytes ? value.content : value);
  return { hex: digest.copy().digest('hex'), base64: digest.digest('base64') };
}
