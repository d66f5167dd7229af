import type { Key, Row } from '../../store.ts';
import { borneOn, type Division, type Divisions } from './divisions.ts';
import type { Overlay, PlanPass } from './overlay.ts';
import { rowName } from './replay.ts';
import { pointed, type Search } from './searches.ts';

/** A row that a plan reads or writes. */
interface Touched {
  readonly table: string;
  readonly key: Key;
  isRead: boolean;
  isWritten: boolean;
}

/** The lock of a table, or of those of its rows that have the same values somewhere. */
interface TableLock {
  readonly table: string;
  /** Without others; otherwise together with those who want it so, too. */
  isAlone: boolean;
}

/** How many locks of rows with the same values are taken, before their tables are locked as a whole. */
const mostGranules = 256;

/** What plans read and write: what others may not write meanwhile, or not read. */
export class Footprint {
  /** By name. */
  readonly rows = new Map<string, Touched>();
  /**
   * By name, which is that of the table where all of it is meant. A table is locked alone where any row of it decides,
   * also one that is not there; and together by all who write to it, or for whom rows with certain values decide.
   */
  readonly locks = new Map<string, TableLock>();
  /** All rows of a table are removed. */
  isAll = false;

  touch(name: string, table: string, key: Key, how: 'read' | 'written'): void {
    const known = this.rows.get(name) ?? { table, key, isRead: false, isWritten: false };
    this.rows.set(name, known);
    if (how === 'read') known.isRead = true;
    else known.isWritten = true;
  }
  lock(name: string, table: string, isAlone: boolean): void {
    const known = this.locks.get(name) ?? { table, isAlone };
    known.isAlone ||= isAlone;
    this.locks.set(name, known);
  }
  /** Locks the rows of a table that have the same values. */
  lockGranule(table: string, { by: { name }, isUnique }: Division, values: string, how: 'read' | 'written') {
    this.lock(table, table, false);
    this.lock(`${table} ${name} ${values}`, table, (how === 'written') === isUnique);
  }
  isAlone(table: string): boolean {
    return this.locks.get(table)?.isAlone ?? false;
  }
  add({ rows, locks, isAll }: Footprint): void {
    for (const [name, one] of rows) {
      if (one.isRead) this.touch(name, one.table, one.key, 'read');
      if (one.isWritten) this.touch(name, one.table, one.key, 'written');
    }
    for (const [name, { table, isAlone }] of locks) this.lock(name, table, isAlone);
    this.isAll ||= isAll;
  }
  /** Locks tables as a whole where there are very many locks of rows with the same values. */
  coarsen(): void {
    const granules = [...this.locks].filter(([name, { table }]) => name !== table && !this.isAlone(table));
    const isTooMany = granules.length > mostGranules;
    for (const [name, { table }] of this.locks) {
      if (isTooMany && name !== table) this.lock(table, table, true);
      if (name !== table && this.isAlone(table)) this.locks.delete(name);
    }
  }
  /** Whether two may not be under way side by side. */
  meets(other: Footprint): boolean {
    return (
      this.isAll ||
      other.isAll ||
      isAny(this.locks, ([name, { isAlone }]) => {
        const same = other.locks.get(name);
        return same !== undefined && (isAlone || same.isAlone);
      }) ||
      isAny(this.rows, ([name, one]) => {
        const same = other.rows.get(name);
        return same !== undefined && (one.isWritten || same.isWritten);
      })
    );
  }
  /**
   * Whether locks cover what is read and written: a row that is read has to be there and locked, or to be made in the
   * transaction; one that is written is to be locked for that at once, since its time is told once all locks are held.
   */
  isCovered(by: Footprint, isLocked: (name: string) => boolean, isMade: (name: string) => boolean): boolean {
    return (
      !this.isAll &&
      !isAny(this.locks, ([name, { table, isAlone }]) => {
        const held = by.locks.get(name);
        return !by.isAlone(table) && (held === undefined || (isAlone && !held.isAlone));
      }) &&
      !isAny(
        this.rows,
        ([name, { table, isRead, isWritten }]) =>
          !isMade(name) &&
          ((isRead && !by.isAlone(table) && !isLocked(name)) || (isWritten && !by.rows.get(name)?.isWritten)),
      )
    );
  }
}

function isAny<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true;
  return false;
}

/**
 * What a plan relies on that it read, for which it takes no lock: that no row had what one has that it writes itself. An
 * index keeps others from that, if the row is there in the end.
 */
export interface Relied {
  readonly table: string;
  readonly isStill: () => boolean;
}

/** How many rows that a query gives are locked each by itself. */
const mostRows = 64;

/**
 * What a pass of a plan read and wrote, as far as that is known; and what it relies on.
 *
 * @param isKept whether what it wrote is kept
 */
export function footprintOf(
  pass: PlanPass,
  overlay: Overlay,
  divisions: Divisions,
  isKept: boolean,
): { readonly footprint: Footprint; readonly relied: readonly Relied[] } {
  const footprint = new Footprint();
  const given = givenTo(pass, overlay);
  const own = writtenBy(pass, overlay, divisions, given, footprint);
  if (!isKept) own.clear();
  const isOver = isKept && pass.lacks.length === 0;
  const { relied, rely, askFor } = deciding(footprint, overlay, divisions, isOver);
  for (const [name, { table, key }] of pass.looked) {
    const before = overlay.before(name);
    if (before !== null) footprint.touch(name, table, key, 'read');
    else if (own.has(name)) rely(table, name, () => true);
    else {
      const search = divisions.byKey(table);
      askFor(table, search, search.by.valuesOf({ key, text: '{}' }) ?? '');
    }
  }
  for (const [name, { statement, sought }] of pass.asked) {
    const only = pointed(statement);
    for (const { table, search, wanted } of sought) {
      if (wanted === null) continue;
      if (search === null || wanted === undefined) footprint.lock(table, table, true);
      else if (search === only && divisions.isUnique(table, search.by)) {
        const isIt = (one: Row): boolean => search.by.valuesOf(one) === wanted;
        for (const { gave } of overlay.answers(name)) {
          const [row] = 'rows' in gave ? gave.rows : [];
          const taken = row ? null : [...own].find(([, one]) => one.table === table && isIt(one.row));
          if (row) footprint.touch(rowName(table, row.key), table, row.key, 'read');
          else if ('rows' in gave && taken) rely(table, taken[0], isIt);
          else askFor(table, search, wanted);
        }
      } else {
        const rows = search.givesRows ? (given.get(name) ?? []) : [];
        if (rows.length > mostRows) footprint.lock(table, table, true);
        else if (askFor(table, search, wanted))
          for (const row of rows) footprint.touch(rowName(table, row.key), table, row.key, 'read');
      }
    }
  }
  return { footprint, relied };
}

/**
 * Gathers what decides that is no row itself.
 *
 * @param isOver whether the plan is over, so that it reads by what it was found to read by
 */
function deciding(footprint: Footprint, overlay: Overlay, divisions: Divisions, isOver: boolean) {
  const relied: Relied[] = [];
  return {
    relied,
    rely: (table: string, name: string, isIt: (row: Row) => boolean): void => {
      relied.push({
        table,
        isStill: () => {
          const row = overlay.row(table, name);
          return row !== null && row !== undefined && isIt(row);
        },
      });
    },
    /** @returns whether the rows with these values are locked, and not all of the table */
    askFor: (table: string, search: Pick<Search, 'by' | 'reads'>, values: string): boolean => {
      const division = divisions.for(table, search);
      if (division) footprint.lockGranule(table, division, values, 'read');
      else footprint.lock(table, table, true);
      if (isOver) divisions.want(table, search);
      return division !== null;
    },
  };
}

/** The rows that queries gave, by the names of these. */
function givenTo(pass: PlanPass, overlay: Overlay): ReadonlyMap<string, readonly Row[]> {
  return new Map(
    [...pass.asked.keys()].map((name) => [
      name,
      overlay.answers(name).flatMap(({ gave }) => ('rows' in gave ? gave.rows : [])),
    ]),
  );
}

/** Adds what a pass wrote; gives the rows that are there as it wrote them, by name. */
function writtenBy(
  pass: PlanPass,
  overlay: Overlay,
  divisions: Divisions,
  given: ReadonlyMap<string, readonly Row[]>,
  footprint: Footprint,
): Map<string, { readonly table: string; readonly row: Row }> {
  const own = new Map<string, { readonly table: string; readonly row: Row }>();
  const ends = new Map<
    string,
    { readonly table: string; readonly key: Key; isMade: boolean; after: Row | null }
  >();
  for (const write of pass.own) {
    const { table } = write;
    footprint.lock(table, table, false);
    if (write.kind === 'clear') {
      footprint.isAll = true;
      continue;
    }
    const key = write.kind === 'remove' ? write.key : write.row.key;
    const name = rowName(table, key);
    if (write.kind === 'insert' || (write.kind === 'update' && (own.has(name) || overlay.before(name))))
      own.set(name, write);
    else own.delete(name);
    if (write.kind !== 'insert') footprint.touch(name, table, key, 'written');
    const end = ends.get(name) ?? { table, key, isMade: write.kind === 'insert', after: null };
    ends.set(name, end);
    end.after = write.kind === 'remove' ? null : write.row;
  }
  const wasGiven = new Map<string, Row>();
  for (const [name, rows] of given)
    for (const row of rows) wasGiven.set(rowName(pass.asked.get(name)?.sought[0]?.table ?? '', row.key), row);
  for (const [name, { table, key, isMade, after }] of ends) {
    const all = divisions.of(table);
    if (all.length === 0) continue;
    const known = overlay.row(table, name);
    // What it was before counts once it is locked.
    if (known === undefined && !isMade) footprint.touch(name, table, key, 'read');
    const before = known ?? wasGiven.get(name) ?? null;
    for (const division of all)
      for (const values of borneOn(division, before, after))
        footprint.lockGranule(table, division, values, 'written');
  }
  return own;
}
