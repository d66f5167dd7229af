import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { readsRequest } from '../access/admits.ts';
import type { Persona } from '../access/persona.ts';
import { membersOf } from '../item.ts';
import { askerOf, namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import type { Names } from '../solve.ts';
import { type Move, machinesOf, moveNamed, writesState } from '../states/machines.ts';
import { foreseenByTimer } from '../states/timed-makers.ts';
import { afterMs, dueMs, isWaitedFor, movesUnasked, timerOf } from '../states/timers.ts';
import { heldUp, operationsFor, type Trial } from '../trial.ts';
import { mayBe, type Truth } from '../verdict.ts';
import { touchedBy } from './also.ts';
import { bodies } from './bodies.ts';
import { type Foreseen, foresee, foreseeMove } from './foresee.ts';

/** A request, and what it should come to: worked out when somebody asks, since most are never looked at. */
export interface Step {
  readonly operation: Operation;
  readonly body: Json | undefined;
  /** The item that it is about, as it was; null where there is none. */
  readonly item: Item | null;
  readonly foreseen: Foreseen;
  /** What its expressions may name, `this` being the item as it was. */
  readonly names: Names;
}

/** Time that passes until an item is moved by itself, and what that should come to (language §3.3). */
export interface Wait {
  readonly move: Move;
  /** The timer that does it: the move's own, or another's that asks for it. */
  readonly timer: Move;
  readonly foreseen: Foreseen;
}

/** What leads to an item, one after the other: the first request creates it, where any operation does. */
export type Way = readonly (Step | Wait)[];

export function isWait(step: Step | Wait): step is Wait {
  return 'timer' in step;
}

/** An item that can be come to, and the way that leads to it. */
export interface Node {
  readonly steps: Way;
  readonly item: Item;
}

/** One that grows on. */
interface Growing extends Node {
  /** The states that the items of one beginning were found in, so that each is come to once. */
  readonly seen: Set<string>;
}

/** How many requests lead to an item at the most, and how many beginnings are tried. */
const most = { steps: 6, beginnings: 20 };

interface Grown {
  /** The items that so many requests lead to, the fewest first; then those that waits lead to, the shortest first. */
  readonly levels: (readonly Growing[])[];
  /** Items of which it was not asked yet what timers lead them to; and what they were found to lead to, to be come to. */
  readonly latest: Growing[];
  readonly waited: Growing[];
  readonly steps: WeakMap<Item, Map<Operation, readonly Step[]>>;
}

/** By whoever asks, too: what an item comes to hangs on that. */
const grown = new WeakMap<Trial, Map<Persona | null, Map<Resource, Grown>>>();

function treeOf(trial: Trial, resource: Resource): Grown {
  const own = grown.get(trial) ?? new Map<Persona | null, Map<Resource, Grown>>();
  grown.set(trial, own);
  const all = own.get(trial.persona) ?? new Map<Resource, Grown>();
  own.set(trial.persona, all);
  const found = all.get(resource) ?? { levels: [], latest: [], waited: [], steps: new WeakMap() };
  all.set(resource, found);
  return found;
}

/**
 * The items of a resource that requests and timers can lead to, those that need the least first: no wait, or the shortest,
 * and then the fewest requests. Each is looked for once.
 */
export function* nodes(trial: Trial, resource: Resource): Iterable<Node> {
  const tree = treeOf(trial, resource);
  for (let depth = 0; ; depth++) {
    const level = tree.levels[depth] ?? further(trial, resource, tree);
    tree.levels[depth] = level;
    yield* level;
    if (level.length === 0) return;
  }
}

/** What one more request leads to; where none leads anywhere, what the shortest wait does. */
function further(trial: Trial, resource: Resource, tree: Grown): readonly Growing[] {
  const last = tree.levels.at(-1);
  const asked = last ? last.flatMap((node) => onwards(trial, resource, node)) : beginnings(trial, resource);
  tree.latest.push(...asked);
  if (asked.length > 0) return asked;
  tree.waited.push(...tree.latest.splice(0).flatMap((node) => waitsFrom(trial, resource, node)));
  tree.waited.sort((a, b) => byWait(trial, a.steps, b.steps));
  for (let node = tree.waited.shift(); node; node = tree.waited.shift()) {
    const states = statesOf(trial, node.item);
    if (node.seen.has(states)) continue;
    node.seen.add(states);
    tree.latest.push(node);
    return [node];
  }
  return [];
}

/** What the timers of an item lead to, where nothing else surely moves it before. */
function waitsFrom(trial: Trial, resource: Resource, { steps, item, seen }: Growing): Growing[] {
  const names = new Map(namesFor(trial, { operation: null, request: null, item })).set('actor', null);
  const unasked = movesUnasked(trial.of, resource, item).map((move) => ({
    move,
    timer: timerOf(trial.of, move),
    foreseen: foreseeMove(trial.of, move, item, names),
  }));
  return unasked.flatMap(({ move, timer, foreseen }) => {
    const { after, free } = foreseen;
    const ms = timer && dueMs(timer);
    const isFirst = unasked.every(
      (other) =>
        other.move === move ||
        other.foreseen.free.value === false ||
        ((other.timer && afterMs(other.timer)) ?? 0) > (ms ?? 0),
    );
    if (timer === null || ms === null || !isFirst || after === null || free.value !== true) return [];
    if (timer !== move && !isMadeBesides(trial, steps, timer.of.resource)) return [];
    return [{ steps: [...steps, { move, timer, foreseen }], item: after, seen }];
  });
}

/** Whether a way also makes an item of another resource, so that a timer of that one may be under way. */
function isMadeBesides({ of }: Trial, way: Way, { name }: Resource): boolean {
  return way.some((step) =>
    isWait(step)
      ? (stated(step.timer.transition.also) ?? []).some(
          ({ verb, subject }) => verb === 'create' && subject.name === name,
        )
      : touchedBy(of, step.operation).includes(name),
  );
}

/** How long is waited on a way, in milliseconds; without end where a timer on it is not waited for. */
export function waitedMs(trial: Trial, way: Way): number {
  const all = way.flatMap((step) => (isWait(step) ? [step.timer] : []));
  if (!all.every((timer) => isWaitedFor(trial, timer))) return Number.POSITIVE_INFINITY;
  return all.reduce((sum, timer) => sum + (dueMs(timer) ?? 0), 0);
}

/** Puts ways in order, those on which less is waited first. */
export function byWait(trial: Trial, a: Way, b: Way): number {
  const [one, other] = [waitedMs(trial, a), waitedMs(trial, b)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function beginnings(trial: Trial, resource: Resource): Growing[] {
  const [creator] = operationsFor(trial.of, resource, 'create');
  if (creator === undefined) {
    const item = foreseenByTimer(trial, resource);
    return item ? [{ steps: [], item, seen: new Set([statesOf(trial, item)]) }] : [];
  }
  const found: Growing[] = [];
  for (const step of creations(trial, creator)) {
    const { after, free } = step.foreseen;
    if (after === null || free.value === false) continue;
    found.push({ steps: [step], item: after, seen: new Set([statesOf(trial, after)]) });
    if (found.length >= most.beginnings) break;
  }
  return found;
}

function onwards(trial: Trial, resource: Resource, { steps, item, seen }: Growing): Growing[] {
  const found: Growing[] = [];
  if (steps.filter((step) => !isWait(step)).length >= most.steps) return found;
  const moves = movers(trial.of, resource).flatMap((operation) => movesFrom(trial, operation, item));
  // Those that are surely not refused go before those of which that cannot be told.
  for (const isFree of [({ value }: Truth) => value === true, mayBe])
    for (const step of moves) {
      if (seen.has(statesMoved(trial, step) ?? '')) continue;
      const { after, free } = step.foreseen;
      if (after === null || !isFree(free) || seen.has(statesOf(trial, after))) continue;
      seen.add(statesOf(trial, after));
      found.push({ steps: [...steps, step], item: after, seen });
    }
  return found;
}

/** Requests about an item that may move it: by their verb, or by a state that they write. */
function movesFrom(trial: Trial, operation: Operation, item: Item): readonly Step[] {
  if (moveNamed(trial.of, item.resource, stated(operation.does)?.verb ?? ''))
    return stepsFrom(trial, operation, item);
  const fields = machinesOf(trial.of, item.resource).map(({ field }) => field);
  return bodies(trial, operation)
    .filter((body) => fields.some((name) => membersOf(body)?.[name] !== undefined))
    .map((body) => stepOf(trial, operation, body, item));
}

/** Requests to make an item, by what they should come to. */
export function creations(trial: Trial, operation: Operation): readonly Step[] {
  return everyStep(trial, operation, null);
}

/** What each body should come to; who asks does not hang on it, where the rule does not read the request. */
function everyStep(trial: Trial, operation: Operation, item: Item | null): readonly Step[] {
  const as = readsRequest(trial.of, operation)
    ? undefined
    : askerOf(trial, { operation, request: null, item });
  return bodies(trial, operation).map((body) => stepOf(trial, operation, body, item, as));
}

/** Requests about an item that can be come to. */
export function stepsFrom(trial: Trial, operation: Operation, item: Item): readonly Step[] {
  const { steps } = treeOf(trial, item.resource);
  const own = steps.get(item) ?? new Map<Operation, readonly Step[]>();
  steps.set(item, own);
  const found = own.get(operation) ?? everyStep(trial, operation, item);
  own.set(operation, found);
  return found;
}

/** The operations that ask for transitions of a resource, by their verb or by writing a state. */
export const movers = once((of: Specification, resource: Resource): readonly Operation[] =>
  of.operations.filter((operation) => {
    if (operation.subject !== resource || heldUp(of, operation) !== null) return false;
    const verb = stated(operation.does)?.verb ?? '';
    return (
      moveNamed(of, resource, verb) !== undefined ||
      machinesOf(of, resource).some((machine) => writesState(of, operation, machine))
    );
  }),
);

/** The states that an item is in, machine by machine; null for one that is not known. */
export function statesOf({ of }: Trial, item: Item): string {
  return JSON.stringify(machinesOf(of, item.resource).map(({ field }) => item.known.get(field) ?? null));
}

/** The states that a transition by its verb leads to, where that hangs on nothing else; undefined where it may. */
function statesMoved({ of }: Trial, { operation: { subject, does } }: Step): string | undefined {
  const move = subject && moveNamed(of, subject, stated(does)?.verb ?? '');
  return typeof move?.to === 'string' && machinesOf(of, subject as Resource).length === 1
    ? JSON.stringify([move.to])
    : undefined;
}

function stepOf(
  trial: Trial,
  operation: Operation,
  body: Json | undefined,
  item: Item | null,
  as?: Persona | null,
): Step {
  let names: Names | undefined;
  let foreseen: Foreseen | undefined;
  const asking = { operation, request: null, given: body, item, ...(as !== undefined && { as }) };
  const step: Step = {
    operation,
    body,
    item,
    get names() {
      names ??= namesFor(trial, asking);
      return names;
    },
    get foreseen() {
      foreseen ??= foresee(trial.of, operation, step.names);
      return foreseen;
    },
  };
  return step;
}
