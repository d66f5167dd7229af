import { literal } from '../../expression/query.ts';
import type { Reply } from '../message/reply.ts';
import type { Members } from '../resource/kept.ts';
import { done, ownPlan, type Plan } from '../store/plan.ts';
import type { Key, Row, Store, Transaction } from '../store/store.ts';
import { type ByItself, changeByItself, dueBy } from '../time/by-itself.ts';
import { later, type Time } from '../value/clock.ts';
import { within } from './handled.ts';
import { type Asked, compileMay, type May } from './may.ts';
import { plainMembers } from './seen.ts';
import { type Due, type Work, workTable } from './work.ts';

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

interface Around extends ByItself, Pick<Time, 'wake'> {
  readonly store: Store;
  readonly works: readonly Work[];
  /** Carries a plan out, together with others; null: nobody knows whether it was kept. */
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  readonly fault: (error: unknown) => void;
  readonly limits: { readonly handlerTimeoutMs: number };
}

/** The work of a state, and what it may ask for. */
interface Known {
  readonly work: Work;
  readonly may: May;
}

/** One call: what it is for, the item as it is by then, and how often it was called with this one. */
interface Call extends Known {
  readonly item: Members;
  readonly tries: number;
}

/** How many functions run at once: a host's limit. */
const mostAtOnce = 16;
/** How long it waits at most before it looks again: another process may have noted something. */
const longestMs = 1000;
/** How long it is waited before a function that failed is called again, at first and at most. */
const pauses = { first: 1000, most: 3_600_000 };

export function compileWorker(around: Around): Worker {
  const { store, works, commit, now, limits, fault } = around;
  const known = works
    .filter(({ run }) => run !== null)
    .map((work): Known => ({ work, may: compileMay(work.may, around) }));
  const due = store.prepare({ ...dueBy(workTable), limit: literal(mostAtOnce * 4) });
  const running = new Map<string, Promise<void>>();
  let pause = 1;
  let waking: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isOver = false;
  const knownOf = ({ key, text }: Row): Known | undefined => {
    const [resource, , machine] = key;
    const { state } = JSON.parse(text) as Due;
    return known.find(
      ({ work }) => work.resource === resource && work.field === machine && work.state === state,
    );
  };

  /** Takes an entry up: until its lease is over nobody else does. Null where there is nothing to be done. */
  const take = async (row: Row): Promise<Call | null> => {
    let call: Call | null = null;
    const at = now();
    const reply = await commit(
      plan((tx) => {
        call = null;
        const found = tx.find(workTable.name, row.key);
        const kept = around.resources.get(String(row.key[0]));
        const one = found && knownOf(found);
        const was = found && (JSON.parse(found.text) as Due);
        if (!kept || !one || !was || was.due > at) return false;
        const item = tx.find(kept.name, JSON.parse(String(row.key[1])) as Key);
        if (item === null) return drop(tx, row);
        const tries = was.tries + 1;
        put(tx, row, { ...was, tries, due: after(at, limits.handlerTimeoutMs + longestMs) });
        call = { ...one, item: plainMembers(kept, item), tries };
        return true;
      }),
    );
    return reply === done ? call : null;
  };
  /** Makes what was asked for, and ends the work; what is refused is not done. False: it is to be called again. */
  const settle = async (row: Row, { may }: Call, asked: Asked): Promise<boolean> => {
    let isRefused = false;
    const reply = await commit(
      plan((tx) => {
        isRefused = false;
        if (tx.find(workTable.name, row.key) === null) return true;
        if (asked.wanted.length > 0 && !asked.seen.every((one) => one(tx))) return false;
        isRefused = !changeByItself(around, tx, (doing) => may.carryOut(doing, asked));
        return !isRefused && drop(tx, row);
      }),
    );
    return reply === done || (isRefused && (await commit(plan((tx) => drop(tx, row)))) === done);
  };
  const postpone = (row: Row, due: string): Promise<Reply | null> =>
    commit(
      plan((tx) => {
        const found = tx.find(workTable.name, row.key);
        if (found === null) return false;
        put(tx, row, { ...(JSON.parse(found.text) as Due), due });
        return true;
      }),
    );
  const run = async (row: Row): Promise<void> => {
    const call = await take(row);
    if (call === null) return;
    const { tx, asked, over } = call.may.offer();
    let isDone = false;
    try {
      const function_ = call.work.run as (given: object) => unknown;
      await within(limits.handlerTimeoutMs, async () => function_({ item: call.item, now: now(), tx }));
      over();
      isDone = isOver || (await settle(row, call, asked));
    } catch (error) {
      over();
      fault(error);
    }
    if (isDone || isOver) return;
    const due = after(now(), Math.min(pauses.first * 2 ** (call.tries - 1), pauses.most));
    await postpone(row, due);
    around.wake(Date.parse(due) + 1, tell);
  };

  const plan = (decide: (tx: Transaction) => boolean): Plan => ownPlan(decide, fault);
  const look = async (): Promise<void> => {
    const at = now();
    const rows = await store.read((reads) => reads.rows(due, [at]));
    for (const row of rows) {
      const name = JSON.stringify(row.key);
      if (running.size >= mostAtOnce) break;
      if (running.has(name) || knownOf(row) === undefined) continue;
      pause = 1;
      const ending = run(row)
        .catch(fault)
        .finally(() => {
          running.delete(name);
          tell();
        });
      running.set(name, ending);
    }
  };
  const wake = (): void => {
    waking = undefined;
    look()
      .catch(fault)
      .then(() => {
        if (!isStarted || waking !== undefined) return;
        pause = Math.min(pause * 2, longestMs);
        wait();
      });
  };
  const wait = (): void => {
    clearTimeout(waking);
    waking = setTimeout(wake, pause).unref();
  };
  const tell = (): void => {
    const isSoon = waking !== undefined && pause === 1;
    pause = 1;
    if (isStarted && !isSoon) wait();
  };
  return {
    tell,
    start: () => {
      isStarted = true;
      wait();
    },
    ring: async () => {
      for (await look(); running.size > 0; await look()) await Promise.all(running.values());
    },
    stop: async (stop) => {
      isStarted = false;
      clearTimeout(waking);
      const late = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
      await Promise.race([Promise.all(running.values()), late]);
      isOver = true;
    },
  };
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
