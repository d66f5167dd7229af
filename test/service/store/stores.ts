import { onTestFinished } from 'vitest';
import { bare, type Reply } from '../../../src/service/message/reply.ts';
import type { Plan } from '../../../src/service/store/plan.ts';
import type { Connect } from '../../../src/service/store/sqlite/open.ts';
import { openSqlite, type SqliteStore } from '../../../src/service/store/sqlite/store.ts';
import type { Store, Table, Transaction } from '../../../src/service/store/store.ts';
import { dataFile } from '../served.ts';

/** A store in a file of its own, closed after the test. */
export function opened(tables: readonly Table[], data = dataFile(), connectTo?: Connect): SqliteStore {
  const store = openSqlite(data, tables, connectTo);
  onTestFinished(() => {
    try {
      store.close();
    } catch {}
  });
  return store;
}

/** A plan that is answered 201 and kept, 409 with what was in the way, or 500. */
export function plan(act: (tx: Transaction) => void): Plan {
  return {
    decide: (tx) => {
      act(tx);
      return { reply: bare(201), keep: true };
    },
    conflict: (table, fields) => ({ ...bare(409), body: `${table}: ${fields.join(', ')}` }),
    fault: (fault) => ({ ...bare(500), fault }),
  };
}

/** What a store answers to one plan. */
export async function done(store: Store, act: (tx: Transaction) => void): Promise<Reply> {
  const [reply] = await store.commit([plan(act)], () => 0);
  return reply as Reply;
}
