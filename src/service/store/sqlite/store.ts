import type { Plan } from '../../plan.ts';
import type { Reply } from '../../reply.ts';
import {
  FateUnknown,
  type Key,
  NotKept,
  type Row,
  type Scan,
  type Store,
  StoreRefused,
  type Table,
} from '../store.ts';
import { type Connection, connect, open, pieceRows, tableOf } from './open.ts';
import { type Statements, transactions } from './transaction.ts';

/** Opens a store in a file of SQLite's. Throws `StoreRefused` where the file cannot serve. */
export function openSqlite(file: string, tables: readonly Table[]): Store {
  const connection = open(file);
  try {
    layOut(connection, tables, file);
    return store(file, connection, tables);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Makes the tables that are missing, all or none. What is kept under another identifier is refused. */
function layOut(connection: Connection, tables: readonly Table[], file: string): void {
  if (tables.length === 0) return;
  connection
    .transaction(() => {
      connection.exec(
        'CREATE TABLE IF NOT EXISTS tacet (resource TEXT PRIMARY KEY, identifier TEXT NOT NULL) STRICT',
      );
      const known = connection.prepare('SELECT identifier FROM tacet WHERE resource = ?').pluck();
      const note = connection.prepare('INSERT OR REPLACE INTO tacet (resource, identifier) VALUES (?, ?)');
      for (const { name, keyFields } of tables) {
        const table = `"${tableOf(name)}"`;
        const identifier = JSON.stringify(keyFields);
        const before = known.get(name);
        if (before === identifier) continue;
        if (before !== undefined && connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined)
          throw new StoreRefused(
            `${file} keeps ${name} under the identifier ${String(before)}, and it is ${identifier} now; name another file with --data`,
          );
        const keys = keyColumns(keyFields);
        const columns = keys.map((key) => `${key} ANY NOT NULL`).join(', ');
        connection.exec(`DROP TABLE IF EXISTS ${table}`);
        connection.exec(
          `CREATE TABLE ${table} (place INTEGER PRIMARY KEY, ${columns}, members TEXT NOT NULL, UNIQUE (${keys.join(', ')})) STRICT`,
        );
        note.run(name, identifier);
      }
    })
    .immediate();
}

function keyColumns(fields: readonly unknown[]): string[] {
  return fields.map((_, index) => `key${index}`);
}

function store(file: string, connection: Connection, tables: readonly Table[]): Store {
  const prepared = new Map(tables.map((table) => [table.name, prepare(connection, table)]));
  const statements = (table: string): Statements => prepared.get(table) as Statements;
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const { tx, carryOut } = transactions(connection, statements);
  const settled = (plan: Plan): Reply => {
    try {
      return carryOut(plan.decide);
    } catch (error) {
      const code = codeOf(error);
      if (code?.startsWith('SQLITE_CONSTRAINT')) return plan.conflict();
      // A fault of the store's ends the whole transaction; one of the change's is its own.
      if (code !== undefined || !connection.inTransaction) throw error;
      return plan.fault(error);
    }
  };
  return {
    find: tx.find,
    scan: (table) => scan(file, statements(table), table),
    commit: (plans) => {
      try {
        begin.run();
      } catch (error) {
        throw new NotKept('the transaction did not begin', { cause: error });
      }
      let committing = false;
      try {
        const replies = plans.map(settled);
        committing = true;
        commit.run();
        return replies;
      } catch (error) {
        // An I/O error while the log is synced leaves open whether its last frames will be found again.
        const unknown = committing && codeOf(error)?.startsWith('SQLITE_IOERR') === true;
        if (connection.inTransaction) connection.exec('ROLLBACK');
        throw new (unknown ? FateUnknown : NotKept)('the transaction failed', { cause: error });
      }
    },
    close: () => void connection.close(),
  };
}

function prepare(connection: Connection, { name, keyFields }: Table): Statements {
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

function scan(file: string, table: Statements, resource: string): Scan {
  const first = (table.first.all() as unknown[][]).map(rowOf);
  return {
    few: first.length <= pieceRows ? first : null,
    pieces: () => pieces(file, resource, first[0]?.key ?? []),
  };
}

/** A connection of its own, whose read transaction is the snapshot; each piece begins after the one before. */
async function* pieces(file: string, resource: string, key: Key): AsyncIterable<readonly Row[]> {
  const connection = connect(file);
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

/** SQLite's own code for an error, such as `SQLITE_FULL`; undefined for an error that is none of SQLite's. */
function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
