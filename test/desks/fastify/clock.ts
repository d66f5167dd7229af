/** What tells the desk the time. */
export interface Clock {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Runs something when so many milliseconds have passed, unless it is called off, and keeps no process alive for it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The machine's. */
export const machines: Clock = {
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
