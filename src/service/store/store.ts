import type { Plan, Reference, Row } from '../plan.ts';
import type { Reply } from '../reply.ts';

/** A resource as a store sees it. */
export interface Kept {
  readonly name: string;
  /** The fields of its identifier, in order. */
  readonly keyFields: readonly string[];
}

/** Where items are kept. Every method may be called at any time; what was answered is durable. */
export interface Store {
  readonly find: (reference: Reference) => Promise<Row | null> | Row | null;
  /** All items of a resource as they stood at one moment, in the order in which they were made. */
  readonly scan: (resource: string) => Scan;
  /** Carries plans out in one transaction, each whole or not at all, and gives their answers in order. */
  readonly commit: (plans: readonly Plan[]) => Promise<readonly Reply[]> | readonly Reply[];
  readonly close: () => void;
}

/** The items of one moment. */
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
