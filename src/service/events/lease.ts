import { done, ownPlan } from '../store/plan.ts';
import type { Store, Table, Transaction } from '../store/store.ts';

/** Which of several processes delivers: its name, and a number that it moves while it lives. */
export const leaseTable: Table = { name: 'lease', keyFields: ['of'] };

const key = ['deliveries'] as const;

/** How often the one that delivers says so, and for how long it may be silent before another takes over. */
const beatMs = 1000;
const silenceMs = 6000;

/** One process's claim to deliver. */
export interface Lease {
  readonly holds: () => boolean;
  readonly isHeld: (tx: Transaction) => boolean;
  /** Says that this process lives, or takes over where the other one has not for too long. */
  readonly beat: () => Promise<void>;
  readonly start: () => void;
  readonly release: () => Promise<void>;
}

interface Holder {
  readonly holder: string;
  readonly beat: number;
}

/** Where nobody else has the store, there is nothing to claim. */
const alone: Lease = {
  holds: () => true,
  isHeld: () => true,
  beat: async () => {},
  start: () => {},
  release: async () => {},
};

/**
 * No clock is compared with another's: who watches counts by its own for how long the number has not moved.
 *
 * @param name tells this process from the others
 * @param taken told when this process begins to deliver
 */
export function leaseOn(
  store: Store,
  name: string,
  milliseconds: () => number,
  taken: () => void,
  fault: (error: unknown) => void,
): Lease {
  if (!store.isShared) return alone;
  let seen: (Holder & { readonly since: number }) | null = null;
  let holds = false;
  let timer: NodeJS.Timeout | undefined;
  const holderIn = (tx: Transaction): Holder | null => {
    const row = tx.find(leaseTable.name, key);
    return row && (JSON.parse(row.text) as Holder);
  };
  const claim = ownPlan((tx) => {
    const now = milliseconds();
    const held = holderIn(tx);
    if (held !== null && (seen?.holder !== held.holder || seen.beat !== held.beat))
      seen = { ...held, since: now };
    const isFree = held === null || held.holder === name || now - (seen?.since ?? now) >= silenceMs;
    if (!isFree) return false;
    const row = { key, text: JSON.stringify({ holder: name, beat: (held?.beat ?? 0) + 1 } satisfies Holder) };
    if (held === null) tx.insert(leaseTable.name, row);
    else tx.update(leaseTable.name, row);
    return true;
  }, fault);
  const beat = async (): Promise<void> => {
    const before = holds;
    try {
      const [reply] = await store.commit([claim], () => 0);
      holds = reply === done;
    } catch (error) {
      holds = false;
      fault(error);
    }
    if (holds && !before) taken();
  };
  return {
    holds: () => holds,
    isHeld: (tx) => holderIn(tx)?.holder === name,
    beat,
    start: () => {
      timer = setInterval(() => void beat(), beatMs).unref();
    },
    release: async () => {
      clearInterval(timer);
      if (!holds) return;
      holds = false;
      const leave = ownPlan((tx) => {
        if (holderIn(tx)?.holder !== name) return false;
        tx.remove(leaseTable.name, key);
        return true;
      }, fault);
      await Promise.resolve(store.commit([leave], () => 0)).catch(fault);
    },
  };
}
