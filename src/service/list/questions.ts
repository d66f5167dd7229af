import type { Reads, Row, Statement, Store, TextStatement } from '../store/store.ts';
import { type Search, type Slots, total, type Wanted, type Within } from './statements.ts';

/** What is asked of a list: each question takes as many statements as the specification makes it, however many rows there are. */
export interface Questions {
  /**
   * So many rows, in the list's own order, after so many; and whether there are more on that side, unless nobody asks.
   */
  readonly rows: (within: Within, size: number | null, skip: number, asksForMore: boolean) => Found;
  /** The same of a list that is read from an end of it, piece by piece. */
  readonly stream: (size: number | null, skip: number) => AsyncIterable<readonly Row[]>;
  /** Its rows as the store puts them together; null where the store puts none together. */
  readonly texts: (size: number, skip: number) => FoundTexts | null;
  readonly count: (within: Within) => number;
  readonly isThere: (within: Within) => boolean;
}

export interface Found {
  readonly rows: readonly Row[];
  readonly more: boolean;
  /** How many there are in all, where the rows tell. */
  readonly total: number | undefined;
}

/** So many rows of a list as texts, with commas between them; and how many there are in all, where they tell. */
export interface FoundTexts {
  readonly text: string;
  readonly count: number;
  readonly total: number | undefined;
}

export function questions(
  reads: Reads,
  store: Pick<Store, 'stream'>,
  search: Search,
  slots: Slots,
  statements: (search: Search, wanted: Wanted) => readonly (Statement | TextStatement)[],
): Questions {
  const values = (within: Within): unknown[] => {
    const all = [...search.values];
    for (const [index, { at }] of within.entries()) {
      const slot = slots.positions[index] as number;
      if (at) for (const [part, value] of [...at.keys, at.place].entries()) all[slot + part] = value;
    }
    return all;
  };
  const uncounted: Search = { ...search, isCounted: false };
  const fromItsEnd = (gives: 'rows' | 'texts', size: number | null, skip: number) => {
    const all = values([]);
    all[slots.limit] = size ?? Number.MAX_SAFE_INTEGER;
    all[slots.offset] = skip;
    const isLimited = size !== null || skip > 0;
    const asked = gives === 'texts' ? search : uncounted;
    const [statement] = statements(asked, { gives, within: [], isLimited, isWhole: true });
    return [statement as Statement | TextStatement, all] as const;
  };
  return {
    rows: (within, size, skip, asksForMore) => {
      const all = values(within);
      const most = size === null ? Number.MAX_SAFE_INTEGER : size + (asksForMore ? 1 : 0);
      const wanted = {
        within,
        gives: 'rows',
        isLimited: size !== null || skip > 0,
        isWhole: skip > 0 || within.length === 0,
      } as const;
      all[slots.offset] = skip;
      let rows: readonly Row[] = [];
      for (const statement of statements(within.length === 0 ? search : uncounted, wanted)) {
        all[slots.limit] = most - rows.length;
        const found = reads.rows(statement, all);
        rows = rows.length === 0 ? found : [...rows, ...found];
        if (rows.length >= most) break;
      }
      const more = asksForMore && rows.length === most;
      const kept = more ? rows.slice(0, -1) : rows;
      const told = rows[0]?.besides?.get(total) as number | undefined;
      return { rows: within[0]?.side === 'before' ? kept.toReversed() : kept, more, total: told };
    },
    stream: (size, skip) => store.stream(...fromItsEnd('rows', size, skip)),
    texts: (size, skip) => {
      const [statement, all] = fromItsEnd('texts', size, skip);
      if (!('text' in statement) || !reads.texts) return null;
      const { text, count, once } = reads.texts(statement, all);
      return { text, count, total: once as number | undefined };
    },
    count: (within) => {
      const wanted = { gives: 'count', within, isLimited: false, isWhole: true } as const;
      const [statement] = statements(search, wanted);
      return reads.value(statement as Statement, values(within)) as number;
    },
    isThere: (within) => {
      const all = values(within);
      const wanted = { gives: 'exists', within, isLimited: false, isWhole: false } as const;
      return statements(search, wanted).some((statement) => reads.value(statement, all) === true);
    },
  };
}
