/** Gives `now` (language §G.2): RFC 3339 in UTC with six fraction digits, later at each call than before. */
export interface Clock {
  (): string;
  /** The latest that it gave, in microseconds since 1970. */
  readonly latest: () => number;
  /** Makes what it gives from now on later than a time that somebody else kept, in microseconds since 1970. */
  readonly pass: (latest: number) => void;
}

/**
 * A clock over one that tells milliseconds since 1970; microseconds tell the calls within one apart.
 *
 * @param after the latest `now` of before, in microseconds since 1970: the clock may have been set back since
 */
export function clock(milliseconds: () => number = Date.now, after = 0): Clock {
  let last = after;
  /** The second that was told last, and its text up to the fraction. */
  let [second, text] = [Number.NaN, ''];
  const now = (): string => {
    last = Math.max(Math.floor(milliseconds() * 1000), last + 1);
    const whole = Math.floor(last / 1_000_000);
    if (whole !== second) [second, text] = [whole, new Date(whole * 1000).toISOString().slice(0, -4)];
    return `${text}${String(last - whole * 1_000_000).padStart(6, '0')}Z`;
  };
  const pass = (latest: number): void => {
    last = Math.max(last, latest);
  };
  return Object.assign(now, { latest: () => last, pass });
}

/** A clock that goes as another does, by the machine's and what is heard of how far the other is ahead of it. */
export interface Following {
  /** Milliseconds since 1970. */
  readonly milliseconds: () => number;
  readonly hear: (aheadMs: number) => void;
}

/** How long it counts what was heard, against what is heard later and comes to less, in milliseconds. */
const heedMs = 10_000;

/** What is heard comes to less than it is where it was long on the way: of what was heard lately, the most counts. */
export function following(machine: () => number = Date.now): Following {
  let aheadMs = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    milliseconds: () => machine() + aheadMs,
    hear: (heardMs) => {
      if (heardMs < aheadMs && performance.now() < until) return;
      aheadMs = heardMs;
      until = performance.now() + heedMs;
    },
  };
}

/**
 * Runs something once it is a time, in milliseconds since 1970, unless it is called off by what is returned; keeps no
 * process alive for it.
 */
export type Wake = (at: number, run: () => void) => () => void;

/** The time that a service goes by. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly milliseconds: () => number;
  readonly wake: Wake;
}

/** How long it is waited at most, in milliseconds, before the clock is looked at again: it may have been set. */
const longestMs = 1000;

/** Wakes by the machine's timers, at times of a clock that goes with the machine's, or is set as it goes. */
export function machineWake(milliseconds: () => number): Wake {
  return (at, run) => {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const delay = Math.min(Math.max(at - milliseconds(), 1), longestMs);
      timer = setTimeout(() => (milliseconds() >= at ? run() : wait()), delay).unref();
    };
    wait();
    return () => clearTimeout(timer);
  };
}

/**
 * A time (of the form of `now`) and a duration after it. A month later is the same day of the next, or its last
 * where it has no such day.
 */
export function later(
  time: string,
  { months, rest }: { readonly months: number; readonly rest: number },
): string {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  const micro = time.slice(-4, -1);
  return `${new Date(date.getTime() + rest).toISOString().slice(0, -1)}${micro}Z`;
}
