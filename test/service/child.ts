/**
 * Runs the to-do list, or another document, as a process of its own, for tests that kill it:
 * `node child.ts DATA [MODE [DOCUMENT]]`. Prints the address. With `early`, `forgetful` or `unsynced` it is the control
 * of those tests: the same service, but for answering before COMMIT, remembering no answers, or not waiting for the disk.
 * With `short` its log is carried over into the database often. With `fast` or `slow` its machine's clock is five minutes
 * ahead, or behind.
 */
import { readFileSync } from 'node:fs';
import { answered } from '../../src/service/request/repeats.ts';
import { type ServiceOptions, serve } from '../../src/service/service.ts';
import type { Plan } from '../../src/service/store/plan.ts';
import { connect } from '../../src/service/store/sqlite/open.ts';
import { openSqlite, type SqliteStore } from '../../src/service/store/sqlite/store.ts';
import type { Store, Transaction } from '../../src/service/store/store.ts';
import { read } from '../../src/specification/read.ts';

const [data, mode, document] = process.argv.slice(2) as [string, string | undefined, string | undefined];

type Open = NonNullable<ServiceOptions['open']>;

/** How long the control's writes wait after their answers. */
const lagMs = 50;

function early(store: SqliteStore): Store {
  return {
    ...store,
    commit: (plans, latest) => {
      const decided = plans.map((plan) => {
        const writes: ((tx: Transaction) => void)[] = [];
        const note =
          (name: 'insert' | 'update' | 'remove' | 'removeEvery') =>
          (...given: unknown[]): void =>
            void writes.push((tx) => (tx[name] as (...all: unknown[]) => void)(...given));
        const decision = plan.decide({
          ...store,
          insert: note('insert'),
          update: note('update'),
          remove: note('remove'),
          removeEvery: note('removeEvery'),
        });
        return { plan, decision, writes };
      });
      const later: Plan[] = decided.map(({ plan, decision, writes }) => ({
        ...plan,
        decide: (tx) => {
          for (const write of writes) write(tx);
          return decision;
        },
      }));
      setTimeout(() => void store.commit(later, latest), lagMs);
      return decided.map(({ decision }) => decision.reply);
    },
  };
}

/** The same store, in which no answer is remembered. */
function forgetful(store: Store): Store {
  const blind = (tx: Transaction): Transaction => ({
    ...tx,
    insert: (table, row) => void (table === answered.name || tx.insert(table, row)),
  });
  return {
    ...store,
    commit: (plans, latest) =>
      store.commit(
        plans.map((plan) => ({ ...plan, decide: (tx) => plan.decide(blind(tx)) })),
        latest,
      ),
  };
}

/** A store with further settings of SQLite's. */
function set(...pragmas: readonly string[]): Open {
  return (file, tables) =>
    openSqlite(file, tables, (name) => {
      const connection = connect(name);
      for (const pragma of pragmas) connection.pragma(pragma);
      return connection;
    });
}

const short = 'wal_autocheckpoint = 40';
const modes: Readonly<Record<string, Open>> = {
  early: (file, tables) => early(openSqlite(file, tables)),
  forgetful: (file, tables) => forgetful(openSqlite(file, tables)),
  short: set(short),
  unsynced: set(short, 'synchronous = OFF'),
};

const aheadMs = { fast: 300_000, slow: -300_000 }[mode ?? ''];
const machine = Date.now;
if (aheadMs !== undefined) Date.now = () => machine() + aheadMs;

const path = document ?? new URL('../../examples/todo.md', import.meta.url);
const { specification } = read(document ?? 'todo.md', readFileSync(path, 'utf8'));
const open = modes[mode ?? ''];
const service = await serve(specification, { data, ...(open && { open }) });
process.stdout.write(`${service.address}\n`);
