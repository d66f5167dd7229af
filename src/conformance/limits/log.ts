/** What was counted of one party's requests, never less than an implementation may have counted. Times in milliseconds. */
export interface Log {
  /** Notes a request that may have been counted, once its answer was there. */
  readonly add: (atMs: number) => void;
  /** From when on one request more is let in, whatever was counted; in the past where it is by now. */
  readonly opensAt: () => number;
  /** How many are let in now. */
  readonly left: (nowMs: number) => number;
  /** Notes that nothing more is let in now: somebody else has used it up. */
  readonly fill: (atMs: number) => void;
  readonly copy: () => Log;
}

/** Clocks run apart: a window is taken to last so much longer, in milliseconds. */
const marginMs = 1;

/**
 * No more than so many in any such time. What keeps to that keeps to a fixed window, wherever that begins, and to a
 * bucket (language §8.1).
 */
export function windowLog(allow: number, everyMs: number, from: readonly number[] = []): Log {
  const times = [...from];
  return {
    add: (atMs) => {
      times.push(atMs);
      if (times.length > allow) times.shift();
    },
    opensAt: () =>
      times.length < allow ? Number.NEGATIVE_INFINITY : (times[0] as number) + everyMs + marginMs,
    left: (nowMs) => {
      const first = times.findIndex((one) => one + everyMs + marginMs > nowMs);
      return first === -1 ? allow : allow - (times.length - first);
    },
    fill: (atMs) => void times.splice(0, times.length, ...Array<number>(allow).fill(atMs)),
    copy: () => windowLog(allow, everyMs, times),
  };
}

/** What shares of a time are off by, at the most, when they are added up. */
const roundingMs = 1e-6;

/** A bucket: so many at once, of which one after the other comes back, each after its share of the time. */
export function bucketLog(allow: number, everyMs: number, from = Number.NEGATIVE_INFINITY): Log {
  const shareMs = everyMs / allow;
  let fullAt = from;
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    add: (atMs) => {
      fullAt = Math.max(fullAt, atMs) + shareMs;
      lastAt = atMs;
    },
    opensAt: () => {
      const atMs = fullAt - everyMs + shareMs;
      return atMs <= lastAt + roundingMs ? Number.NEGATIVE_INFINITY : atMs + marginMs;
    },
    left: (nowMs) => Math.floor((everyMs - Math.max(0, fullAt - nowMs) + roundingMs) / shareMs),
    fill: (atMs) => {
      fullAt = atMs + everyMs;
      lastAt = atMs;
    },
    copy: () => bucketLog(allow, everyMs, fullAt),
  };
}
