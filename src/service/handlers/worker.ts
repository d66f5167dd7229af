import { literal } from '../../expression/query.ts';
import type { Row, Store } from '../store/store.ts';
import { dueBy } from '../time/by-itself.ts';
import type { Time } from '../value/clock.ts';
import { type Call, Entries, type EntriesAround } from './entries.ts';
import { within } from './handled.ts';
import { workTable } from './work.ts';

/** Calls the functions that work on items, once what brought these to their states is committed (language §I). */
export interface Worker {
  /** Told that something is to be done, or will be once it is committed. */
  readonly tell: () => void;
  readonly start: () => void;
  /** Calls all whose work is due now; resolved once they have ended. */
  readonly ring: () => Promise<void>;
  /** Begins no more; ends once what is under way is done, or told to stop. */
  readonly stop: (stop: AbortSignal) => Promise<void>;
}

interface Around extends EntriesAround, Pick<Time, 'wake'> {
  readonly limits: { readonly handlerTimeoutMs: number };
}

/** How many functions run at once: a host's limit. */
const mostAtOnce = 16;
/** How long it waits at most before it looks again: another process may have noted something. */
const longestMs = 1000;
/** How long it is waited before a function that failed is called again, at first and at most. */
const pauses = { first: 1000, most: 3_600_000 };

export function compileWorker(around: Around): Worker {
  const caller = new Caller(around);
  return {
    tell: () => caller.tell(),
    start: () => caller.start(),
    ring: () => caller.ring(),
    stop: (stop) => caller.stop(stop),
  };
}

class Caller implements Worker {
  readonly #around: Around;
  readonly #entries: Entries;
  /** The entries that are due by a time. */
  readonly #due: ReturnType<Store['prepare']>;
  /** What is under way, by the keys of entries. */
  readonly #running = new Map<string, Promise<void>>();
  /** How long it waits before it looks again, in milliseconds. */
  #pause = 1;
  #waking: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isOver = false;

  constructor(around: Around) {
    this.#around = around;
    this.#entries = new Entries(around);
    this.#due = around.store.prepare({ ...dueBy(workTable), limit: literal(mostAtOnce * 4) });
  }

  tell(): void {
    const isSoon = this.#waking !== undefined && this.#pause === 1;
    this.#pause = 1;
    if (this.#isStarted && !isSoon) this.#wait();
  }

  start(): void {
    this.#isStarted = true;
    this.#wait();
  }

  async ring(): Promise<void> {
    for (await this.#look(); this.#running.size > 0; await this.#look())
      await Promise.all(this.#running.values());
  }

  async stop(stop: AbortSignal): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#waking);
    const late = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    await Promise.race([Promise.all(this.#running.values()), late]);
    this.#isOver = true;
  }

  /** Takes up what is due, as long as there is room. */
  async #look(): Promise<void> {
    const { store, now, fault } = this.#around;
    const at = now();
    const rows = await store.read((reads) => reads.rows(this.#due, [at]));
    for (const row of rows) {
      const name = JSON.stringify(row.key);
      if (this.#running.size >= mostAtOnce) break;
      if (this.#running.has(name) || !this.#entries.isKnown(row)) continue;
      this.#pause = 1;
      const ending = this.#run(row)
        .catch(fault)
        .finally(() => {
          this.#running.delete(name);
          this.tell();
        });
      this.#running.set(name, ending);
    }
  }

  async #run(row: Row): Promise<void> {
    const call = await this.#entries.take(row, this.#around.limits.handlerTimeoutMs + longestMs);
    if (call === null || (await this.#isDone(row, call)) || this.#isOver) return;
    const due = await this.#entries.postpone(
      row,
      Math.min(pauses.first * 2 ** (call.tries - 1), pauses.most),
    );
    this.#around.wake(Date.parse(due) + 1, () => this.tell());
  }

  /** Calls the function, and makes what it asks for. False: it failed, and is to be called again. */
  async #isDone(row: Row, call: Call): Promise<boolean> {
    const { limits, now, fault } = this.#around;
    const { tx, asked, over } = call.may.offer();
    try {
      const function_ = call.work.run as (given: object) => unknown;
      await within(limits.handlerTimeoutMs, async () => function_({ item: call.item, now: now(), tx }));
      over();
      return this.#isOver || (await this.#entries.settle(row, call, asked));
    } catch (error) {
      over();
      fault(error);
      return false;
    }
  }

  #wait(): void {
    clearTimeout(this.#waking);
    this.#waking = setTimeout(() => this.#wake(), this.#pause).unref();
  }

  #wake(): void {
    this.#waking = undefined;
    this.#look()
      .catch(this.#around.fault)
      .then(() => {
        if (!this.#isStarted || this.#waking !== undefined) return;
        this.#pause = Math.min(this.#pause * 2, longestMs);
        this.#wait();
      });
  }
}
