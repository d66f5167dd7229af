import { bare, type Reply } from '../message/reply.ts';
import type { Clock } from '../value/clock.ts';
import type { Plan } from './plan.ts';
import { FateUnknown, type Store } from './store.ts';

/** What to do with a plan's answer: send it, or close the connection because nobody knows what became of it. */
export type Settle = (reply: Reply | null) => void;

/**
 * Group commit: the plans that arrive in one turn of the event loop are committed together, and every answer,
 * refusals included, leaves after the COMMIT that it was computed before. With them the latest `now` is kept. A store of
 * several processes is given each plan as it comes, and puts them together by what they read and write.
 *
 * @param before carries out what goes before any of them, such as what is due
 * @param onFault told once of a transaction that failed
 */
export function batches(
  store: Store,
  now: Clock,
  before: () => Promise<void> | undefined,
  onFault: (fault: unknown) => void,
): (plan: Plan, settle: Settle) => void {
  const alone = async (plan: Plan, settle: Settle): Promise<void> => {
    const [reply] = await committed(store, [plan], now, before, onFault);
    settle(reply ?? null);
  };
  if (store.isShared) return (plan, settle) => void alone(plan, settle);
  let waiting: { plan: Plan; settle: Settle }[] = [];
  let running = false;
  const flush = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const replies = await committed(
        store,
        batch.map((one) => one.plan),
        now,
        before,
        onFault,
      );
      for (const [index, { settle }] of batch.entries()) settle(replies[index] ?? null);
    }
    running = false;
  };
  return (plan, settle) => {
    waiting.push({ plan, settle });
    if (waiting.length === 1 && !running) setImmediate(() => void flush());
  };
}

/** A COMMIT that failed is a 503 (RFC 9110 §15.6.4) to all of the batch; one whose fate is unknown is silence. */
async function committed(
  store: Store,
  plans: readonly Plan[],
  now: Clock,
  before: () => Promise<void> | undefined,
  onFault: (fault: unknown) => void,
): Promise<readonly (Reply | null)[]> {
  let isBegun = false;
  try {
    await before();
    isBegun = true;
    return await store.commit(plans, now.latest);
  } catch (error) {
    onFault(error);
    return plans.map(() => (isBegun && error instanceof FateUnknown ? null : bare(503)));
  }
}
