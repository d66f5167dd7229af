import { judge } from '../../semantics/judge/judge.ts';
import { answerTo } from '../../semantics/judge/permitted.ts';
import { type Made, Range } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import { World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Pool } from '../requests/pool.ts';
import type { Candidate } from './candidate.ts';
import { changedBy } from './reach.ts';
import { isLooking } from './weights.ts';
import { itemsWritten } from './writers.ts';

/** How many operations one after another lead to a success at the most. */
const longest = 3;

/** How often it is tried to find such operations, and to go a way that is known with other values. */
const [searches, repeats] = [40, 4];

/** How long each request takes, in milliseconds: what is in time by a hair in memory is late in a run. */
const stepMs = 1000;

/** After so many searches that found nothing, none is made any more. */
const mostVain = 4;

/** A request to an operation that may succeed, about some items; null: none was found. */
export type Succeeding = (operation: Operation, world: World, items: readonly Stored[]) => Candidate | null;

/** Operations that come before another one, and a request to the first of them. */
export interface Way {
  readonly operations: readonly Operation[];
  readonly first: Candidate;
}

/**
 * Finds operations that make a new item and change it, one after another, so that a request about it succeeds. No stored
 * item may be in the state that the request needs, and the way there may take more than one request.
 */
export class Leading {
  readonly #known = new Map<Operation, readonly Operation[]>();
  /** How many searches found nothing. */
  readonly #vain = new Map<Operation, number>();

  /** Whether such operations are known. */
  isKnown(operation: Operation): boolean {
    return this.#known.has(operation);
  }

  /** @returns null: none were found */
  to(
    operation: Operation,
    among: readonly Operation[],
    world: World,
    pool: Pool,
    succeeding: Succeeding,
  ): Way | null {
    const isVain = (this.#vain.get(operation) ?? 0) >= mostVain;
    if (isVain && !this.#known.has(operation)) return null;
    const unseen = unseenIn(world);
    const way = this.#found(operation, among, world, pool, succeeding);
    // What answers in memory showed of what is there already is nothing that the service showed.
    for (const made of unseen) made.unbind();
    return way;
  }

  #found(
    operation: Operation,
    among: readonly Operation[],
    world: World,
    pool: Pool,
    succeeding: Succeeding,
  ): Way | null {
    const known = this.#known.get(operation);
    for (let tried = 0; known && tried < repeats; tried++) {
      const rest = [...known];
      const way = wayTo(operation, world, succeeding, () => rest.shift());
      if (way) return way;
    }
    if (known) return null;
    const { makers, others } = helpersOf(operation, among, world);
    for (let tried = 0; makers.length > 0 && tried < searches; tried++) {
      const way = wayTo(operation, world, succeeding, (done) => {
        const isNew = (each: Operation): boolean => !done.includes(each);
        const [making, changing] = [makers.filter(isNew), others.filter(isNew)];
        const isMaking = done.length === 0 || (makers.length > 1 && pool.often(50));
        const left = isMaking && making.length > 0 ? making : changing;
        return done.length < longest && left.length > 0 ? pool.random.pick(left) : undefined;
      });
      if (way === null) continue;
      this.#known.set(operation, way.operations);
      return way;
    }
    this.#vain.set(operation, (this.#vain.get(operation) ?? 0) + 1);
    return null;
  }
}

/** @param next the operation after those that were done; undefined: there is none */
function wayTo(
  operation: Operation,
  world: World,
  succeeding: Succeeding,
  next: (done: readonly Operation[]) => Operation | undefined,
): Way | null {
  const operations: Operation[] = [];
  let first: Candidate | null = null;
  let [at, items]: [World, readonly Stored[]] = [world, []];
  for (let each = next(operations); each; each = next(operations)) {
    const found = succeeding(each, at, items);
    const after = answered(found);
    if (after === null) return null;
    first ??= found;
    operations.push(each);
    [at, items] = [later(after), [...items, ...itemsWritten(at, after)]];
    if (first && succeeding(operation, at, items)) return { operations, first };
  }
  return null;
}

/** What the service of a world made, and did not show as yet. */
export function unseenIn(world: World): readonly Made[] {
  return world.madeSince(new World(world.newest)).filter(({ bound }) => bound === undefined);
}

function later(world: World): World {
  const { at, ...others } = world.received;
  return world.at({ ...others, at: new Range(at.least + stepMs, at.most + stepMs) });
}

/** What there is after a request whose answer shows what was made: only what was shown can be named. Null: nobody knows. */
function answered(candidate: Candidate | null): World | null {
  const last = candidate?.steps.at(-1);
  const answer = last && answerTo(last.prediction);
  return answer ? judge([last], answer, true).world : null;
}

/** Those that make what an operation needs, and those that change it, perhaps by what follows from them. */
interface Helpers {
  readonly makers: readonly Operation[];
  readonly others: readonly Operation[];
}

/** What changes an item by what follows needs an item of its own: who gives back what another one waits for. */
function helpersOf(operation: Operation, among: readonly Operation[], { specification }: World): Helpers {
  const needed = neededBy(operation);
  const changing = among.filter((each) => each !== operation && !isLooking(each));
  const following = changing.filter((each) =>
    [...changedBy(each, specification)].some((resource) => needed.has(resource)),
  );
  const own = changing.filter((each) => changes(each, needed));
  const others = [...new Set([...own, ...following.filter((each) => stated(each.does)?.verb !== 'create')])];
  const resources = new Set([...needed, ...others.flatMap((each) => [...neededBy(each)])]);
  return { makers: changing.filter((each) => makes(each, resources)), others };
}

function makes({ does, subject }: Operation, resources: ReadonlySet<string>): boolean {
  return stated(does)?.verb === 'create' && resources.has(subject?.name ?? '');
}

function changes(operation: Operation, resources: ReadonlySet<string>): boolean {
  const verb = stated(operation.does)?.verb;
  return (
    !['create', 'delete'].includes(verb ?? '') && [...neededBy(operation)].some((name) => resources.has(name))
  );
}

/** The resources of the items that a request is about: the one that it changes, and those that its path binds. */
function neededBy({ bindings, subject, does }: Operation): ReadonlySet<string> {
  const isMade = stated(does)?.verb === 'create';
  return new Set(
    [...bindings.values()].flatMap((binding) => {
      if (binding.kind === 'other') return [binding.resource];
      return binding.kind === 'subject' && subject && !isMade ? [subject.name] : [];
    }),
  );
}
