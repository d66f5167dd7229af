import type { Statement } from 'better-sqlite3';
import type { Key, Row, Table } from '../store.ts';
import { type Connection, keyColumns, tableOf } from './open.ts';

/** What is done to one table. */
export interface TableStatements {
  readonly find: (key: Key) => Row | null;
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
    find: finding(connection, table, `FROM ${of} WHERE ${matches}`),
    insert: inserting(connection, table),
    update: connection.prepare(`UPDATE ${of} SET members = ? WHERE ${matches}`),
    remove: connection.prepare(`DELETE FROM ${of} WHERE ${matches}`),
    removeEvery: connection.prepare(`DELETE FROM ${of}`),
  };
}

function finding(connection: Connection, { hasBytes }: Table, from: string): TableStatements['find'] {
  if (hasBytes) {
    const find = connection.prepare<unknown[]>(`SELECT members, bytes ${from}`).raw();
    return (key) => {
      const [text, bytes] = (find.get(...key) ?? []) as [string?, Uint8Array?];
      return text === undefined || bytes === undefined ? null : { key, text, bytes };
    };
  }
  const find = connection.prepare<unknown[]>(`SELECT members ${from}`).pluck();
  return (key) => {
    const text = find.get(...key) as string | undefined;
    return text === undefined ? null : { key, text };
  };
}

/** A statement adds at most so many rows. */
const mostRows = 64;

/**
 * Half of what it takes to add a row is the call of SQLite, so that one adds several; there is a statement for each power
 * of two. `OR FAIL`: whoever meets a row undoes more than the statement, so that it need not note what its pages were.
 */
function inserting(connection: Connection, { name, keyFields, hasBytes }: Table): TableStatements['insert'] {
  const columns = [...keyColumns(keyFields), 'members', ...(hasBytes ? ['bytes'] : [])];
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
      for (const { key, text, bytes } of rows.slice(from, from + count))
        values.push(...key, text, ...(hasBytes ? [bytes] : []));
      adding(count).run(...values);
    }
  };
}
