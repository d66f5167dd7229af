import type { Label, Query } from '../../expression/query.ts';

/** The values of a row's key, in the order in which the table names its fields. */
export type Key = readonly (string | number)[];

/** A kept item: its key, and its other kept members as the JSON text of an object. */
export interface Row {
  readonly key: Key;
  readonly text: string;
  /** Of a table that keeps bytes: those of this row. */
  readonly bytes?: Uint8Array;
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
  /** What its query tells besides that is the same for all rows, by its label; null: nothing. */
  readonly once: Label | null;
}

/** Rows as texts with commas between them, and what is told besides that is the same for all; undefined where there are none. */
export interface Texts {
  readonly text: string;
  /** How many rows there are. */
  readonly count: number;
  readonly once: unknown;
}

/** An object: members that a row holds as they are kept, and then others. */
export interface TextOfRow {
  readonly kept: KeptText;
  readonly others: readonly TextMember[];
}

/** Those of a row's members that stand in a text as they are kept: of its key, and of the others. */
export interface KeptText {
  readonly keys: readonly { readonly name: string; readonly key: number }[];
  /** By name, each where it is there; null: all but those that are left out. */
  readonly shows: readonly string[] | null;
  readonly leaves: readonly string[];
}

export interface TextMember {
  readonly name: string;
  readonly value: TextValue;
}

export type TextValue =
  /** A text that is made of others. */
  | { readonly joined: readonly TextPart[] }
  /** What is told with the row under a label: whether something is so, or how many there are. */
  | { readonly told: Label }
  /** The row that is told with it under a label, or null; left out where the row itself has no member `unless`. */
  | { readonly row: Label; readonly of: TextOfRow; readonly unless: string | null };

/** A text itself, a value of the key by its place in it, or a parameter by its number. */
export type TextPart = string | { readonly key: number } | { readonly parameter: number };

/** What is kept, as one transaction or one moment sees it. */
export interface Reads {
  readonly find: (table: string, key: Key) => Row | null;
  /** The rows that a query gives; its parameters by their numbers. */
  readonly rows: (statement: Statement, parameters: readonly unknown[]) => readonly Row[];
  /**
   * The rows of a query as texts; a store need not have it. Throws `CannotWorkOut` where one of them is not put together.
   */
  readonly texts?: (statement: TextStatement, parameters: readonly unknown[]) => Texts;
  /** What a query gives that gives one value. */
  readonly value: (statement: Statement, parameters: readonly unknown[]) => unknown;
  /** A number that is another once a row of this table may be; a store need not have it. */
  readonly mark?: (table: string) => number;
  /**
   * Of a store that fetches what is read, and then begins anew: carries `act` out, and gives the error that ended it
   * where it read what is not known yet; null: it went through.
   */
  readonly attempt?: (act: () => void) => unknown;
}

/** What a plan may do. A failed write ends the plan, and is answered by its `conflict` where a row was in the way. */
export interface Transaction extends Reads {
  readonly insert: (table: string, row: Row) => void;
  readonly update: (table: string, row: Row) => void;
  readonly remove: (table: string, key: Key) => void;
  readonly removeEvery: (table: string) => void;
}
