import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StoreRefused } from '../store.ts';
import { makePrivate } from './files.ts';
import { addFunctions } from './functions.ts';
import { lock } from './lock.ts';

export type Connection = Database.Database;

/** How long a statement waits for what another program writes, while nobody is answered. */
export const busyMs = 100;

/** How connections to a file are made: a seam for tests, in which one may fail. */
export type Connect = (file: string) => Connection;

/** `tace` in ASCII: tells our files from other people's (SQLite, PRAGMA application_id). */
const applicationId = 0x74616365;

/** To how many bytes the write-ahead log is cut when it begins anew: four times what it has when it usually does. */
const idleLogBytes = 16 << 20;

/** How many rows of a list are read at once. */
export const pieceRows = 1000;

/** A file of ours that no other process uses. */
interface Opened {
  readonly connection: Connection;
  readonly close: () => void;
}

/** Opens the file for this process alone, and makes it if it is not there. Throws `StoreRefused`. */
export function open(file: string, connectTo: Connect): Opened {
  const connection = connectTo(file);
  const opened: (() => void)[] = [() => connection.close()];
  const close = (): void => {
    for (const one of opened) one();
  };
  try {
    const { release } = lock(file);
    opened.push(release);
    const tables = connection
      .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .get();
    if (!isOurs(connection) && tables !== 0)
      throw new StoreRefused(`${file} is a database of something else; name another file with --data`);
    if (!isOurs(connection)) connection.pragma(`application_id = ${applicationId}`);
  } catch (error) {
    close();
    throw error instanceof StoreRefused ? error : refused(file, error);
  }
  return { connection, close };
}

/**
 * A connection for durable use, of a file that only its owner may read: WAL, and `synchronous=FULL` read back, since without it an acknowledged write can
 * be lost to a power cut. Throws `StoreRefused`.
 */
export function connect(file: string): Connection {
  try {
    makeFolder(resolve(dirname(file)));
    makePrivate(file);
    const connection = new Database(file, { timeout: busyMs });
    addFunctions(connection);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma(`journal_size_limit = ${idleLogBytes}`);
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

/** Makes a folder and those around it, so that a power cut does not take them away with what was kept in them. */
function makeFolder(folder: string): void {
  const outermost = mkdirSync(folder, { recursive: true });
  if (outermost === undefined || process.platform === 'win32') return;
  for (let made = folder; made.length >= outermost.length; made = dirname(made)) {
    const around = openSync(dirname(made), 'r');
    fsyncSync(around);
    closeSync(around);
  }
}

/** An error of SQLite's, as what the operator can do about it. */
export function refused(file: string, error: unknown): StoreRefused {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'SQLITE_NOTADB')
    return new StoreRefused(`${file} is not a SQLite database; name another file with --data`);
  return new StoreRefused(`${file} cannot be used as a store: ${message}`);
}

/** Whether a file is one of a service's. Throws where it is none of SQLite's. */
export function isOurs(connection: Connection): boolean {
  return connection.pragma('application_id', { simple: true }) === applicationId;
}

/** The name of a resource's table: SQLite folds letter case in names, and resources do not. */
export function tableOf(resource: string): string {
  return resource.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of a key, one for each of its fields. */
export function keyColumns(fields: readonly unknown[]): string[] {
  return fields.map((_, index) => `key${index}`);
}

/** SQLite's own code for an error, such as `SQLITE_FULL`; undefined for an error that is none of SQLite's. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** What a row may not be, SQLite says of the row; everything else is of the file. */
export function isOfStore(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !code.startsWith('SQLITE_CONSTRAINT');
}
