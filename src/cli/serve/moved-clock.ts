import { setTimeout } from 'node:timers/promises';
import { type Resolve, systemNames } from '../../service/events/names.ts';
import type { Service, ServiceOptions } from '../../service/service.ts';
import { machineWake, type Wake } from '../../service/value/clock.ts';
import { UsageError } from '../usage.ts';

/** A clock that goes with the machine's, and that a tester moves on, so that what takes days need not be waited for. */
export interface MovedClock {
  /** What a service is started with that goes by it. It looks for no names that are for examples: the tester makes them up. */
  readonly options: Required<Pick<ServiceOptions, 'milliseconds' | 'wake' | 'resolve'>>;
  /**
   * Makes the clock be so many milliseconds ahead of the machine's, lets the service carry out what is due by then, and
   * tells when something is due next, in milliseconds since 1970; null: nothing is.
   */
  readonly move: (aheadMs: number, service: Settling) => Promise<number | null>;
  /** How far it is ahead of the machine's, in milliseconds. */
  readonly aheadMs: () => number;
}

/** What is asked of a service whose clock is moved. */
type Settling = Pick<Service, 'settle' | 'underway'>;

interface Due {
  readonly at: number;
  readonly happen: () => void;
}

/** Names that are reserved for examples (RFC 2606 §3): nobody is there. */
const forExamples = /(^|\.)example\.(com|net|org)$/i;

const find = systemNames();

const resolve: Resolve = async (name, stop) => {
  if (forExamples.test(name)) throw new Error(`${name} is for examples`);
  return find(name, stop);
};

/**
 * How often what is under way is looked at, and how long it is waited for at the most, in milliseconds of the machine's.
 * No longer, where it is the same messages so many times in a row that wait, and for their receivers alone: one may be
 * holding its answer back until time passes. A look that comes late does not count: the machine has too much to do, and so
 * have receivers.
 */
const usual = { lookMs: 500, mostMs: 15_000 };
const [timesAlike, late] = [3, 1.3];

export function movedClock(machine: () => number = Date.now, { lookMs, mostMs } = usual): MovedClock {
  let ahead = 0;
  const milliseconds = (): number => machine() + ahead;
  const byMachine = machineWake(milliseconds);
  const due = new Set<Due>();
  const wake: Wake = (at, run) => {
    const happen = (): void => {
      callOff();
      run();
    };
    const one: Due = { at, happen };
    const passed = byMachine(at, happen);
    const callOff = (): void => {
      passed();
      due.delete(one);
    };
    due.add(one);
    return callOff;
  };
  return {
    options: { milliseconds, wake, resolve },
    aheadMs: () => ahead,
    move: async (aheadMs, { settle, underway }) => {
      ahead = Math.max(ahead, aheadMs);
      const now = milliseconds();
      for (const one of [...due].sort((a, b) => a.at - b.at)) if (one.at <= now && due.has(one)) one.happen();
      const settled = new AbortController();
      void settle().finally(() => settled.abort());
      let [awaited, times] = [Number.NaN, 0];
      for (let waitedMs = 0; waitedMs < mostMs; waitedMs += lookMs) {
        const before = machine();
        await setTimeout(lookMs, undefined, { signal: settled.signal }).catch(() => {});
        const left = underway();
        if (left.awaited !== awaited || left.own > 0) times = 0;
        if (left.own === 0 && machine() - before <= late * lookMs) times += 1;
        if (settled.signal.aborted || times === timesAlike) break;
        awaited = left.awaited;
      }
      const next = Math.min(...[...due].map(({ at }) => at).filter((at) => at > milliseconds()));
      return next === Number.POSITIVE_INFINITY ? null : next;
    },
  };
}

/** What a tester and the service that it started say to each other, by the channel between parent and child. */
export interface Moving {
  readonly turn: number;
  readonly aheadMs: number;
}
export interface Moved {
  readonly turn: number;
  readonly next: number | null;
}

/** What says to a service of the tester's own that its clock is moved. It says nothing where there is no channel. */
export const movedBy = 'TACET_CLOCK_MOVED_BY';

/** A process that may have a channel to the one that began it. */
type Channel = Pick<NodeJS.Process, 'send' | 'on' | 'ppid' | 'connected' | 'disconnect'>;

interface TestersClock {
  readonly clock: MovedClock;
  /** Begins to hear the tester, of a service that was started: until then the channel keeps no process from ending. */
  readonly heed: (service: Service) => {
    /** Resolved once the tester is no more: nobody else knows of its service. */
    readonly left: Promise<void>;
    /** It is heard no more. */
    readonly leave: () => void;
  };
}

/**
 * The clock that the process at the other end of the channel moves; null where the service goes by the machine's, as
 * every other one does. Throws {@link UsageError} where it is said and nobody is there to move it.
 */
export function clockOfTester(
  environment: Readonly<Record<string, string | undefined>>,
  channel: Channel,
): TestersClock | null {
  const by = environment[movedBy];
  if (by === undefined) return null;
  if (by !== String(channel.ppid) || channel.send === undefined)
    throw new UsageError(`${movedBy} is for the service that tacet test starts; leave it out`);
  const clock = movedClock();
  return {
    clock,
    heed: (service) => {
      const left = new Promise<void>((resolve) => {
        channel.on('disconnect', () => resolve());
        if (!channel.connected) resolve();
      });
      channel.on('message', ({ turn, aheadMs }: Moving) => {
        void clock.move(aheadMs, service).then((next) => {
          if (channel.connected) channel.send?.({ turn, next } satisfies Moved);
        });
      });
      return {
        left,
        leave: () => {
          if (channel.connected) channel.disconnect();
        },
      };
    },
  };
}
