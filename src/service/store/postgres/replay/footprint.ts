import type { Key, Row } from '../../store.ts';
import { tablesOf } from '../../touches.ts';
import type { Overlay, PlanPass } from './overlay.ts';
import { pointedBy } from './pointed.ts';
import { rowName } from './replay.ts';

/** By which fields no two rows have the same, of each table. */
export type Unique = ReadonlyMap<string, ReadonlySet<string>>;

/** A row that a plan reads or writes. */
interface Touched {
  readonly table: string;
  readonly key: Key;
  isRead: boolean;
  isWritten: boolean;
}

/** What plans read and write: what others may not write meanwhile, or not read. */
export class Footprint {
  /** By name. */
  readonly rows = new Map<string, Touched>();
  /** The tables of which any row decides, also one that is not there. */
  readonly asked = new Set<string>();
  readonly written = new Set<string>();
  /** All rows of a table are removed. */
  isAll = false;

  touch(name: string, table: string, key: Key, how: 'read' | 'written'): void {
    const known = this.rows.get(name) ?? { table, key, isRead: false, isWritten: false };
    this.rows.set(name, known);
    if (how === 'read') known.isRead = true;
    else known.isWritten = true;
  }
  add({ rows, asked, written, isAll }: Footprint): void {
    for (const [name, one] of rows) {
      if (one.isRead) this.touch(name, one.table, one.key, 'read');
      if (one.isWritten) this.touch(name, one.table, one.key, 'written');
    }
    for (const table of asked) this.asked.add(table);
    for (const table of written) this.written.add(table);
    this.isAll ||= isAll;
  }
  /** Whether two may not be under way side by side. */
  meets(other: Footprint): boolean {
    return (
      this.isAll ||
      other.isAll ||
      isAny(this.asked, (table) => other.asked.has(table) || other.written.has(table)) ||
      isAny(this.written, (table) => other.asked.has(table)) ||
      isAny(this.rows, ([name, one]) => {
        const same = other.rows.get(name);
        return same !== undefined && (one.isWritten || same.isWritten);
      })
    );
  }
  /** Whether locks, and the rows that were found and locked, cover what is read and written. */
  isCovered(by: Footprint, isLocked: (name: string) => boolean): boolean {
    return (
      !this.isAll &&
      !isAny(this.asked, (table) => !by.asked.has(table)) &&
      !isAny(this.written, (table) => !by.written.has(table) && !by.asked.has(table)) &&
      !isAny(this.rows, ([name, { table, isRead }]) => isRead && !by.asked.has(table) && !isLocked(name))
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

/**
 * What a pass of a plan read and wrote, as far as that is known; and what it relies on.
 *
 * @param isKept whether what it wrote is kept
 */
export function footprintOf(
  pass: PlanPass,
  overlay: Overlay,
  unique: Unique,
  isKept: boolean,
): { readonly footprint: Footprint; readonly relied: readonly Relied[] } {
  const footprint = new Footprint();
  const relied: Relied[] = [];
  const own = new Map<string, { readonly table: string; readonly row: Row }>();
  for (const write of pass.own) {
    footprint.written.add(write.table);
    if (write.kind === 'clear') {
      footprint.isAll = true;
      continue;
    }
    const key = write.kind === 'remove' ? write.key : write.row.key;
    const name = rowName(write.table, key);
    if (write.kind === 'insert' || (write.kind === 'update' && (own.has(name) || overlay.before(name))))
      own.set(name, write);
    else own.delete(name);
    if (write.kind !== 'insert') footprint.touch(name, write.table, key, 'written');
  }
  const rely = (table: string, name: string, isIt: (row: Row) => boolean): void => {
    relied.push({
      table,
      isStill: () => {
        const row = overlay.row(table, name);
        return row !== null && row !== undefined && isIt(row);
      },
    });
  };
  if (!isKept) own.clear();
  for (const [name, { table, key }] of pass.looked) {
    const before = overlay.before(name);
    if (before !== null) footprint.touch(name, table, key, 'read');
    else if (own.has(name)) rely(table, name, () => true);
    else footprint.asked.add(table);
  }
  for (const [name, { statement, parameters }] of pass.asked) {
    const tables = tablesOf(statement.query);
    const [table = ''] = tables;
    const pointed = pointedBy(statement);
    const wanted = pointed && unique.get(table)?.has(pointed.by) ? pointed.wanted(parameters) : undefined;
    if (pointed === null || wanted === undefined) {
      for (const one of tables) footprint.asked.add(one);
      continue;
    }
    if (wanted === null) continue;
    for (const { gave } of overlay.answers(name)) {
      const [row] = 'rows' in gave ? gave.rows : [];
      if (row) {
        footprint.touch(rowName(table, row.key), table, row.key, 'read');
        continue;
      }
      const taken = [...own].find(([, one]) => one.table === table && pointed.valuesOf(one.row) === wanted);
      if ('rows' in gave && taken) rely(table, taken[0], (one) => pointed.valuesOf(one) === wanted);
      else footprint.asked.add(table);
    }
  }
  return { footprint, relied };
}
