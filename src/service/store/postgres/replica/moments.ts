import type { Connection } from '../open.ts';

/** A moment of the primary's, which a transaction of the replica shows, too. */
export interface Moment {
  /** Where that transaction is under way. */
  readonly connection: Connection;
  /** To be called once nothing more is read there. */
  readonly over: () => void;
}

/** A transaction of the replica's that shows one snapshot. */
export interface Shown extends Moment {
  /** Tells what it shows from all else that could be shown. */
  readonly version: string;
}

/** What is compared. */
export interface Sides {
  /** The version that the primary shows by now. */
  readonly primary: () => Promise<string>;
  readonly replica: () => Promise<Shown>;
}

/** The replica shows nothing that the primary showed meanwhile. */
export class NoMoment extends Error {}

/** How many read by one transaction, one after the other. */
const mostTogether = 8;

/** How often moments are looked for at once, where many wait. */
const mostLooking = 3;

/** How long a moment is looked for. */
const patienceMs = 50;

/** How long none is looked for where none was found, and where one of both did not answer. */
const pauseMs = 100;
const longPauseMs = 1000;

/** Somebody who waits for a moment. */
interface Waiting {
  readonly since: number;
  /** How often the primary had been asked by then. */
  readonly asked: number;
  readonly found: (moment: Moment) => void;
  readonly failed: (error: NoMoment) => void;
}

/**
 * Finds moments at which primary and replica show the same, for all who wait at once. Whoever reads at such a moment
 * reads what the primary would have shown then: nothing that is older than their request, and nothing of which the
 * primary could still show less. That the replica has replayed what was committed before is not enough: it shows what
 * was committed in the order of the log, and the primary in the order in which those who committed went on. So two
 * readers, one of each, could see two changes in opposite orders, which no order of requests explains (language §F.7).
 */
export class Moments {
  readonly #sides: Sides;
  readonly #waiting = new Set<Waiting>();
  /** How often the primary was asked, and at which of these times it showed a version last. */
  #asked = 0;
  readonly #shown = new Map<string, number>();
  /** How often moments are looked for at once. */
  #looking = 0;
  #pausedUntil = 0;
  #lastFound = 0;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** Whether moments are not looked for by now, since none would be found. */
  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /** A moment between now and the answer. Rejects with `NoMoment`. */
  next(): Promise<Moment> {
    return new Promise((resolve, reject) => {
      const settled = (): void => {
        this.#waiting.delete(one);
        clearTimeout(timer);
      };
      const one: Waiting = {
        since: performance.now(),
        asked: this.#asked,
        found: (moment) => {
          settled();
          resolve(moment);
        },
        failed: (error) => {
          settled();
          reject(error);
        },
      };
      const timer = setTimeout(() => this.#giveUp(one), patienceMs);
      this.#waiting.add(one);
      if (this.#looking < mostLooking && this.#waiting.size > this.#looking * mostTogether) void this.#look();
    });
  }

  #giveUp({ since, failed }: Waiting): void {
    if (this.#lastFound < since) this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pauseMs);
    failed(new NoMoment('the replica is behind'));
  }

  async #look(): Promise<void> {
    this.#looking += 1;
    while (this.#waiting.size > 0) {
      // Those of one turn of the event loop go together.
      await new Promise((resolve) => setImmediate(resolve));
      this.#asked += 1;
      const number = this.#asked;
      const [primary, replica] = await Promise.allSettled([this.#sides.primary(), this.#sides.replica()]);
      if (primary.status === 'fulfilled') this.#noted(primary.value, number);
      if (replica.status === 'fulfilled') this.#give(replica.value);
      if (primary.status === 'rejected' || replica.status === 'rejected') this.pause();
      this.#forget();
    }
    this.#looking -= 1;
  }

  #noted(version: string, number: number): void {
    this.#shown.set(version, Math.max(number, this.#shown.get(version) ?? 0));
  }

  /** Gives a transaction to those since whose asking the primary showed the same. */
  #give({ version, connection, over: end }: Shown): void {
    const number = this.#shown.get(version) ?? 0;
    const met = [...this.#waiting].filter(({ asked }) => asked < number).slice(0, mostTogether);
    const left = new Set(met);
    if (left.size === 0) end();
    else this.#lastFound = performance.now();
    for (const one of met) {
      const over = (): void => {
        if (left.delete(one) && left.size === 0) end();
      };
      one.found({ connection, over });
    }
  }

  /** Looks for none for some time, since one of both does not answer. */
  pause(): void {
    this.#pausedUntil = performance.now() + longPauseMs;
    for (const { failed } of this.#waiting) failed(new NoMoment('the replica does not answer'));
  }

  /** Forgets what was shown before anybody came who waits. */
  #forget(): void {
    const first = Math.min(...[...this.#waiting].map(({ asked }) => asked));
    for (const [version, number] of this.#shown) if (number <= first) this.#shown.delete(version);
  }
}
