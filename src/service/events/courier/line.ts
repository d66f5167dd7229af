import { type Deliveries, type Delivery, pageDeliveries } from '../deliveries.ts';
import type { Standing, Turn } from './turns.ts';

/**
 * A target of a way, and what is known of its deliveries: whether some wait, and those of which an attempt is under way.
 * What waits stays in the store; while attempts are under way, a page of it is here.
 */
export interface Line extends Turn {
  readonly way: string;
  readonly target: string;
  /** Whether the store may hold deliveries that were never tried, after a place. */
  hasFresh: boolean;
  from: number;
  /** Whether the store may hold deliveries that are due again. */
  hasDue: boolean;
  /** A page of those that were never tried, in order. */
  page: Delivery[];
  /** Deliveries of which an attempt is under way, by their names. */
  readonly known: Set<string>;
  /** Lanes of which a first attempt is under way. */
  readonly busy: Set<string>;
  /** How many attempts under way take too long. */
  late: number;
  /** Whether the store is asked for its next delivery just now: it may find one. */
  isAsked: boolean;
}

export function lineOf({ way, target, owner, tries }: Delivery): Line {
  const standing: Standing = tries > 0 ? 'failing' : 'new';
  return {
    way,
    target,
    owner: owner === undefined ? `nobody ${JSON.stringify([way, target])}` : `owner ${owner}`,
    standing,
    underway: 0,
    isWaiting: false,
    hasFresh: false,
    from: 0,
    hasDue: false,
    page: [],
    known: new Set(),
    busy: new Set(),
    late: 0,
    isAsked: false,
  };
}

/** What tells a delivery from others to the same target. */
export function nameOf({ event, turn }: Delivery): string {
  return `${event} ${turn}`;
}

/** The next delivery of a line that can be tried now: one that is due again, else the first of a lane that is free. */
export async function nextIn(line: Line, deliveries: Deliveries, now: number): Promise<Delivery | undefined> {
  const { way, target, known, from } = line;
  // What is under way when it is asked may be noted by the time it is answered.
  const before = new Set(known);
  const isNew = (one: Delivery): boolean => !before.has(nameOf(one)) && !known.has(nameOf(one));
  if (line.hasDue) {
    line.hasDue = false;
    const due = await deliveries.dueOf(way, target, now, before.size + 1);
    const one = due.find(isNew);
    if (one) line.hasDue = true;
    if (one) return one;
  }
  const free = takeFree(line);
  if (free || !line.hasFresh || line.page.length >= pageDeliveries) return free;
  const most = pageSize(line);
  const page = await deliveries.freshOf(way, target, from, most);
  // What was left on to the store meanwhile is asked for again.
  if (line.from !== from) return nextIn(line, deliveries, now);
  line.from = page.at(-1)?.place ?? from;
  line.hasFresh = page.length === most;
  line.page.push(...page.filter(isNew));
  return takeFree(line);
}

/**
 * How many are read at once of those never tried. It grows with the attempts under way and with those that wait for
 * their lane: of a target that seldom has its turn, few rows stay in memory.
 */
function pageSize({ known, page }: Line): number {
  return Math.min(pageDeliveries - page.length, 2 * (1 + known.size) + page.length);
}

function takeFree({ page, busy }: Line): Delivery | undefined {
  const free = page.findIndex(({ lane }) => !busy.has(lane));
  return free === -1 ? undefined : page.splice(free, 1)[0];
}

/** Notes that an attempt begins. */
export function begun(line: Line, one: Delivery): void {
  line.known.add(nameOf(one));
  if (one.due === 0) line.busy.add(one.lane);
}

/** Notes that an attempt has ended; `isNoted`: the store knows what it came to. */
export function ended(line: Line, one: Delivery, isNoted: boolean): void {
  line.known.delete(nameOf(one));
  if (one.due === 0) line.busy.delete(one.lane);
  if (!isNoted && one.due === 0) rewind(line, one.place);
  else if (!isNoted) line.hasDue = true;
  else if (line.known.size === 0 && line.page[0]) rewind(line, line.page[0].place);
}

/** Leaves what was read from a place on to the store, which is asked for it again. */
function rewind(line: Line, place: number): void {
  line.from = Math.min(line.from, place - 1, ...line.page.slice(0, 1).map((one) => one.place - 1));
  line.page = [];
  line.hasFresh = true;
}

/** Whether there may be something that can be tried now. */
export function isWaiting({ hasDue, hasFresh, page, busy }: Line): boolean {
  return hasDue || (hasFresh && page.length < pageDeliveries) || page.some(({ lane }) => !busy.has(lane));
}

/** Whether nothing is left to be known of it. */
export function isIdle({ hasDue, hasFresh, page, underway, isAsked }: Line): boolean {
  return !hasDue && !hasFresh && page.length === 0 && underway === 0 && !isAsked;
}
