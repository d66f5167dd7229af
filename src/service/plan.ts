import type { Reply } from './reply.ts';

/** The values of an item's identifier, in the order in which the identifier names its fields. */
export type Key = readonly (string | number)[];

/** A kept item: its identifier, and its other kept members as the JSON text of an object. */
export interface Row {
  readonly key: Key;
  readonly text: string;
}

/** One item of a resource, by its identifier. */
export interface Reference {
  readonly resource: string;
  readonly key: Key;
}

/** What is written; each a single statement of the store's. */
export type Write =
  | { readonly kind: 'insert'; readonly resource: string; readonly row: Row }
  | { readonly kind: 'update'; readonly resource: string; readonly row: Row }
  | { readonly kind: 'delete'; readonly resource: string; readonly key: Key }
  | { readonly kind: 'delete every'; readonly resource: string };

/** What a change came to: what to write, and what to answer once that is durable. */
export interface Decision {
  readonly writes: readonly Write[];
  readonly reply: Reply;
}

/**
 * A change, as plain data round one pure function: what is read, and what follows from it. A store reads,
 * decides and writes in one transaction, in which nothing awaits (ARCHITECTURE, "A change is a plan").
 */
export interface Plan {
  /** The item that the change is about; null where it is about none that is there already. */
  readonly read: Reference | null;
  /** Must not have effects: it may be called again where the transaction has to begin anew. */
  readonly decide: (row: Row | null) => Decision;
  /** The answer where a write met an item with the same identifier. */
  readonly conflict: () => Reply;
  /** The answer where the change cannot be worked out. */
  readonly fault: (error: unknown) => Reply;
}
