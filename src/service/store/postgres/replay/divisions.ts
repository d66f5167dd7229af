import type { Row, Table } from '../../store.ts';
import { begin, type Connection } from '../open.ts';
import { type By, by, byKey, type Compared, leaves, type Search, uniqueBy } from './searches.ts';

/** How the rows of a table are divided, so that those with the same values have a lock of their own. */
export interface Division {
  readonly by: By;
  /** The members on which queries hang that look for rows by these values. */
  readonly reads: ReadonlySet<string>;
  /** Whether no two rows have the same values: then who reads shares the lock, and otherwise who writes. */
  readonly isUnique: boolean;
}

/** What a query would go by. */
type Wish = Pick<Search, 'by' | 'reads'>;

/** Divisions as they are told to all processes: by table, in JSON. */
type Told = Readonly<
  Record<
    string,
    readonly {
      readonly fields: readonly Compared[];
      readonly isSome: boolean;
      readonly reads: readonly string[];
    }[]
  >
>;

/** How many divisions a table has at most: whoever writes a row takes a lock of each. */
const mostDivisions = 8;

/** How long the locks of others are waited for where divisions are told: meanwhile nobody else gets any. */
const tellMs = 50;

/**
 * The divisions of all tables. A query may only go by one that all processes know of, because whoever writes has to take
 * its locks. So a new one is told in the database first, while nobody writes.
 */
export class Divisions {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #unique: ReadonlyMap<string, ReadonlySet<string>>;
  #of = new Map<string, readonly Division[]>();
  readonly #wanted = new Map<string, { table: string; by: By; reads: Set<string> }>();
  /** How many transactions are let go by before it is tried again to tell of them. */
  #rest = 0;
  #lastRest = 1;
  /** As they are told. */
  text = '';

  constructor(tables: readonly Table[]) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    this.#unique = new Map(tables.map((table) => [table.name, uniqueBy(table)]));
  }

  isUnique(table: string, { name }: By): boolean {
    return this.#unique.get(table)?.has(name) ?? false;
  }
  of(table: string): readonly Division[] {
    return this.#of.get(table) ?? [];
  }
  /** That by which a query may go; null: there is none, or not yet. */
  for(table: string, { by: wanted, reads }: Wish): Division | null {
    const found = this.of(table).find((one) => one.by.name === wanted.name);
    return found && isWithin(reads, found.reads) ? found : null;
  }
  /** Notes that a query would go by such a one. */
  want(table: string, { by: wanted, reads }: Wish): void {
    if (this.for(table, { by: wanted, reads })) return;
    const all = this.of(table);
    const found = all.find((one) => one.by.name === wanted.name);
    const name = `${table} ${wanted.name}`;
    const known = this.#wanted.get(name) ?? { table, by: wanted, reads: new Set<string>() };
    for (const one of reads) known.reads.add(one);
    if (found || all.length < mostDivisions) this.#wanted.set(name, known);
  }
  /** Goes by what is told by now. */
  learn(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const told = JSON.parse(text || '{}') as Told;
    this.#of = new Map(
      Object.entries(told).map(([table, all]) => [
        table,
        all.map(({ fields, isSome, reads }) => {
          const own = by(fields, isSome, this.#tables.get(table) ?? { keyFields: [] });
          return { by: own, reads: new Set(reads), isUnique: this.isUnique(table, own) };
        }),
      ]),
    );
    for (const [name, one] of this.#wanted) {
      const found = this.of(one.table).find((other) => other.by.name === one.by.name);
      const isTold = found && isWithin(one.reads, found.reads);
      if (isTold || (!found && this.of(one.table).length >= mostDivisions)) this.#wanted.delete(name);
    }
  }
  /** How rows are found by their keys. */
  byKey(table: string): Wish {
    return { by: byKey(this.#tables.get(table) as Table), reads: none };
  }

  /**
   * Tells of those that are wanted, while nobody writes: those who write go by them from then on. Where that takes too
   * long, it is tried again later.
   */
  async tell(connection: Connection, lock: string): Promise<void> {
    if (this.#wanted.size === 0) return;
    this.#rest -= 1;
    if (this.#rest > 0) return;
    try {
      await begin(connection, undefined, `SET LOCAL lock_timeout = ${tellMs}`);
      await connection.query(`SELECT pg_advisory_xact_lock(${lock})`);
      const { rows } = await connection.query<{ divisions: string }>('SELECT divisions FROM tacet_latest');
      this.learn(rows[0]?.divisions ?? '');
      // It goes by them itself once a transaction finds them told, since by then there may be others.
      if (this.#wanted.size > 0)
        await connection.query('UPDATE tacet_latest SET divisions = $1', [this.#withWanted()]);
      await connection.query('COMMIT');
      this.#lastRest = 1;
    } catch {
      connection.query('ROLLBACK').catch(() => {});
      this.#lastRest *= 2;
      this.#rest = this.#lastRest;
    }
  }

  #withWanted(): string {
    const all = new Map([...this.#of].map(([table, own]) => [table, [...own]]));
    for (const { table, by: wanted, reads } of this.#wanted.values()) {
      const own = all.get(table) ?? [];
      const at = own.findIndex((one) => one.by.name === wanted.name);
      const before = own[at]?.reads ?? none;
      const made = { by: wanted, reads: new Set([...before, ...reads]), isUnique: false };
      if (at !== -1) own[at] = made;
      else if (own.length < mostDivisions) own.push(made);
      all.set(table, own);
    }
    return JSON.stringify(
      Object.fromEntries(
        [...all].map(([table, own]) => [
          table,
          own.map(({ by: { fields, isSome }, reads }) => ({ fields, isSome, reads: [...reads].sort() })),
        ]),
      ),
    );
  }
}

const none: ReadonlySet<string> = new Set();

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}

/**
 * The values by which queries find what a change of a row bears on: those that it had before, and has after.
 *
 * @param reads the members that the queries read besides; null: all of them
 */
export function borneOn(
  { by: { valuesOf }, reads }: { readonly by: By; readonly reads: ReadonlySet<string> | null },
  before: Row | null,
  after: Row | null,
): readonly string[] {
  const [old = null, now = null] = [before, after].map((row) => row && valuesOf(row));
  if (old === now && before && after && leaves(reads, before, after)) return [];
  return [...new Set([old, now])].filter((one) => one !== null);
}
