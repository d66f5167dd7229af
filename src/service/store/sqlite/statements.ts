import type { Statement as Prepared } from 'better-sqlite3';
import type { Statement } from '../rows.ts';
import type { Row } from '../store.ts';
import type { Connection } from './open.ts';
import { type Printed, print } from './sql.ts';

/** A statement as a connection carries it out. */
interface Ready {
  readonly statement: Prepared<unknown[]>;
  readonly printed: Printed;
}

/** What a connection is asked; each statement is prepared the first time, and as long as someone holds it. */
export interface Statements {
  readonly prepare: (statement: Statement) => void;
  readonly rows: (statement: Statement, parameters: readonly unknown[]) => readonly Row[];
  readonly value: (statement: Statement, parameters: readonly unknown[]) => unknown;
  /** The rows one by one: the connection can do nothing else meanwhile. */
  readonly each: (statement: Statement, parameters: readonly unknown[]) => Iterable<Row>;
}

export function statements(connection: Connection): Statements {
  const prepared = new WeakMap<Statement, Ready>();
  const ready = (statement: Statement): Ready => {
    const known = prepared.get(statement);
    if (known) return known;
    const printed = print(statement.query);
    const made = { statement: connection.prepare<unknown[]>(printed.sql).raw(), printed };
    prepared.set(statement, made);
    return made;
  };
  return {
    prepare: ready,
    rows: (statement, parameters) => {
      const { statement: run, printed } = ready(statement);
      return (run.all(...printed.bind(parameters)) as unknown[][]).map(printed.row);
    },
    value: (statement, parameters) => {
      const { statement: run, printed } = ready(statement);
      const [column = null] = (run.get(...printed.bind(parameters)) as unknown[] | undefined) ?? [];
      return printed.value(column);
    },
    each: function* (statement, parameters) {
      const { statement: run, printed } = ready(statement);
      for (const columns of run.iterate(...printed.bind(parameters))) yield printed.row(columns as unknown[]);
    },
  };
}
