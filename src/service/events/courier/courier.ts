import type { Store } from '../../store/store.ts';
import type { Time } from '../../value/clock.ts';
import { compileDeliveries, type Delivery } from '../deliveries.ts';
import { begun, ended, type Line } from './line.ts';
import { compileNoting, type Note, type NotingAround } from './noting.ts';
import { LastStandings, type Soonest, Targets, type TargetsAround } from './targets.ts';
import { type Bounds, hostBounds, type Standing } from './turns.ts';
import type { Outcome, Way } from './way.ts';

/** Carries out deliveries: at least once, the first attempts of each lane in their order. */
export interface Courier {
  /** There may be something to send. */
  readonly wake: () => void;
  /** Sends all that is due now; resolved once that is done. */
  readonly ring: () => Promise<void>;
  /** How many attempts are under way; infinitely many while it is looked for what is to be sent. */
  readonly underway: () => number;
  /** Begins no more attempts; ends once those under way are done, or told to stop. */
  readonly close: (stop: AbortSignal) => Promise<void>;
}

/** How many messages wait for whoever they are sent to, and how many attempts for the service itself. */
export interface Underway {
  readonly own: number;
  readonly awaited: number;
}

export interface CourierAround extends Time, NotingAround {
  readonly store: Store;
  /** Whether it is this process that delivers. */
  readonly leads: () => boolean;
  readonly bounds?: Bounds;
}

/** How long it rests after a failure, in milliseconds. */
const restMs = 1000;

/** How many attempts begin in one turn of the event loop. */
const mostInTurn = 4;

/** An attempt that takes longer than this makes its target a slow one, in milliseconds. */
const slowMs = 1000;

export function compileCourier(around: CourierAround): Courier {
  const carrier = new Carrier(around);
  return {
    wake: () => carrier.wake(),
    ring: () => carrier.ring(),
    underway: () => carrier.underway(),
    close: (stop) => carrier.close(stop),
  };
}

class Carrier implements Courier {
  readonly #around: CourierAround;
  readonly #targetsAround: TargetsAround;
  readonly #note: Note;
  readonly #soonest: Soonest = { at: Number.POSITIVE_INFINITY };
  readonly #stopping = new AbortController();
  /** Null: nothing was looked at yet, or another process delivers. */
  #targets: Targets | null = null;
  #underway = 0;
  #isClosed = false;
  #running: Promise<void> | null = null;
  /** What is to be done next: to look at the store, or only to give turns. */
  #isNews = false;
  #isFree = false;
  #isResting = false;
  #callOff = (): void => {};
  /** Who waits until nothing is under way. */
  readonly #idle = new Set<() => void>();

  constructor(around: CourierAround) {
    const { store, ways, milliseconds, bounds = hostBounds } = around;
    this.#around = around;
    this.#note = compileNoting(around);
    this.#targetsAround = {
      deliveries: compileDeliveries(store),
      ways,
      milliseconds,
      bounds,
      standings: new LastStandings(),
      soonest: this.#soonest,
    };
  }

  /** Something may be in line. */
  wake(): void {
    this.#isNews = true;
    this.#run();
  }

  ring(): Promise<void> {
    this.wake();
    return this.#atRest();
  }

  underway(): number {
    return this.#running ? Number.POSITIVE_INFINITY : this.#underway;
  }

  async close(stop: AbortSignal): Promise<void> {
    this.#isClosed = true;
    this.#callOff();
    stop.addEventListener('abort', () => this.#stopping.abort());
    if (stop.aborted) this.#stopping.abort();
    await this.#atRest();
  }

  /** A target may have its turn. */
  #free(): void {
    this.#isFree = true;
    this.#run();
  }

  #hasWork(): boolean {
    return !this.#isClosed && !this.#isResting && (this.#isNews || this.#isFree);
  }

  #run(): void {
    if (this.#isClosed || this.#isResting || this.#running) return;
    this.#running = this.#work()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#running = null;
        // It may have been told of more once it had looked whether there is.
        if (this.#hasWork()) this.#run();
        else this.#wait();
        if (this.#underway === 0) this.#release();
      });
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      this.#isFree = false;
      await this.#look();
      if (!this.#around.leads()) this.#isNews = false;
    }
  }

  async #look(): Promise<void> {
    if (!this.#around.leads()) {
      this.#targets = null;
      this.#soonest.at = Number.POSITIVE_INFINITY;
      return;
    }
    if (this.#isNews || this.#targets === null) {
      this.#isNews = false;
      this.#targets ??= await Targets.survey(this.#targetsAround);
      await this.#targets.find();
    }
    await this.#giveTurns(this.#targets);
  }

  async #giveTurns(targets: Targets): Promise<void> {
    for (let count = 0; !this.#isClosed && !this.#isResting && this.#targets === targets; count += 1) {
      const line = targets.turns.next();
      if (line === undefined) return;
      // Others have their turn of the event loop: requests, and what came of attempts.
      if (count % mostInTurn === mostInTurn - 1) await new Promise<void>((resolve) => setImmediate(resolve));
      const one = await targets.nextOf(line);
      if (one) void this.#carry(targets, line, one);
      else targets.settle(line);
    }
  }

  async #carry(targets: Targets, line: Line, one: Delivery): Promise<void> {
    this.#underway += 1;
    begun(line, one);
    targets.turns.begin(line);
    targets.settle(line);
    const over = this.#watch(targets, line);
    const { outcome, isNoted } = await this.#attempt(targets, line, one);
    const isLate = over();
    this.#underway -= 1;
    ended(line, one, isNoted);
    targets.turns.end(line);
    targets.turns.stand(line, standingAfter(line, outcome, isLate));
    targets.settle(line);
    this.#free();
    if (this.#underway === 0) this.#release();
  }

  /** What an attempt came to, null where that is not known, and whether it was noted. Never rejects. */
  async #attempt(targets: Targets, line: Line, one: Delivery): Promise<Attempted> {
    const { signal } = this.#stopping;
    let outcome: Outcome | null = null;
    try {
      outcome = await (this.#around.ways.get(one.way) as Way).attempt(one.target, one.event, signal);
      const noted = signal.aborted ? null : await this.#note(one, outcome);
      if (noted) {
        if (noted.at !== null) targets.due(line, noted.at);
        return { outcome, isNoted: true };
      }
      if (!signal.aborted) this.#rest();
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
    return { outcome, isNoted: false };
  }

  /** Makes a target slow once its attempt takes too long. Returns what ends the watch, and tells whether it took too long. */
  #watch(targets: Targets, line: Line): () => boolean {
    let [isLate, isOver] = [false, false];
    const late = (): void => {
      if (isOver) return;
      isLate = true;
      line.late += 1;
      targets.turns.stand(line, ['good', 'slow'].includes(line.standing) ? 'slow' : 'hanging');
      this.#free();
    };
    const { wake, milliseconds } = this.#around;
    // Where this process stood still, the answer may be there, and is read first.
    const punctual = wake(milliseconds() + slowMs, () => setImmediate(late));
    return () => {
      isOver = true;
      punctual();
      if (isLate) line.late -= 1;
      return isLate;
    };
  }

  /** What cannot be noted is tried again, after a while. */
  #failed(error: unknown): void {
    this.#around.fault(error);
    this.#rest();
  }

  #rest(): void {
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      this.wake();
    }, restMs).unref();
  }

  #wait(): void {
    this.#callOff();
    const { at } = this.#soonest;
    const isNone = this.#isClosed || at === Number.POSITIVE_INFINITY;
    this.#callOff = isNone ? () => {} : this.#around.wake(at, () => this.wake());
  }

  #release(): void {
    for (const go of this.#idle) go();
    this.#idle.clear();
  }

  async #atRest(): Promise<void> {
    while (this.#running || this.#underway > 0)
      if (this.#running) await this.#running;
      else await new Promise<void>((resolve) => this.#idle.add(resolve));
  }
}

interface Attempted {
  readonly outcome: Outcome | null;
  readonly isNoted: boolean;
}

function standingAfter(line: Line, outcome: Outcome | null, isLate: boolean): Standing {
  if (outcome === null || outcome.isLast) return line.standing;
  if (isLate && !outcome.arrived) return 'hanging';
  if (isLate) return 'slow';
  if (line.late > 0) return line.standing;
  return outcome.arrived ? 'good' : 'failing';
}
