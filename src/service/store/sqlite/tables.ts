import type { Statement } from 'better-sqlite3';
import type { Row, Table } from '../store.ts';
import { type Connection, keyColumns, tableOf } from './open.ts';

/** What is done to one table. */
export interface TableStatements {
  readonly find: Statement<unknown[]>;
  /** Adds rows in their order. What is in the way of one may leave those before it. */
  readonly insert: (rows: readonly Row[]) => void;
  readonly update: Statement<unknown[]>;
  readonly remove: Statement<unknown[]>;
  readonly removeEvery: Statement<unknown[]>;
}

export function tableStatements(connection: Connection, table: Table): TableStatements {
  const of = `"${tableOf(table.name)}"`;
  const matches = keyColumns(table.keyFields)
    .map((key) => `${key} = ?`)
    .join(' AND ');
  return {
    find: connection.prepare(`SELECT members FROM ${of} WHERE ${matches}`).pluck(),
    insert: inserting(connection, table),
    update: connection.prepare(`UPDATE ${of} SET members = ? WHERE ${matches}`),
    remove: connection.prepare(`DELETE FROM ${of} WHERE ${matches}`),
    removeEvery: connection.prepare(`DELETE FROM ${of}`),
  };
}

/** A statement adds at most so many rows. */
const mostRows = 64;

/**
 * Half of what it takes to add a row is the call of SQLite, so that one adds several; there is a statement for each power
 * of two. `OR FAIL`: whoever meets a row undoes more than the statement, so that it need not note what its pages were.
 */
function inserting(connection: Connection, { name, keyFields }: Table): TableStatements['insert'] {
  const columns = [...keyColumns(keyFields), 'members'];
  const row = `(${columns.map(() => '?').join(', ')})`;
  const made = new Map<number, Statement<unknown[]>>();
  const adding = (count: number): Statement<unknown[]> => {
    const known = made.get(count);
    if (known) return known;
    const rows = Array.from({ length: count }, () => row).join(', ');
    const adds = connection.prepare<unknown[]>(
      `INSERT OR FAIL INTO "${tableOf(name)}" (${columns.join(', ')}) VALUES ${rows}`,
    );
    made.set(count, adds);
    return adds;
  };
  return (rows) => {
    for (let from = 0, count = mostRows; from < rows.length; from += count) {
      while (count > rows.length - from) count /= 2;
      const values: unknown[] = [];
      for (const { key, text } of rows.slice(from, from + count)) values.push(...key, text);
      adding(count).run(...values);
    }
  };
}
