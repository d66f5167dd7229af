import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { connected, made, schemaOf } from './store/postgres.ts';

/** Whether services keep what they keep in PostgreSQL while they are tested (`vitest.config.ts`), or in SQLite. */
export const isPostgres = process.env['TACET_TEST_STORE'] === 'postgres';

/** Where the services of one test keep what they keep, gone after it: a file, or a schema of a database. */
export async function place(): Promise<string> {
  if (!isPostgres) return dataFile();
  const { address, drop } = await made();
  onTestFinished(drop);
  return address;
}

/** A path for a file of this test's own, gone after it. */
export function dataFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-served-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data.sqlite');
}

/** A table by its name, and its rows, column by column. */
type Table = readonly [name: string, rows: readonly (readonly unknown[])[]];

/** Every row of every table that is kept at a place, but for what the store works out of others; and the indexes. */
export async function rowsAt(data: string): Promise<readonly Table[]> {
  return schemaOf(data) === null ? rowsOfFile(data) : rowsOfSchema(data);
}

function rowsOfFile(file: string): readonly Table[] {
  const database = new Database(file, { readonly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
  // Without the columns that SQLite makes of others.
  const own = database.prepare('SELECT name FROM pragma_table_info(?)').pluck();
  const found: Table[] = (names.all() as string[]).map((name) => {
    const columns = (own.all(name) as string[]).map((column) => `"${column}"`).join(', ');
    return [name, database.prepare(`SELECT ${columns} FROM "${name}"`).raw().all() as unknown[][]];
  });
  const indexes = database
    .prepare("SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name")
    .raw()
    .all() as [string, string | null][];
  found.push(['indexes', indexes.map(([table, sql]) => [sql && asMade(database, table, sql)])]);
  database.close();
  return found;
}

/** The text of an index of SQLite's, with what its columns are made of in their places. */
export function asMade(database: Database.Database, table: string, index: string): string {
  const laid = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table) as string;
  const made = new Map(
    Array.from(laid.matchAll(/(c\d+) ANY AS \((.*?)\) STORED/g), ([, name, of]) => [name, of]),
  );
  return index.replace(/\bc\d+\b/g, (name) => made.get(name) ?? name);
}

async function rowsOfSchema(address: string): Promise<readonly Table[]> {
  const client = await connected(address);
  const ask = async (text: string): Promise<readonly unknown[][]> =>
    (await client.query({ text, rowMode: 'array' })).rows;
  try {
    const tables = await ask(
      `SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns
        WHERE table_schema = current_schema() AND is_generated = 'NEVER' GROUP BY table_name ORDER BY table_name`,
    );
    const found: Table[] = [];
    for (const [name, columns] of tables as readonly [string, string][])
      found.push([name, await ask(`SELECT ${columns} FROM "${name}" ORDER BY 1`)]);
    found.push([
      'indexes',
      await ask('SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1'),
    ]);
    return found;
  } finally {
    await client.end();
  }
}

/** Runs a statement beside the service: its rows, column by column. */
export async function runAt(data: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  if (schemaOf(data) !== null) {
    const client = await connected(data);
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    await client.end();
    return rows;
  }
  const database = new Database(data);
  const statement = database.prepare(sql);
  const rows = statement.reader ? (statement.raw().all() as unknown[][]) : [];
  if (!statement.reader) statement.run();
  database.close();
  return rows;
}

/** Writes the members of all rows of a resource beside the service. */
export async function setMembers(data: string, resource: string, members: object): Promise<void> {
  const text = JSON.stringify(members);
  if (schemaOf(data) !== null) {
    const client = await connected(data);
    await client.query(`UPDATE "${resource}" SET members = $1`, [text]);
    return client.end();
  }
  const database = new Database(data);
  database.prepare(`UPDATE "_${resource.toLowerCase()}" SET members = ?`).run(text);
  database.close();
}
