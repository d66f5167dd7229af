import { once } from '../../source/once.ts';
import { exhaustedIn } from '../../specification/model/exhausted.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { also } from '../change/change.ts';
import { moved, startsFrom } from '../change/move.ts';
import { areTimersSet, moveBy, type OwnMove } from '../change/timers.ts';
import { emitted } from '../event/emit.ts';
import { allOf, type Emission } from '../event/event.ts';
import { isReached } from '../event/receivers.ts';
import { Forgotten, NotComputable, Range, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { shownAt } from '../world/received.ts';
import { keyOf, type Timer, Touched, type Watched } from '../world/timer.ts';
import { everyWay, Undetermined, type Ways } from '../world/ways.ts';
import type { World } from '../world/world.ts';
import { judgedLate } from './late.ts';

/** The keys of the timers of which it matters whether they fired. */
type Chosen = ReadonlySet<string>;

/** What came of a request. */
interface Came {
  readonly events: Emission;
  readonly world: World | null;
  readonly ifRefused?: World;
}

/** So many timers of which it is not known whether they fired are decided. */
const mostChosen = 20;

/** In so many ways timers may have fired before a request. */
const mostStarts = 16;

/**
 * What may come of a request, in each world that it may find: what is surely due has happened, and what may be due is decided
 * if something hangs on it (language §3.3, rules 3 and 4). What hangs on it shows as the request is carried out.
 *
 * @param url the address of the service
 * @returns null: that is not determined
 */
export function afterTimers<T extends Came>(
  before: World,
  url: string,
  carryOut: (start: World) => readonly T[],
): readonly T[] | null {
  if (before.timers.length === 0) return carryOut(before);
  const chosen = new Set<string>();
  while (chosen.size <= mostChosen)
    try {
      const starts = everyWay((ways) => startOf(before, ways, chosen, url), mostStarts);
      const steps = starts?.flatMap((start) => stepsAfter(start, carryOut)) ?? null;
      for (const { world, ifRefused } of steps ?? [])
        for (const each of [world, ifRefused]) if (each) each.watched = [];
      return steps;
    } catch (error) {
      // What a timer does that cannot be computed, the language does not say.
      if (error instanceof Undetermined || error instanceof NotComputable) return null;
      if (!(error instanceof Touched)) throw error;
      const key = keyOf(error.timer);
      if (chosen.has(key)) return null;
      chosen.add(key);
    }
  return null;
}

/**
 * The world once all that is surely due has happened; itself, if nothing is, or not all of it is determined. The events of it
 * are left out.
 *
 * @param url the address of the service
 */
export const onceDue = once((before: World, url: string): World => {
  const isClear = before.isBegun && !before.hasForgotten;
  if (!isClear || !before.timers.some((timer) => isOverdue(timer, before))) return before;
  try {
    const [start, ...others] = everyWay((ways) => startOf(before, ways, none, url), mostStarts) ?? [];
    if (start === undefined || others.length > 0) return before;
    start.world.watched = [];
    return start.world;
  } catch (error) {
    if (error instanceof Undetermined || error instanceof NotComputable || error instanceof Touched)
      return before;
    throw error;
  }
});

const none: Chosen = new Set();

/** A world that a request may find, and the events of the timers that fired. */
interface Start {
  readonly world: World;
  readonly events: readonly Emission[];
}

function stepsAfter<T extends Came>(
  { world, events }: Start,
  carryOut: (start: World) => readonly T[],
): readonly T[] {
  return carryOut(world).map((step) => ({ ...step, events: allOf([...events, step.events]) }));
}

/** One of the worlds that a request may find. */
function startOf(before: World, ways: Ways, chosen: Chosen, url: string): Start {
  const kept = new Set<Timer>();
  const events: Emission[] = [];
  let world = before.fork(ways);
  world.watched = [];
  for (let fired = 0; fired <= mostFired; fired++) {
    const timer = nextOf(world, chosen, kept, url);
    if (timer === null) return { world: watching(world, kept), events };
    const isKept = !isOverdue(timer, world) && world.decide(unknown([]));
    if (timer.kind === 'doubt') {
      world = settled(timer, isKept, world);
      continue;
    }
    const next = isKept ? null : firedBy(timer, world, url);
    if (next) {
      events.push(next.events);
      world = next.world;
    } else if ((isKept && !(timer.isPerhapsOver && hasPassed(timer, world))) || timer.kind === 'work')
      kept.add(timer);
    else {
      const next = passedOver(timer, world);
      if (next) kept.add(next);
    }
  }
  return world.leave(unknown([]));
}

/** A timer has fired. If it was for several events, it is for the next one now. */
function pass(timer: Timer, world: World): void {
  const { later: [due, ...later] = [], ...rest } = timer;
  world.dropTimer(timer);
  if (due !== undefined) world.setTimer({ ...rest, due, later });
}

/**
 * A timer did nothing, and so do those for later events that are surely due by now, too.
 *
 * @returns the timer for the next event, if that may have done nothing, too
 */
function passedOver(timer: Timer, world: World): Timer | null {
  const { later: all = [], isPerhapsOver, ...rest } = timer;
  const left = all.filter((due) => !hasPassed({ ...timer, due }, world));
  const [due, ...later] = left;
  world.dropTimer(timer);
  if (due === undefined) return null;
  const isOver = isPerhapsOver || mayBeDue({ ...rest, due }, world);
  const next = { ...rest, due, later, ...(isOver && { isPerhapsOver: true }) };
  world.setTimer(next);
  return isOver ? next : null;
}

/** The world in which an item is there, or is not. */
function settled(doubt: Timer, isThere: boolean, before: World): World {
  const world = before.fork(before.ways);
  const stored = world.all(doubt.resource).find(({ handle }) => handle === doubt.handle);
  world.dropTimer(doubt);
  if (!isThere && stored) world.remove(stored);
  return world;
}

/** So many moves at once are not followed. */
const mostFired = 1000;

/** The timer that fires first, of those that surely fire, and those of which it has to be known; null: there is none. */
function nextOf(world: World, chosen: Chosen, kept: ReadonlySet<Timer>, url: string): Timer | null {
  const isChosen = (timer: Timer): boolean => chosen.size > 0 && chosen.has(keyOf(timer));
  const due = world.timers
    .filter((timer) => !kept.has(timer) && mayBeDue(timer, world) && !isIdle(timer, world))
    .toSorted((a, b) => a.due.least - b.due.least);
  const sure = due.filter((timer) => isOverdue(timer, world) || isChosen(timer));
  // Whether one timer of an item fired matters to the others of this item.
  const [first, ...others] = due.filter((timer) =>
    sure.some((each) => each === timer || isOfSame(each, timer)),
  );
  if (first === undefined) return null;
  const rivals = others.filter((other) => other.due.least <= first.due.most && isOfSame(first, other));
  if (rivals.length === 0) return first;
  // If only one of them may do anything, it makes no difference which is first.
  const able = [first, ...rivals].filter((timer) => mayDo(timer, world, url));
  return able.length < 2 ? (able[0] ?? first) : (able[world.ways.choose(able.length)] as Timer);
}

/** In so many ways it is looked at what a timer may do. */
const mostDone = 4;

/** Whether a timer may do anything if it fires now. */
function mayDo(timer: Timer, world: World, url: string): boolean {
  try {
    const done = everyWay((ways) => firedBy(timer, world.fork(ways), url) !== null, mostDone);
    return done?.includes(true) ?? true;
  } catch (error) {
    if (error instanceof Undetermined || error instanceof NotComputable) return true;
    throw error;
  }
}

function isOfSame(one: Timer, other: Timer): boolean {
  return one.resource === other.resource && one.handle === other.handle;
}

function mayBeDue({ due }: Timer, { received }: World): boolean {
  return due.least <= received.at.most;
}

/** Whether attempts that end now make no difference: the item is in a state that its move does not leave. */
function isIdle(timer: Timer, world: World): boolean {
  if (timer.kind !== 'exhausted' || isOverdue(timer, world)) return false;
  const move = moveBy(world, timer);
  const state = move && world.stored(timer)?.members.get(move.field);
  return move !== undefined && startsFrom(move.transition, state ?? null) === false;
}

/** Whether everybody sees that the timer fired. */
function isOverdue(timer: Timer, world: World): boolean {
  return timer.isPerhapsOver !== true && hasPassed(timer, world);
}

/** Whether a timer is due, and what it does may not stay unseen any longer. */
function hasPassed(timer: Timer, world: World): boolean {
  const move = moveBy(world, timer);
  // Further attempts go to another address, which may not refuse (language §6.3, rule 22).
  if (move?.kind === 'exhausted' && world.stored(timer)?.members.get(move.holder) !== timer.time)
    return false;
  const within = move?.transition.within;
  const isFree = within !== undefined && (isAsked(within) || within.kind === 'any');
  const unseenMs = isFree ? Number.POSITIVE_INFINITY : (stated(within)?.milliseconds ?? 0);
  const { due, time, unreachedMs = 0 } = timer;
  const waitedMs = unreachedMs > 0 && !isReached(time, world) ? unreachedMs : 0;
  return due.most + unseenMs + waitedMs <= world.received.at.least;
}

/** The world after a move; null: the move is refused. A timer that does not fire when it is due does not fire later either. */
function firedBy(
  timer: Timer,
  before: World,
  url: string,
): { readonly world: World; readonly events: Emission } | null {
  const { specification, received, ways } = before;
  const resource = specification.resourcesByName.get(timer.resource);
  const move = moveBy(before, timer);
  const stored = before.stored(timer);
  if (!resource || !move || !stored) return null;
  const at = new Range(timer.due.least, received.at.most);
  const world = before.fork(ways);
  pass(timer, world);
  const now = world.make(
    'time',
    `now of ${timer.move} of ${timer.resource} ${timer.handle}`,
    shownAt(at, received),
  );
  const moment = new Moment(world, { actor: null, now, service: { url } });
  const done = moved(resource, stored, timer.move, givenBy(timer, resource, move), moment, also);
  if ('refusals' in done || judgedLate(before, moment).length > 0) return null;
  if (!areTimersSet(before, at, moment)) world.leave(unknown([], true));
  const events = emitted(null, before, moment, at);
  const { due } = timer;
  return {
    world,
    events: events instanceof Unknown ? events : events.map((event) => ({ ...event, at: due })),
  };
}

/** What a move sets besides. What an operator’s function gives is unknown. */
function givenBy({ kind }: Timer, resource: Resource, { field }: OwnMove): Readonly<Record<string, Value>> {
  if (kind !== 'work') return {};
  const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
  const names = [...resource.fields.values()].filter(
    ({ name, derived }) => derived.kind !== 'stated' && name !== field && !identifier.includes(name),
  );
  return Object.fromEntries(names.map(({ name }) => [name, new Unknown(new Set())]));
}

/** Notes what may have happened and was not decided. */
function watching(world: World, kept: ReadonlySet<Timer>): World {
  world.watched = world.timers
    .filter((timer) => !kept.has(timer) && mayBeDue(timer, world))
    .flatMap((timer) => watchedBy(timer, world));
  return world;
}

function watchedBy(timer: Timer, world: World): Watched[] {
  const { resourcesByName } = world.specification;
  const resource = resourcesByName.get(timer.resource);
  if (timer.kind === 'doubt')
    return [{ timer, names: new Set(), isDeleted: true, others: new Set(), isIdle: false }];
  const move = moveBy(world, timer);
  if (!resource || !move) return [];
  if (isIdle(timer, world))
    return [{ timer, names: new Set([move.field]), isDeleted: false, others: new Set(), isIdle: true }];
  const { to, set, also: further } = move.transition;
  const updated = [...resource.fields.values()].filter(({ update }) => stated(update) !== undefined);
  const written = [
    move.field,
    ...(stated(set)?.keys() ?? []),
    ...updated.map(({ name }) => name),
    ...Object.keys(givenBy(timer, resource, move)),
  ];
  // What is forgotten is not known less if it changes.
  const members = world.stored(timer)?.members;
  const names = new Set(written.filter((name) => !(members?.get(name) instanceof Forgotten)));
  const isDeleted = to.kind !== 'stated';
  const changes = stated(further) ?? [];
  const isWide = changes.some(({ verb }) => verb !== 'create');
  const others = isWide
    ? [...resourcesByName.keys()]
    : [
        ...changes.flatMap(({ subject }) => subject.name ?? []),
        ...(isDeleted ? referringTo(resource.name, world) : []),
        // The move may emit an event, of which all attempts may fail (language §6.3, rule 20).
        ...exhaustedIn(world.specification).map(({ resource }) => resource),
      ];
  const isKnown = names.size > 0 || isDeleted || others.length > 0;
  return isKnown ? [{ timer, names, isDeleted, others: new Set(others), isIdle: false }] : [];
}

/** The resources of which items change if an item of this one is deleted. */
function referringTo(name: string, { specification: { resourcesByName } }: World): readonly string[] {
  const found = new Set<string>();
  const add = (to: string): void => {
    for (const { name: from, fields } of resourcesByName.values()) {
      const refers = [...fields.values()].some((field) => stated(field.refers)?.resource === to);
      if (!refers || found.has(from)) continue;
      found.add(from);
      add(from);
    }
  };
  add(name);
  return [...found];
}
