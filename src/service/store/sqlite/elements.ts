import { type Elements, elementsIn } from '../elements.ts';
import type { Table } from '../store.ts';
import { type Words, wordsIn } from '../words.ts';
import { columnNames, jsonPath, textOf } from './members.ts';
import { type Connection, keyColumns, tableOf } from './open.ts';
import { columnOf, wordsColumn } from './sql.ts';

/** The tables of the elements of lists that there are beside a table. */
export function elementsOf(table: Table): readonly Elements[] {
  const nameOf = (digest: string): string => `${tableOf(table.name)} each ${digest}`;
  return elementsIn(table, (field) => columnOf(table, field), nameOf);
}

/** The indexes of words that there are beside a table. */
export function wordsOf(table: Table): readonly Words[] {
  const nameOf = (digest: string): string => `${tableOf(table.name)} words ${digest}`;
  return wordsIn(table, (fields) => wordsColumn(table, fields), nameOf);
}

/** Removes the tables of elements and words that are not asked for, and makes those that are missing, of the rows that are there. */
export function layOutElements(connection: Connection, table: Table): void {
  const there = new Set(tablesOf(connection, table));
  const wanted = new Map([
    ...elementsOf(table).map((one) => [one.name, () => make(connection, table, one)] as const),
    ...wordsOf(table).map((one) => [one.name, () => makeWords(connection, table, one)] as const),
  ]);
  for (const name of there) if (!wanted.has(name)) drop(connection, name);
  for (const [name, makeIt] of wanted) {
    if (there.has(name)) continue;
    // Left without its triggers where the table that it is of was laid out anew.
    drop(connection, name);
    makeIt();
  }
}

function make(connection: Connection, table: Table, { name, path, fields }: Elements): void {
  const columns = fields.map((field) => columnOf(table, field));
  const at = textOf(jsonPath(path));
  const from = `"${tableOf(table.name)}"`;
  const names = columns.map((_, index) => `o${index}`);
  const all = ['value', ...names, 'place'].join(', ');
  const type = `json_type(r.members, ${at})`;
  // `in` finds an element of a list, and the name of a member of an object.
  const value = `CASE ${type} WHEN 'array' THEN e.value ELSE e.key END`;
  /** The rows of the table that a row, or all rows of a source, come to. */
  const elements = (row: string): string =>
    `SELECT DISTINCT ${[value, ...columns, 'r.place'].join(', ')} FROM ${row} AS r CROSS JOIN json_each(r.members, ${at}) AS e
      WHERE ${type} = 'object' OR (${type} = 'array' AND e.type IN ('text', 'integer', 'real'))`;
  const add = `INSERT INTO "${name}" ${elements(triggering(table, 'NEW'))};`;
  const isIt = ['value', ...names, 'place']
    .map((column, index) => `s.${column} IS x.c${index}`)
    .join(' AND ');
  const named = ['value', ...names, 'place'].map((_, index) => `c${index}`).join(', ');
  const remove = `DELETE FROM "${name}" WHERE rowid IN (WITH x (${named}) AS (${elements(triggering(table, 'OLD'))}) SELECT s.rowid FROM x CROSS JOIN "${name}" AS s WHERE ${isIt});`;
  const trigger = (event: string, acts: string): void =>
    void connection.exec(`CREATE TRIGGER "${name} ${event}" AFTER ${event} ON ${from} BEGIN ${acts} END`);
  const typed = names.map((column) => `${column} ANY, `).join('');
  connection.exec(`CREATE TABLE "${name}" (value ANY NOT NULL, ${typed}place INTEGER NOT NULL) STRICT`);
  connection.exec(`INSERT INTO "${name}" ${elements(from)}`);
  connection.exec(`CREATE INDEX "${name} index" ON "${name}" (${all})`);
  trigger('INSERT', add);
  trigger('DELETE', remove);
  trigger('UPDATE', remove + add);
}

/**
 * Makes an index of words, of the rows that are there: a table of FTS5, which keeps no texts. A word of it is what stands
 * between two spaces, since `ascii` splits at no other character of a word. Clients search while a word is typed, so its
 * first one and two letters are indexed, too. Triggers keep it.
 */
function makeWords(connection: Connection, table: Table, { name, fields }: Words): void {
  const from = `"${tableOf(table.name)}"`;
  const words = wordsColumn(table, fields);
  const [old, now] = [triggering(table, 'OLD'), triggering(table, 'NEW')];
  const add = (rows: string): string =>
    `INSERT INTO "${name}" (rowid, words) SELECT place, ${words} FROM ${rows};`;
  const remove = `DELETE FROM "${name}" WHERE rowid = OLD.place;`;
  const isOther = `(SELECT ${words} FROM ${old}) IS NOT (SELECT ${words} FROM ${now})`;
  const trigger = (event: string, acts: string, when = ''): void =>
    void connection.exec(
      `CREATE TRIGGER "${name} ${event}" AFTER ${event} ON ${from} ${when} BEGIN ${acts} END`,
    );
  connection.exec(
    `CREATE VIRTUAL TABLE "${name}" USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='1 2')`,
  );
  connection.exec(add(from));
  trigger('INSERT', add(now));
  trigger('DELETE', remove);
  trigger('UPDATE', remove + add(now), `WHEN ${isOther}`);
}

/** The row that a trigger is about, as a source of its own. */
function triggering(table: Table, which: 'OLD' | 'NEW'): string {
  const own = ['place', ...keyColumns(table.keyFields), ...columnNames(table).values(), 'members'];
  return `(SELECT ${own.map((column) => `${which}.${column} AS ${column}`).join(', ')})`;
}

/** Removes them with the table whose rows they are of, which is laid out anew. */
export function dropElements(connection: Connection, table: Table): void {
  for (const name of tablesOf(connection, table)) drop(connection, name);
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
