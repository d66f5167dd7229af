import { bare, type Reply } from '../../message/reply.ts';
import { done, type Plan, undone } from '../../store/plan.ts';
import type { Transaction } from '../../store/store.ts';
import { type Delivery, deliveryTable, keyOf, type Standing as Row } from '../deliveries.ts';
import type { Outcome, Way } from './way.ts';

/** How long it may wait to be noted that an attempt failed, together with others, in milliseconds. */
const notingMs = 50;

export interface NotingAround {
  readonly ways: ReadonlyMap<string, Way>;
  readonly milliseconds: () => number;
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  /** Whether it is this process that delivers, in the transaction in which it is noted what came of an attempt. */
  readonly isLeading: (tx: Transaction) => boolean;
  readonly fault: (error: unknown) => void;
}

/** What is noted of an attempt: when the next one is made; `at` is null where there is none. */
export interface Noted {
  readonly at: number | null;
}

/** Notes what came of an attempt, and when the next one is made. Null: that is not kept. */
export type Note = (one: Delivery, outcome: Outcome) => Promise<Noted | null>;

export function compileNoting(around: NotingAround): Note {
  const { ways, milliseconds, commit } = around;
  const together = gathering(notingMs);
  return async (one, outcome) => {
    const way = ways.get(one.way) as Way;
    const isOver = outcome.arrived || outcome.isLast === true;
    const pause = isOver ? null : way.pause(one.tries + 1);
    const at = pause === null ? null : milliseconds() + pause;
    const exhausted = isOver || at !== null ? undefined : way.exhausted;
    // Each commit is a wait of everybody's, so that those of failures are few, however many there are.
    if (!outcome.arrived) await together();
    const isKept = async (follows: Way['exhausted']): Promise<boolean> =>
      (await commit(noting(around, one, rowOf(one, outcome, at), follows)))?.status === done.status;
    return (exhausted && (await isKept(exhausted))) || (await isKept(undefined)) ? { at } : null;
  };
}

/** The row of a delivery after an attempt. */
function rowOf(one: Delivery, outcome: Outcome, at: number | null): Row {
  return {
    lane: one.lane,
    ...(one.owner !== undefined && { owner: one.owner }),
    tries: one.tries + 1,
    last: outcome.last,
    ...(outcome.arrived && { arrived: true }),
    ...(at !== null && { due: at }),
  };
}

function noting(around: NotingAround, one: Delivery, row: Row, follows: Way['exhausted']): Plan {
  return {
    decide: (tx) => {
      const key = keyOf(one);
      if (!around.isLeading(tx) || tx.find(deliveryTable.name, key) === null)
        return { keep: false, reply: done };
      tx.update(deliveryTable.name, { key, text: JSON.stringify(row) });
      const keep = follows?.(tx, one.target) ?? true;
      return { keep, reply: keep ? done : undone };
    },
    conflict: () => (follows ? undone : done),
    fault: (error) => {
      around.fault(error);
      return bare(500);
    },
  };
}

/** Whoever waits within the same time is let go together. */
function gathering(timeMs: number): () => Promise<void> {
  let waiting: Promise<void> | null = null;
  return () => {
    waiting ??= new Promise((resolve) => {
      setTimeout(() => {
        waiting = null;
        resolve();
      }, timeMs);
    });
    return waiting;
  };
}
