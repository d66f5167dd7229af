import { field, query, rowOf } from '../../expression/query.ts';
import { timerTable } from '../change/timers.ts';
import { done, ownPlan } from '../store/plan.ts';
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
  const bell = new Bell(around);
  return {
    set: (due) => bell.set(due),
    isDue: () => bell.isDue(),
    look: () => bell.look(),
    ring: () => bell.ring(),
    start: () => bell.start(),
    stop: () => bell.stop(),
  };
}

/** Carries out what is due by now. */
class Bell implements Alarm {
  readonly #around: Around;
  /** The timers that are due by a time. */
  readonly #due: ReturnType<Store['prepare']>;
  /** When the next one is due. */
  readonly #next: ReturnType<Store['prepare']>;
  /** When something is due next, in milliseconds since 1970, as far as it was told. */
  #soonest = Number.POSITIVE_INFINITY;
  #ringing: Promise<void> | undefined;
  #waking: { readonly at: number; readonly callOff: () => void } | undefined;
  #looking: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor(around: Around) {
    const { store } = around;
    const table = rowOf(timerTable);
    this.#around = around;
    this.#due = store.prepare(dueBy(timerTable));
    this.#next = store.prepare(query(table, { gives: { kind: 'min', of: field(table, 'due', 'text') } }));
  }

  set(time: string): void {
    this.#soonest = Math.min(
      this.#soonest,
      Math.ceil(Date.parse(time.replace(/\d{3}Z$/, 'Z')) + Number(time.slice(-4, -1)) / 1000),
    );
    this.#wait();
  }

  /** While it rings it is not known yet what else is due. */
  isDue(): boolean {
    return this.#ringing !== undefined || this.#isNow();
  }

  /** Behind all that is being written, so that nothing is missed of which it was told before that was kept. */
  async look(): Promise<void> {
    const before = this.#soonest;
    this.#soonest = Number.POSITIVE_INFINITY;
    let time: string | null = null;
    try {
      await this.#commit([
        (tx) => {
          time = tx.value(this.#next, []) as string | null;
          return true;
        },
      ]);
    } catch (error) {
      this.#soonest = Math.min(this.#soonest, before);
      throw error;
    }
    if (time !== null) this.set(time);
  }

  ring(): Promise<void> {
    this.#ringing ??= this.#ringOut().finally(() => {
      this.#ringing = undefined;
    });
    return this.#ringing;
  }

  start(): void {
    this.#isStarted = true;
    if (this.#around.store.isShared)
      this.#looking = setInterval(
        () => void this.#heed().catch((error) => this.#failed(error)),
        longestMs,
      ).unref();
    this.#wait();
  }

  stop(): void {
    this.#isStarted = false;
    clearInterval(this.#looking);
    clearTimeout(this.#resting);
    this.#waking?.callOff();
  }

  async #ringOut(): Promise<void> {
    const { milliseconds, fault } = this.#around;
    for (let round = 0; this.#isNow(); round += 1) {
      if (round === mostRounds) {
        this.#soonest = milliseconds() + longestMs;
        fault(new Error('what happens by itself sets itself off again and again, at one time'));
        return;
      }
      await this.#fireDue();
      await this.look();
    }
  }

  async #fireDue(): Promise<void> {
    const { store, now } = this.#around;
    const at = now();
    const rows = await store.read((reads) => reads.rows(this.#due, [at]));
    const replies = await this.#commit(rows.map((row) => (tx) => fire(this.#around, tx, row)));
    const left = rows.filter((_, index) => replies[index] !== done);
    // What does not hold when it is due does not happen later either.
    if (left.length > 0) await this.#commit(left.map((row) => (tx) => drop(tx, row)));
  }

  /** Looks for what other processes set meanwhile. */
  async #heed(): Promise<void> {
    const time = await this.#around.store.read((reads) => reads.value(this.#next, []) as string | null);
    if (time !== null) this.set(time);
  }

  #isNow(): boolean {
    return this.#around.milliseconds() >= this.#soonest;
  }

  #commit(plans: readonly ((tx: Transaction) => boolean)[]): ReturnType<Store['commit']> {
    const { store, latest, fault } = this.#around;
    return store.commit(
      plans.map((decide) => ownPlan(decide, fault)),
      latest,
    );
  }

  #wait(): void {
    const at = this.#soonest;
    if (!this.#isStarted || this.#resting || at === Number.POSITIVE_INFINITY) return;
    if (this.#waking && this.#waking.at <= at) return;
    this.#waking?.callOff();
    const wakeUp = (): void => {
      this.#waking = undefined;
      this.ring().then(
        () => this.#wait(),
        (error) => this.#failed(error),
      );
    };
    this.#waking = { at, callOff: this.#around.wake(at, wakeUp) };
  }

  #failed(error: unknown): void {
    if (!this.#isStarted) return;
    this.#around.fault(error);
    this.#resting ??= setTimeout(() => {
      this.#resting = undefined;
      this.#wait();
    }, longestMs).unref();
  }
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
