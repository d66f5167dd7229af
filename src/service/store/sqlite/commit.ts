import type { Reply } from '../../message/reply.ts';
import type { Conflict } from '../conflict.ts';
import type { Plan } from '../plan.ts';
import { FateUnknown, NotKept } from '../store.ts';
import { FilesLost } from './files.ts';
import { type Connection, codeOf, isOfStore } from './open.ts';
import { type Carried, Torn, type Transactions } from './transaction.ts';

/** Transactions of whole batches, one after another. */
export interface Committing {
  readonly commit: (plans: readonly Plan[], latest: () => number) => readonly Reply[];
  /** Ends what a failed transaction left, where it could not be ended at once; throws where it cannot be now. */
  readonly settle: () => void;
}

/**
 * Carries batches out, each in one transaction.
 *
 * @param conflictOf what a failed write met
 * @param keepLatest keeps the latest time with what a batch keeps
 * @param endReads ends the transaction that reads share
 * @param held throws where the files are not the ones any more that were opened
 */
export function committing(
  connection: Connection,
  { carryOut, settle: write, unsettle }: Transactions,
  conflictOf: (error: unknown) => Conflict | null,
  keepLatest: (latest: number) => void,
  endReads: () => void,
  held: () => void,
): Committing {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  let isLeft = false;
  /** Another number than before, once another connection has written. */
  const othersWrites = connection.prepare('PRAGMA data_version').pluck();
  let seen = othersWrites.get();
  const rollBack = (): void => {
    unsettle();
    isLeft = connection.inTransaction;
    if (isLeft) connection.exec('ROLLBACK');
    isLeft = false;
  };
  const settle = (): void => {
    if (isLeft) rollBack();
  };
  const abandon = (): void => {
    try {
      rollBack();
    } catch {
      // Whoever comes next tries again.
    }
  };
  const settled = (plan: Plan, isGuarded: boolean): Carried => {
    try {
      return carryOut(plan.decide, isGuarded);
    } catch (error) {
      if (error instanceof Torn) throw error;
      const met = conflictOf(error);
      if (met) return { reply: plan.conflict(met.table, met.fields), wrote: false };
      // A fault of the store's ends the whole transaction; one of the change's is its own.
      if (isOfStore(error) || !connection.inTransaction) throw error;
      return { reply: plan.fault(error), wrote: false };
    }
  };
  const carriedOut = (plans: readonly Plan[]): readonly Carried[] => {
    try {
      const carried = plans.map((plan) => settled(plan, false));
      write();
      return carried;
    } catch (error) {
      if (!(error instanceof Torn)) throw error;
      rollBack();
      begin.run();
      return plans.map((plan) => settled(plan, true));
    }
  };
  return {
    settle,
    commit: (plans, latest) => {
      try {
        settle();
        endReads();
        begin.run();
        const now = othersWrites.get();
        if (now !== seen) unsettle();
        seen = now;
      } catch (error) {
        abandon();
        throw new NotKept('the transaction did not begin', { cause: error });
      }
      let isCommitting = false;
      try {
        const carried = carriedOut(plans);
        const isWritten = carried.some(({ wrote }) => wrote);
        if (isWritten) {
          held();
          keepLatest(latest());
        }
        isCommitting = true;
        commit.run();
        if (isWritten) held();
        return carried.map(({ reply }) => reply);
      } catch (error) {
        abandon();
        // An I/O error while the log is synced leaves open whether its last frames will be found again.
        const isUnknown =
          isCommitting && (error instanceof FilesLost || codeOf(error)?.startsWith('SQLITE_IOERR') === true);
        throw new (isUnknown ? FateUnknown : NotKept)('the transaction failed', { cause: error });
      }
    },
  };
}
