import { pathsRead } from '../../expression/expression.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { inAnswers } from '../../specification/model/workings.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Refusal } from '../change/refusal.ts';
import type { Truth } from '../value/truth.ts';
import {
  type Made,
  type Members,
  NotComputable,
  Range,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import type { Listing, Position } from '../world/cursors.ts';
import type { Moment } from '../world/moment.ts';
import { addressesOf } from './addresses.ts';
import { type Asked, askedOf } from './asked.ts';
import { type Cut, type Cutting, cut } from './cut.ts';
import { admissionOf, admitted } from './items.ts';
import { decidingKey, marksOf, orderOf } from './order.ts';
import { listKey, positionsOf } from './positions.ts';

/** The parameters of a request; those of its query with their defaults. */
interface Parameters {
  readonly path: Members;
  readonly query: Members;
}

type ByRule = (item: Value) => Truth;

/** What a request says of a page that the list does not have: a cursor, an item, an order (language §4.5, §H.4 rule 13). */
export function listRefusals(operation: Operation, byRule: ByRule, moment: Moment): readonly Refusal[] {
  if (stated(operation.does)?.verb !== 'list' || operation.subject === null) return [];
  const query = queryOf(moment);
  const order = orderOf(operation, query, moment);
  const unfiltered = admissionOf(operation, query, byRule, false);
  const between = positionsOf(operation, query, order.keys ?? [], unfiltered, moment);
  const failures = [...order.failures, ...between.failures];
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: 'query', failures }];
}

/** The page of a list, as `page` offers it (language §4.5). */
export function pageOf(operation: Operation, byRule: ByRule, moment: Moment): Value {
  const query = queryOf(moment);
  const { world } = moment;
  const { keys, failures } = orderOf(operation, query, moment);
  if (isUnread(operation)) return unknown([]);
  const unfiltered = admissionOf(operation, query, byRule, false);
  const between = positionsOf(operation, query, keys ?? [], unfiltered, moment);
  // These were refused before.
  if (failures.length + between.failures.length > 0) throw new NotComputable();
  const { items, theirs } = admitted(operation, admissionOf(operation, query, byRule, true), moment);
  const asked = askedOf(operation, query);
  const placed = items.map((item) => ({ ...item, marks: marksOf(item.item, keys ?? [], moment) }));
  const ofTheirs = theirs ? marksOf(theirs, keys ?? [], moment) : [];
  failIfAny([...placed.flatMap(({ marks }) => marks), ...ofTheirs], moment);
  const cutting: Cutting = { items: placed, theirs, keys: keys ?? [], asked, positions: between.positions };
  const first = cut(cutting);
  const isOdd = first.listing.window.isBack && asked.skip > 0;
  if (isOdd || (isPastBound(asked, first, moment) && first.most > 0)) return unknown([]);
  if (world.observer) observed(operation, first, cutting, moment);
  const reads = readOfPage(operation);
  const goesOn = isBeyond('after', first, cutting);
  const decided = reads.goesOn && goesOn === undefined ? world.decide(unknown([])) : goesOn;
  const page = goesOn === undefined && decided !== undefined ? cut(cutting, decided) : first;
  return offered(
    operation,
    cutting,
    { ...page, isLast: decided === undefined ? undefined : !decided },
    moment,
  );
}

/** Whether the order of a page reads a value that cannot be computed, nobody states. */
function failIfAny(marks: readonly Value[], { world }: Moment): void {
  const failing = marks.find((mark): mark is Unknown => mark instanceof Unknown && mark.mayFail);
  if (failing && world.decide(failing)) throw new NotComputable();
}

/** Tells what a page depends on: how many items it skips and has, and what puts them in order. */
function observed(
  operation: Operation,
  { listing }: Cut,
  { items, keys, asked }: Cutting,
  moment: Moment,
): void {
  const { least, most, isBack } = listing.window;
  const length = least === most ? Math.min(least, 3) : 'some';
  const isFull = asked.size !== undefined && least === asked.size;
  const skips = Math.min(asked.skip, 2);
  moment.decides(
    operation,
    `page of ${length}${isFull ? ', full' : ''}${isBack ? ', back' : ''} after ${skips}`,
  );
  for (const [place, { marks }] of items.slice(1).entries())
    moment.decides(operation, `order ${decidingKey(items[place]?.marks ?? [], marks, keys)}`);
}

function offered(
  operation: Operation,
  cutting: Cutting,
  page: Cut & { readonly isLast: boolean | undefined },
  moment: Moment,
): Value {
  const request = moment.names['request'] as unknown as Parameters;
  const { asked } = cutting;
  const { elements, listing, isLast } = page;
  const hasPrevious = isBeyond('before', page, cutting);
  const [next, previous, last] = cursorsFor(operation, request, listing, moment);
  if (readOfPage(operation).previous && hasPrevious === undefined) moment.world.hasUnknownCursors = true;
  const total = numberBetween(
    cutting.items.filter(({ isSure }) => isSure).length,
    cutting.theirs === undefined ? cutting.items.length : Number.MAX_SAFE_INTEGER,
  );
  const offset = offsetOf(cutting, page);
  const about = { operation, specification: moment.world.specification };
  const around = { request, asked, page, hasPrevious, total, offset, cursors: { next, previous, last } };
  return {
    items: elements,
    total,
    size: asked.size ?? numberBetween(listing.window.least, listing.window.most),
    offset,
    number: numberOf(asked, offset),
    next: cursorOrNull(isLast, next),
    previous: cursorOrNull(hasPrevious === undefined ? undefined : !hasPrevious, previous),
    ...addressesOf(about, around),
  };
}

/** A cursor, or null if the list ends there. */
function cursorOrNull(isEnd: boolean | undefined, cursor: Made | undefined): Value {
  if (isEnd === undefined) return unknown([]);
  return isEnd ? null : (cursor ?? unknown([]));
}

function numberBetween(least: number, most: number): Value {
  return least === most ? least : new Range(least, most);
}

/** The parameters, with their defaults. */
function queryOf({ names }: Moment): Members {
  return (names['request'] as { readonly query: Members }).query;
}

/** Whether the path or header fields say something of the list, which is not carried out. */
const isUnread = once(({ request }: Operation): boolean => {
  const elsewhere = [request?.path, request?.headers].flatMap((said) => [
    ...((said && stated(said)) ?? []).values(),
  ]);
  return elsewhere.some((said) => {
    const { filter, sort, page } = stated(said)?.roles ?? {};
    return [filter, sort, page].some((role) => role?.kind === 'stated');
  });
});

/** Whether a page may be longer than part 8 allows, although no size was given: nobody states what comes of that. */
function isPastBound({ size }: Asked, { listing: { window } }: Cut, { world }: Moment): boolean {
  const sizes = stated(stated(world.specification.limits)?.sizes);
  const most = sizes && stated(sizes.page);
  return size === undefined && most !== undefined && window.most > most;
}

/** Whether the list goes on beside a page; undefined: unknown. */
function isBeyond(
  side: 'before' | 'after',
  { listing, least, most }: Cut,
  cutting: Cutting,
): boolean | undefined {
  const { asked, positions } = cutting;
  const { window } = listing;
  const size = asked.size ?? Number.POSITIVE_INFINITY;
  // What is beside no items, nobody states.
  if (size === 0 || window.least === 0) return isEmptyEnd(side, listing, cutting) ? false : undefined;
  const isAhead = (side === 'before') === window.isBack;
  if (isAhead && least > asked.skip + size) return true;
  if (!isAhead && asked.skip > 0) return true;
  const isAround = listing.entries.some((entry) => entry.side === side);
  const isBounded = positions.some((position) => position.side !== side && position.listing !== null);
  if (isBounded && isAround && (!isAhead || positions.length === 1)) return true;
  const mayBeMore = isAhead && most > asked.skip + size;
  const mayBeAround =
    isBounded && (cutting.theirs !== undefined || listing.entries.some((entry) => entry.side === undefined));
  return mayBeMore || mayBeAround || (isBounded && isAround) ? undefined : false;
}

/** Whether a page is surely at an end of the list, though it may be empty: the first page has none before it. */
function isEmptyEnd(
  side: 'before' | 'after',
  { window, skip }: Listing,
  { asked, positions, theirs }: Cutting,
): boolean {
  if (asked.size === 0) return false;
  if (side === 'before') return skip === 0 && positions.length === 0;
  return !window.isBack && positions.length === 0 && window.most === 0 && theirs === undefined;
}

/** How many items of the list come before the page. */
function offsetOf({ asked, positions, items, theirs }: Cutting, { listing }: Cut): Value {
  const isBounded = positions.some((position) => position.listing !== null || position.side === 'before');
  if (!isBounded) return asked.skip;
  const { entries, window } = listing;
  const isKnown =
    theirs === undefined &&
    entries.every(({ side }) => side !== undefined) &&
    items.every(({ isSure }) => isSure);
  if (!isKnown || window.least !== window.most || window.most === 0) return unknown([]);
  const before = entries.filter(({ side }) => side === 'before').length;
  const within = entries.filter(({ side }) => side === 'within').length;
  return before + (window.isBack ? within - window.most : asked.skip);
}

/** The number of a page is known, if the pages before it are whole. */
function numberOf({ size }: Asked, offset: Value): Value {
  if (size === undefined && offset === 0) return 1;
  return size && typeof offset === 'number' && offset % size === 0 ? offset / size + 1 : unknown([]);
}

/** Cursors for what comes after the page, for what comes before it, and for the end of the list. */
function cursorsFor(
  operation: Operation,
  request: Parameters,
  listing: Listing,
  moment: Moment,
): readonly (Made | undefined)[] {
  const reads = readOfPage(operation);
  if (!reads.goesOn && !reads.previous) return [];
  const positions: Position[] = [
    { side: 'after', listing },
    { side: 'before', listing },
    { side: 'before', listing: null },
  ];
  const list = listKey(operation, request.query, moment);
  return moment.world.giveCursors({ list, request: { ...request, operation: operation.name } }, positions);
}

/** Whether an answer tells if the list goes on, or what is before. */
const readOfPage = once((operation: Operation): { readonly goesOn: boolean; readonly previous: boolean } => {
  const read = inAnswers(operation)
    .flatMap(({ syntax }) => pathsRead(syntax))
    .filter(([root]) => root === 'page');
  const has = (...names: readonly string[]): boolean =>
    read.some(([, name, relation]) => {
      if (name === undefined || name === 'links' || (name === 'url' && relation === undefined)) return true;
      return names.includes(name) || (name === 'url' && names.includes(relation as string));
    });
  return { goesOn: has('next'), previous: has('previous', 'last') };
});
