import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { addFunctions } from '../../../src/service/store/sqlite/functions.ts';
import { print } from '../../../src/service/store/sqlite/sql.ts';
import { layoutOf } from '../../../src/service/store/sqlite/statements.ts';
import { openSqlite } from '../../../src/service/store/sqlite/store.ts';
import type { Statement, Store } from '../../../src/service/store/store.ts';
import type { Served } from '../served.ts';
import { scansOf } from '../statements.ts';
import { document, keeping, page, type Thing } from './things.ts';

const text = document(
  'n: { type: integer }, t: { type: string }, u: { type: string }, at: { type: string, format: date-time }, done: { type: boolean }, any: {}',
  [
    'GET /plain: { does: list Thing, request: { query: { size: { page: size }, at: { page: cursor } } }, response: { status: 200, body: { ids: "${page.items.map(t, t.id)}", next: "${page.next}", previous: "${page.previous}" } } }',
    'GET /where: { does: { list: Thing, where: "${this.t == request.query.t && this.n >= 3}", order: ["-at"] }, request: { query: { t: {}, size: { page: size, default: 5 }, at: { page: cursor } } }, response: { status: 200, body: { ids: "${page.items.map(t, t.id)}", next: "${page.next}", previous: "${page.previous}" } } }',
    'GET /filter: { does: { list: Thing, order: [n] }, request: { query: { t: { filter: t }, done: { filter: done, type: boolean }, any: { filter: any }, from: { filter: "${this.at >= timestamp(request.query.from)}" }, sort: { sort: [u, at] }, size: { page: size, default: 5 }, at: { page: cursor } } }, response: { status: 200, body: { ids: "${page.items.map(t, t.id)}", next: "${page.next}", previous: "${page.previous}" } } }',
    'GET /twin: { does: { list: Thing, where: "${Thing.exists(t, t.u == this.t && t.n == 1)}" }, request: { query: { size: { page: size, default: 5 } } }, response: { status: 200, body: { ids: "${page.items.map(t, t.id)}", next: null, previous: null } } }',
    'GET /total: { does: { list: Thing, order: [n] }, request: { query: { t: { filter: t }, size: { page: size, default: 5 }, offset: { page: offset } } }, response: { status: 200, body: { ids: "${page.items.map(t, t.id)}", total: "${page.total}" } } }',
  ],
);
const minute = (index: number): string => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
const things: readonly Thing[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: index,
  n: index % 100,
  t: `t${index % 50}`,
  u: `u${index % 1000}`,
  at: minute((index * 7919) % 10_000),
  done: index % 500 === 0,
  any: index % 7 === 0 ? `x${index % 70}` : index % 300,
}));

type Plans = (path: string) => Promise<readonly (readonly string[])[]>;

/** A service that keeps ten thousand things, and tells how SQLite goes about each statement that an address takes. */
async function explained(): Promise<{ readonly service: Served; readonly plans: Plans }> {
  const asked: Statement[] = [];
  let layout = layoutOf([]);
  const open = (...given: Parameters<typeof openSqlite>): Store => {
    layout = layoutOf(given[1]);
    const store = openSqlite(...given);
    const told =
      <T>(run: (statement: Statement, values: readonly unknown[]) => T) =>
      (statement: Statement, values: readonly unknown[]): T => {
        asked.push(statement);
        return run(statement, values);
      };
    const reads = { ...store, rows: told(store.rows), value: told(store.value) };
    return { ...store, read: (look) => look(reads) };
  };
  const service = await keeping(things, text, { open });
  const plans: Plans = async (path) => {
    asked.length = 0;
    await page(service, path);
    const database = new Database(service.data, { readonly: true });
    addFunctions(database);
    const found = asked.map((statement) => {
      const { sql, bind } = print(statement.query, undefined, layout);
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bind([])) as { detail: string }[];
      return steps.map(({ detail }) => detail);
    });
    database.close();
    return found;
  };
  return { service, plans };
}

const isScan = (step: string): boolean => /^SCAN t\d+$/.test(step);

describe('a list of ten thousand', () => {
  it('takes as many statements as its document makes it, in which an index serves where one can', async () => {
    const { plans } = await explained();
    for (const [path, count] of [
      ['/where?t=t3', 1],
      ['/filter', 1],
      ['/filter?t=t3', 1],
      ['/filter?done=true', 1],
      ['/filter?any=x7', 1],
      ['/filter?from=2026-01-07T00:00:00Z&sort=at', 1],
      ['/filter?sort=-u', 1],
      ['/filter?t=t3&sort=at', 1],
      ['/total?t=t3', 1],
      ['/total?t=t3&size=500', 1],
    ] as const) {
      const found = await plans(path);
      expect([path, found.length, found.flatMap(scansOf).filter(isScan)]).toEqual([path, count, []]);
    }
  });

  it('is looked through in the order of insertion where nothing else is asked, and no further than the page', async () => {
    const { plans } = await explained();
    expect(await plans('/plain?size=5')).toEqual([['SCAN t0']]);
    const [twin = []] = await plans('/twin');
    expect(twin.filter(isScan)).toEqual(['SCAN t0']);
  });

  it('is paged on from index to index, without a scan or a sort of the whole', async () => {
    const { service, plans } = await explained();
    for (const path of [
      '/plain?size=50',
      '/where?t=t3',
      '/filter?size=5',
      '/filter?sort=-u',
      '/filter?t=t3&sort=at',
    ]) {
      const { next } = await page(service, path);
      const found = await plans(`${path}&at=${next}`);
      expect([path, found.length <= 8]).toEqual([path, true]);
      const wasteful = (step: string): boolean => isScan(step) || step === 'USE TEMP B-TREE FOR ORDER BY';
      expect([path, found.flat().filter(wasteful)]).toEqual([path, []]);
    }
  });
});
