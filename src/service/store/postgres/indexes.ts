import { createHash } from 'node:crypto';
import type { WordField } from '../../../expression/query-words.ts';
import { namesOf } from '../conflict.ts';
import type { Index, Key } from '../store.ts';
import { ownIndexes, type Table } from '../table.ts';
import type { RowFault } from '../upgrade.ts';
import { type Words, wordsIn } from '../words.ts';
import { keysOf, kindsOf } from './keys.ts';
import { keyColumns, quoted, shortened } from './names.ts';
import { type Connection, stateOf } from './open.ts';
import { tableOf } from './printing/expressions.ts';
import { columnOf, isNullable, storedColumns, wordsColumn } from './printing/sql.ts';

/** An index is named by what it is made of, so that one that is made otherwise is another. */
export function indexName(table: Table, index: Index): string {
  const digest = createHash('sha256')
    .update(`${table.name} ${index.unique} ${columnsOf(table, index)}`)
    .digest('hex')
    .slice(0, 24);
  return `tacet ${digest}`;
}

/** The name of the index that no two rows have the same key by. */
export function keyName({ name }: Pick<Table, 'name'>): string {
  return shortened(`tacet key ${name}`);
}

function columnsOf(table: Table, { fields, unique }: Index): string {
  const kinds = kindsOf(table);
  const columns = fields.map(
    (field) => `${columnOf(table, field, kinds)}${isNullable(table, field, kinds) ? ' NULLS FIRST' : ''}`,
  );
  return [...columns, ...(unique ? [] : ['place'])].join(', ');
}

/** The indexes of words that there are of a table. */
export function wordsOf(table: Table): readonly Words[] {
  const printed = (fields: readonly WordField[]): string => wordsColumn(table, fields, kindsOf(table));
  return wordsIn(table, printed, (digest) => `tacet words ${digest}`);
}

/** Removes the indexes that are not asked for, before rows are changed; whether there were any. */
export async function dropIndexes(connection: Connection, table: Table): Promise<boolean> {
  const wanted = [
    ...ownIndexes(table).map((index) => indexName(table, index)),
    ...wordsOf(table).map(({ name }) => name),
  ];
  const gone = (await indexesOf(connection, table)).filter((name) => !wanted.includes(name));
  for (const name of gone) await connection.query(`DROP INDEX ${quoted(name)}`);
  return gone.length > 0;
}

/** Makes the columns that indexes are of, and removes those that none is of any more. Whether there were any. */
export async function layOutColumns(connection: Connection, table: Table): Promise<boolean> {
  const { rows } = await connection.query({
    text: "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attgenerated = 's' AND starts_with(attname, 'm_')",
    values: [tableOf(table.name)],
    rowMode: 'array',
  });
  const there = (rows as unknown as [string][]).map(([name]) => name);
  const wanted = new Map(
    [...storedColumns(table, kindsOf(table)).values()].map((column) => [column.name, column]),
  );
  const changes = [
    ...[...wanted.values()]
      .filter(({ name }) => !there.includes(name))
      .map(({ name, type, made }) => `ADD COLUMN ${name} ${type} GENERATED ALWAYS AS (${made}) STORED`),
    ...there.filter((name) => !wanted.has(name)).map((name) => `DROP COLUMN ${name}`),
  ];
  if (changes.length === 0) return false;
  await connection.query(`ALTER TABLE ${tableOf(table.name)} ${changes.join(', ')}`);
  return true;
}

/** Makes the indexes that are missing; `refuse` is told of each row that has what another has. Whether there were any. */
export async function makeIndexes(
  connection: Connection,
  table: Table,
  refuse: (key: Key, faults: readonly RowFault[]) => void,
): Promise<boolean> {
  const there = new Set(await indexesOf(connection, table));
  const before = there.size;
  for (const index of ownIndexes(table)) {
    const name = indexName(table, index);
    // What two statements ask for alike is one index.
    if (there.has(name)) continue;
    there.add(name);
    await connection.query('SAVEPOINT making');
    try {
      await connection.query(
        `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quoted(name)} ON ${tableOf(table.name)} (${columnsOf(table, index)})`,
      );
    } catch (error) {
      if (stateOf(error) !== '23505') throw error;
      await connection.query('ROLLBACK TO making');
      const field = namesOf(index).join(', ');
      for (const key of await alike(connection, table, index)) refuse(key, [{ field, keyword: 'unique' }]);
    }
    await connection.query('RELEASE making');
  }
  for (const { name, fields } of wordsOf(table)) {
    if (there.has(name)) continue;
    there.add(name);
    const column = wordsColumn(table, fields, kindsOf(table));
    await connection.query(
      `CREATE INDEX ${quoted(name)} ON ${tableOf(table.name)} USING gin (${column}); ANALYZE ${tableOf(table.name)}`,
    );
  }
  return there.size > before;
}

/** The keys of all rows that have what another one has, in the order in which they were made. */
async function alike(connection: Connection, table: Table, index: Index): Promise<Key[]> {
  const columns = index.fields.map((field) => columnOf(table, field, kindsOf(table)));
  const all = columns.map((column) => `${column} IS NOT NULL`).join(' AND ');
  const { rows } = await connection.query({
    text: `SELECT ${keyColumns(table.keyFields).join(', ')} FROM ${tableOf(table.name)} WHERE (${columns.join(', ')}) IN
        (SELECT ${columns.join(', ')} FROM ${tableOf(table.name)} WHERE ${all} GROUP BY ${columns.join(', ')} HAVING count(*) > 1)
        ORDER BY place`,
    rowMode: 'array',
  });
  return (rows as unknown[][]).map(keysOf(table).decoded);
}

async function indexesOf(connection: Connection, table: Table): Promise<string[]> {
  const { rows } = await connection.query({
    text: "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1 AND indexname LIKE 'tacet %' AND indexname <> $2",
    values: [shortened(table.name), keyName(table)],
    rowMode: 'array',
  });
  return (rows as unknown as [string][]).map(([name]) => name);
}
