import { createHash } from 'node:crypto';
import { namesOf } from '../conflict.ts';
import type { Index, Key } from '../store.ts';
import { ownIndexes, type Table } from '../table.ts';
import type { RowFault } from '../upgrade.ts';
import { type Connection, codeOf, keyColumns, tableOf } from './open.ts';
import { columnOf } from './sql.ts';

/** An index is named by what it is made of, so that one that is made otherwise is another. */
export function indexName(table: Table, index: Index): string {
  const digest = createHash('sha256')
    .update(`${index.unique} ${columnsOf(table, index)}`)
    .digest('hex')
    .slice(0, 16);
  return `${tableOf(table.name)} ${digest}`;
}

function columnsOf(table: Table, { fields }: Index): string {
  return fields.map((field) => columnOf(table, field)).join(', ');
}

/** Removes the indexes that are not asked for, before rows are changed. */
export function dropIndexes(connection: Connection, table: Table): void {
  const wanted = ownIndexes(table).map((index) => indexName(table, index));
  for (const name of indexesOf(connection, table))
    if (!wanted.includes(name)) connection.exec(`DROP INDEX "${name}"`);
}

/** Makes the indexes that are missing; `refuse` is told of each row that has what another has. */
export function makeIndexes(
  connection: Connection,
  table: Table,
  refuse: (key: Key, faults: readonly RowFault[]) => void,
): void {
  const there = new Set(indexesOf(connection, table));
  for (const index of ownIndexes(table)) {
    const name = indexName(table, index);
    // What two statements ask for alike is one index.
    if (there.has(name)) continue;
    there.add(name);
    try {
      connection.exec(
        `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX "${name}" ON "${tableOf(table.name)}" (${columnsOf(table, index)})`,
      );
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
      const field = namesOf(index).join(', ');
      for (const key of alike(connection, table, index)) refuse(key, [{ field, keyword: 'unique' }]);
    }
  }
}

/** The keys of all rows that have what another one has, in the order in which they were made. */
function alike(connection: Connection, table: Table, index: Index): Key[] {
  const columns = index.fields.map((field) => columnOf(table, field));
  const all = columns.map((column) => `${column} IS NOT NULL`).join(' AND ');
  const rows = connection
    .prepare(
      `SELECT ${keyColumns(table.keyFields).join(', ')} FROM "${tableOf(table.name)}" WHERE (${columns.join(', ')}) IN
        (SELECT ${columns.join(', ')} FROM "${tableOf(table.name)}" WHERE ${all} GROUP BY ${columns.join(', ')} HAVING count(*) > 1)
        ORDER BY place`,
    )
    .raw();
  return rows.all() as Key[];
}

function indexesOf(connection: Connection, table: Table): string[] {
  return connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .pluck()
    .all(tableOf(table.name)) as string[];
}
