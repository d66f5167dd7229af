import Database from 'better-sqlite3';

/** Opens the file durably: a write-ahead log, synced at every commit; both are read back. */
export function open(file: string): Database.Database {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const mode = database.pragma('journal_mode', { simple: true });
  const synchronous = database.pragma('synchronous', { simple: true });
  if (mode !== 'wal' || synchronous !== 2) throw new Error(`${file}: ${mode}, synchronous ${synchronous}`);
  return database;
}

/** What is told when the transaction that a change was part of has ended. */
export type Done<T> = (error: Error | null, result?: T) => void;

/** Hands in a change; `done` is called after the COMMIT that holds it, or when it failed. */
export type Commit = <T>(change: () => T, done: Done<T>) => void;

/** Changes of one statement are whole or nothing by themselves; others need a savepoint each. */
type Guard = 'savepoint each' | 'one statement each';

interface Waiting {
  readonly change: () => unknown;
  readonly done: Done<never>;
  error: Error | null;
  result: unknown;
}

/** Group commit: the changes that arrive in one turn of the event loop are one transaction. */
export function groupCommit(database: Database.Database, guard: Guard): Commit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const savepoint = database.prepare('SAVEPOINT change');
  const release = database.prepare('RELEASE change');
  const rollbackTo = database.prepare('ROLLBACK TO change');
  let batch: Waiting[] = [];

  const guarded = (change: () => unknown): unknown => {
    savepoint.run();
    try {
      return change();
    } catch (error) {
      rollbackTo.run();
      throw error;
    } finally {
      release.run();
    }
  };
  const carryOut = guard === 'savepoint each' ? guarded : (change: () => unknown): unknown => change();
  const flush = (): void => {
    const flushed = batch;
    batch = [];
    try {
      begin.run();
      for (const one of flushed) {
        try {
          one.result = carryOut(one.change);
        } catch (error) {
          // Where SQLite itself gave the transaction up, the whole of it failed.
          if (!database.inTransaction) throw error;
          one.error = error as Error;
        }
      }
      commit.run();
    } catch (error) {
      if (database.inTransaction) rollback.run();
      for (const one of flushed) one.error = error as Error;
    }
    for (const one of flushed) one.done(one.error, one.result as never);
  };
  return (change, done) => {
    if (batch.push({ change, done, error: null, result: undefined }) === 1) setImmediate(flush);
  };
}
