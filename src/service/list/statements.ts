import {
  and,
  type Besides,
  type Label,
  type Node,
  or,
  orderable,
  parameter,
  place,
  type Query,
  query,
  type Source,
} from '../../expression/query.ts';
import { type Statement, statement, type TextOfRow, type TextStatement } from '../store/rows.ts';
import type { Position } from './cursor.ts';
import { beyond, isPlaceDescending, type Key, kindsOf, type Stretch } from './keyset.ts';

/** A list as one request asks for it, whatever its page. */
export interface Search {
  /** Tells the form of its statements from those of others: which conditions hold, and by what it is put in order. */
  readonly form: string;
  readonly where: () => Node | null;
  /** The same without the filters of the client: what `where` and the rules say of every item of the list. */
  readonly unfiltered: { readonly form: string; readonly where: () => readonly Node[] };
  readonly keys: readonly NamedKey[];
  /** What the conditions take; the parameters of a page stand behind them. */
  readonly values: readonly unknown[];
  /** What tells it from other lists, as JSON: a cursor belongs to one. */
  readonly told: () => unknown;
  /** What is told with each of its rows. */
  readonly besides: Besides;
  /** Whether its rows tell as well how many there are in all. */
  readonly isCounted: boolean;
}

/** By what a row tells how many there are in all. */
export const total: Label = {};

/** A key by the name of its field. */
interface NamedKey extends Key {
  readonly name: string;
}

/** Where in the parameters of a statement those of a page stand. */
export interface Slots {
  readonly limit: number;
  readonly offset: number;
  /** The first of what each position takes. */
  readonly positions: readonly number[];
}

/**
 * The positions between which a stretch of the list lies, each at its own side. It is read from the first of them on,
 * and from the beginning where there is none.
 */
export type Within = readonly Position[];

export interface Wanted {
  /** `texts`: rows as the store puts them together. */
  readonly gives: 'rows' | 'texts' | 'count' | 'exists';
  readonly within: Within;
  /** Whether it is said how many, and after how many. */
  readonly isLimited: boolean;
  /** One statement, though an index then serves less; else one for each stretch of it, to be read one after another. */
  readonly isWhole: boolean;
}

/** How many forms of statements one list keeps prepared. A client may combine filters and sorting in ever so many ways. */
const mostForms = 200;

/**
 * Gives the statements that a list takes, prepared when a request first needs them.
 *
 * @param text what a store puts a row together as, where it can
 */
export function compileStatements(
  row: Source,
  slots: Slots,
  text?: TextOfRow,
): (search: Search, wanted: Wanted) => readonly (Statement | TextStatement)[] {
  const remembered = leastRecent<readonly (Statement | TextStatement)[]>(mostForms);
  return (search, wanted) =>
    remembered(nameOf(search, wanted), () =>
      queries(row, slots, search, wanted).map((query) =>
        wanted.gives === 'texts' && text
          ? { query, text, once: query.besides.has(total) ? total : null }
          : statement(query),
      ),
    );
}

function nameOf({ form, besides, isCounted }: Search, { gives, within, isLimited, isWhole }: Wanted): string {
  return `${gives} ${besides.size} ${isCounted} ${isLimited} ${isWhole} ${within.map(positionName).join()} ${form}`;
}

function positionName({ side, at }: Position): string {
  return `${side}:${at === null ? '' : kindsOf(at)}`;
}

function queries(
  row: Source,
  slots: Slots,
  { where, keys, besides, isCounted }: Search,
  { gives, within, isLimited, isWhole }: Wanted,
): readonly Query[] {
  const isBack = within[0]?.side === 'before';
  const [from = [], ...others] = within.map(({ side, at }, index) =>
    at === null ? [] : beyond(row, keys, at, slots.positions[index] as number, side === 'before'),
  );
  const always = [where(), ...others.map(anyOf)];
  // Within a query of its own the same row is another: it goes through all of them.
  const count = query(row, { where: where(), gives: { kind: 'count' } });
  const told: Besides =
    isCounted && isLimited ? new Map([...besides, [total, { kind: 'query', query: count }]]) : besides;
  const placed = { by: place(row), descending: isPlaceDescending(keys) !== isBack };
  const order = keys.map(({ by, descending }) => ({ by: orderable(by), descending: descending !== isBack }));
  const stretches = isWhole || from.length === 0 ? [{ where: anyOf(from), tied: 0 }] : from;
  return stretches.map((stretch) => {
    const all = [...always, stretch.where].filter((node) => node !== null);
    return query(row, {
      where: all.length > 0 ? and(...all) : null,
      // By what is the same for all of a stretch, it need not be put in order.
      ...(gives === 'rows' || gives === 'texts'
        ? { order: [...order.slice(stretch.tied), placed], besides: told }
        : { gives: { kind: gives } }),
      ...(isLimited
        ? { limit: parameter(slots.limit, 'number'), offset: parameter(slots.offset, 'number') }
        : {}),
    });
  });
}

function anyOf(stretches: readonly Stretch[]): Node | null {
  return stretches.length === 0 ? null : or(...stretches.map(({ where }) => where));
}

/** Keeps so many values by name, and lets go of the one that was not asked for longest. */
export function leastRecent<T>(most: number): (name: string, make: () => T) => T {
  const kept = new Map<string, T>();
  let latest = '';
  return (name, make) => {
    if (name === latest && kept.has(name)) return kept.get(name) as T;
    latest = name;
    const value = kept.get(name) ?? make();
    kept.delete(name);
    kept.set(name, value);
    if (kept.size > most) kept.delete(kept.keys().next().value as string);
    return value;
  };
}
