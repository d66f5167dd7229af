import type { Plan } from '../../plan.ts';
import { type Statement, statement } from '../rows.ts';
import { FateUnknown, type Key, NotKept, type Row, type Scan, type Store, type Table } from '../store.ts';
import { layOut, type Notes } from './layout.ts';
import {
  type Connect,
  type Connection,
  codeOf,
  connect,
  keyColumns,
  open,
  pieceRows,
  refused,
  tableOf,
} from './open.ts';
import { statements } from './statements.ts';
import { type Carried, type TableStatements, transactions } from './transaction.ts';
import { bringOver, type Outdated } from './upgrade.ts';

/**
 * Opens a store in a file of SQLite's. Throws `StoreRefused` where the file cannot serve.
 *
 * @param connectTo how connections are made: for tests, in which they may fail
 */
export function openSqlite(file: string, tables: readonly Table[], connectTo: Connect = connect): Store {
  const { connection, close } = open(file, connectTo);
  try {
    return within(connection, () => {
      const notes = layOut(connection, tables, file);
      const made = store(file, connection, tables, connectTo);
      bringOver(connection, outdated(tables, notes), made, file);
      for (const table of tables) if (isNews(table, notes)) notes.keep(table);
      return { ...made, close };
    });
  } catch (error) {
    close();
    throw codeOf(error) === undefined ? error : refused(file, error);
  }
}

/** All of it, or nothing: a process that ends amid it leaves the file as it was. */
function within<T>(connection: Connection, act: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = act();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** Where even that fails, it is tried again before the next transaction. */
function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  } catch {}
}

function isNews(table: Table, notes: Notes): boolean {
  const noted = notes.of(table);
  return noted === undefined || (table.rules !== undefined && table.rules.note !== noted);
}

function outdated(tables: readonly Table[], notes: Notes): Outdated[] {
  return tables.flatMap((table) => {
    const noted = notes.of(table);
    const { rules } = table;
    return rules === undefined || noted === undefined || noted === rules.note
      ? []
      : [{ table, upgrade: rules.since(noted) }];
  });
}

function store(
  file: string,
  connection: Connection,
  tables: readonly Table[],
  connectTo: Connect,
): Omit<Store, 'close'> {
  const prepared = new Map(tables.map((table) => [table.name, prepare(connection, table)]));
  const of = (table: string): TableStatements => prepared.get(table) as TableStatements;
  const asked = statements(connection);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const { tx, carryOut } = transactions(connection, of, asked);
  const { latest, keepLatest } = latestKept(connection);
  const settled = (plan: Plan): Carried => {
    try {
      return carryOut(plan.decide);
    } catch (error) {
      const code = codeOf(error);
      if (code?.startsWith('SQLITE_CONSTRAINT')) return { reply: plan.conflict('', []), wrote: false };
      // A fault of the store's ends the whole transaction; one of the change's is its own.
      if (code !== undefined || !connection.inTransaction) throw error;
      return { reply: plan.fault(error), wrote: false };
    }
  };
  return {
    find: tx.find,
    rows: tx.rows,
    value: tx.value,
    prepare: (query) => {
      const made = statement(query);
      asked.prepare(made);
      return made;
    },
    stream: (made, parameters) => stream(() => connectTo(file), made, parameters),
    scan: (table) => scan(() => connectTo(file), of(table), table),
    latest,
    commit: (plans, latest) => {
      try {
        rollBack(connection);
        begin.run();
      } catch (error) {
        throw new NotKept('the transaction did not begin', { cause: error });
      }
      let committing = false;
      try {
        const carried = plans.map(settled);
        if (carried.some(({ wrote }) => wrote)) keepLatest(latest());
        committing = true;
        commit.run();
        return carried.map(({ reply }) => reply);
      } catch (error) {
        // An I/O error while the log is synced leaves open whether its last frames will be found again.
        const unknown = committing && codeOf(error)?.startsWith('SQLITE_IOERR') === true;
        rollBack(connection);
        throw new (unknown ? FateUnknown : NotKept)('the transaction failed', { cause: error });
      }
    },
  };
}

/** The latest time that was kept, in microseconds since 1970, and how a later one is. */
function latestKept(connection: Connection): {
  readonly latest: number;
  readonly keepLatest: (latest: number) => void;
} {
  const latest = connection.prepare('SELECT microseconds FROM tacet_latest').pluck().get() as number;
  const update = connection.prepare('UPDATE tacet_latest SET microseconds = ?');
  return { latest, keepLatest: (later) => void update.run(later) };
}

function prepare(connection: Connection, { name, keyFields }: Table): TableStatements {
  const keys = keyColumns(keyFields);
  const of = `"${tableOf(name)}"`;
  const matches = keys.map((key) => `${key} = ?`).join(' AND ');
  const marks = keys.map(() => '?').join(', ');
  return {
    find: connection.prepare(`SELECT members FROM ${of} WHERE ${matches}`).raw(),
    insert: connection.prepare(`INSERT INTO ${of} (${keys.join(', ')}, members) VALUES (${marks}, ?)`),
    update: connection.prepare(`UPDATE ${of} SET members = ? WHERE ${matches}`),
    remove: connection.prepare(`DELETE FROM ${of} WHERE ${matches}`),
    removeEvery: connection.prepare(`DELETE FROM ${of}`),
    first: connection
      .prepare(`SELECT ${keys.join(', ')}, members FROM ${of} ORDER BY place LIMIT ${pieceRows + 1}`)
      .raw(),
  };
}

function scan(connectTo: () => Connection, table: TableStatements, resource: string): Scan {
  const first = (table.first.all() as unknown[][]).map(rowOf);
  return {
    few: first.length <= pieceRows ? first : null,
    pieces: () => pieces(connectTo, resource, first[0]?.key ?? []),
  };
}

/** The rows in pieces, by a connection of its own, whose read transaction is the snapshot. */
async function* stream(
  connectTo: () => Connection,
  made: Statement,
  parameters: readonly unknown[],
): AsyncIterable<readonly Row[]> {
  const connection = connectTo();
  try {
    let piece: Row[] = [];
    for (const row of statements(connection).each(made, parameters)) {
      piece.push(row);
      if (piece.length < pieceRows) continue;
      yield piece;
      piece = [];
    }
    if (piece.length > 0) yield piece;
  } finally {
    connection.close();
  }
}

/** A connection of its own, whose read transaction is the snapshot; each piece begins after the one before. */
async function* pieces(
  connectTo: () => Connection,
  resource: string,
  key: Key,
): AsyncIterable<readonly Row[]> {
  const connection = connectTo();
  try {
    connection.exec('BEGIN');
    const columns = keyColumns(key).join(', ');
    const next = connection
      .prepare(
        `SELECT place, ${columns}, members FROM "${tableOf(resource)}" WHERE place > ? ORDER BY place LIMIT ${pieceRows}`,
      )
      .raw();
    let after = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const rows = next.all(after) as unknown[][];
      if (rows.length === 0) return;
      yield rows.map((row) => rowOf(row.slice(1)));
      after = rows.at(-1)?.[0] as number;
    }
  } finally {
    connection.close();
  }
}

function rowOf(columns: unknown[]): Row {
  return { key: columns.slice(0, -1) as Key, text: columns.at(-1) as string };
}
