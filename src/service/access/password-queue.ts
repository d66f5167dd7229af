import { passwordsAtOnce } from '../message/host-limits.ts';
import { Unreceived } from '../message/incoming.ts';
import { HostBusy } from '../message/reply.ts';

/** The line in which passwords are hashed and compared: each takes a processor some 50 ms. */
export interface PasswordQueue {
  /**
   * Begins a work at its turn, and gives what it comes to.
   *
   * @param isWanted whether anybody still waits for it; asked at its turn, and when the queue is full
   * @throws HostBusy where as many are in line as may be, and `Unreceived` where nobody waits for it any more
   */
  readonly run: <T>(work: () => Promise<T>, isWanted: () => boolean) => Promise<T>;
  /** Begins no more, lets go of all that wait, and resolves once nothing runs. */
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly isWanted: () => boolean;
  readonly leave: () => void;
}

/** @param most how many may be in line, those that run among them */
export function passwordQueue(most: number, atOnce = passwordsAtOnce()): PasswordQueue {
  let waiting: Waiting[] = [];
  let running = 0;
  let isClosed = false;
  const idle = Promise.withResolvers<void>();
  const next = (): void => {
    while (running < atOnce) {
      const first = waiting.shift();
      if (first === undefined) break;
      if (!first.isWanted()) first.leave();
      else {
        running += 1;
        void first.begin().finally(() => {
          running -= 1;
          next();
        });
      }
    }
    if (isClosed && running === 0) idle.resolve();
  };
  /** Those whose client went away give their places up. */
  const sweep = (): void => {
    const gone = waiting.filter(({ isWanted }) => !isWanted());
    waiting = waiting.filter(({ isWanted }) => isWanted());
    for (const { leave } of gone) leave();
  };
  return {
    run: (work, isWanted) => {
      if (isClosed) return Promise.reject(new Unreceived());
      if (running + waiting.length >= most) sweep();
      if (running + waiting.length >= most) return Promise.reject(new HostBusy('passwordChecks'));
      return new Promise((resolve, reject) => {
        const leave = (): void => reject(new Unreceived());
        const begin = async (): Promise<void> => {
          try {
            const found = await work();
            if (isClosed) leave();
            else resolve(found);
          } catch (error) {
            reject(error);
          }
        };
        waiting.push({ begin, isWanted, leave });
        next();
      });
    },
    close: () => {
      isClosed = true;
      for (const { leave } of waiting.splice(0)) leave();
      if (running === 0) idle.resolve();
      return idle.promise;
    },
  };
}
