import type { Connection } from './open.ts';

/** The transaction that the reads of one turn of the event loop have together. */
export interface SharedReads {
  /** Goes before a read; throws where what an earlier turn left cannot be ended. */
  readonly enter: () => void;
  /** Ends it, so that a transaction that writes can begin; throws where that fails. */
  readonly leave: () => void;
}

/**
 * A read by itself locks the file and unlocks it, two calls of the system that cost as much as the read. So the reads
 * of one turn, from the second on, share a transaction, which ends with the turn, or before something is written. In
 * a turn nothing else changes what is kept: they read what they would have read alone.
 */
export function sharedReads(connection: Connection): SharedReads {
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  let count = 0;
  let isOpen = false;
  const leave = (): void => {
    if (isOpen && connection.inTransaction) end.run();
    isOpen = false;
  };
  const turnOver = (): void => {
    count = 0;
    try {
      leave();
    } catch {
      // Whoever comes next tries again.
    }
  };
  return {
    leave,
    enter: () => {
      count += 1;
      if (count === 1) {
        setImmediate(turnOver);
        leave();
      } else if (!isOpen && !connection.inTransaction) {
        isOpen = true;
        begin.run();
      }
    },
  };
}
