/**
 * A table as a store sees it: a resource, or one of the service's own, whose name begins with a small letter.
 * A store knows nothing of the language.
 */
export interface Table {
  readonly name: string;
  /** The fields of its key, in order: for a resource those of its identifier. */
  readonly keyFields: readonly string[];
  /** What rows are searched by besides their key. Default: nothing. */
  readonly indexes?: readonly Index[];
}

/** Members by which rows are searched, in order; and of which, where it is unique, no two rows have the same. */
export interface Index {
  readonly fields: readonly IndexField[];
  /** Rows that lack one of the members, or have null there, are the same as none (SQL's NULL). */
  readonly unique: boolean;
}

/** A member of a row, which may be one of its key. */
export interface IndexField {
  /** The member's name, and the names of what is within it. */
  readonly path: readonly string[];
  /** Texts are the same whatever the case of their letters (Unicode simple case folding). */
  readonly caseless?: boolean;
  /** Texts are the instants that they name. */
  readonly time?: boolean;
}

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
