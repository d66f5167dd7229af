import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreRefused } from '../store.ts';

export type Connection = Database.Database;

/** `tace` in ASCII: tells our files from other people's (SQLite, PRAGMA application_id). */
const applicationId = 0x74616365;

/** How many rows of a list are read at once. */
export const pieceRows = 1000;

/**
 * Opens the file, made if it is not there, for durable use: WAL, and `synchronous=FULL` read back, since
 * without it an acknowledged write can be lost to a power cut. Throws `StoreRefused`.
 */
export function open(file: string): Connection {
  const connection = connect(file);
  try {
    const id = connection.pragma('application_id', { simple: true });
    const tables = connection
      .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .get();
    if (id !== applicationId && tables !== 0)
      throw new StoreRefused(`${file} is a database of something else; name another file with --data`);
    if (id !== applicationId) connection.pragma(`application_id = ${applicationId}`);
  } catch (error) {
    connection.close();
    if (error instanceof StoreRefused) throw error;
    throw refused(file, error);
  }
  return connection;
}

/** One more connection to the same file. */
export function connect(file: string): Connection {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const connection = new Database(file);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('busy_timeout = 2000');
    const mode = connection.pragma('journal_mode', { simple: true });
    const synchronous = connection.pragma('synchronous', { simple: true });
    if (mode !== 'wal' || synchronous !== 2) {
      connection.close();
      throw new StoreRefused(
        `${file}: the file system does not let SQLite keep a write-ahead log; use another folder`,
      );
    }
    return connection;
  } catch (error) {
    throw error instanceof StoreRefused ? error : refused(file, error);
  }
}

function refused(file: string, error: unknown): StoreRefused {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'SQLITE_NOTADB')
    return new StoreRefused(`${file} is not a SQLite database; name another file with --data`);
  return new StoreRefused(`${file} cannot be used as a store: ${message}`);
}

/** The name of a resource's table: SQLite folds letter case in names, and resources do not. */
export function tableOf(resource: string): string {
  return resource.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
