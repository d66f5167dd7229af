/** A document is read so long after the last edit at least, and at most (ms). */
const shortestMs = 40;
const longestMs = 600;

/**
 * How long to wait after an edit before a document is read: twice as long as the client lately took between two edits,
 * so that somebody who types is not met in the middle of a word.
 */
export class Pace {
  #last: number | null = null;
  #between = shortestMs;

  /** An edit at a time (ms); gives how long to wait (ms). */
  edited(now: number): number {
    if (this.#last !== null) {
      // A long rest says nothing of how fast somebody types.
      const between = Math.min(now - this.#last, longestMs);
      this.#between += (between - this.#between) / 4;
    }
    this.#last = now;
    return Math.min(longestMs, Math.max(shortestMs, 2 * this.#between));
  }
}
