import type { Item } from '../../expression/compile.ts';
import type { Row } from '../store/store.ts';
import { type Addresses, type Around, linksOf } from './addresses.ts';
import { type Asked, skipped } from './asked.ts';
import type { Cursors, Mark, Position } from './cursor.ts';
import type { Found, Questions } from './questions.ts';
import type { Within } from './statements.ts';

type Side = Position['side'];

/** What a page is made of. */
export interface Parts {
  readonly asked: Asked;
  readonly within: Within;
  readonly found: Found;
  readonly questions: Questions;
  readonly cursors: () => Cursors;
  readonly item: (row: Row) => Item;
  readonly mark: (row: Row) => Mark;
  readonly identifier: (row: Row) => unknown;
  readonly addresses: (around: Around) => Addresses;
}

/**
 * What `page` offers (language §4.5). What has to be asked of the store besides the items is asked when it is read,
 * and once.
 */
export function pageOf({
  asked,
  within,
  found,
  questions,
  cursors,
  ...parts
}: Parts): Readonly<Record<string, unknown>> {
  const { rows, more } = found;
  const first = rows[0];
  const last = rows.at(-1);
  const isMoved = within.length > 0;
  /** A page that reaches the end of the list tells how long that is. */
  const isEnd = !isMoved && !more && (first !== undefined || skipped(asked) === 0);
  const total = once(() => (isEnd ? skipped(asked) + rows.length : (found.total ?? questions.count([]))));
  const isBack = within[0]?.side === 'before';
  /** The edge of the page on a side; an empty one lies where it was looked for. */
  const edge = (side: Side): Position => {
    const row = side === 'before' ? first : last;
    if (row) return { side, at: parts.mark(row) };
    const looked = (side === 'before') === isBack ? within[0] : within[1];
    return { side, at: looked?.at ?? null };
  };
  const isBeyond = (side: Side): boolean => {
    if ((side === 'before') === isBack) return more || (within.length > 1 && questions.isThere([edge(side)]));
    const skips = skipped(asked) > 0;
    return (skips && first !== undefined) || ((skips || isMoved) && questions.isThere([edge(side)]));
  };
  const cursorAt = (side: Side) =>
    once(() => (asked.size !== 0 && isBeyond(side) ? cursors().write(edge(side)) : null));
  const next = cursorAt('after');
  const previous = cursorAt('before');
  const offset = once(() => (isMoved ? questions.count([edge('before')]) : skipped(asked)));
  const url = once(() =>
    parts.addresses({
      asked,
      total,
      next,
      previous,
      last: () => cursors().write({ side: 'before', at: null }),
      ends: () => [first && parts.identifier(first), last && parts.identifier(last)],
    }),
  );
  const items = once(() => rows.map(parts.item));
  return {
    get items() {
      return items();
    },
    get total() {
      return total();
    },
    size: asked.size ?? rows.length,
    get offset() {
      return offset();
    },
    get number() {
      if (!asked.size) return 1;
      // What comes before a page far past the end is more than a number can be.
      const isPlain = asked.offset === null && asked.start === null && !isMoved;
      return (isPlain ? asked.number : null) ?? Math.floor(offset() / asked.size) + 1;
    },
    get next() {
      return next();
    },
    get previous() {
      return previous();
    },
    get links() {
      return linksOf(url());
    },
    get url() {
      return url();
    },
  };
}

function once<T>(work: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: work() };
    return known.value;
  };
}
