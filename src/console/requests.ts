import type { Answered } from '../service/answered.ts';
import type { Received } from '../service/message/receiving.ts';

/** A request that the service answered. */
export interface Recorded extends Answered {
  /** Counted from 1. */
  readonly id: number;
  /** When it was answered: a time of RFC 3339. */
  readonly time: string;
}

/** So many requests are kept: the latest ones. */
const most = 1000;

/** The requests that the service answered since the console was opened. */
export class Requests {
  readonly #now: () => number;
  readonly #kept: Recorded[] = [];
  readonly #received = new Map<number, Received>();
  #count = 0;
  #heard: (recorded: Recorded) => void = () => {};

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whom to tell of each. */
  set heard(heard: (recorded: Recorded) => void) {
    this.#heard = heard;
  }

  /** Takes note of one, and of what it brought if that is known. */
  note(answered: Answered, received: Received | null = null): void {
    this.#count += 1;
    const recorded = { ...answered, id: this.#count, time: new Date(this.#now()).toISOString() };
    this.#kept.push(recorded);
    if (received) this.#received.set(this.#count, received);
    if (this.#kept.length > most) this.#received.delete(this.#kept.shift()?.id ?? 0);
    this.#heard(recorded);
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** What one brought. */
  received(id: number): Received | undefined {
    return this.#received.get(id);
  }

  /** The latest first. */
  all(): readonly Recorded[] {
    return this.#kept.toReversed();
  }
}
