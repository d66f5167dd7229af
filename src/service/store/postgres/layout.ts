import { StoreRefused, type Table } from '../store.ts';
import { functionsMark, functionsOf } from './functions.ts';
import { keyName } from './indexes.ts';
import { keysOf } from './keys.ts';
import { keyColumns, quoted } from './names.ts';
import { type Connection, type Place, stateOf } from './open.ts';
import { tableOf } from './printing/expressions.ts';

/**
 * How the tables themselves are laid out: 1 had one row that all transactions wrote, with the mark of the last; 2 told
 * nothing of how tables are divided for locks.
 */
export const layoutVersion = 3;

/** What a database says of the specification that it was laid out by. */
export interface Notes {
  /** The note of a table's rules; null: none; undefined: it is new. */
  readonly of: (table: Table) => string | null | undefined;
  readonly keep: (table: Table) => Promise<void>;
}

/**
 * Makes the tables that are missing, in a transaction of the caller's. A table that is no longer asked for stays
 * as it is. What is kept under another identifier is refused.
 */
export async function layOut(connection: Connection, tables: readonly Table[], place: Place): Promise<Notes> {
  await connection.query(`
    CREATE TABLE IF NOT EXISTS tacet (resource text PRIMARY KEY, identifier text NOT NULL, types text NOT NULL, note text);
    CREATE TABLE IF NOT EXISTS tacet_latest (microseconds bigint NOT NULL, layout integer NOT NULL, functions text NOT NULL, generation bigint NOT NULL DEFAULT 0, divisions text NOT NULL DEFAULT '');
    CREATE TABLE IF NOT EXISTS tacet_mark (process uuid NOT NULL, number bigint NOT NULL, microseconds bigint, at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (process, number));
    CREATE INDEX IF NOT EXISTS "tacet mark latest" ON tacet_mark (microseconds);
    INSERT INTO tacet_latest (microseconds, layout, functions) SELECT 0, ${layoutVersion}, '' WHERE NOT EXISTS (SELECT 1 FROM tacet_latest);
  `);
  const [[version, functions] = []] = await all(connection, 'SELECT layout, functions FROM tacet_latest');
  if (Number(version) > layoutVersion)
    throw new StoreRefused(
      `${place.shown} was laid out by a later tacet; use that one, or name another database or ?schema= with --store`,
    );
  if (Number(version) < layoutVersion) await renew(connection);
  await connection.query(forgetMarks);
  await makeFunctions(connection, functions as string, place);
  const known = new Map(
    (await all(connection, 'SELECT resource, identifier, types, note FROM tacet')).map(
      ([resource, ...noted]) => [resource as string, noted as [string, string, string | null]] as const,
    ),
  );
  const notes = new Map<string, string | null>();
  for (const table of tables) {
    const { name, keyFields } = table;
    const identifier = JSON.stringify(keyFields);
    const [before, types, note = null] = known.get(name) ?? [];
    if (before === identifier && types === typesOf(table)) {
      notes.set(name, note);
      continue;
    }
    if (before !== undefined && (await all(connection, `SELECT 1 FROM ${tableOf(name)} LIMIT 1`)).length > 0)
      throw new StoreRefused(
        `${place.shown} keeps ${name} under the identifier ${before} of ${types}, and it is ${identifier} of ${typesOf(table)} now; state that identifier, or name another database or ?schema= with --store`,
      );
    if (before !== undefined) await connection.query(`DROP TABLE ${tableOf(name)}`);
    await make(connection, table, place);
  }
  return {
    of: ({ name }) => notes.get(name),
    keep: async (table) => {
      const { name, keyFields, rules } = table;
      await connection.query({
        text: 'INSERT INTO tacet VALUES ($1, $2, $3, $4) ON CONFLICT (resource) DO UPDATE SET identifier = $2, types = $3, note = $4',
        values: [name, JSON.stringify(keyFields), typesOf(table), rules?.note ?? null],
      });
    },
  };
}

/** Lays out anew what an earlier tacet did, whose processes keep nothing any more. */
async function renew(connection: Connection): Promise<void> {
  await connection.query(`
    ALTER TABLE tacet_latest DROP COLUMN IF EXISTS writer, ADD COLUMN IF NOT EXISTS divisions text NOT NULL DEFAULT '';
    UPDATE tacet_latest SET layout = ${layoutVersion}, generation = generation + 1;
  `);
}

/** Removes the marks of transactions of which nobody learns any more what became; the latest of their times stays. */
const forgetMarks = `
  WITH gone AS (DELETE FROM tacet_mark WHERE at < now() - interval '1 hour' RETURNING microseconds)
  UPDATE tacet_latest SET microseconds = greatest(microseconds, (SELECT max(microseconds) FROM gone))
    WHERE EXISTS (SELECT 1 FROM gone)`;

/** How the tables of a schema are laid out. */
export async function layoutOf(connection: Connection): Promise<number> {
  const [[version] = []] = await all(connection, 'SELECT layout FROM tacet_latest');
  return Number(version);
}

function typesOf(table: Table): string {
  return keysOf(table).casts.join(', ');
}

/** Makes the functions that statements call, where they are not these already. */
async function makeFunctions(connection: Connection, made: string, { schema }: Place): Promise<void> {
  const mark = functionsMark();
  if (made === mark) return;
  await connection.query(functionsOf(schema));
  await connection.query('UPDATE tacet_latest SET functions = $1', [mark]);
}

/** `document` is what queries read of `members`; `aside` holds the members that are kept and belong to no field, as an object in JSON text. */
async function make(connection: Connection, table: Table, { shown }: Place): Promise<void> {
  const { name, keyFields, hasBytes } = table;
  const { types } = keysOf(table);
  const keys = keyColumns(keyFields);
  const columns = keys.map((key, index) => `${key} ${types[index]} NOT NULL`).join(', ');
  try {
    await connection.query(
      `CREATE TABLE ${tableOf(name)} (place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${columns}, members text NOT NULL, aside text, ${hasBytes ? 'bytes bytea NOT NULL,' : ''}
        document jsonb GENERATED ALWAYS AS (tacet_document(members)) STORED,
        CONSTRAINT ${quoted(keyName({ name }))} UNIQUE (${keys.join(', ')}))`,
    );
  } catch (error) {
    if (stateOf(error) !== '42P07') throw error;
    throw new StoreRefused(
      `${shown} has a table ${name} of something else; name another database or ?schema= with --store`,
    );
  }
}

async function all(connection: Connection, text: string): Promise<(string | null)[][]> {
  const { rows } = await connection.query({ text, rowMode: 'array' });
  return rows as unknown as (string | null)[][];
}
