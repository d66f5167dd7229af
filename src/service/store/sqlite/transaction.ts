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
  /** To be told that what was written may be undone, or somebody else have written: every mark is another. */
  readonly unsettle: () => void;
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
  /** How often anything was written, and as of when each table is as it is. */
  let writes = 0;
  let since = 0;
  const marks = new Map<string, number>();
  const unsettle = (): void => {
    marks.clear();
    since = ++writes;
  };
  const settle = (): void => {
    if (waiting === null) return;
    const first = waiting;
    waiting = null;
    savepoint.run();
    open = true;
    first();
  };
  const write = (table: string, run: () => void): void => {
    marks.set(table, ++writes);
    if (waiting === null && !open) {
      waiting = run;
      return;
    }
    settle();
    run();
  };
  const undo = (): void => {
    if (open || waiting !== null) unsettle();
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
    mark: (table) => marks.get(table) ?? since,
    insert: (table, { key, text }) => write(table, () => of(table).insert.run(...key, text)),
    update: (table, { key, text }) => write(table, () => of(table).update.run(text, ...key)),
    remove: (table, key) => write(table, () => of(table).remove.run(...key)),
    removeEvery: (table) => write(table, () => of(table).removeEvery.run()),
  };
  return {
    tx,
    unsettle,
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
