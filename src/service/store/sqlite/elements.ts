import type { Path } from '../../../expression/query.ts';
import type { Table } from '../store.ts';
import { type Connection, elementsTable, tableOf } from './open.ts';
import { jsonPath, textOf } from './sql.ts';

/**
 * An index of the elements of lists, which SQLite has none of: a table of each text and number with the places of the
 * rows that have it in a list, kept by triggers, so in the transaction that changes a row, whoever writes it.
 */
export function elementsOf(table: Table): readonly Path[] {
  return (table.indexes ?? []).flatMap(({ each, fields: [field] }) => (each && field ? [field.path] : []));
}

/** Removes those that are not asked for, and makes those that are missing, of the rows that are there. */
export function layOutElements(connection: Connection, table: Table): void {
  const there = new Set(tablesOf(connection, table));
  const wanted = new Map(elementsOf(table).map((path) => [elementsTable(table.name, path), path]));
  for (const name of there) if (!wanted.has(name)) drop(connection, name);
  for (const [name, path] of wanted) if (!there.has(name)) make(connection, table, name, path);
}

function make(connection: Connection, { name: of }: Table, name: string, path: Path): void {
  const at = textOf(jsonPath(path));
  const from = `"${tableOf(of)}"`;
  const side = `"${name}"`;
  const elements = (members: string): string =>
    `json_each(${members}, ${at}) AS e WHERE e.type IN ('text', 'integer', 'real') AND json_type(${members}, ${at}) = 'array'`;
  const add = `INSERT OR IGNORE INTO ${side} SELECT e.value, NEW.place FROM ${elements('NEW.members')};`;
  const remove = `DELETE FROM ${side} WHERE place = OLD.place AND value IN (SELECT e.value FROM ${elements('OLD.members')});`;
  const trigger = (event: string, when: string, acts: string): void =>
    void connection.exec(
      `CREATE TRIGGER "${name} ${event}" AFTER ${event} ON ${from} ${when} BEGIN ${acts} END`,
    );
  // Left without its triggers where the table that it is of was laid out anew.
  drop(connection, name);
  connection.exec(
    `CREATE TABLE ${side} (value ANY NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (value, place)) STRICT, WITHOUT ROWID`,
  );
  connection.exec(
    `INSERT OR IGNORE INTO ${side} SELECT e.value, t.place FROM ${from} AS t, ${elements('t.members')}`,
  );
  trigger('INSERT', '', add);
  trigger('DELETE', '', remove);
  trigger('UPDATE', `WHEN OLD.members -> ${at} IS NOT NEW.members -> ${at}`, remove + add);
}

function drop(connection: Connection, name: string): void {
  for (const event of ['INSERT', 'DELETE', 'UPDATE'])
    connection.exec(`DROP TRIGGER IF EXISTS "${name} ${event}"`);
  connection.exec(`DROP TABLE IF EXISTS "${name}"`);
}

/** Those that are kept of a table's rows: of which there are triggers. */
function tablesOf(connection: Connection, { name }: Table): string[] {
  const triggers = connection
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? AND name LIKE '% INSERT'",
    )
    .pluck()
    .all(tableOf(name)) as string[];
  return triggers.map((trigger) => trigger.slice(0, -' INSERT'.length));
}
