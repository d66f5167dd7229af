/** What tells the desk the time. */
export interface Clock {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Runs something when so many milliseconds have passed, and keeps no process alive for it. */
  readonly after: (ms: number, run: () => void) => void;
}

/** The machine's. */
export const machines: Clock = {
  now: Date.now,
  after: (ms, run) => void setTimeout(run, ms).unref(),
};
