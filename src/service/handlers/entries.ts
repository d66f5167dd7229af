import type { Reply } from '../message/reply.ts';
import type { Members } from '../resource/kept.ts';
import type { Plan } from '../store/plan.ts';
import { done, ownPlan } from '../store/plan.ts';
import type { Key, Row, Store, Transaction } from '../store/store.ts';
import { type ByItself, changeByItself } from '../time/by-itself.ts';
import { later } from '../value/clock.ts';
import { type Asked, compileMay, type May } from './may.ts';
import { plainMembers } from './seen.ts';
import { type Due, type Work, workTable } from './work.ts';

export interface EntriesAround extends ByItself {
  readonly store: Store;
  readonly works: readonly Work[];
  /** Carries a plan out, together with others; null: nobody knows whether it was kept. */
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  readonly fault: (error: unknown) => void;
}

/** The work of a state, and what it may ask for. */
interface Known {
  readonly work: Work;
  readonly may: May;
}

/** One call: what it is for, the item as it is by then, and how often it was called with this one. */
export interface Call extends Known {
  readonly item: Members;
  readonly tries: number;
}

/** The rows that tell which functions are to be called with which items. */
export class Entries {
  readonly #around: EntriesAround;
  readonly #known: readonly Known[];

  constructor(around: EntriesAround) {
    this.#around = around;
    this.#known = around.works
      .filter(({ run }) => run !== null)
      .map((work): Known => ({ work, may: compileMay(work.may, around) }));
  }

  /** Whether the operator gives a function for an entry. */
  isKnown(row: Row): boolean {
    return this.#knownOf(row) !== undefined;
  }

  #knownOf({ key, text }: Row): Known | undefined {
    const [resource, , machine] = key;
    const { state } = JSON.parse(text) as Due;
    return this.#known.find(
      ({ work }) => work.resource === resource && work.field === machine && work.state === state,
    );
  }

  /**
   * Takes an entry up: until its lease is over nobody else does. Null where there is nothing to be done.
   *
   * @param leaseMs how long nobody else does, in milliseconds
   */
  async take(row: Row, leaseMs: number): Promise<Call | null> {
    const at = this.#around.now();
    let call: Call | null = null;
    const reply = await this.#commit((tx) => {
      call = null;
      const found = tx.find(workTable.name, row.key);
      const kept = this.#around.resources.get(String(row.key[0]));
      const one = found && this.#knownOf(found);
      const was = found && (JSON.parse(found.text) as Due);
      if (!kept || !one || !was || was.due > at) return false;
      const item = tx.find(kept.name, JSON.parse(String(row.key[1])) as Key);
      if (item === null) return drop(tx, row);
      const tries = was.tries + 1;
      put(tx, row, { ...was, tries, due: after(at, leaseMs) });
      call = { ...one, item: plainMembers(kept, item), tries };
      return true;
    });
    return reply === done ? call : null;
  }

  /** Makes what was asked for, and ends the work; what is refused is not done. False: it is to be called again. */
  async settle(row: Row, { may }: Call, asked: Asked): Promise<boolean> {
    let isRefused = false;
    const reply = await this.#commit((tx) => {
      isRefused = false;
      if (tx.find(workTable.name, row.key) === null) return true;
      if (asked.wanted.length > 0 && !asked.seen.every((one) => one(tx))) return false;
      isRefused = !changeByItself(this.#around, tx, (doing) => may.carryOut(doing, asked));
      return !isRefused && drop(tx, row);
    });
    return reply === done || (isRefused && (await this.#commit((tx) => drop(tx, row))) === done);
  }

  /** Has an entry taken up again after a while; when that is. */
  async postpone(row: Row, pauseMs: number): Promise<string> {
    const due = after(this.#around.now(), pauseMs);
    await this.#commit((tx) => {
      const found = tx.find(workTable.name, row.key);
      if (found === null) return false;
      put(tx, row, { ...(JSON.parse(found.text) as Due), due });
      return true;
    });
    return due;
  }

  #commit(decide: (tx: Transaction) => boolean): Promise<Reply | null> {
    return this.#around.commit(ownPlan(decide, this.#around.fault));
  }
}

function put(tx: Transaction, { key }: Row, one: Due): void {
  tx.update(workTable.name, { key, text: JSON.stringify(one) });
}

function drop(tx: Transaction, { key }: Row): boolean {
  tx.remove(workTable.name, key);
  return true;
}

function after(time: string, milliseconds: number): string {
  return later(time, { months: 0, rest: milliseconds });
}
