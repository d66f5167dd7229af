import { Refused } from '../../load/refused.ts';
import { timerTable } from '../../service/change/timers.ts';
import type { Context, Given } from '../context.ts';
import { beside, runningOf } from './beside.ts';
import { withEvents } from './events.ts';
import { type Timer, timersIn } from './machines.ts';

/** The time of the service, and what is due. */
export interface TimeView {
  /** RFC 3339. */
  readonly now: string;
  readonly aheadMs: number;
  /** Whether the clock can be moved on. */
  readonly isMovable: boolean;
  /** What items do by themselves, the next first. */
  readonly timers: readonly Timer[];
  readonly timersLeft: number;
  /** When something is due next, a timer or a delivery: RFC 3339; null: nothing is. */
  readonly next: string | null;
}

/** So many timers are listed. */
const most = 20;

/** The longest that the clock moves at once: ten years, in milliseconds. */
const longestMs = 10 * 366 * 86_400_000;

/** Tells the time of the service, and what is due. */
export async function timeView(_given: unknown, { desk, now }: Context): Promise<TimeView> {
  const running = runningOf(desk);
  const aheadMs = desk.clock?.aheadMs ?? 0;
  const nowMs = now() + aheadMs;
  const timers = await beside(running, [timerTable], async (store, has) =>
    has(timerTable) ? timersIn(store, null) : [],
  );
  const delivery = await withEvents(running, (events) => events.nextDue(nowMs));
  const [first] = timers;
  const due = [...(first ? [millisecondsOf(first.due)] : []), ...(delivery === null ? [] : [delivery])];
  return {
    now: new Date(nowMs).toISOString(),
    aheadMs,
    isMovable: desk.clock !== null,
    timers: timers.slice(0, most),
    timersLeft: Math.max(0, timers.length - most),
    next: due.length > 0 ? new Date(Math.min(...due)).toISOString() : null,
  };
}

/**
 * Moves the clock on: by `ms` milliseconds, or without it to what is due next.
 *
 * @throws Refused if it cannot be moved, or not by so much, or nothing is due
 */
export async function passTime(given: Given, context: Context): Promise<TimeView> {
  const { clock } = context.desk;
  if (clock === null)
    throw new Refused('the clock cannot be moved: no service runs, or its time is that of PostgreSQL');
  await clock.pass(await spanOf(given, context));
  return timeView({}, context);
}

async function spanOf({ ms }: Given, context: Context): Promise<number> {
  if (ms === undefined) {
    const { next, now } = await timeView({}, context);
    if (next === null) throw new Refused('nothing is due');
    return Math.max(0, Date.parse(next) - Date.parse(now)) + 1;
  }
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 1 || ms > longestMs)
    throw new Refused('ms is a whole number of milliseconds, from 1 to ten years');
  return ms;
}

/** A time with six fraction digits, in whole milliseconds, rounded up. */
function millisecondsOf(time: string): number {
  const [, whole = time, micro = '0'] = /^(.*\.\d{3})(\d{3})Z$/.exec(time) ?? [];
  return Date.parse(whole === time ? time : `${whole}Z`) + (Number(micro) > 0 ? 1 : 0);
}
