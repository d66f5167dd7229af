import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import {
  Item,
  Links,
  type Made,
  type Members,
  PageAddress,
  type PageQuery,
  Range,
  type Value,
} from '../value/value.ts';
import { type Asked, type PageWord, pageParameter } from './asked.ts';
import type { Cut } from './cut.ts';

/** What the addresses around a page depend on. What is undefined is not known. */
interface Around {
  readonly request: { readonly path: Members; readonly query: Members };
  readonly asked: Asked;
  readonly page: Cut & { readonly isLast: boolean | undefined };
  readonly hasPrevious: boolean | undefined;
  readonly total: Value;
  readonly offset: Value;
  readonly cursors: {
    readonly next: Made | undefined;
    readonly previous: Made | undefined;
    readonly last: Made | undefined;
  };
}

/** By which parameters an address may lead to another page. */
interface Ways {
  readonly isByCursor: boolean;
  /** The parameters that count. */
  readonly counting: readonly PageWord[];
  readonly hasAfter: boolean;
  readonly hasBefore: boolean;
}

function waysOf(operation: Operation): Ways {
  const has = (word: PageWord): boolean => pageParameter(operation, word) !== undefined;
  return {
    isByCursor: has('cursor'),
    counting: (['offset', 'start', 'number'] as const).filter(has),
    hasAfter: has('after'),
    hasBefore: has('before'),
  };
}

/** `page.url` and `page.links` (language §4.5, rule 8). By which parameter an address leads to its page is free. */
export function addressesOf(
  about: { readonly operation: Operation; readonly specification: Specification },
  around: Around,
): { readonly url: Value; readonly links: Value } {
  const { request, asked, page, hasPrevious, cursors } = around;
  const { isByCursor, counting, hasAfter, hasBefore } = waysOf(about.operation);
  const isBeside = [asked.cursor, asked.after, asked.before].some((given) => given !== undefined);
  // By several parameters that count, or from an item on, some pages cannot be asked for.
  const isCounted = counting.length === 1 && !isBeside;
  const { first, next, previous, last } = pagesAround(around, isCounted);
  const reached = (is: boolean | undefined, isAskable: boolean, to: PageQuery): Value => {
    if (is === false) return null;
    return new PageAddress(about, request, to, !is || !isAskable);
  };
  // Of an empty list, whether it has a first page nobody states, nor what becomes of a page that no parameter asks for.
  const isThere = page.least > 0 && asked.size !== 0 ? true : undefined;
  const goesOn = page.isLast === undefined ? undefined : !page.isLast;
  const isFree = isByCursor || isCounted;
  const relations = {
    first: reached(isThere, isFree || counting.length > 0 || hasAfter || hasBefore, first),
    previous: reached(hasPrevious, isFree || (counting.length === 0 && hasBefore), {
      ...previous,
      cursor: cursors.previous,
    }),
    next: reached(goesOn, isFree || counting.length > 0 || hasAfter, { ...next, cursor: cursors.next }),
    last: reached(isThere, isFree, { ...last, cursor: cursors.last }),
  };
  return { url: { self: new PageAddress(about, request, null), ...relations }, links: linksOf(relations) };
}

function linksOf({ first, previous, next, last }: Members): Value {
  const relations = { first: first ?? null, prev: previous ?? null, next: next ?? null, last: last ?? null };
  return Object.values(relations).every((each) => each === null) ? null : new Links(relations);
}

/** @param isCounted whether one parameter alone says how many items come before a page */
function pagesAround(
  { asked: { size, skip }, page, total, offset }: Around,
  isCounted: boolean,
): Record<'first' | 'previous' | 'next' | 'last', PageQuery> {
  const at = (from: number | Range | undefined): PageQuery => ({
    size,
    from,
    cursor: undefined,
    after: undefined,
    before: undefined,
  });
  const here = typeof offset === 'number' ? offset : undefined;
  const [one, other] = Array.isArray(page.elements) ? [page.elements[0], page.elements.at(-1)] : [];
  const isWhole = isCounted && size !== undefined && here !== undefined && here % size === 0;
  const pageAt = (count: number): number => (size ? Math.floor((Math.max(count, 1) - 1) / size) * size : 0);
  const last =
    typeof total === 'number'
      ? pageAt(total)
      : total instanceof Range
        ? new Range(pageAt(total.least), Number.POSITIVE_INFINITY)
        : undefined;
  return {
    first: at(0),
    // A page that would begin before the list is cut in a way that nobody states.
    previous: { ...at(isWhole && size ? here - size : undefined), before: keyOf(one) },
    next: { ...at(here === undefined || size === undefined ? undefined : here + size), after: keyOf(other) },
    // Without a size, all items are on the first page.
    last: at(isCounted && size === undefined && skip === 0 ? 0 : isWhole ? last : undefined),
  };
}

function keyOf(item: Value | undefined): Value | undefined {
  return item instanceof Item ? item.key : undefined;
}
