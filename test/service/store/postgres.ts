import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/service/store/postgres/store.ts';
import type { Store, Table } from '../../../src/service/store/store.ts';

const server = process.env['TACET_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test';

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

/** A schema of this test's own, dropped after it: its address, and a connection beside the service. */
export async function schema(): Promise<{ readonly address: string; readonly beside: pg.Client }> {
  const name = `tacet_test_${randomBytes(6).toString('hex')}`;
  const beside = new pg.Client({ connectionString: server });
  await beside.connect();
  await beside.query(`CREATE SCHEMA ${name}; SET search_path = ${name}`);
  onTestFinished(async () => {
    await beside.query(`DROP SCHEMA ${name} CASCADE`);
    await beside.end();
  });
  const address = new URL(server);
  address.searchParams.set('schema', name);
  address.searchParams.set('application_name', name);
  return { address: address.href, beside };
}

/** A store in it, closed before the schema is dropped. */
export async function opened(address: string, tables: readonly Table[]): Promise<Store> {
  const store = await openPostgres(address, tables);
  onTestFinished(() => store.close());
  return store;
}
