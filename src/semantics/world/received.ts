import { Range, type When } from '../value/value.ts';

/** When the service receives a request. All times are in milliseconds. */
export interface Received {
  /** Since 1970, by the tester's clock: not before it is sent, and not after it is answered. */
  readonly at: Range;
  /** How far the service's clock may be from the tester's. */
  readonly offMs: number;
}

/** How far the service's clock may be from the tester's, if nobody knows better (language §F.3). */
export const clockOffMs = 3_600_000;

/** Of a request of which nobody knows when it is sent. No two such requests are an hour apart. */
export const sometime: Received = { at: new Range(0, 3_599_999), offMs: Number.POSITIVE_INFINITY };

/** What the service's clock shows at a time. */
export function shownAt(at: Range, offMs: number): When {
  return { received: at, shown: new Range(at.least - offMs, at.most + offMs) };
}
