import type { Listing, Outdated } from '../outdated.ts';
import type { Reads, Table } from '../store.ts';
import type { WholeRow } from '../upgrade.ts';
import { keysOf } from './keys.ts';
import { keyColumns } from './names.ts';
import type { Connection } from './open.ts';
import { tableOf } from './printing/expressions.ts';
import type { TableWrites } from './writes.ts';

const pieceRows = 1000;

/** Brings the rows of tables over to what is asked of them now; `refused` is told of those that cannot be. */
export async function bringOver(
  connection: Connection,
  outdated: readonly Outdated[],
  refused: Listing,
): Promise<void> {
  for (const { table, upgrade } of outdated)
    for await (const { place, ...row } of wholeRows(connection, table)) {
      const brought = upgrade.bring(row);
      refused.add(table, row.key, brought.faults);
      if (brought.row === row) continue;
      const values = [brought.row.text, brought.row.aside, place];
      await connection.query(
        `UPDATE ${tableOf(table.name)} SET members = $1, aside = $2 WHERE place = $3`,
        values,
      );
    }
}

/** Looks at the rows of tables, once all are brought over, since they may refer to one another. */
export async function look(
  connection: Connection,
  outdated: readonly Outdated[],
  read: <T>(look: (reads: Reads) => T) => Promise<T>,
  refused: Listing,
): Promise<void> {
  for (const { table, upgrade } of outdated)
    for await (const { place, ...row } of wholeRows(connection, table))
      refused.add(table, row.key, await read((reads) => upgrade.faults(row, reads)));
}

/** Adds the rows of other tables that come with those of tables, once nothing stands against any. */
export async function addBeside(
  connection: Connection,
  outdated: readonly Outdated[],
  read: <T>(look: (reads: Reads) => T) => Promise<T>,
  writes: ReadonlyMap<string, TableWrites>,
): Promise<void> {
  for (const { table, upgrade } of outdated)
    for await (const { place, ...row } of upgrade.adds ? wholeRows(connection, table) : [])
      for (const one of await read((reads) => upgrade.adds?.(row, reads) ?? [])) {
        const { remove, insert } = writes.get(one.table) as TableWrites;
        await remove(connection, [one.replaces ?? one.row.key]);
        await insert(connection, [one.row]);
      }
}

/** All rows of a table in the order in which they were made, a piece at a time, so that they may be changed. */
export async function* wholeRows(
  connection: Connection,
  table: Table,
  most = pieceRows,
): AsyncIterable<WholeRow & { readonly place: number }> {
  const { name, keyFields, hasBytes } = table;
  const columns = [
    'place::float8',
    'members',
    'aside',
    hasBytes ? 'bytes' : 'NULL',
    ...keyColumns(keyFields),
  ];
  const text = `SELECT ${columns.join(', ')} FROM ${tableOf(name)} WHERE place > $1 ORDER BY place LIMIT ${most}`;
  const { decoded } = keysOf(table);
  let after = 0;
  for (;;) {
    const rows = await pieceAfter(connection, text, after);
    for (const [place, members, aside, bytes, ...key] of rows) {
      yield { place, key: decoded(key), text: members, aside, ...(bytes && { bytes }) };
      after = place;
    }
    if (rows.length < most) return;
  }
}

/** A row as it is read whole: its place, members, what is set aside, its bytes, and the columns of its key. */
type Columns = readonly [number, string, string | null, Uint8Array | null, ...unknown[]];

async function pieceAfter(connection: Connection, text: string, after: number): Promise<readonly Columns[]> {
  const { rows } = await connection.query({ text, values: [after], rowMode: 'array' });
  return rows as unknown as Columns[];
}
