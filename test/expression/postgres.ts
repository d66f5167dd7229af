import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Query } from '../../src/expression/query.ts';
import { functionsOf } from '../../src/service/store/postgres/functions.ts';
import {
  type KeyKinds,
  keyType,
  type Printed,
  print,
} from '../../src/service/store/postgres/printing/sql.ts';
import { encodedKey, failureOf } from '../../src/service/store/postgres/values.ts';
import { type Kept, type Resource, tables } from './stored.ts';

/** The same rows in a schema of PostgreSQL's. */

const url = process.env['TACET_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test';

const kindsOf = { Author: ['text'], Note: ['number'] } as const;
export const kinds: KeyKinds = (table) => kindsOf[table as Resource];

export interface Postgres {
  /** Keeps these rows, and no others. */
  readonly keep: (kept: Kept) => Promise<void>;
  readonly answer: (query: Query, parameters: readonly unknown[]) => Promise<unknown>;
  readonly run: (sql: string, values?: readonly unknown[]) => Promise<unknown[][]>;
  readonly close: () => Promise<void>;
}

/** A schema of its own; a text that says why there is none. Where `CI` is set, there has to be one. */
export async function postgres(): Promise<Postgres | string> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    if (process.env['CI']) throw error;
    await client.end().catch(() => undefined);
    return `no PostgreSQL answers at ${url}: ${(error as Error).message}`;
  }
  const schema = `tacet_test_${randomBytes(6).toString('hex')}`;
  await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
  await client.query(functionsOf(schema));
  for (const { name } of Object.values(tables))
    await client.query(`CREATE TABLE "${name}" (
      place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key0 ${keyType(kinds(name)[0] ?? 'text')} NOT NULL UNIQUE,
      members text NOT NULL,
      document jsonb GENERATED ALWAYS AS (tacet_document(members)) STORED)`);
  const run = async (sql: string, values: readonly unknown[] = []): Promise<unknown[][]> =>
    (await client.query({ text: sql, values: [...values], rowMode: 'array' })).rows;
  const printed = new WeakMap<Query, Printed>();
  return {
    keep: async (kept) => {
      const inserts = Object.entries(kept).flatMap(([name, rows]) =>
        (rows as Kept['Note']).map(({ id, ...others }) => {
          const values = [encodedKey(id as string), JSON.stringify(others)].map((one) =>
            typeof one === 'number' ? String(one) : client.escapeLiteral(one),
          );
          return `INSERT INTO "${name}" (key0, members) VALUES (${values.join(', ')});`;
        }),
      );
      await client.query(`DELETE FROM "Author"; DELETE FROM "Note"; ${inserts.join('')}`);
    },
    answer: async (query, parameters) => {
      const known = printed.get(query) ?? print(query, kinds);
      printed.set(query, known);
      const { sql, bound } = known.ask(parameters);
      const rows = await run(sql, bound).catch((error: unknown) => {
        throw failureOf(error) ?? Object.assign(error as Error, { sql });
      });
      return query.gives === 'rows' ? rows.map(known.row) : known.value(rows[0]?.[0] ?? null);
    },
    run,
    close: async () => {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}
