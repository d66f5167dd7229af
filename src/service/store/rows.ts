/** The values of a row's key, in the order in which the table names its fields. */
export type Key = readonly (string | number)[];

/** A kept item: its key, and its other kept members as the JSON text of an object. */
export interface Row {
  readonly key: Key;
  readonly text: string;
}

/** What is kept, as one transaction or one moment sees it. */
export interface Reads {
  readonly find: (table: string, key: Key) => Row | null;
}

/** What a plan may do. A failed write ends the plan, and is answered by its `conflict` where a row was in the way. */
export interface Transaction extends Reads {
  readonly insert: (table: string, row: Row) => void;
  readonly update: (table: string, row: Row) => void;
  readonly remove: (table: string, key: Key) => void;
  readonly removeEvery: (table: string) => void;
}
