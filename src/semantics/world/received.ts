import { millisecondsOf } from '../value/times.ts';
import { type Made, Range, type When } from '../value/value.ts';

/** When the service receives a request. All times are in milliseconds. */
export interface Received extends Clock {
  /** Since 1970, by the tester's clock: not before it is sent, and not after it is answered. */
  readonly at: Range;
}

/** What is known of the service's clock. */
export interface Clock {
  /** How far it may be from what it is taken to show. */
  readonly offMs: number;
  /** How far it is taken to be ahead of the tester's. Default: not at all */
  readonly aheadMs?: number;
}

/** How far the service's clock may be from the tester's, if nobody knows better (language §F.3). */
export const clockOffMs = 3_600_000;

/** Of a request of which nobody knows when it is sent. No two such requests are an hour apart. */
export const sometime: Received = { at: new Range(0, 3_599_999), offMs: Number.POSITIVE_INFINITY };

/** What the service's clock may show when it receives a request at a time, and what it is taken to show. */
export function shownAt(at: Range, clock: Clock): When {
  const mostMs = Math.max(clock.offMs, clockOffMs);
  const offMs = clock.aheadMs === undefined ? clock.offMs : mostMs;
  return { received: at, shown: around(at, offMs), taken: around(at, clock.offMs, clock.aheadMs) };
}

function around({ least, most }: Range, offMs: number, aheadMs = 0): Range {
  return new Range(least + aheadMs - offMs, most + aheadMs + offMs);
}

/** When the tester's clock may show a time, if the service's clock shows it. */
export function receivedWhen(shownMs: number, { offMs, aheadMs = 0 }: Clock): Range {
  return new Range(shownMs - aheadMs - offMs, shownMs - aheadMs + offMs);
}

/**
 * How far the clocks of several machines, or readings of one, may differ. A service that writes whole seconds may have left
 * out the rest.
 */
const [slackMs, wholeSecondMs] = [250, 1000];

/** What a `now` that an answer showed tells of the service's clock; null: nothing. */
export function clockShownBy({ bound, when }: Made): Clock | null {
  const shownMs = typeof bound === 'string' ? millisecondsOf(bound) : undefined;
  if (shownMs === undefined || when === null) return null;
  const { least, most } = when.received;
  const aheadMs = shownMs - (least + most) / 2;
  const isWhole = shownMs % 1000 === 0;
  const offMs = (most - least) / 2 + slackMs + (isWhole ? wholeSecondMs : 0);
  return Number.isFinite(offMs) && Math.abs(aheadMs) <= clockOffMs ? { aheadMs, offMs } : null;
}

/** A clock that was seen to be set: then nothing of it is known any more. */
const unsteady: Clock = { offMs: clockOffMs };

/** What is known of the clock after an answer showed more of it. Two that do not fit are those of a service that has several. */
export function clockAfter(known: Clock | null, shown: Clock): Clock {
  if (known === null) return shown;
  const apart = Math.abs((known.aheadMs ?? 0) - (shown.aheadMs ?? 0));
  return known === unsteady || apart > known.offMs + shown.offMs ? unsteady : shown;
}
