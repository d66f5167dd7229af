import type { Decision } from '../../plan.ts';
import type { Reply } from '../../reply.ts';
import type { Transaction } from '../store.ts';
import type { Connection } from './open.ts';
import type { Statements } from './statements.ts';
import type { TableStatements } from './tables.ts';

export interface Carried {
  readonly reply: Reply;
  /** Whether the plan leaves something to be kept. */
  readonly wrote: boolean;
}

/** The one transaction of a connection, in which plans are carried out one after another. */
export interface Transactions {
  readonly tx: Required<Transaction>;
  /** Carries a plan out whole, or leaves nothing of it. */
  readonly carryOut: (decide: (tx: Transaction) => Decision) => Carried;
}

/**
 * One statement is whole or nothing by itself, so a plan's first write waits until more is asked: only then it
 * takes a savepoint.
 */
export function transactions(
  connection: Connection,
  of: (table: string) => TableStatements,
  { rows, texts, value }: Pick<Statements, 'rows' | 'texts' | 'value'>,
): Transactions {
  const savepoint = connection.prepare('SAVEPOINT plan');
  const release = connection.prepare('RELEASE plan');
  const rollbackTo = connection.prepare('ROLLBACK TO plan');
  let waiting: (() => void) | null = null;
  let open = false;
  const settle = (): void => {
    if (waiting === null) return;
    const first = waiting;
    waiting = null;
    savepoint.run();
    open = true;
    first();
  };
  const write = (run: () => void): void => {
    if (waiting === null && !open) {
      waiting = run;
      return;
    }
    settle();
    run();
  };
  const undo = (): void => {
    const isOpen = open;
    waiting = null;
    open = false;
    if (!isOpen || !connection.inTransaction) return;
    rollbackTo.run();
    release.run();
  };
  const tx: Required<Transaction> = {
    find: (table, key) => {
      settle();
      const text = of(table).find.get(...key) as string | undefined;
      return text === undefined ? null : { key, text };
    },
    rows: (statement, parameters) => {
      settle();
      return rows(statement, parameters);
    },
    texts: (statement, parameters) => {
      settle();
      return texts(statement, parameters);
    },
    value: (statement, parameters) => {
      settle();
      return value(statement, parameters);
    },
    insert: (table, { key, text }) => write(() => of(table).insert.run(...key, text)),
    update: (table, { key, text }) => write(() => of(table).update.run(text, ...key)),
    remove: (table, key) => write(() => of(table).remove.run(...key)),
    removeEvery: (table) => write(() => of(table).removeEvery.run()),
  };
  return {
    tx,
    carryOut: (decide) => {
      try {
        const { reply, keep } = decide(tx);
        const wrote = keep && (open || waiting !== null);
        if (!keep) undo();
        else if (open) release.run();
        else waiting?.();
        waiting = null;
        open = false;
        return { reply, wrote };
      } catch (error) {
        undo();
        throw error;
      }
    },
  };
}
