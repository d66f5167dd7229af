import { bare, type Reply } from '../message/reply.ts';
import { done, type Plan, undone } from '../store/plan.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Time } from '../value/clock.ts';
import {
  compileDeliveries,
  type Delivery,
  deliveryTable,
  keyOf,
  pageDeliveries,
  type Standing as Row,
} from './deliveries.ts';
import { begun, ended, isIdle, isWaiting, type Line, lineOf, nextIn } from './line.ts';
import { type Bounds, fairTurns, hostBounds, type Standing, type Turns } from './turns.ts';

/**
 * What an attempt came to. `isLast`: there is no further one, whatever is stated, since nothing was sent and nothing
 * can be.
 */
export interface Outcome {
  readonly arrived: boolean;
  readonly last: string;
  readonly isLast?: boolean;
}

/** There is nobody to send to any more. */
export const gone: Outcome = {
  arrived: false,
  last: 'there is nobody to send it to any more',
  isLast: true,
};

/** A way by which each event is sent to addresses, until it arrives. */
export interface Way {
  /** Sends an event to an address. Rejects only where it cannot be read what is to be sent, or it is told to stop. */
  readonly attempt: (target: string, event: string, stop: AbortSignal) => Promise<Outcome>;
  /** How long after so many attempts the next one is made, in milliseconds; null: there is none. */
  readonly pause: (tries: number) => number | null;
  /**
   * Told, in the transaction in which it is noted, that the last attempt failed, and makes what follows from it; false:
   * that is refused, and is to be undone. Left out: nothing follows.
   */
  readonly exhausted?: (tx: Transaction, target: string) => boolean;
}

/** Carries out deliveries: at least once, the first attempts of each lane in their order. */
export interface Courier {
  /** There may be something to send. */
  readonly wake: () => void;
  /** Sends all that is due now; resolved once that is done. */
  readonly ring: () => Promise<void>;
  /** How many attempts are under way; infinitely many while it is looked for what is to be sent. */
  readonly underway: () => number;
  /** Begins no more attempts; ends once those under way are done, or told to stop. */
  readonly close: (stop: AbortSignal) => Promise<void>;
}

/** How many messages wait for whoever they are sent to, and how many attempts for the service itself. */
export interface Underway {
  readonly own: number;
  readonly awaited: number;
}

export interface CourierAround extends Time {
  readonly store: Store;
  readonly ways: ReadonlyMap<string, Way>;
  readonly commit: (plan: Plan) => Promise<Reply | null>;
  /** Whether it is this process that delivers. */
  readonly leads: () => boolean;
  /** The same, in the transaction in which it is noted what came of an attempt. */
  readonly isLeading: (tx: Transaction) => boolean;
  readonly fault: (error: unknown) => void;
  readonly bounds?: Bounds;
}

/** How long it rests after a failure, in milliseconds. */
const restMs = 1000;

/** How many attempts begin in one turn of the event loop. */
const mostInTurn = 4;

/** How long it may wait to be noted that an attempt failed, together with others, in milliseconds. */
const notingMs = 50;

/** An attempt that takes longer than this makes its target a slow one, in milliseconds. */
const slowMs = 1000;

/** Of how many targets to which nothing is to be sent it is known how they answered last. */
const mostRemembered = 10_000;

/** What is known of the store while this process delivers. */
interface Known {
  readonly turns: Turns<Line>;
  /** The targets for which something waits, or is under way, by their names. */
  readonly lines: Map<string, Line>;
  /** Up to where rows were looked at. */
  place: number;
  /** Up to when those that are due again were looked for. */
  due: number;
}

export function compileCourier(around: CourierAround): Courier {
  const { store, ways, milliseconds, leads, bounds = hostBounds } = around;
  const deliveries = compileDeliveries(store);
  const remembered = new Map<string, Standing>();
  const stopping = new AbortController();
  /** Null: nothing was looked at yet, or another process delivers. */
  let known: Known | null = null;
  let underway = 0;
  let isClosed = false;
  let running: Promise<void> | null = null;
  /** What is to be done next: to look at the store, or only to give turns. */
  let isNews = false;
  let isFree = false;
  let isResting = false;
  let soonest = Number.POSITIVE_INFINITY;
  let callOff = (): void => {};
  const idle = new Set<() => void>();

  const lineFor = ({ lines }: Known, one: Delivery): Line => {
    const name = JSON.stringify([one.way, one.target]);
    const there = lines.get(name);
    if (there) return there;
    const made = lineOf(one);
    made.standing = remembered.get(name) ?? made.standing;
    lines.set(name, made);
    return made;
  };
  const settle = ({ lines, turns }: Known, line: Line): void => {
    turns.wait(line, isWaiting(line));
    if (!isIdle(line)) return;
    const name = JSON.stringify([line.way, line.target]);
    if (lines.get(name) === line) lines.delete(name);
    remembered.delete(name);
    remembered.set(name, line.standing);
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value as string);
  };
  const fresh = (to: Known, one: Delivery): void => {
    if (!ways.has(one.way)) return;
    const line = lineFor(to, one);
    line.hasFresh = true;
    settle(to, line);
  };
  const again = (to: Known, one: Delivery): void => {
    if (!ways.has(one.way)) return;
    const line = lineFor(to, one);
    line.hasDue = true;
    settle(to, line);
  };
  /** Finds the targets for which something waits that was never tried, each by one look at an index. */
  const survey = async (): Promise<Known> => {
    const made: Known = {
      turns: fairTurns(bounds),
      lines: new Map(),
      place: await deliveries.last(),
      due: 0,
    };
    for (const way of ways.keys()) {
      const [first] = await deliveries.freshOf(way, '', 0, 1);
      for (
        let one = first ?? (await deliveries.nextTarget(way, ''));
        one;
        one = await deliveries.nextTarget(way, one.target)
      )
        fresh(made, one);
    }
    return made;
  };
  /** Finds what was put in line since, and what is due again by now. */
  const find = async (to: Known): Promise<void> => {
    for (let isWhole = true; isWhole; ) {
      const page = await deliveries.after(to.place);
      for (const one of page) if (one.due === 0) fresh(to, one);
      to.place = page.at(-1)?.place ?? to.place;
      isWhole = page.length === pageDeliveries;
    }
    await findDue(to);
  };
  const findDue = async (to: Known): Promise<void> => {
    const now = milliseconds();
    // The clock may have been set back.
    to.due = Math.min(to.due, now);
    let from = to.due;
    // What is noted from now on by a time that is over is told by whoever notes it.
    [to.due, soonest] = [now, Number.POSITIVE_INFINITY];
    try {
      for (let most = pageDeliveries; from < now; ) {
        const page = await deliveries.dueBetween(from, now, most);
        for (const one of page) again(to, one);
        const last = page.at(-1)?.due;
        // Of those of one time a page may hold but some: it is read again from that time on, or a longer one.
        const before = page.findLast(({ due }) => due !== last)?.due;
        if (page.length < most) from = now;
        else if (before === undefined) most *= 2;
        else from = before;
      }
    } catch (error) {
      to.due = Math.min(to.due, from);
      throw error;
    }
    soonest = Math.min(soonest, (await deliveries.nextDue(to.due)) ?? soonest);
  };
  /** A line that is forgotten meanwhile, as its last attempt ends, would be made anew, and not know what is under way. */
  const nextOf = async (line: Line): Promise<Delivery | undefined> => {
    line.isAsked = true;
    try {
      return await nextIn(line, deliveries, milliseconds());
    } finally {
      line.isAsked = false;
    }
  };
  const giveTurns = async (to: Known): Promise<void> => {
    for (let begun = 0; !isClosed && !isResting && known === to; begun += 1) {
      const line = to.turns.next();
      if (line === undefined) return;
      // Others have their turn of the event loop: requests, and what came of attempts.
      if (begun % mostInTurn === mostInTurn - 1) await new Promise<void>((resolve) => setImmediate(resolve));
      const one = await nextOf(line);
      if (one) void carry(to, line, one);
      else settle(to, line);
    }
  };
  const rest = (): void => {
    isResting = true;
    setTimeout(() => {
      isResting = false;
      wake();
    }, restMs).unref();
  };
  /** What cannot be noted is tried again, after a while. */
  const failed = (error: unknown): void => {
    around.fault(error);
    rest();
  };
  let gathering: Promise<void> | null = null;
  const together = (): Promise<void> => {
    gathering ??= new Promise((resolve) => {
      setTimeout(() => {
        gathering = null;
        resolve();
      }, notingMs);
    });
    return gathering;
  };
  /** Notes what came of an attempt, and when the next one is made. Null: that is not kept. */
  const note = async (one: Delivery, outcome: Outcome): Promise<{ readonly at: number | null } | null> => {
    const carrier = ways.get(one.way) as Way;
    const isOver = outcome.arrived || outcome.isLast === true;
    const pause = isOver ? null : carrier.pause(one.tries + 1);
    const at = pause === null ? null : milliseconds() + pause;
    const exhausted = isOver || at !== null ? undefined : carrier.exhausted;
    // Each commit is a wait of everybody's, so that those of failures are few, however many there are.
    if (!outcome.arrived) await together();
    const isKept = async (follows: Way['exhausted']): Promise<boolean> =>
      (await around.commit(noting(one, outcome, at, follows)))?.status === done.status;
    return (exhausted && (await isKept(exhausted))) || (await isKept(undefined)) ? { at } : null;
  };
  const noting = (one: Delivery, outcome: Outcome, at: number | null, follows: Way['exhausted']): Plan => ({
    decide: (tx) => {
      const key = keyOf(one);
      if (!around.isLeading(tx) || tx.find(deliveryTable.name, key) === null)
        return { keep: false, reply: done };
      const row: Row = {
        lane: one.lane,
        ...(one.owner !== undefined && { owner: one.owner }),
        tries: one.tries + 1,
        last: outcome.last,
        ...(outcome.arrived && { arrived: true }),
        ...(at !== null && { due: at }),
      };
      tx.update(deliveryTable.name, { key, text: JSON.stringify(row) });
      const keep = follows?.(tx, one.target) ?? true;
      return { keep, reply: keep ? done : undone };
    },
    conflict: () => (follows ? undone : done),
    fault: (error) => {
      around.fault(error);
      return bare(500);
    },
  });
  const carry = async (to: Known, line: Line, one: Delivery): Promise<void> => {
    underway += 1;
    begun(line, one);
    to.turns.begin(line);
    settle(to, line);
    let [isLate, isOver] = [false, false];
    const late = (): void => {
      if (isOver) return;
      isLate = true;
      line.late += 1;
      to.turns.stand(line, ['good', 'slow'].includes(line.standing) ? 'slow' : 'hanging');
      free();
    };
    // Where this process stood still, the answer may be there, and is read first.
    const punctual = around.wake(milliseconds() + slowMs, () => setImmediate(late));
    const { signal } = stopping;
    let outcome: Outcome | null = null;
    let isNoted = false;
    try {
      outcome = await (ways.get(one.way) as Way).attempt(one.target, one.event, signal);
      const noted = signal.aborted ? null : await note(one, outcome);
      if (noted) {
        isNoted = true;
        if (noted.at !== null && noted.at <= to.due) line.hasDue = true;
        soonest = Math.min(soonest, noted.at ?? soonest);
      } else if (!signal.aborted) rest();
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    isOver = true;
    punctual();
    if (isLate) line.late -= 1;
    underway -= 1;
    ended(line, one, isNoted);
    to.turns.end(line);
    to.turns.stand(line, standingAfter(line, outcome, isLate));
    settle(to, line);
    free();
    if (underway === 0) release();
  };
  const look = async (): Promise<void> => {
    if (!leads()) {
      known = null;
      soonest = Number.POSITIVE_INFINITY;
      return;
    }
    if (isNews || known === null) {
      isNews = false;
      known ??= await survey();
      await find(known);
    }
    await giveTurns(known);
  };
  const work = async (): Promise<void> => {
    while (!isClosed && !isResting && (isNews || isFree)) {
      isFree = false;
      await look();
      if (!leads()) isNews = false;
    }
  };
  const run = (): void => {
    if (isClosed || isResting || running) return;
    running = work()
      .catch(failed)
      .finally(() => {
        running = null;
        // It may have been told of more once it had looked whether there is.
        if (!isClosed && !isResting && (isNews || isFree)) run();
        else wait();
        if (underway === 0) release();
      });
  };
  /** Something may be in line. */
  const wake = (): void => {
    isNews = true;
    run();
  };
  /** A target may have its turn. */
  const free = (): void => {
    isFree = true;
    run();
  };
  const wait = (): void => {
    callOff();
    callOff = isClosed || soonest === Number.POSITIVE_INFINITY ? () => {} : around.wake(soonest, wake);
  };
  const release = (): void => {
    for (const go of idle) go();
    idle.clear();
  };
  const atRest = async (): Promise<void> => {
    while (running || underway > 0)
      if (running) await running;
      else await new Promise<void>((resolve) => idle.add(resolve));
  };
  return {
    wake,
    ring: () => {
      wake();
      return atRest();
    },
    underway: () => (running ? Number.POSITIVE_INFINITY : underway),
    close: async (stop) => {
      isClosed = true;
      callOff();
      stop.addEventListener('abort', () => stopping.abort());
      if (stop.aborted) stopping.abort();
      await atRest();
    },
  };
}

function standingAfter(line: Line, outcome: Outcome | null, isLate: boolean): Standing {
  if (outcome === null || outcome.isLast) return line.standing;
  if (isLate && !outcome.arrived) return 'hanging';
  if (isLate) return 'slow';
  if (line.late > 0) return line.standing;
  return outcome.arrived ? 'good' : 'failing';
}
