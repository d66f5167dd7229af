import type { Reply } from '../../../message/reply.ts';
import type { Plan } from '../../plan.ts';
import { NotKept } from '../../store.ts';
import type { Connection, Line } from '../open.ts';
import { Batch, type Carrying, OneByOne, type Planned, Unanswered } from './batch.ts';
import { Taken } from './replay.ts';
import { wasKept } from './standing.ts';

/** Transactions of whole batches, one after another. */
export interface Committing {
  readonly commit: (plans: readonly Plan[], latest: () => number) => Promise<readonly Reply[]>;
  /** Ends once those under way have. */
  readonly close: () => Promise<void>;
}

/**
 * Carries batches out, each in one transaction that holds the lock of the service, so that all its processes write
 * one after another. Plans are run over what is known, and again once what they lack was fetched; what they write is
 * sent at the end, in few statements.
 */
export function committing(line: Line, carrying: Carrying): Committing {
  let last: Promise<unknown> = Promise.resolve();
  const commit = async (plans: readonly Plan[], latest: () => number): Promise<readonly Reply[]> => {
    for (let isOneByOne = false; ; ) {
      const planned = plans.map((plan): Planned => ({ plan, taken: new Taken() }));
      try {
        return await new Batch(await connected(line), carrying, planned, isOneByOne).carryOut(latest);
      } catch (error) {
        if (error instanceof OneByOne && !isOneByOne) {
          isOneByOne = true;
          continue;
        }
        line.drop();
        if (error instanceof Unanswered) return await outcome(line, error);
        throw error instanceof NotKept ? error : new NotKept('the transaction failed', { cause: error });
      }
    }
  };
  return {
    commit: (plans, latest) => {
      const result = last.then(() => commit(plans, latest));
      last = result.catch(() => {});
      return result;
    },
    close: async () => {
      await last;
      await line.close();
    },
  };
}

async function connected(line: Line): Promise<Connection> {
  try {
    return await line.get();
  } catch (error) {
    throw new NotKept('the transaction did not begin', { cause: error });
  }
}

/** What a transaction came to whose COMMIT was not answered. */
async function outcome(line: Line, { mark, replies }: Unanswered): Promise<readonly Reply[]> {
  if (await wasKept(line, mark)) return replies;
  throw new NotKept('the connection was lost, and the transaction with it');
}
