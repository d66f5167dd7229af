import { type Deliveries, type Delivery, pageDeliveries } from '../deliveries.ts';
import { isIdle, isWaiting, type Line, lineOf, nextIn } from './line.ts';
import { type Bounds, fairTurns, type Standing, type Turns } from './turns.ts';

/** Of how many targets to which nothing is to be sent it is known how they answered last. */
const mostRemembered = 10_000;

/** How targets to which nothing is to be sent answered last, by their names; those that were asked least lately go. */
export class LastStandings {
  readonly #standings = new Map<string, Standing>();

  of(name: string): Standing | undefined {
    return this.#standings.get(name);
  }

  note(name: string, standing: Standing): void {
    const all = this.#standings;
    all.delete(name);
    all.set(name, standing);
    if (all.size > mostRemembered) all.delete(all.keys().next().value as string);
  }
}

/** When the next delivery is due; infinity: none is. */
export interface Soonest {
  at: number;
}

export interface TargetsAround {
  readonly deliveries: Deliveries;
  /** The ways of the service, by their names: what waits for others is left alone. */
  readonly ways: ReadonlyMap<string, unknown>;
  readonly milliseconds: () => number;
  readonly bounds: Bounds;
  readonly standings: LastStandings;
  readonly soonest: Soonest;
}

/** The targets for which something waits, or is under way, as this process knows them while it delivers. */
export class Targets {
  readonly turns: Turns<Line>;
  readonly #around: TargetsAround;
  readonly #lines = new Map<string, Line>();
  /** Up to where rows were looked at. */
  #place: number;
  /** Up to when those that are due again were looked for. */
  #due = 0;

  private constructor(around: TargetsAround, place: number) {
    this.#around = around;
    this.#place = place;
    this.turns = fairTurns(around.bounds);
  }

  /** Finds the targets for which something waits that was never tried, each by one look at an index. */
  static async survey(around: TargetsAround): Promise<Targets> {
    const { deliveries, ways } = around;
    const found = new Targets(around, await deliveries.last());
    for (const way of ways.keys()) {
      const [first] = await deliveries.freshOf(way, '', 0, 1);
      for (
        let one = first ?? (await deliveries.nextTarget(way, ''));
        one;
        one = await deliveries.nextTarget(way, one.target)
      )
        found.#fresh(one);
    }
    return found;
  }

  /** Finds what was put in line since, and what is due again by now. */
  async find(): Promise<void> {
    for (let isWhole = true; isWhole; ) {
      const page = await this.#around.deliveries.after(this.#place);
      for (const one of page) if (one.due === 0) this.#fresh(one);
      this.#place = page.at(-1)?.place ?? this.#place;
      isWhole = page.length === pageDeliveries;
    }
    await this.#findDue();
  }

  async #findDue(): Promise<void> {
    const { deliveries, milliseconds, soonest } = this.#around;
    const now = milliseconds();
    // The clock may have been set back.
    const from = Math.min(this.#due, now);
    // What is noted from now on by a time that is over is told by whoever notes it.
    [this.#due, soonest.at] = [now, Number.POSITIVE_INFINITY];
    await this.#findBetween(from, now);
    soonest.at = Math.min(soonest.at, (await deliveries.nextDue(this.#due)) ?? soonest.at);
  }

  async #findBetween(start: number, end: number): Promise<void> {
    let from = start;
    try {
      for (let most = pageDeliveries; from < end; ) {
        const page = await this.#around.deliveries.dueBetween(from, end, most);
        for (const one of page) this.#again(one);
        const last = page.at(-1)?.due;
        // Of those of one time a page may hold but some: it is read again from that time on, or a longer one.
        const before = page.findLast(({ due }) => due !== last)?.due;
        if (page.length < most) from = end;
        else if (before === undefined) most *= 2;
        else from = before;
      }
    } catch (error) {
      this.#due = Math.min(this.#due, from);
      throw error;
    }
  }

  /** A line that is forgotten meanwhile, as its last attempt ends, would be made anew, and not know what is under way. */
  async nextOf(line: Line): Promise<Delivery | undefined> {
    const { deliveries, milliseconds } = this.#around;
    line.isAsked = true;
    try {
      return await nextIn(line, deliveries, milliseconds());
    } finally {
      line.isAsked = false;
    }
  }

  /** Notes when the next attempt of a line is due. */
  due(line: Line, at: number): void {
    if (at <= this.#due) line.hasDue = true;
    const { soonest } = this.#around;
    soonest.at = Math.min(soonest.at, at);
  }

  /** Puts a line among those that wait for their turn, or forgets it where nothing is left to be known of it. */
  settle(line: Line): void {
    this.turns.wait(line, isWaiting(line));
    if (!isIdle(line)) return;
    const name = nameOf(line);
    if (this.#lines.get(name) === line) this.#lines.delete(name);
    this.#around.standings.note(name, line.standing);
  }

  #fresh(one: Delivery): void {
    if (!this.#around.ways.has(one.way)) return;
    const line = this.#lineFor(one);
    line.hasFresh = true;
    this.settle(line);
  }

  #again(one: Delivery): void {
    if (!this.#around.ways.has(one.way)) return;
    const line = this.#lineFor(one);
    line.hasDue = true;
    this.settle(line);
  }

  #lineFor(one: Delivery): Line {
    const name = nameOf(one);
    const there = this.#lines.get(name);
    if (there) return there;
    const made = lineOf(one);
    made.standing = this.#around.standings.of(name) ?? made.standing;
    this.#lines.set(name, made);
    return made;
  }
}

function nameOf({ way, target }: { readonly way: string; readonly target: string }): string {
  return JSON.stringify([way, target]);
}
