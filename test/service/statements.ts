import Database from 'better-sqlite3';
import pg from 'pg';
import { vi } from 'vitest';
import { addFunctions } from '../../src/service/store/sqlite/functions.ts';
import { asMade } from './places.ts';

/** What was done, and the text of each statement that the store was asked meanwhile, but for those about transactions. */
export interface Asked<T> {
  readonly value: T;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** What PostgreSQL was sent of these, with what was bound. */
  readonly sent: readonly Sent[];
}

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

const methods = ['all', 'get', 'iterate', 'run'] as const;

export async function statementsOf<T>(work: () => Promise<T>): Promise<Asked<T>> {
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Database.Statement;
  probe.close();
  const spies = methods.map((name) => vi.spyOn(prototype, name));
  const pgSpy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const value = await work();
    const calls = spies.flatMap(({ mock }) =>
      mock.contexts.map((one, index) => ({
        source: (one as unknown as Database.Statement).source,
        at: mock.invocationCallOrder[index] as number,
      })),
    );
    const sent: Sent[] = [];
    // What is about the connection, or a transaction, has no name.
    for (const [index, [given]] of (pgSpy.mock.calls as unknown as [pg.QueryConfig][]).entries()) {
      if (!given.name) continue;
      calls.push({ source: given.text, at: pgSpy.mock.invocationCallOrder[index] as number });
      sent.push({ text: given.text, values: given.values ?? [] });
    }
    const asked = calls.sort((a, b) => a.at - b.at).map(({ source }) => source);
    return {
      value,
      reads: asked.filter((source) => source.startsWith('SELECT')),
      writes: asked.filter((source) => /^(INSERT|UPDATE|DELETE)/.test(source)),
      sent,
    };
  } finally {
    for (const spy of [...spies, pgSpy]) spy.mockRestore();
  }
}

/** How SQLite goes about a statement on the file of a service: a step a line. */
export function planOf(file: string, sql: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  addFunctions(database);
  const marks = Array.from(sql.matchAll(/\?/g), () => null);
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...marks) as { readonly detail: string }[];
  database.close();
  return steps.map(({ detail }) => detail);
}

/**
 * How PostgreSQL goes about a statement in a schema, a step a line: the first time, and once it has been asked so often
 * that one plan may serve whatever is bound (`plan_cache_mode`).
 */
export async function plansOf(
  connection: pg.Client,
  { text, values }: Sent,
): Promise<readonly (readonly string[])[]> {
  const literal = (value: unknown): string =>
    connection.escapeLiteral(
      Array.isArray(value) ? `{${value.map((one) => JSON.stringify(String(one))).join()}}` : String(value),
    );
  const given = values.map(literal);
  const execute = `EXECUTE planned${given.length > 0 ? `(${given.join(', ')})` : ''}`;
  await connection.query(`PREPARE planned AS ${text}`);
  const plans: (readonly string[])[] = [];
  for (let time = 0; time < 7; time += 1) {
    const { rows } = await connection.query({ text: `EXPLAIN (COSTS OFF) ${execute}`, rowMode: 'array' });
    plans.push((rows as unknown as [string][]).map(([line]) => line));
  }
  await connection.query('DEALLOCATE planned');
  return [plans[0] ?? [], plans.at(-1) ?? []];
}

/** Where a plan goes through a table, or an index of it, from one end: not through the rows that a part of it left, nor those that an index of words finds. */
export function scansOf(plan: readonly string[]): readonly string[] {
  const made = plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (t\d+)$/.exec(step)?.[1] ?? []);
  return plan.filter((step) => {
    const at = made.indexOf(/^SCAN (t\d+)$/.exec(step)?.[1] ?? '');
    if (at !== -1) made.splice(at, 1);
    return at === -1 && /^SCAN (?!.* VIRTUAL TABLE INDEX )/.test(step);
  });
}

/** The columns of the indexes that a table has besides that of its key, each as what it is made of. */
export function indexesOf(file: string, table: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  const made = database
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .pluck()
    .all(table) as string[];
  const columns = made.map((sql) => asMade(database, table, sql.slice(sql.indexOf('(') + 1, -1)));
  database.close();
  return columns;
}
