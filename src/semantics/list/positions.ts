import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { FieldFailure } from '../change/refusal.ts';
import { equal } from '../value/compare.ts';
import { some } from '../value/truth.ts';
import { Item, isList, isObject, type Members, seen, unknown, type Value } from '../value/value.ts';
import type { Entry, Listing, Position } from '../world/cursors.ts';
import type { Moment } from '../world/moment.ts';
import { askedOf, type PageWord, pageParameter } from './asked.ts';
import { type Admission, admitted } from './items.ts';
import { compared, type Key, marksOf } from './order.ts';

/** Between which places of a list a page lies (language §4.5, rule 4). */
export interface Between {
  readonly positions: readonly Position[];
  readonly failures: readonly FieldFailure[];
}

/** Finds the places that `cursor`, `after` and `before` name. */
export function positionsOf(
  operation: Operation,
  query: Members,
  keys: readonly Key[],
  unfiltered: Admission,
  moment: Moment,
): Between {
  const asked = askedOf(operation, query);
  const positions: Position[] = [];
  const failures: FieldFailure[] = [];
  const add = (word: PageWord, keyword: string, value: Value | undefined, found: Position | null): void => {
    if (value === undefined) return;
    if (found) positions.push(found);
    else {
      const { name = '' } = pageParameter(operation, word) ?? {};
      failures.push({ field: name, keyword, value, limit: null });
    }
  };
  if (asked.cursor !== undefined)
    add('cursor', 'cursor', asked.cursor, ofCursor(asked.cursor, listKey(operation, query, moment), moment));
  for (const side of ['after', 'before'] as const) {
    const value = asked[side];
    if (value !== undefined)
      add(side, 'refers', value, besideItem(side, value, operation, keys, unfiltered, moment));
  }
  return { positions, failures };
}

/** Tells a list from others: what is asked for besides the page, and who asks. */
export function listKey(operation: Operation, query: Members, { names }: Moment): string {
  const others = queryParameters(operation).filter(({ roles }) => stated(roles.page) === undefined);
  const { path, version } = names['request'] as Members;
  return JSON.stringify([
    operation.name,
    written(version ?? null),
    written(path ?? null),
    ...others.map(({ name }) => written(query[name] ?? null)),
    written(names['actor'] ?? null),
  ]);
}

/** A text for a value, the same for the same one. */
function written(value: Value): string {
  const found = seen(value);
  if (found instanceof Item) return `${found.resource} ${found.handle}`;
  if (isList(found)) return `[${found.map(written).join()}]`;
  if (!isObject(found)) return JSON.stringify(found) ?? '';
  return `{${Object.entries(found)
    .map(([name, member]) => `${name}:${written(member)}`)
    .join()}}`;
}

/** The place for which a list gave a cursor; null: it gave no such cursor. Whether another list takes it is unknown. */
function ofCursor(value: Value, list: string, { world }: Moment): Position | null {
  const given = world.cursors.filter(({ made }) => equal(made, value) === true);
  const own = given.findLast((cursor) => cursor.list === list);
  if (own) return own.position;
  if (given.length > 0 || world.hasUnknownCursors) return world.leave(unknown([]));
  if (world.cursors.some(({ made }) => isSpelledLike(made, value))) return world.leave(unknown([]));
  return world.decide(world.mayBeTheirs([value])) ? world.leave(unknown([])) : null;
}

/** Whether two texts differ in nothing but characters that readers of base64 may leave out (RFC 4648 §3.3). */
function isSpelledLike(first: Value, second: Value): boolean {
  const [one, other] = [first, second].map((value) => {
    const text = seen(value);
    return typeof text === 'string' ? text.replaceAll(/[^A-Za-z0-9+/_-]/g, '') : null;
  });
  return one !== null && one === other;
}

/** The place beside an item of the list, however it is filtered; null: there is no such item. */
function besideItem(
  side: Position['side'],
  value: Value,
  operation: Operation,
  keys: readonly Key[],
  unfiltered: Admission,
  moment: Moment,
): Position | null {
  const { world } = moment;
  const { subject } = operation;
  const identifier = (subject && stated(subject.identifier)) ?? [];
  const [field, ...others] = identifier;
  if (field === undefined || others.length > 0) return world.leave(unknown([]));
  const type = subject?.fields.get(field.text)?.shape.keywords.get('type');
  const key = typed(value, type && stated(type));
  const { items, theirs } = admitted(operation, unfiltered, moment);
  const isIt = items.map(({ item }) => equal(moment.member(item, field.text), key));
  if (some(isIt, (is) => is) !== true) {
    if (world.decide(some(isIt, (is) => is))) return world.leave(unknown([]));
    if (theirs && world.decide(world.mayBeTheirs([key]))) return world.leave(unknown([]));
    return null;
  }
  const place = isIt.indexOf(true);
  if (!items[place]?.isSure) return world.leave(unknown([]));
  const entries = items.map(
    ({ stored, item }, at): Entry => ({
      stored,
      marks: marksOf(item, keys, moment),
      side: 'within',
      place: at,
    }),
  );
  return { side, listing: showing(entries, place) };
}

/** A list of which only one item was shown. */
function showing(entries: readonly Entry[], place: number): Listing {
  const hidden = new Set(entries.keys());
  hidden.delete(place);
  const none = entries.map(() => false);
  const window = {
    least: 1,
    most: 1,
    sure: none,
    listed: none,
    after: entries.map(() => new Set<number>()),
    skips: entries.length,
    isBack: false,
    sight: { shown: new Set([place]), hidden },
  };
  return { entries, window, skip: Number.POSITIVE_INFINITY, isWhole: false };
}

/** A parameter without a type is text, also where what it names is a number (language §E.13). */
function typed(value: Value, type: unknown): Value {
  const found = seen(value);
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && typeof found === 'string' && /^-?\d+$/.test(found) ? Number(found) : found;
}

/** Whether an item lies in the stretch of the list that a place bounds; undefined: unknown. */
export function liesIn(
  { side, listing }: Position,
  { stored, marks }: Pick<Entry, 'stored' | 'marks'>,
  keys: readonly Key[],
): boolean | undefined {
  if (listing === null) return true;
  const places = listing.entries.map((entry) => [entry, placeOf(entry, listing, keys)] as const);
  const known = places.find(([entry]) => entry.stored.handle === stored.handle);
  if (known) {
    const [entry, place] = known;
    return stays(entry, stored, marks, keys) && place !== undefined ? place === side : undefined;
  }
  const toward = side === 'after' ? 1 : -1;
  const order = (entry: Entry): number => compared(marks, entry.marks, keys) * toward;
  const beyond = places.filter(([, place]) => place === side);
  const others = places.filter(([, place]) => place !== side && place !== undefined);
  if (others.some(([entry]) => order(entry) < 0)) return false;
  if (beyond.some(([entry]) => order(entry) > 0)) return true;
  const isTold = listing.isWhole && others.length > 0 && beyond.length + others.length === places.length;
  return isTold && others.every(([entry]) => order(entry) > 0) ? true : undefined;
}

/** Where an item lay when the page was shown. */
function placeOf(
  entry: Entry,
  listing: Listing,
  keys: readonly Key[],
): 'before' | 'on' | 'after' | undefined {
  const { sight, isBack } = listing.window;
  if (entry.place !== undefined && sight.shown.has(entry.place)) return 'on';
  if (entry.side !== 'within') return entry.side;
  if (entry.place !== undefined && !sight.hidden.has(entry.place)) return undefined;
  if (listing.skip === 0) return isBack ? 'before' : 'after';
  const shown = listing.entries.filter(({ place }) => place !== undefined && sight.shown.has(place));
  const order = shown.map(({ marks }) => compared(entry.marks, marks, keys));
  if (order.some((each) => each > 0)) return 'after';
  return order.some((each) => each < 0) ? 'before' : undefined;
}

/** Whether an item stayed at its place in the list. */
function stays(
  entry: Entry,
  stored: Entry['stored'],
  marks: readonly Value[],
  keys: readonly Key[],
): boolean {
  if (keys.length === 0) return entry.stored === stored;
  return marks.every((mark, place) => equal(mark, entry.marks[place] ?? null, keys[place]?.form) === true);
}
