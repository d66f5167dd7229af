import type { Asked, PageParameters, PageWord } from './asked.ts';

/** The addresses of the pages around one (language §4.5, `url`); null where there is none. */
export interface Addresses {
  readonly self: string | null;
  readonly first: string | null;
  readonly previous: string | null;
  readonly next: string | null;
  readonly last: string | null;
}

/** What the addresses of the other pages hang on; worked out only where an address is asked for. */
export interface Around {
  readonly asked: Asked;
  /** How many items the list has. */
  readonly total: () => number;
  /** Cursors, null where there is no page. */
  readonly next: () => string | null;
  readonly previous: () => string | null;
  /** The cursor of the last page. */
  readonly last: () => string;
  /** The identifiers of the page's first item and its last. */
  readonly ends: () => readonly [unknown, unknown];
}

type Change = Readonly<Partial<Record<PageWord, string | number | null>>>;

/** Gives the address of another page, by what is to change in the request's own; null where no address can ask for it. */
type Pages = (around: Around) => {
  readonly [Relation in 'first' | 'previous' | 'next' | 'last']: () => Change | null;
};

const positions: readonly PageWord[] = ['cursor', 'after', 'before', 'number', 'offset', 'start'];
const afresh: Change = Object.fromEntries(positions.map((word) => [word, null]));

/** By cursor, where one is stated, since then no item is lost or doubled; else by what else moves a page on. */
function pagesBy(parameters: PageParameters): Pages | null {
  const has = (word: PageWord): boolean => parameters[word]?.place === 'query';
  if (has('cursor')) return byCursor;
  for (const word of ['number', 'offset', 'start'] as const) if (has(word)) return counting(word);
  return has('after') || has('before') ? byItem(has('after'), has('before')) : null;
}

const byCursor: Pages = ({ next, previous, last }) => {
  const at = (cursor: string | null): Change | null => (cursor === null ? null : { ...afresh, cursor });
  return {
    first: () => afresh,
    previous: () => at(previous()),
    next: () => at(next()),
    last: () => at(last()),
  };
};

function byItem(hasAfter: boolean, hasBefore: boolean): Pages {
  return ({ next, previous, ends }) => ({
    first: () => afresh,
    previous: () => (hasBefore && previous() !== null ? { ...afresh, before: idOf(ends()[0]) } : null),
    next: () => (hasAfter && next() !== null ? { ...afresh, after: idOf(ends()[1]) } : null),
    last: () => null,
  });
}

function counting(word: 'number' | 'offset' | 'start'): Pages {
  const first = word === 'offset' ? 0 : 1;
  return ({ asked, total, next, previous }) => {
    const size = asked.size ?? Number.POSITIVE_INFINITY;
    const step = word === 'number' ? 1 : size;
    const here = asked[word] ?? first;
    const isMoved = [asked.cursor, asked.after, asked.before].some((one) => one !== undefined);
    const last = (): number => {
      const pages = Math.max(1, Math.ceil(total() / size));
      return first + (pages - 1) * (pages > 1 ? step : 0);
    };
    return {
      first: () => ({ [word]: first }),
      previous: () => (here > first && previous() !== null ? { [word]: Math.max(first, here - step) } : null),
      next: () => (next() === null ? null : { [word]: here + step }),
      // How many pages there are from an item on, nobody counts.
      last: () => (isMoved || size === 0 ? null : { [word]: last() }),
    };
  };
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Gives the addresses around a page, each worked out when it is read. */
export function compileAddresses(parameters: PageParameters): (url: string, around: Around) => Addresses {
  const pages = pagesBy(parameters);
  return (url, around) => {
    const to = pages?.(around);
    const address = (change: Change | null | undefined): string | null =>
      change ? addressWith(url, named(change, parameters)) : null;
    return {
      self: writable(url),
      get first() {
        return address(to?.first());
      },
      get previous() {
        return address(to?.previous());
      },
      get next() {
        return address(to?.next());
      },
      get last() {
        return address(to?.last());
      },
    };
  };
}

function named(change: Change, parameters: PageParameters): ReadonlyMap<string, string | number | null> {
  return new Map(
    Object.entries(change).flatMap(([word, value]) => {
      const placed = parameters[word as PageWord];
      return placed?.place === 'query' ? [[placed.parameter.name, value] as const] : [];
    }),
  );
}

/** The text of a Link header field (RFC 8288 §3); null where there is no page to tell of. */
export function linksOf({ first, previous, next, last }: Addresses): string | null {
  const links = [
    ['first', first],
    ['prev', previous],
    ['next', next],
    ['last', last],
  ].flatMap(([relation, address]) => (address === null ? [] : [`<${address}>; rel="${relation}"`]));
  return links.length > 0 ? links.join(', ') : null;
}

/**
 * A request's own address with some parameters of its query changed, null for left out; every other one stays as it
 * was written.
 */
export function addressWith(url: string, changed: ReadonlyMap<string, string | number | null>): string {
  const [, before = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const kept = query.split('&').filter((pair) => pair !== '' && !changed.has(nameIn(pair)));
  const added = [...changed].flatMap(([name, value]) =>
    value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  const all = [...kept, ...added].join('&');
  return writable(all === '' ? before : `${before}?${all}`);
}

function nameIn(pair: string): string {
  const [name = ''] = pair.replaceAll('+', ' ').split('=', 1);
  // Whatever cannot be decoded was refused before.
  return decodeURIComponent(name);
}

/** An address as it was asked for, but for characters that no URI holds (RFC 3986 §2). */
function writable(url: string): string {
  return url.replace(/[^!#-;=?-Z[\]_a-z~]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
