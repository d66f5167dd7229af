import Database from 'better-sqlite3';
import { hostLimits } from '../../message/host-limits.ts';
import { statement } from '../rows.ts';
import { NotKept, type Reads, type Store, StoreRefused, type StoreTime, type Table } from '../store.ts';
import { filesOf } from './files.ts';
import { addFunctions } from './functions.ts';
import { busyMs, type Connection, refused } from './open.ts';
import { statements } from './statements.ts';
import { orNotRead } from './store.ts';
import { type Streams, stream } from './stream.ts';
import { type TableStatements, tableStatements } from './tables.ts';

/** A store in a process that reads what another one writes. */
export interface SqliteReader extends Store {
  /**
   * Carries reads out over one snapshot, which is begun now. So they see whatever was answered before: an answer leaves
   * after its COMMIT, and a snapshot of the write-ahead log holds all that is committed when it is begun. Throws `NotRead`.
   */
  readonly together: (act: () => void) => void;
  readonly close: () => void;
}

/** How often it is looked whether the files are still there, and how large the write-ahead log is, in milliseconds. */
const lookMs = 1000;

/** Opens a file that a service of another process has opened, to read it alone. Throws `StoreRefused`. */
export function openSqliteReader(
  file: string,
  tables: readonly Table[],
  mostLogBytes = hostLimits.logBytes,
): SqliteReader {
  const connection = connectToRead(file);
  const files = filesOf(file);
  const streams: Streams = new Set();
  // While a snapshot is read, SQLite cannot begin the log anew. Who writes does not know of the streams here.
  const looking = setInterval(() => {
    try {
      if (files.held() > mostLogBytes) for (const end of [...streams]) end();
    } catch {
      // Whoever reads next is told of it.
    }
  }, lookMs).unref();
  let tell: (time: StoreTime) => void = () => {};
  const { reads, prepare, together } = readingOf(connection, tables, files.known, (latest) =>
    tell({ latest, aheadMs: 0 }),
  );
  return {
    together,
    read: (look) => {
      let found: ReturnType<typeof look> | undefined;
      together(() => {
        found = look(reads);
      });
      return found as ReturnType<typeof look>;
    },
    steady: (source) => source,
    prepare,
    stream: (made, parameters) =>
      stream(
        orNotRead(() => connectToRead(file)),
        tables,
        made,
        parameters,
        streams,
      ),
    commit: (plans) => plans.map(({ decide }) => decide({ ...reads, ...writesNothing }).reply),
    isShared: false,
    latest: 0,
    onTime: (told) => {
      tell = told;
    },
    close: () => {
      clearInterval(looking);
      connection.close();
    },
  };
}

/** What is read, each time over a snapshot: its own, or the one that is begun already. */
function readingOf(
  connection: Connection,
  tables: readonly Table[],
  known: () => void,
  pass: (latest: number) => void,
): { readonly reads: Reads } & Pick<SqliteReader, 'prepare' | 'together'> {
  const prepared = new Map(tables.map((table) => [table.name, tableStatements(connection, table)]));
  const { prepare, rows, texts, value } = statements(connection, tables);
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  const latest = connection.prepare('SELECT microseconds FROM tacet_latest').pluck();
  const enter = orNotRead(() => {
    known();
    begin.run();
    // The first read begins the snapshot. What was answered before is older than what goes on here (language §G.2).
    pass(latest.get() as number);
  });
  return {
    reads: {
      find: orNotRead((table: string, key) => (prepared.get(table) as TableStatements).find(key)),
      rows: orNotRead(rows),
      texts: orNotRead(texts),
      value: orNotRead(value),
    },
    prepare: (query) => {
      const made = statement(query);
      prepare(made);
      return made;
    },
    together: (act) => {
      if (connection.inTransaction) {
        act();
        return;
      }
      try {
        enter();
        act();
      } finally {
        if (connection.inTransaction) end.run();
      }
    },
  };
}

function connectToRead(file: string): Connection {
  try {
    const connection = new Database(file, { readonly: true, timeout: busyMs });
    addFunctions(connection);
    return connection;
  } catch (error) {
    throw error instanceof StoreRefused ? error : refused(file, error);
  }
}

function write(): never {
  throw new NotKept('this process writes nothing');
}

const writesNothing = { insert: write, update: write, remove: write, removeEvery: write };
