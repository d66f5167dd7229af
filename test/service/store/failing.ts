import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type Connection, connect } from '../../../src/service/store/sqlite/open.ts';

/** One call of SQLite's: its number, and what it is. */
export interface Call {
  readonly number: number;
  readonly text: string;
}

/** What happens around each call; it may throw. */
export interface Around {
  readonly before?: (call: Call) => void;
  readonly after?: (call: Call) => void;
}

/** Connections of which each call, of whatever statement, is seen: the seam at which the tests of faults stand. */
export function watched(around: Around): (file: string) => Connection {
  let number = 0;
  const seen = <T>(text: string, run: () => T): T => {
    const call = { number: ++number, text };
    around.before?.(call);
    const result = run();
    around.after?.(call);
    return result;
  };
  const statement = (made: Database.Statement): Database.Statement =>
    new Proxy(made, {
      get: (_, name) => {
        const own = Reflect.get(made, name, made) as unknown;
        if (typeof own !== 'function') return own;
        return (...given: unknown[]) => {
          const run = (): unknown => Reflect.apply(own, made, given);
          if (['run', 'get', 'all', 'iterate'].includes(String(name))) return seen(made.source, run);
          return run() === made ? statement(made) : undefined;
        };
      },
    });
  return (file) => {
    const connection = connect(file);
    return new Proxy(connection, {
      get: (_, name) => {
        const own = Reflect.get(connection, name, connection) as unknown;
        if (typeof own !== 'function') return own;
        return (...given: unknown[]) => {
          const run = (): unknown => Reflect.apply(own, connection, given);
          if (name === 'prepare') return statement(run() as Database.Statement);
          if (name === 'exec' || name === 'pragma') return seen(String(given[0]), run);
          return run();
        };
      },
    });
  };
}

/** An error as SQLite gives it where the disk fails. */
export function diskError(): Error {
  return new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
}

/** The files of a database as a process leaves them that is killed now: what it wrote is the system's. */
export function copied(from: string, to: string): string {
  for (const end of ['', '-wal', '-shm']) if (existsSync(from + end)) copyFileSync(from + end, to + end);
  return to;
}

/** All that is kept, table by table, and what it is searched by, but for the latest time; throws where the file is not sound. */
export function dump(file: string): string {
  const database = connect(file);
  const sound = database.pragma('integrity_check', { simple: true });
  if (sound !== 'ok') throw new Error(`${file}: ${String(sound)}`);
  const schema = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE name <> 'tacet_latest' ORDER BY type, name")
    .raw()
    .all() as [string, string][];
  const tables = schema.map(([type, name]) =>
    type === 'table' ? [name, database.prepare(`SELECT * FROM "${name}"`).raw().all()] : [name],
  );
  database.close();
  return JSON.stringify(tables);
}
