import { existsSync, realpathSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { ValueKind } from '../../../expression/query.ts';
import { StoreRefused, type Table } from '../store.ts';
import {
  laidOut,
  type PlacedRow,
  pieceOf,
  type Source,
  type StoredTable,
  type Target,
  TransferRefused,
} from '../transfer/transfer.ts';
import { layOut, layoutVersion } from './layout.ts';
import { lock } from './lock.ts';
import { type Connection, connect, isOurs, keyColumns, open, tableOf } from './open.ts';
import { wholeRows } from './upgrade.ts';

/**
 * Reads a file from a snapshot, whether or not a service runs on it.
 *
 * @param isMoved it is for this process alone meanwhile
 */
export function sqliteSource(file: string, isMoved: boolean): Source {
  if (!existsSync(file))
    throw new TransferRefused('source-missing', `there is no ${file}; name it with --data, or --store`);
  const claim = isMoved ? claimed(file, 'source-in-use') : null;
  const connection = new Database(file);
  const close = async (): Promise<void> => {
    connection.close();
    claim?.release();
  };
  try {
    connection.exec('BEGIN');
    checkLayout(connection, file);
    return {
      latest: connection.prepare('SELECT microseconds FROM tacet_latest').pluck().get() as number,
      tables: storedTables(connection),
      rows: (table) => wholeRows(connection, table, pieceOf(table)),
      leave: async () => {},
      close,
    };
  } catch (error) {
    void close();
    throw error;
  }
}

function claimed(file: string, code: 'source-in-use' | 'target-in-use'): ReturnType<typeof lock> {
  try {
    return lock(file);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    throw new TransferRefused(code, `a service runs on ${file}; end that service first`);
  }
}

function checkLayout(connection: Connection, file: string): void {
  if (!isOurs(connection))
    throw new TransferRefused('source-missing', `${file} is no file of a service; name another with --data`);
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > layoutVersion)
    throw new TransferRefused('newer-format', `${file} was laid out by a later tacet; use that one`);
  if (version < layoutVersion)
    throw new TransferRefused(
      'older-format',
      `${file} was laid out by an earlier tacet; start the service with this one once, which brings it over`,
    );
}

function storedTables(connection: Connection): readonly StoredTable[] {
  const noted = connection.prepare('SELECT resource, identifier, note FROM tacet ORDER BY resource').raw();
  const columns = connection.prepare('SELECT name FROM pragma_table_info(?)').pluck();
  return (noted.all() as [string, string, string | null][]).map(([name, identifier, note]) => {
    const keyFields = JSON.parse(identifier) as readonly string[];
    return {
      name,
      keyFields,
      keyKinds: keyColumns(keyFields).map((column) => kindOf(connection, name, column)),
      hasBytes: columns.all(tableOf(name)).includes('bytes'),
      note,
    };
  });
}

/** Of what kind all values of a column are that are there: a file does not note it. */
function kindOf(connection: Connection, table: string, column: string): ValueKind {
  const types = connection
    .prepare(`SELECT DISTINCT typeof(${column}) FROM "${tableOf(table)}"`)
    .pluck()
    .all();
  if (types.every((type) => type === 'text')) return 'text';
  return types.includes('text') ? 'unknown' : 'number';
}

/** Copies into a file that has no rows, or is not there. */
export function sqliteTarget(file: string, tables: readonly StoredTable[]): Target {
  const isNew = !existsSync(file);
  if (!isNew) claimed(file, 'target-in-use').release();
  const { connection, close } = opened(file);
  let isKept = false;
  const end = async (): Promise<void> => {
    const place = realpathSync(file);
    close();
    if (isNew && !isKept)
      for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(place + suffix, { force: true });
  };
  try {
    connection.exec('BEGIN IMMEDIATE');
    checkEmpty(connection, file);
    const of = new Map<StoredTable, Table>(tables.map((table) => [table, laidOut(table)]));
    const notes = layOut(connection, [...of.values()], file);
    return {
      add: async (table, rows) => insert(connection, table, rows),
      rows: (table) => wholeRows(connection, table, pieceOf(table)),
      keep: async (latest) => {
        for (const table of of.values()) notes.keep(table);
        connection.prepare('UPDATE tacet_latest SET microseconds = max(microseconds, ?)').run(latest);
        connection.exec('COMMIT');
        isKept = true;
      },
      close: end,
    };
  } catch (error) {
    void end();
    throw error;
  }
}

function opened(file: string): ReturnType<typeof open> {
  try {
    return open(file, connect);
  } catch (error) {
    throw error instanceof StoreRefused ? new TransferRefused('target-not-empty', error.message) : error;
  }
}

function checkEmpty(connection: Connection, file: string): void {
  const isLaidOut = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tacet'").get();
  const names = isLaidOut ? connection.prepare('SELECT resource FROM tacet').pluck().all() : [];
  for (const name of names as string[])
    if (connection.prepare(`SELECT 1 FROM "${tableOf(name)}" LIMIT 1`).get() !== undefined)
      throw new TransferRefused(
        'target-not-empty',
        `${file} stores ${name}s already; name another file, or remove this one with its -wal and -shm`,
      );
}

function insert(
  connection: Connection,
  { name, keyFields, hasBytes }: StoredTable,
  rows: readonly PlacedRow[],
): void {
  const columns = ['place', ...keyColumns(keyFields), 'members', 'aside', ...(hasBytes ? ['bytes'] : [])];
  const add = connection.prepare<unknown[]>(
    `INSERT INTO "${tableOf(name)}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const { place, key, text, aside, bytes } of rows)
    add.run(place, ...key, text, aside, ...(hasBytes ? [bytes] : []));
}
