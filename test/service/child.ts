/**
 * Runs the to-do list, or another document, as a process of its own, for tests that kill it:
 * `node child.ts DATA [MODE [DOCUMENT]]`. Prints the address. With `early` or `forgetful` it is the control of those
 * tests: the same service, but for answering before COMMIT, or for remembering no answers.
 */
import { readFileSync } from 'node:fs';
import type { Plan } from '../../src/service/plan.ts';
import { answered } from '../../src/service/repeats.ts';
import { serve } from '../../src/service/service.ts';
import { openSqlite } from '../../src/service/store/sqlite/store.ts';
import type { Store, Transaction } from '../../src/service/store/store.ts';
import { read } from '../../src/specification/read.ts';

const [data, mode, document] = process.argv.slice(2) as [string, string | undefined, string | undefined];

/** How long the control's writes wait after their answers. */
const lagMs = 50;

function early(store: Store): Store {
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

const path = document ?? new URL('../../examples/todo.md', import.meta.url);
const { specification } = read(document ?? 'todo.md', readFileSync(path, 'utf8'));
const controls = { early, forgetful };
const control = controls[mode as keyof typeof controls];
const service = await serve(specification, {
  data,
  ...(control && { open: (file, resources) => control(openSqlite(file, resources)) }),
});
process.stdout.write(`${service.address}\n`);
