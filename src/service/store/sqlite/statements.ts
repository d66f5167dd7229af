import type { Statement as Prepared } from 'better-sqlite3';
import type { Statement, TextStatement, Texts } from '../rows.ts';
import type { Row, Table } from '../store.ts';
import { elementsOf, wordsOf } from './elements.ts';
import { columnNames } from './members.ts';
import type { Connection } from './open.ts';
import { type Layout, type Printed, print } from './sql.ts';

/** A statement as a connection carries it out: as one for parameters that are not null, and others where some are. */
interface Known {
  readonly usual: Ready;
  /** By the numbers of those that are null. */
  readonly others: Map<string, Ready>;
}

/** Beyond so many others, all are taken to be null of which any may be. */
const mostOthers = 16;

interface Ready {
  readonly statement: Prepared<unknown[]>;
  readonly printed: Printed;
}

/** What a connection is asked; each statement is prepared the first time, and as long as someone holds it. */
export interface Statements {
  readonly prepare: (statement: Statement) => void;
  readonly rows: (statement: Statement, parameters: readonly unknown[]) => readonly Row[];
  readonly texts: (statement: TextStatement, parameters: readonly unknown[]) => Texts;
  readonly value: (statement: Statement, parameters: readonly unknown[]) => unknown;
  /** The rows one by one: the connection can do nothing else meanwhile. */
  readonly each: (statement: Statement, parameters: readonly unknown[]) => Iterable<Row>;
}

/** What the tables of a store keep besides rows. */
export function layoutOf(tables: readonly Table[]): Layout {
  return {
    elements: tables.flatMap(elementsOf),
    words: tables.flatMap(wordsOf),
    columns: new Map(tables.map((table) => [table.name, columnNames(table)])),
  };
}

/** @param tables what is kept, as far as statements find anything by it but rows */
export function statements(connection: Connection, tables: readonly Table[] = []): Statements {
  const layout = layoutOf(tables);
  const prepared = new WeakMap<Statement, Known>();
  const made = (statement: Statement | TextStatement, absent?: readonly number[]): Ready => {
    const inText = 'text' in statement ? statement : null;
    const printed = print(statement.query, absent && new Set(absent), layout, inText);
    const prepared = connection.prepare<unknown[]>(printed.sql);
    return { statement: inText?.once === null ? prepared.pluck() : prepared.raw(), printed };
  };
  const known = (statement: Statement): Known => {
    const found = prepared.get(statement) ?? { usual: made(statement), others: new Map() };
    prepared.set(statement, found);
    return found;
  };
  const ready = (statement: Statement, parameters: readonly unknown[]): Ready => {
    const { usual, others } = known(statement);
    const { assumed } = usual.printed;
    let isUsual = true;
    for (const [index, isSo] of assumed) isUsual &&= isSo(parameters[index]);
    if (isUsual) return usual;
    const absent = [...assumed].flatMap(([index, isSo]) => (isSo(parameters[index]) ? [] : [index]));
    const ofThese = others.get(absent.join());
    if (ofThese) return ofThese;
    const taken = others.size < mostOthers ? absent : [...assumed.keys()];
    const other = others.get(taken.join()) ?? made(statement, taken);
    others.set(taken.join(), other);
    return other;
  };
  return {
    prepare: known,
    rows: (statement, parameters) => {
      const { statement: run, printed } = ready(statement, parameters);
      return (run.all(...printed.bind(parameters)) as unknown[][]).map(printed.row);
    },
    texts: (statement, parameters) => {
      const { statement: run, printed } = ready(statement, parameters);
      const found = run.all(...printed.bind(parameters));
      const count = found.length;
      if (statement.once === null) return { text: found.join(','), count, once: undefined };
      const all = found as (readonly [string, unknown])[];
      return { text: all.map(([text]) => text).join(','), count, once: all[0]?.[1] };
    },
    value: (statement, parameters) => {
      const { statement: run, printed } = ready(statement, parameters);
      const [column = null] = (run.get(...printed.bind(parameters)) as unknown[] | undefined) ?? [];
      return printed.value(column);
    },
    each: function* (statement, parameters) {
      const { statement: run, printed } = ready(statement, parameters);
      for (const columns of run.iterate(...printed.bind(parameters))) yield printed.row(columns as unknown[]);
    },
  };
}
