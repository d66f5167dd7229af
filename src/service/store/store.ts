import type { Plan } from '../plan.ts';
import type { Reply } from '../reply.ts';

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

/** Where items are kept. Every method may be called at any time; what was answered is durable. */
export interface Store extends Reads {
  /** All rows of a table as they stood at one moment, in the order in which they were made. */
  readonly scan: (table: string) => Scan;
  /** Carries plans out in one transaction, each whole or not at all, and gives their answers in order. */
  readonly commit: (plans: readonly Plan[]) => Promise<readonly Reply[]> | readonly Reply[];
  readonly close: () => void;
}

/** The rows of one moment. */
export interface Scan {
  /** All of them, where they are so few that one piece holds them; null where there are more. */
  readonly few: readonly Row[] | null;
  /** All of them, piece by piece, from one snapshot that ends with the iteration. */
  readonly pieces: () => AsyncIterable<readonly Row[]>;
}

/** The store cannot be used as it is: its message says why and what to do. */
export class StoreRefused extends Error {}

/** The transaction failed and nothing of it was kept. */
export class NotKept extends Error {}

/** Whether the transaction was kept cannot be told. */
export class FateUnknown extends Error {}
