import type { Query } from '../../expression/query.ts';
import type { Reply } from '../message/reply.ts';
import type { Plan } from './plan.ts';
import type { Reads, Row, Statement } from './rows.ts';

export type { KeptText, Key, Reads, Row, Statement, TextStatement, Transaction } from './rows.ts';
export type { Index, IndexField, MemberColumn, Table } from './table.ts';

/** Where items are kept. Every method may be called at any time; what was answered is durable. */
export interface Store {
  /**
   * Takes a look at what is kept, and gives what that comes to: at once, or later where the store has to ask another
   * process, which then calls the look again until all that it reads is known. So a look awaits nothing and has no
   * effects. What is made in it and reads more when it is used may be used in a later look alone. Throws, or
   * rejects with, `NotRead` where it fails.
   */
  readonly read: <T>(look: (reads: Reads) => T, asker?: Asker) => T | Promise<T>;
  /**
   * A source of values such as a clock, of which a plan or a look that is called again is given the same ones again.
   * `isTime`: what a plan was given before it holds its locks does not count.
   */
  readonly steady: <A extends readonly unknown[], T>(
    source: (...given: A) => T,
    options?: { readonly isTime?: boolean },
  ) => (...given: A) => T;
  /** Prepares a query now, rather than when it is first asked. */
  readonly prepare: (query: Query) => Statement;
  /** The rows of a query piece by piece, from one snapshot: that of the first `next`. It ends with the iteration. */
  readonly stream: (
    statement: Statement,
    parameters: readonly unknown[],
    asker?: Asker,
  ) => AsyncIterable<readonly Row[]>;
  /**
   * Carries plans out in one transaction, each whole or not at all, and gives their answers in order. Where one
   * kept something, `latest` is kept with it, once all have been decided.
   */
  readonly commit: (
    plans: readonly Plan[],
    latest: () => number,
  ) => Promise<readonly Reply[]> | readonly Reply[];
  /**
   * Waits until no row of a table can come any more at a place up to one at which a row was seen. Default: a row is seen
   * before any is given a higher place.
   */
  readonly settled?: (table: string, place: number) => Promise<void>;
  /** Whether several processes may have it open at once. */
  readonly isShared: boolean;
  /** The latest time that was kept when the store was opened, in microseconds since 1970; 0: none was. */
  readonly latest: number;
  /**
   * Where several processes may have the store open: tells what the time is, now and again whenever plans are to be
   * carried out and hold their locks. Default: nobody else keeps anything, and the machine's clock is the only one.
   */
  readonly onTime?: (told: (time: StoreTime) => void) => void;
  readonly close: () => void | Promise<void>;
}

/** The time by which all processes go that have a store open. */
export interface StoreTime {
  /** The latest time that any of them kept, in microseconds since 1970. */
  readonly latest: number;
  /** How far the clock of the store's server is ahead of this machine's, in milliseconds. */
  readonly aheadMs: number;
}

/** Who asks in one way again and again, as an operation does: a store need not tell one from another. */
export interface Asker {
  /** How long a query may take, in milliseconds: one that takes longer is ended, and has failed. Undefined: it may. */
  readonly timeMs: number | undefined;
  /** Whether the last look took several statements, as the store notes. */
  takesSeveral: boolean;
  /** Whether what is read is for answers alone, and nothing is changed by it: a replica may be read then. */
  onlyReads: boolean;
}

/** A standby of a database, which may be read in its place. */
export interface Replica {
  /** Its address. */
  readonly place: string;
  /** Told of each look that may be answered by either, which of them answered it. */
  readonly onRead?: ((by: 'primary' | 'replica') => void) | undefined;
  /** Told why the replica is not read any more; null: it is read again. */
  readonly onReplica?: ((why: string | null) => void) | undefined;
}

/** The store cannot be used as it is: its message says why and what to do. */
export class StoreRefused extends Error {}

/** Tables that are to be looked at are not there. */
export class TablesMissing extends StoreRefused {
  readonly names: readonly string[];

  /** @param place as it is shown */
  constructor(place: string, names: readonly string[]) {
    super(`${place} keeps no ${names[0]}s`);
    this.names = names;
  }
}

/** What is kept could not be read. */
export class NotRead extends Error {}

/** The transaction failed and nothing of it was kept. */
export class NotKept extends Error {}

/** Whether the transaction was kept cannot be told. */
export class FateUnknown extends Error {}
