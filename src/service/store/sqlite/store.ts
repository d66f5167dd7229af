import { existsSync } from 'node:fs';
import { hostLimits } from '../../message/host-limits.ts';
import { isNews, listing, outdated } from '../outdated.ts';
import { statement } from '../rows.ts';
import { NotRead, type Reads, type Store, StoreRefused, type Table, TablesMissing } from '../store.ts';
import { committing } from './commit.ts';
import { conflicts } from './conflict.ts';
import { layOutElements } from './elements.ts';
import { FilesLost, filesOf } from './files.ts';
import { dropIndexes, makeIndexes } from './indexes.ts';
import { layOut } from './layout.ts';
import { type Connect, type Connection, codeOf, connect, open, refused, tableOf } from './open.ts';
import { sharedReads } from './shared-reads.ts';
import { statements } from './statements.ts';
import { type Streams, stream } from './stream.ts';
import { type TableStatements, tableStatements } from './tables.ts';
import { transactions } from './transaction.ts';
import { addBeside, bringOver, look } from './upgrade.ts';

/** Who is in the same process as SQLite may read at any time. */
export interface SqliteStore extends Store, Reads {
  readonly close: () => void;
}

/**
 * Opens a store in a file of SQLite's. Throws `StoreRefused` where the file cannot serve.
 *
 * @param connectTo how connections are made: for tests, in which they may fail
 * @param mostLogBytes how large the write-ahead log may grow for lists that are streamed: beyond, they are cut
 */
export function openSqlite(
  file: string,
  tables: readonly Table[],
  connectTo: Connect = connect,
  mostLogBytes = hostLimits.logBytes,
): SqliteStore {
  const { connection, close } = open(file, connectTo);
  try {
    return within(connection, () => {
      const notes = layOut(connection, tables, file);
      for (const table of tables) dropIndexes(connection, table);
      for (const table of tables) layOutElements(connection, table);
      const made = store(file, connection, tables, connectTo, mostLogBytes);
      const changed = outdated(tables, notes);
      const refused = listing(file, 'name another file with --data');
      bringOver(connection, changed, refused);
      refused.end();
      for (const table of tables)
        makeIndexes(connection, table, (key, faults) => refused.add(table, key, faults));
      look(connection, changed, made, refused);
      refused.end();
      addBeside(connection, changed, made, (name) => tables.find((table) => table.name === name) as Table);
      for (const table of tables) if (isNews(table, notes)) notes.keep(table);
      return { ...made, close };
    });
  } catch (error) {
    close();
    throw codeOf(error) === undefined ? error : refused(file, error);
  }
}

/**
 * Opens a file beside the service that uses it, if one does: to look at what is kept, and to leave word for it. Throws
 * `StoreRefused` where the file is not there, or lacks one of the tables.
 */
export function openSqliteBeside(file: string, tables: readonly Table[]): SqliteStore {
  if (!existsSync(file)) throw new StoreRefused(`there is no ${file}; name it with --data`);
  const connection = connect(file);
  const isThere = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck();
  const missing = tables.filter(({ name }) => isThere.get(tableOf(name)) === undefined);
  if (missing.length === 0)
    return { ...store(file, connection, tables, connect), close: () => void connection.close() };
  connection.close();
  throw new TablesMissing(
    file,
    missing.map(({ name }) => name),
  );
}

/** All of it, or nothing: a process that ends amid it leaves the file as it was. */
function within<T>(connection: Connection, act: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  const result = act();
  connection.exec('COMMIT');
  return result;
}

function store(
  file: string,
  connection: Connection,
  tables: readonly Table[],
  connectTo: Connect,
  mostLogBytes = hostLimits.logBytes,
): Omit<SqliteStore, 'close'> {
  const files = filesOf(file);
  const prepared = new Map(tables.map((table) => [table.name, tableStatements(connection, table)]));
  const asked = statements(connection, tables);
  const of = (table: string): TableStatements => prepared.get(table) as TableStatements;
  const transaction = transactions(connection, of, asked);
  const { tx } = transaction;
  const { latest, keepLatest } = latestKept(connection);
  const shared = sharedReads(connection);
  const streams: Streams = new Set();
  // While a snapshot is read, SQLite cannot begin the log anew, and each write makes it longer.
  const held = (): void => {
    if (files.held() > mostLogBytes) for (const end of [...streams]) end();
  };
  const { commit, settle } = committing(
    connection,
    transaction,
    conflicts(tables),
    keepLatest,
    shared.leave,
    held,
  );
  const reading = <A, B, T>(read: (one: A, other: B) => T): ((one: A, other: B) => T) =>
    orNotRead((one: A, other: B) => {
      files.known();
      settle();
      shared.enter();
      return read(one, other);
    });
  const reads: Reads = {
    find: reading(tx.find),
    rows: reading(tx.rows),
    texts: reading(tx.texts),
    value: reading(tx.value),
  };
  /** A connection of its own, so that the file is opened by its name again. */
  const beside = orNotRead((): Connection => {
    files.held();
    return connectTo(file);
  });
  return {
    ...reads,
    read: (look) => look(reads),
    isShared: false,
    steady: (source) => source,
    prepare: (query) => {
      const made = statement(query);
      asked.prepare(made);
      return made;
    },
    stream: (made, parameters) => stream(beside, tables, made, parameters, streams),
    latest,
    commit,
  };
}

/** The same, but that what the file is at fault for is `NotRead`. */
export function orNotRead<A extends readonly unknown[], T>(read: (...given: A) => T): (...given: A) => T {
  return (...given) => {
    try {
      return read(...given);
    } catch (error) {
      if (codeOf(error) === undefined && !(error instanceof FilesLost)) throw error;
      throw new NotRead('what is kept cannot be read', { cause: error });
    }
  };
}

/** The latest time that was kept, in microseconds since 1970, and how a later one is. */
function latestKept(connection: Connection): {
  readonly latest: number;
  readonly keepLatest: (latest: number) => void;
} {
  const latest = connection.prepare('SELECT microseconds FROM tacet_latest').pluck().get() as number;
  const update = connection.prepare('UPDATE tacet_latest SET microseconds = max(microseconds, ?)');
  return { latest, keepLatest: (later) => void update.run(later) };
}
