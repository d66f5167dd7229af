import { bare, type Reply } from '../message/reply.ts';
import type { Transaction } from './rows.ts';

/** What a plan came to: the answer, and whether what it wrote is kept. */
export interface Decision {
  readonly reply: Reply;
  /** False: whatever the plan wrote is undone. */
  readonly keep: boolean;
}

/**
 * A change: a function of what it reads, carried out in one transaction in which nothing awaits (ARCHITECTURE, The life
 * of a request).
 */
export interface Plan {
  /**
   * How long its queries may take, each by itself, in milliseconds: a store that can ends one that takes longer, and
   * its error is the plan's fault. Default: as long as the store lets any.
   */
  readonly timeMs?: number | undefined;
  /** What is the same for plans that are alike, as for those of one operation: a store may guess what one reads by others. */
  readonly like?: object | undefined;
  /** Has no effects but through the transaction, so that it may be called again where that has to begin anew. */
  readonly decide: (tx: Transaction) => Decision;
  /** The answer where a write met a row of the table that has the same in these fields: of its key, or of an index. */
  readonly conflict: (table: string, fields: readonly string[]) => Reply;
  /** The answer where the change cannot be worked out. */
  readonly fault: (error: unknown) => Reply;
}

/** What a plan of the service's own comes to, told apart by identity: it was kept, or it was undone. */
export const done = bare(204);
export const undone = bare(409);

/** A plan of the service's own, kept where `decide` says so; a row in its way undoes it, and so does a fault. */
export function ownPlan(decide: (tx: Transaction) => boolean, fault: (error: unknown) => void): Plan {
  return {
    decide: (tx) => {
      const keep = decide(tx);
      return { keep, reply: keep ? done : undone };
    },
    conflict: () => undone,
    fault: (error) => {
      fault(error);
      return undone;
    },
  };
}
