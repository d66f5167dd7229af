import type { Statement } from 'better-sqlite3';
import type { Reply } from '../../message/reply.ts';
import type { Decision } from '../plan.ts';
import type { Statement as Asked, Row, Transaction } from '../store.ts';
import { tablesOf } from '../touches.ts';
import { type Connection, isOfStore } from './open.ts';
import type { Statements } from './statements.ts';
import type { TableStatements } from './tables.ts';

export interface Carried {
  readonly reply: Reply;
  /** Whether the plan leaves something to be kept. */
  readonly wrote: boolean;
}

/** Of what plans wrote, something met a row: the transaction is to begin anew, its plans guarded. */
export class Torn extends Error {}

/** The one transaction of a connection, in which plans are carried out one after another. */
export interface Transactions {
  readonly tx: Required<Omit<Transaction, 'attempt'>>;
  /** To be told that what was written may be undone, or somebody else have written: nothing waits, every mark is another. */
  readonly unsettle: () => void;
  /**
   * Carries a plan out whole, or leaves nothing of it. Where it is not guarded, this or `settle` may throw `Torn`.
   *
   * @param isGuarded whether all that it writes is written by now, behind a savepoint
   */
  readonly carryOut: (decide: (tx: Transaction) => Decision, isGuarded: boolean) => Carried;
  /** Writes what still waits of the plans that are kept. */
  readonly settle: () => void;
}

/** A write that waits: of a row that is new, or another. */
type Write =
  | { readonly table: string; readonly row: Row }
  | { readonly table: string; readonly statement: Statement<unknown[]>; readonly values: readonly unknown[] };

/**
 * What plans write waits until a table is read that it is of, or all are decided: most plans are decided by then, write
 * what none is in the way of, and their rows are added together. Only a plan that goes on takes a savepoint.
 */
export function transactions(
  connection: Connection,
  of: (table: string) => TableStatements,
  { rows, texts, value }: Pick<Statements, 'rows' | 'texts' | 'value'>,
): Transactions {
  const savepoint = connection.prepare('SAVEPOINT plan');
  const release = connection.prepare('RELEASE plan');
  const rollbackTo = connection.prepare('ROLLBACK TO plan');
  /** Of plans that are kept first, and then of the one at hand. */
  const waiting: Write[] = [];
  let kept = 0;
  /** The tables that any of it may be of. */
  const touched = new Set<string>();
  let open = false;
  /** How often anything was written, and as of when each table is as it is. */
  let writes = 0;
  let since = 0;
  const marks = new Map<string, number>();
  const unmark = (): void => {
    marks.clear();
    since = ++writes;
  };
  const settle = (): void => {
    if (kept > 0) {
      try {
        carryOut(of, waiting.slice(0, kept));
      } catch (error) {
        throw isOfStore(error) ? error : new Torn('a row is in the way', { cause: error });
      }
      waiting.splice(0, kept);
      kept = 0;
    }
    touched.clear();
    if (waiting.length === 0) return;
    if (!open) savepoint.run();
    open = true;
    carryOut(of, waiting);
    waiting.length = 0;
  };
  const settleOf = ({ query }: Asked): void => {
    for (const table of touched)
      if (tablesOf(query).has(table)) {
        settle();
        return;
      }
  };
  const write = (one: Write): void => {
    marks.set(one.table, ++writes);
    touched.add(one.table);
    waiting.push(one);
  };
  const change = (table: string, statement: Statement<unknown[]>, values: readonly unknown[]): void =>
    write({ table, statement, values });
  const undo = (): void => {
    if (open || waiting.length > kept) unmark();
    const isOpen = open;
    waiting.length = kept;
    open = false;
    if (!isOpen || !connection.inTransaction) return;
    rollbackTo.run();
    release.run();
  };
  const tx: Required<Omit<Transaction, 'attempt'>> = {
    find: (table, key) => {
      if (touched.has(table)) settle();
      return of(table).find(key);
    },
    rows: (statement, parameters) => {
      settleOf(statement);
      return rows(statement, parameters);
    },
    texts: (statement, parameters) => {
      settleOf(statement);
      return texts(statement, parameters);
    },
    value: (statement, parameters) => {
      settleOf(statement);
      return value(statement, parameters);
    },
    mark: (table) => marks.get(table) ?? since,
    insert: (table, row) => write({ table, row }),
    update: (table, { key, text }) => change(table, of(table).update, [text, ...key]),
    remove: (table, key) => change(table, of(table).remove, key),
    removeEvery: (table) => change(table, of(table).removeEvery, []),
  };
  return {
    tx,
    settle,
    unsettle: () => {
      waiting.length = 0;
      kept = 0;
      unmark();
    },
    carryOut: (decide, isGuarded) => {
      try {
        const { reply, keep } = decide(tx);
        const wrote = keep && (open || waiting.length > kept);
        if (!keep) undo();
        else if (isGuarded) settle();
        if (open) release.run();
        open = false;
        kept = waiting.length;
        return { reply, wrote };
      } catch (error) {
        undo();
        throw error;
      }
    },
  };
}

/** Rows that are added are added table by table. */
function carryOut(of: (table: string) => TableStatements, writes: readonly Write[]): void {
  const added = new Map<string, Row[]>();
  const add = (): void => {
    for (const [table, rows] of added) of(table).insert(rows);
    added.clear();
  };
  for (const one of writes) {
    if ('row' in one) {
      const rows = added.get(one.table);
      if (rows) rows.push(one.row);
      else added.set(one.table, [one.row]);
    } else {
      add();
      one.statement.run(...one.values);
    }
  }
  add();
}
