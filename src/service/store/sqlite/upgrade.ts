import type { Listing, Outdated } from '../outdated.ts';
import type { Key, Reads, Table } from '../store.ts';
import type { Added, WholeRow } from '../upgrade.ts';
import { type Connection, keyColumns, pieceRows, tableOf } from './open.ts';
import { type TableStatements, tableStatements } from './tables.ts';

/** Brings the rows of tables over to what is asked of them now; `refused` is told of those that cannot be. */
export function bringOver(connection: Connection, outdated: readonly Outdated[], refused: Listing): void {
  for (const { table, upgrade } of outdated) {
    const update = connection.prepare(
      `UPDATE "${tableOf(table.name)}" SET members = ?, aside = ? WHERE place = ?`,
    );
    for (const { place, ...row } of wholeRows(connection, table)) {
      const brought = upgrade.bring(row);
      refused.add(table, row.key, brought.faults);
      if (brought.row !== row) update.run(brought.row.text, brought.row.aside, place);
    }
  }
}

/** Looks at the rows of tables, once all are brought over, since they may refer to one another. */
export function look(
  connection: Connection,
  outdated: readonly Outdated[],
  reads: Reads,
  refused: Listing,
): void {
  for (const { table, upgrade } of outdated)
    for (const { place, ...row } of wholeRows(connection, table))
      refused.add(table, row.key, upgrade.faults(row, reads));
}

/** Adds the rows of other tables that come with those of tables, once nothing stands against any. */
export function addBeside(
  connection: Connection,
  outdated: readonly Outdated[],
  reads: Reads,
  tableNamed: (name: string) => Table,
): void {
  const prepared = new Map<string, TableStatements>();
  const add = ({ table, row, replaces = row.key }: Added): void => {
    const of = prepared.get(table) ?? tableStatements(connection, tableNamed(table));
    prepared.set(table, of);
    of.remove.run(...replaces);
    of.insert([row]);
  };
  for (const { table, upgrade } of outdated)
    for (const { place, ...row } of upgrade.adds ? wholeRows(connection, table) : [])
      for (const one of upgrade.adds?.(row, reads) ?? []) add(one);
}

/** All rows of a table in the order in which they were made, a piece at a time, so that they may be changed. */
export function* wholeRows(
  connection: Connection,
  { name, keyFields, hasBytes }: Pick<Table, 'name' | 'keyFields' | 'hasBytes'>,
  most = pieceRows,
): Iterable<WholeRow & { readonly place: number }> {
  const columns = ['place', 'members', 'aside', hasBytes ? 'bytes' : 'NULL', ...keyColumns(keyFields)];
  const next = connection
    .prepare(
      `SELECT ${columns.join(', ')} FROM "${tableOf(name)}" WHERE place > ? ORDER BY place LIMIT ${most}`,
    )
    .raw();
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = next.all(after) as [number, string, string | null, Uint8Array | null, ...Key][];
    for (const [place, text, aside, bytes, ...key] of rows) {
      yield { place, key, text, aside, ...(bytes && { bytes }) };
      after = place;
    }
    if (rows.length < most) return;
  }
}
