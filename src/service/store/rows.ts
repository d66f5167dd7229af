import type { Label, Query } from '../../expression/query.ts';

/** The values of a row's key, in the order in which the table names its fields. */
export type Key = readonly (string | number)[];

/** A kept item: its key, and its other kept members as the JSON text of an object. */
export interface Row {
  readonly key: Key;
  readonly text: string;
  /** Where it stands among the rows of its table, in the order in which they were made; given by a query. */
  readonly place?: number;
  /** What a query told with it, where it was asked for more. */
  readonly besides?: Told;
}

/** What was told with a row, by the labels of its query: a value, a row or null, or a list of rows; undefined: not asked. */
export interface Told {
  readonly get: (label: Label) => unknown;
}

/** A query that is asked again and again. Whichever store is asked prepares it, once. */
export interface Statement {
  readonly query: Query;
}

export function statement(query: Query): Statement {
  return { query };
}

/** What is kept, as one transaction or one moment sees it. */
export interface Reads {
  readonly find: (table: string, key: Key) => Row | null;
  /** The rows that a query gives; its parameters by their numbers. */
  readonly rows: (statement: Statement, parameters: readonly unknown[]) => readonly Row[];
  /** What a query gives that gives one value. */
  readonly value: (statement: Statement, parameters: readonly unknown[]) => unknown;
}

/** What a plan may do. A failed write ends the plan, and is answered by its `conflict` where a row was in the way. */
export interface Transaction extends Reads {
  readonly insert: (table: string, row: Row) => void;
  readonly update: (table: string, row: Row) => void;
  readonly remove: (table: string, key: Key) => void;
  readonly removeEvery: (table: string) => void;
}
