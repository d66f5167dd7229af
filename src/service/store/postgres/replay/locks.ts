import { createHash } from 'node:crypto';
import type { Key, Row } from '../../store.ts';
import type { Connection } from '../open.ts';
import { type Find, type Finds, send, sent } from '../statements.ts';
import type { Footprint } from './footprint.ts';
import { rowName } from './replay.ts';

/** A row as it is once nobody else can change it. */
export interface LockedRow {
  readonly name: string;
  readonly row: Row;
}

/**
 * The locks that a transaction takes, in one order for all: of tables and of rows with the same values by their numbers,
 * then of single rows by the names of their tables and their keys. So no two wait for each other.
 */
export interface Locks {
  readonly tables: (connection: Connection) => Promise<unknown>[];
  readonly rows: (connection: Connection) => Promise<readonly LockedRow[]>[];
}

const lockTables = sent(
  `SELECT CASE WHEN alone THEN pg_advisory_xact_lock(n) ELSE pg_advisory_xact_lock_shared(n) END
    FROM unnest($1::bigint[], $2::boolean[]) AS g (n, alone)`,
);

/** @param lock the number of the lock of the service, which tells its tables from those of others */
export function locksOf({ rows, locks }: Footprint, finds: Finds, lock: string): Locks {
  const tables = [...locks]
    .map(([name, { isAlone }]) => ({ number: numberOf(lock, name), isAlone }))
    .sort((a, b) => (a.number < b.number ? -1 : 1));
  const byTable = Map.groupBy(rows.values(), ({ table }) => table);
  const names = [...byTable.keys()].sort();
  return {
    tables: (connection) =>
      tables.length === 0
        ? []
        : [
            send(connection, lockTables, [
              tables.map(({ number }) => String(number)),
              tables.map(({ isAlone }) => isAlone),
            ]),
          ],
    rows: (connection) =>
      names.map(async (table) => {
        const all = byTable.get(table) ?? [];
        // Those of one table are locked in one way, so that they are in one order.
        const isShared = !all.some(({ isWritten }) => isWritten);
        const keys = all.map(({ key }): Key => key);
        const found = await (finds.get(table) as Find).lock(connection, keys, isShared);
        return found.map((row): LockedRow => ({ name: rowName(table, row.key), row }));
      }),
  };
}

function numberOf(lock: string, name: string): bigint {
  return createHash('sha256').update(`${lock} ${name}`).digest().readBigInt64BE();
}
