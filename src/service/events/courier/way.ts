import type { Transaction } from '../../store/store.ts';

/**
 * What an attempt came to. `isLast`: there is no further one, whatever is stated, since nothing was sent and nothing
 * can be.
 */
export interface Outcome {
  readonly arrived: boolean;
  readonly last: string;
  readonly isLast?: boolean;
}

/** There is nobody to send to any more. */
export const gone: Outcome = {
  arrived: false,
  last: 'there is nobody to send it to any more',
  isLast: true,
};

/** A way by which each event is sent to addresses, until it arrives. */
export interface Way {
  /** Sends an event to an address. Rejects only where it cannot be read what is to be sent, or it is told to stop. */
  readonly attempt: (target: string, event: string, stop: AbortSignal) => Promise<Outcome>;
  /** How long after so many attempts the next one is made, in milliseconds; null: there is none. */
  readonly pause: (tries: number) => number | null;
  /**
   * Told, in the transaction in which it is noted, that the last attempt failed, and makes what follows from it; false:
   * that is refused, and is to be undone. Left out: nothing follows.
   */
  readonly exhausted?: (tx: Transaction, target: string) => boolean;
}
