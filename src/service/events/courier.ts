import type { Time } from '../clock.ts';
import { done, type Plan, undone } from '../plan.ts';
import { bare, type Reply } from '../reply.ts';
import type { Store, Transaction } from '../store/store.ts';
import {
  compileDeliveries,
  type Delivery,
  deliveryTable,
  keyOf,
  pageDeliveries,
  type Standing,
} from './deliveries.ts';

/** What an attempt came to; `gone`: there is nobody to send it to any more. */
export type Outcome = { readonly arrived: boolean; readonly last: string } | 'gone';

/** A way by which each event is sent to addresses, until it arrives. */
export interface Way {
  /** Sends an event to an address. Rejects only where it cannot be read what is to be sent. */
  readonly attempt: (target: string, event: string) => Promise<Outcome>;
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
  /** Ends once what is under way is done. */
  readonly close: () => Promise<void>;
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
}

/** How many attempts are under way at once: to one address, and to all. */
const mostOfOne = 10;
const mostOfAll = 200;

/** How many that wait for others of their lane are held in memory, of one address. */
const mostHeld = 1000;

/** How long it rests after a failure, in milliseconds. */
const longestMs = 1000;

/** An address to which something is to be sent by a way. */
interface Address {
  readonly way: string;
  readonly target: string;
  /** Never tried, in order. */
  readonly fresh: Delivery[];
  readonly again: Delivery[];
  /** Those that are in line to be tried again, or under way, by their keys. */
  readonly known: Set<string>;
  /** Lanes of which a first attempt is under way. */
  readonly busy: Set<string>;
  underway: number;
  /** Up to where those never tried were read, and whether there are more. */
  from: number;
  hasMore: boolean;
  /** When something is to be tried again. */
  next: number | null;
}

export function compileCourier(around: CourierAround): Courier {
  const { store, ways, milliseconds, leads } = around;
  const deliveries = compileDeliveries(store);
  const addresses = new Map<string, Address>();
  /** Up to where those never tried were seen; null: nothing was looked at yet. */
  let seen: number | null = null;
  let underway = 0;
  let isClosed = false;
  let looking: Promise<void> | null = null;
  let isAgain = false;
  let isResting = false;
  let resting: NodeJS.Timeout | undefined;
  let callOff = (): void => {};
  const idle = new Set<() => void>();

  const addressOf = ({ way, target }: Delivery): Address => {
    const name = JSON.stringify([way, target]);
    const known = addresses.get(name);
    if (known) return known;
    const made: Address = {
      way,
      target,
      fresh: [],
      again: [],
      known: new Set(),
      busy: new Set(),
      underway: 0,
      from: 0,
      hasMore: false,
      next: null,
    };
    addresses.set(name, made);
    return made;
  };
  /** Finds the addresses to which something is to be sent. */
  const find = async (): Promise<void> => {
    if (seen === null)
      for (let at = 0, isWhole = true; isWhole; at += pageDeliveries) {
        const page = await deliveries.waiting(at);
        for (const one of page) {
          const to = addressOf(one);
          to.next = Math.min(to.next ?? Number.POSITIVE_INFINITY, one.due ?? 0);
        }
        isWhole = page.length === pageDeliveries;
      }
    for (let isWhole = true; isWhole; ) {
      const page = await deliveries.fresh(seen ?? 0);
      for (const one of page) addressOf(one).hasMore = true;
      seen = page.at(-1)?.place ?? seen ?? 0;
      isWhole = page.length === pageDeliveries;
    }
  };
  /** Reads what is to be sent to an address next. */
  const fill = async (to: Address): Promise<void> => {
    const { way, target, fresh, again, known } = to;
    if (to.hasMore && fresh.length < mostHeld && isStuck(to)) {
      const page = await deliveries.freshOf(way, target, to.from);
      fresh.push(...page);
      to.from = page.at(-1)?.place ?? to.from;
      to.hasMore = page.length === pageDeliveries;
    }
    const now = milliseconds();
    if (to.next === null || to.next > now || again.length > 0) return;
    const page = await deliveries.dueOf(way, target, now, known.size);
    for (const one of page) {
      const key = nameOf(one);
      if (known.has(key)) continue;
      known.add(key);
      again.push(one);
    }
    if (page.length < known.size + pageDeliveries) to.next = await deliveries.nextOf(way, target, now);
  };
  const next = ({ fresh, again, busy }: Address): Delivery | undefined => {
    const due = again.shift();
    if (due) return due;
    const free = fresh.findIndex(({ lane }) => !busy.has(lane));
    return free === -1 ? undefined : fresh.splice(free, 1)[0];
  };
  const pump = (to: Address): void => {
    while (!isClosed && !isResting && to.underway < mostOfOne && underway < mostOfAll) {
      const one = next(to);
      if (one === undefined) return;
      void carry(to, one);
    }
  };
  /** What could not be noted is found again, after a while. */
  const rest = (): void => {
    seen = null;
    isResting = true;
    setTimeout(() => {
      isResting = false;
      wake();
    }, longestMs).unref();
  };
  const carry = async (to: Address, one: Delivery): Promise<void> => {
    const { way, target, event, lane, due, tries } = one;
    underway += 1;
    to.underway += 1;
    if (due === 0) to.busy.add(lane);
    try {
      const carrier = ways.get(way) as Way;
      const outcome = await carrier.attempt(target, event);
      const pause = outcome === 'gone' || outcome.arrived ? null : carrier.pause(tries + 1);
      const at = pause === null ? undefined : milliseconds() + pause;
      if (at !== undefined) to.next = Math.min(to.next ?? at, at);
      const exhausted = outcome !== 'gone' && !outcome.arrived && at === undefined && carrier.exhausted;
      const noted =
        (exhausted && (await around.commit(noting(one, outcome, at, exhausted)))?.status === done.status) ||
        (await around.commit(noting(one, outcome, at)))?.status === done.status;
      if (!noted) rest();
    } catch (error) {
      around.fault(error);
      rest();
    }
    underway -= 1;
    to.underway -= 1;
    to.known.delete(nameOf(one));
    if (due === 0) to.busy.delete(lane);
    pump(to);
    const isEmpty = isStuck(to) && (to.hasMore || to.next !== null || to.underway === 0);
    if (isEmpty || underway === mostOfAll - 1) wake();
    if (underway === 0) settle();
  };
  /** Notes what came of an attempt, and when the next one is made. */
  const noting = (
    one: Delivery,
    outcome: Outcome,
    at: number | undefined,
    exhausted: Way['exhausted'] = undefined,
  ): Plan => ({
    decide: (tx) => {
      const key = keyOf(one);
      if (!around.isLeading(tx) || tx.find(deliveryTable.name, key) === null)
        return { keep: false, reply: done };
      const isOver = outcome === 'gone';
      const standing: Standing = {
        lane: one.lane,
        tries: one.tries + 1,
        last: isOver ? 'there is nobody to send it to any more' : outcome.last,
        ...(!isOver && outcome.arrived && { arrived: true }),
        ...(at !== undefined && { due: at }),
      };
      tx.update(deliveryTable.name, { key, text: JSON.stringify(standing) });
      const keep = exhausted?.(tx, one.target) ?? true;
      return { keep, reply: keep ? done : undone };
    },
    conflict: () => (exhausted ? undone : done),
    fault: (error) => {
      around.fault(error);
      return bare(500);
    },
  });
  const look = async (): Promise<void> => {
    if (!leads() || seen === null) {
      // Whoever begins to deliver knows nothing of what is in line.
      if (underway > 0 || isResting) return;
      addresses.clear();
      seen = null;
      if (!leads()) return;
    }
    await find();
    for (const [name, to] of addresses) {
      if (!ways.has(to.way)) {
        addresses.delete(name);
        continue;
      }
      await fill(to);
      pump(to);
      const isIdle = to.underway + to.fresh.length + to.again.length === 0 && !to.hasMore && to.next === null;
      if (isIdle) addresses.delete(name);
    }
  };
  const settle = (): void => {
    for (const go of idle) go();
    idle.clear();
  };
  const wait = (): void => {
    clearTimeout(resting);
    callOff();
    if (isClosed) return;
    const soonest = Math.min(...[...addresses.values()].map((to) => to.next ?? Number.POSITIVE_INFINITY));
    if (soonest !== Number.POSITIVE_INFINITY) callOff = around.wake(soonest, wake);
  };
  const wake = (): void => {
    if (isClosed) return;
    isAgain = looking !== null;
    if (looking) return;
    looking = look()
      .catch((error: unknown) => {
        around.fault(error);
        resting = setTimeout(wake, longestMs).unref();
      })
      .finally(() => {
        looking = null;
        if (isAgain) wake();
        else wait();
      });
  };
  return {
    wake,
    ring: async () => {
      for (wake(); looking || underway > 0; )
        if (looking) await looking;
        else await new Promise<void>((resolve) => idle.add(resolve));
    },
    underway: () => (looking ? Number.POSITIVE_INFINITY : underway),
    close: async () => {
      isClosed = true;
      clearTimeout(resting);
      callOff();
      await looking;
      while (underway > 0) await new Promise<void>((resolve) => idle.add(resolve));
    },
  };
}

function nameOf({ event, turn }: Delivery): string {
  return `${event} ${turn}`;
}

/** Whether nothing is at hand that could be tried first. */
function isStuck({ fresh, busy }: Address): boolean {
  return fresh.every(({ lane }) => busy.has(lane));
}
