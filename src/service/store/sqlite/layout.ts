import { StoreRefused, type Table } from '../store.ts';
import { dropElements } from './elements.ts';
import { columnNames } from './members.ts';
import { type Connection, keyColumns, tableOf } from './open.ts';

/** How the file itself is laid out (SQLite, PRAGMA user_version); 0 is before that was noted. */
export const layoutVersion = 1;

/** What a file says of the specification that it was laid out by. */
export interface Notes {
  /** The note of a table's rules; null: its rows were kept before there were notes; undefined: it is new. */
  readonly of: (table: Table) => string | null | undefined;
  readonly keep: (table: Table) => void;
}

/**
 * Makes the tables that are missing, in a transaction of the caller's. A table that is no longer asked for stays
 * as it is. What is kept under another identifier is refused.
 */
export function layOut(connection: Connection, tables: readonly Table[], file: string): Notes {
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version > layoutVersion)
    throw new StoreRefused(
      `${file} was laid out by a later tacet; use that one, or name another file with --data`,
    );
  if (version === 0) renew(connection);
  if (version < layoutVersion) connection.pragma(`user_version = ${layoutVersion}`);
  const find = connection.prepare('SELECT identifier, note FROM tacet WHERE resource = ?');
  const keep = connection.prepare(
    'INSERT OR REPLACE INTO tacet (resource, identifier, note) VALUES (?, ?, ?)',
  );
  const notes = new Map<string, string | null>();
  for (const table of tables) {
    const { name, keyFields } = table;
    const identifier = JSON.stringify(keyFields);
    const noted = find.get(name) as { readonly identifier: string; readonly note: string | null } | undefined;
    if (noted?.identifier === identifier) {
      notes.set(name, noted.note);
      layAnew(connection, table);
      continue;
    }
    if (noted && connection.prepare(`SELECT 1 FROM "${tableOf(name)}" LIMIT 1`).get() !== undefined)
      throw new StoreRefused(
        `${file} keeps ${name} under the identifier ${noted.identifier}, and it is ${identifier} now; state that identifier, or name another file with --data`,
      );
    makeTable(connection, table);
  }
  return {
    of: ({ name }) => notes.get(name),
    keep: ({ name, keyFields, rules }) => void keep.run(name, JSON.stringify(keyFields), rules?.note ?? null),
  };
}

/** Lays a new file out, or one that is of before versions were noted. */
function renew(connection: Connection): void {
  connection.exec(`
    CREATE TABLE IF NOT EXISTS tacet (resource TEXT PRIMARY KEY, identifier TEXT NOT NULL) STRICT;
    CREATE TABLE tacet_latest (microseconds INTEGER NOT NULL) STRICT;
    INSERT INTO tacet_latest VALUES (0);
  `);
  const before = connection.prepare('SELECT resource FROM tacet').pluck().all() as string[];
  for (const table of ['tacet', ...before.map(tableOf)])
    connection.exec(`ALTER TABLE "${table}" ADD COLUMN ${table === 'tacet' ? 'note' : 'aside'} TEXT`);
}

export function makeTable(connection: Connection, table: Table, name = tableOf(table.name)): void {
  connection.exec(`DROP TABLE IF EXISTS "${name}"`);
  connection.exec(`CREATE TABLE "${name}" ${columnsOf(table)}`);
}

/**
 * `aside` holds the members that are kept and belong to no field, as an object in JSON text. What is kept besides stands
 * before the text of all members, so that this is not read where nobody asks for it.
 */
function columnsOf(table: Table): string {
  const keys = keyColumns(table.keyFields);
  const columns = [
    ...keys.map((key) => `${key} ANY NOT NULL`),
    ...[...columnNames(table)].map(([made, name]) => `${name} ANY AS (${made}) STORED`),
  ];
  const bytes = table.hasBytes ? ', bytes BLOB NOT NULL' : '';
  return `(place INTEGER PRIMARY KEY, ${columns.join(', ')}, members TEXT NOT NULL, aside TEXT${bytes}, UNIQUE (${keys.join(', ')})) STRICT`;
}

/** Lays a table anew where it keeps other members besides, with all its rows. What is kept beside these is to be made again. */
function layAnew(connection: Connection, table: Table): void {
  const name = tableOf(table.name);
  const laid = connection
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck()
    .get(name) as string;
  if (laid.endsWith(columnsOf(table))) return;
  const all = ['place', ...keyColumns(table.keyFields), 'members', 'aside'].join(', ');
  dropElements(connection, table);
  makeTable(connection, table, `${name} anew`);
  connection.exec(`INSERT INTO "${name} anew" (${all}) SELECT ${all} FROM "${name}" ORDER BY place`);
  connection.exec(`DROP TABLE "${name}"`);
  connection.exec(`ALTER TABLE "${name} anew" RENAME TO "${name}"`);
}
