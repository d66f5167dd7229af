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

/** Rows of a query, each as a JSON text that a store puts together. */
export interface TextStatement extends Statement {
  readonly text: TextOfRow;
}

/** An object: what a row holds besides its key, and members that are texts of others before and behind it. */
export interface TextOfRow {
  readonly before: readonly TextMember[];
  readonly behind: readonly TextMember[];
}

export interface TextMember {
  readonly name: string;
  readonly joined: readonly TextPart[];
}

/** A text itself, a value of the key by its place in it, or a parameter by its number. */
export type TextPart = string | { readonly key: number } | { readonly parameter: number };

/** What is kept, as one transaction or one moment sees it. */
export interface Reads {
  readonly find: (table: string, key: Key) => Row | null;
  /** The rows that a query gives; its parameters by their numbers. */
  readonly rows: (statement: Statement, parameters: readonly unknown[]) => readonly Row[];
  /** The rows of a query as texts; a store need not have it. */
  readonly texts?: (statement: TextStatement, parameters: readonly unknown[]) => readonly string[];
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
