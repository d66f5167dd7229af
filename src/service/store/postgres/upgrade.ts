import type { Reads } from '../store.ts';
import { type Key, StoreRefused, type Table } from '../store.ts';
import type { RowFault, Upgrade, WholeRow } from '../upgrade.ts';
import { tableOf } from './expressions.ts';
import { keysOf } from './keys.ts';
import { keyColumns } from './names.ts';
import type { Connection, Place } from './open.ts';
import type { TableWrites } from './writes.ts';

/** A table whose rows were kept under another note. */
export interface Outdated {
  readonly table: Table;
  readonly upgrade: Upgrade;
}

/** How many rows a refusal lists. */
const mostListed = 20;
const pieceRows = 1000;

/** Brings the rows of tables over to what is asked of them now; `refused` is told of those that cannot be. */
export async function bringOver(
  connection: Connection,
  outdated: readonly Outdated[],
  refused: Listing,
): Promise<void> {
  for (const { table, upgrade } of outdated)
    for await (const { place, ...row } of rowsOf(connection, table)) {
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
    for await (const { place, ...row } of rowsOf(connection, table))
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
    for await (const { place, ...row } of upgrade.adds ? rowsOf(connection, table) : [])
      for (const one of await read((reads) => upgrade.adds?.(row, reads) ?? [])) {
        const { remove, insert } = writes.get(one.table) as TableWrites;
        await remove(connection, [one.row.key]);
        await insert(connection, [one.row]);
      }
}

/** All rows of a table in the order in which they were made, a piece at a time, so that they may be changed. */
async function* rowsOf(
  connection: Connection,
  table: Table,
): AsyncIterable<WholeRow & { readonly place: number }> {
  const keys = keyColumns(table.keyFields).join(', ');
  const text = `SELECT place::float8, members, aside, ${keys} FROM ${tableOf(table.name)} WHERE place > $1 ORDER BY place LIMIT ${pieceRows}`;
  const { decoded } = keysOf(table);
  let after = 0;
  for (;;) {
    const rows = await pieceAfter(connection, text, after);
    for (const [place, members, aside, ...key] of rows) {
      yield { place, key: decoded(key), text: members, aside };
      after = place;
    }
    if (rows.length < pieceRows) return;
  }
}

/** A row as it is read whole: its place, members, what is set aside, and the columns of its key. */
type Columns = readonly [number, string, string | null, ...unknown[]];

async function pieceAfter(connection: Connection, text: string, after: number): Promise<readonly Columns[]> {
  const { rows } = await connection.query({ text, values: [after], rowMode: 'array' });
  return rows as unknown as Columns[];
}

/** The rows for which a database is refused. */
export interface Listing {
  readonly add: (table: Table, key: Key, faults: readonly RowFault[]) => void;
  /** Throws `StoreRefused` where there are any. */
  readonly end: () => void;
}

export function listing({ shown }: Place): Listing {
  const listed: string[] = [];
  let count = 0;
  return {
    add: (table, key, faults) => {
      if (faults.length === 0) return;
      count += 1;
      if (count > mostListed) return;
      const [only, second] = key;
      const name = JSON.stringify(second === undefined ? only : key);
      listed.push(
        `  ${table.name} ${name}: ${faults.map(({ field, keyword }) => `${field} (${keyword})`).join(', ')}`,
      );
    },
    end: () => {
      if (count === 0) return;
      const more = count - listed.length;
      throw new StoreRefused(
        [
          `${shown} keeps ${count === 1 ? 'an item' : `${count} items`} that the specification does not admit; nothing was changed:`,
          ...listed,
          ...(more > 0 ? [`  and ${more} more`] : []),
          'change them through the specification that they were kept under, or admit them, or name another database or ?schema= with --store',
        ].join('\n'),
      );
    },
  };
}
