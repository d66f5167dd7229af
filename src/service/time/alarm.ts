import { field, query, rowOf } from '../../expression/query.ts';
import { timerTable } from '../change/timers.ts';
import { done, ownPlan, type Plan } from '../store/plan.ts';
import type { Key, Row, Store, Transaction } from '../store/store.ts';
import type { Time } from '../value/clock.ts';
import { type ByItself, dueBy, moveItem, moveNamed } from './by-itself.ts';

/** Makes happen what is due, before anybody sees what is kept (language §3.3). */
export interface Alarm {
  /** Told of a time at which something is due (RFC 3339, as `now` is). */
  readonly set: (due: string) => void;
  readonly isDue: () => boolean;
  /** Looks for what is due next. */
  readonly look: () => Promise<void>;
  /** Carries out all that is due. Rejects where the store does not keep it: it is due still. */
  readonly ring: () => Promise<void>;
  /** Rings by itself from now on, within a second of when something is due. */
  readonly start: () => void;
  readonly stop: () => void;
}

interface Around extends ByItself, Time {
  readonly store: Store;
  /** The latest `now`, in microseconds since 1970. */
  readonly latest: () => number;
  readonly fault: (error: unknown) => void;
}

/** How often it looks for what became due by what it did: a host's limit on moves that set one another off. */
const mostRounds = 20;

/** How often it looks for what other processes set, and how long it rests after a failure, in milliseconds. */
const longestMs = 1000;

export function compileAlarm(around: Around): Alarm {
  const { store, now, latest, milliseconds, wake } = around;
  const table = rowOf(timerTable);
  const due = store.prepare(dueBy(timerTable));
  const next = store.prepare(query(table, { gives: { kind: 'min', of: field(table, 'due', 'text') } }));
  let soonest = Number.POSITIVE_INFINITY;
  let waking: { readonly at: number; readonly callOff: () => void } | undefined;
  let looking: NodeJS.Timeout | undefined;
  let resting: NodeJS.Timeout | undefined;
  let isStarted = false;
  const set = (time: string): void => {
    soonest = Math.min(
      soonest,
      Math.ceil(Date.parse(time.replace(/\d{3}Z$/, 'Z')) + Number(time.slice(-4, -1)) / 1000),
    );
    wait();
  };
  /** Behind all that is being written, so that nothing is missed of which it was told before that was kept. */
  const look = async (): Promise<void> => {
    const before = soonest;
    soonest = Number.POSITIVE_INFINITY;
    let time: string | null = null;
    const asking = plan((tx) => {
      time = tx.value(next, []) as string | null;
      return true;
    });
    try {
      await store.commit([asking], latest);
    } catch (error) {
      soonest = Math.min(soonest, before);
      throw error;
    }
    if (time !== null) set(time);
  };
  /** Looks for what other processes set meanwhile. */
  const heed = async (): Promise<void> => {
    const time = await store.read((reads) => reads.value(next, []) as string | null);
    if (time !== null) set(time);
  };
  const isNow = (): boolean => milliseconds() >= soonest;
  const ringOut = async (): Promise<void> => {
    for (let round = 0; isNow(); round += 1) {
      if (round === mostRounds) {
        soonest = milliseconds() + longestMs;
        around.fault(new Error('what happens by itself sets itself off again and again, at one time'));
        return;
      }
      const at = now();
      const rows = await store.read((reads) => reads.rows(due, [at]));
      const replies = await store.commit(
        rows.map((row) => plan((tx) => fire(around, tx, row))),
        latest,
      );
      const left = rows.filter((_, index) => replies[index] !== done);
      // What does not hold when it is due does not happen later either.
      if (left.length > 0)
        await store.commit(
          left.map((row) => plan((tx) => drop(tx, row))),
          latest,
        );
      await look();
    }
  };
  let ringing: Promise<void> | undefined;
  const ring = (): Promise<void> => {
    ringing ??= ringOut().finally(() => {
      ringing = undefined;
    });
    return ringing;
  };
  const plan = (decide: (tx: Transaction) => boolean): Plan => ownPlan(decide, around.fault);
  const wait = (): void => {
    if (!isStarted || resting || soonest === Number.POSITIVE_INFINITY) return;
    if (waking && waking.at <= soonest) return;
    waking?.callOff();
    const wakeUp = (): void => {
      waking = undefined;
      ring().then(wait, failed);
    };
    waking = { at: soonest, callOff: wake(soonest, wakeUp) };
  };
  const failed = (error: unknown): void => {
    if (!isStarted) return;
    around.fault(error);
    resting ??= setTimeout(() => {
      resting = undefined;
      wait();
    }, longestMs).unref();
  };
  return {
    set,
    look,
    // While it rings it is not known yet what else is due.
    isDue: () => ringing !== undefined || isNow(),
    ring,
    start: () => {
      isStarted = true;
      if (store.isShared) looking = setInterval(() => void heed().catch(failed), longestMs).unref();
      wait();
    },
    stop: () => {
      isStarted = false;
      clearInterval(looking);
      clearTimeout(resting);
      waking?.callOff();
    },
  };
}

/** Makes a move that is due; false: its guard does not hold, or what it does is refused. */
function fire(around: Around, tx: Transaction, row: Row): boolean {
  const [name, key, moved] = row.key as readonly [string, string, string];
  if (!moveNamed(around, name, moved)?.timer || !isSet(tx, row)) return false;
  tx.remove(timerTable.name, row.key);
  return moveItem(around, tx, name, JSON.parse(key) as Key, moved);
}

function drop(tx: Transaction, row: Row): boolean {
  if (isSet(tx, row)) tx.remove(timerTable.name, row.key);
  return true;
}

/** Whether it is to happen still, at the same time: it may have happened meanwhile, and been set anew. */
function isSet(tx: Transaction, { key, text }: Row): boolean {
  return tx.find(timerTable.name, key)?.text === text;
}
