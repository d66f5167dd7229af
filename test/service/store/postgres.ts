import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import type { Store, Table } from '../../../src/service/store/store.ts';

export const server = process.env['TACET_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** Where PgBouncer answers by which all services of the tests reach the server, in transaction mode. Default: nowhere. */
const pooler = process.env['TACET_POSTGRES_POOLER'];

/** Whether they do: then no statement is prepared, nor is a connection of the server one of the service's. */
export const isPooled = pooler !== undefined;

/** Why there is no server to test with; null: there is one. Where `CI` is set, there has to be one. */
export async function absence(): Promise<string | null> {
  const client = new pg.Client({ connectionString: server });
  try {
    await client.connect();
    return null;
  } catch (error) {
    if (process.env['CI']) throw error;
    return `no PostgreSQL answers at ${new URL(server).host}: ${(error as Error).message}`;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The schema that an address names; null: it is no address, or names none. */
export function schemaOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).searchParams.get('schema') : null;
}

/** A connection to the schema of an address. */
export async function connected(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`SET search_path = "${schemaOf(address)}"`);
  return client;
}

/** A schema of nobody else's: its address, and how it is dropped. */
export async function made(): Promise<{ readonly address: string; readonly drop: () => Promise<void> }> {
  const name = `tacet_test_${randomBytes(6).toString('hex')}`;
  const address = new URL(server);
  address.searchParams.set('schema', name);
  address.searchParams.set('application_name', name);
  if (pooler) {
    address.host = pooler;
    address.searchParams.set('pool', 'transaction');
  }
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`CREATE SCHEMA ${name}`);
  return { address: address.href, drop: () => run(`DROP SCHEMA ${name} CASCADE`) };
}

/** A schema of this test's own, dropped after it: its address, and a connection beside the service. */
export async function schema(): Promise<{ readonly address: string; readonly beside: pg.Client }> {
  const { address, drop } = await made();
  onTestFinished(drop);
  const beside = await connected(address);
  onTestFinished(() => beside.end());
  return { address, beside };
}

/** A store in it, closed before the schema is dropped. */
export async function opened(address: string, tables: readonly Table[]): Promise<Store> {
  const store = await openPostgres(address, tables);
  onTestFinished(() => store.close());
  return store;
}

/** How many statements of the services wait for a lock. */
export async function waits(watching: pg.Client): Promise<number> {
  const { rows: found } = await watching.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = current_schema() AND wait_event_type = 'Lock'",
  );
  return found[0]?.count ?? 0;
}
