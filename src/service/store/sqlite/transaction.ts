import type { Statement } from 'better-sqlite3';
import type { Decision } from '../../plan.ts';
import type { Reply } from '../../reply.ts';
import type { Transaction } from '../store.ts';
import { type Connection, isOfStore } from './open.ts';
import type { Statements } from './statements.ts';
import type { TableStatements } from './tables.ts';

export interface Carried {
  readonly reply: Reply;
  /** Whether the plan leaves something to be kept. */
  readonly wrote: boolean;
}

/** Of what a plan wrote, a part stands and a part met a row: the transaction is to begin anew, its plans guarded. */
export class Torn extends Error {}

/** The one transaction of a connection, in which plans are carried out one after another. */
export interface Transactions {
  readonly tx: Required<Transaction>;
  /** To be told that what was written may be undone, or somebody else have written: every mark is another. */
  readonly unsettle: () => void;
  /**
   * Carries a plan out whole, or leaves nothing of it.
   *
   * @param isGuarded whether all that it writes stands behind a savepoint; where not, it may throw `Torn`
   */
  readonly carryOut: (decide: (tx: Transaction) => Decision, isGuarded: boolean) => Carried;
}

/** A write that waits. */
interface Write {
  readonly statement: Statement<unknown[]>;
  readonly values: readonly unknown[];
}

/**
 * What a plan writes waits until it reads, and only then takes a savepoint: most plans are decided by then, and write
 * what none is in the way of. One statement is whole or nothing by itself.
 */
export function transactions(
  connection: Connection,
  of: (table: string) => TableStatements,
  { rows, texts, value }: Pick<Statements, 'rows' | 'texts' | 'value'>,
): Transactions {
  const savepoint = connection.prepare('SAVEPOINT plan');
  const release = connection.prepare('RELEASE plan');
  const rollbackTo = connection.prepare('ROLLBACK TO plan');
  const waiting: Write[] = [];
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
    if (waiting.length === 0) return;
    if (!open) savepoint.run();
    open = true;
    for (const { statement, values } of waiting) statement.run(...values);
    waiting.length = 0;
  };
  /** Settles what waits without a savepoint. */
  const settleBare = (): void => {
    let done = 0;
    try {
      for (const { statement, values } of waiting) {
        statement.run(...values);
        done += 1;
      }
    } catch (error) {
      throw done > 0 && !isOfStore(error) ? new Torn('a row is in the way', { cause: error }) : error;
    }
  };
  const write = (table: string, statement: Statement<unknown[]>, values: readonly unknown[]): void => {
    marks.set(table, ++writes);
    waiting.push({ statement, values });
  };
  const undo = (): void => {
    if (open || waiting.length > 0) unsettle();
    const isOpen = open;
    waiting.length = 0;
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
    insert: (table, { key, text }) => write(table, of(table).insert, [...key, text]),
    update: (table, { key, text }) => write(table, of(table).update, [text, ...key]),
    remove: (table, key) => write(table, of(table).remove, key),
    removeEvery: (table) => write(table, of(table).removeEvery, []),
  };
  return {
    tx,
    unsettle,
    carryOut: (decide, isGuarded) => {
      try {
        const { reply, keep } = decide(tx);
        const wrote = keep && (open || waiting.length > 0);
        if (!keep) undo();
        else if (open || isGuarded) settle();
        else settleBare();
        if (open) release.run();
        waiting.length = 0;
        open = false;
        return { reply, wrote };
      } catch (error) {
        undo();
        throw error;
      }
    },
  };
}
