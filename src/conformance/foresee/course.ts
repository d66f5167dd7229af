import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { Unreached } from '../check.ts';
import type { Item } from '../partly.ts';
import { type Move, moveNamed } from '../states/machines.ts';
import { type Attempt, operationsFor, type Trial } from '../trial.ts';
import { mayBe } from '../verdict.ts';
import { goOn, isMade } from './going.ts';
import { byWait, creations, isWait, movers, nodes, type Step, stepsFrom, type Way } from './tree.ts';
import { waited } from './waited.ts';

/** What leads, one after the other, to a request: the first creates the item. */
export interface Course {
  readonly before: Way;
  readonly last: Step;
}

/**
 * The shortest courses that end with a request to this operation of which the goal is so, as far as can be foreseen;
 * of those that are alike by `kind`, one.
 *
 * @param count how many at the most
 */
export function courses(
  trial: Trial,
  operation: Operation,
  goal: (step: Step) => boolean,
  count = 1,
  kind: (step: Step) => string = (step) => JSON.stringify(step.body),
): readonly Course[] {
  const found = new Map<string, Course>();
  const { subject } = operation;
  if (subject === null) return [];
  const take = (before: Way, steps: readonly Step[]): boolean => {
    for (const last of steps) {
      if (!goal(last)) continue;
      const key = kind(last);
      if (!found.has(key)) found.set(key, { before, last });
      if (found.size >= count) return true;
    }
    return false;
  };
  if (stated(operation.does)?.verb === 'create') take([], creations(trial, operation));
  else
    for (const { steps, item } of nodes(trial, subject)) {
      // Nothing is waited for that requests alone lead to.
      if (found.size > 0 && steps.some(isWait)) break;
      if (take(steps, stepsFrom(trial, operation, item))) break;
    }
  return [...found.values()];
}

/**
 * The first that meets a goal and is surely not refused; where there is none, one of which that cannot be told, since it
 * hangs on items that the request does not show (language §2.1, `invariants`).
 */
export function freeCourse(
  trial: Trial,
  operation: Operation,
  goal: (step: Step) => boolean = () => true,
): Course | undefined {
  const [sure] = courses(trial, operation, (step) => step.foreseen.free.value === true && goal(step));
  if (sure) return sure;
  return courses(trial, operation, (step) => mayBe(step.foreseen.free) && goal(step))[0];
}

/** The shortest requests that take an item to a state; undefined where none were found. */
export function courseTo(
  trial: Trial,
  resource: Resource,
  field: string,
  state: string,
): readonly Step[] | undefined {
  return waysTo(trial, resource, field, [state]).find((way) => !way.some(isWait)) as
    | readonly Step[]
    | undefined;
}

/** The shortest way that takes an item to a state; undefined where none was found. */
export function wayTo(trial: Trial, resource: Resource, field: string, state: string): Way | undefined {
  return shortest(trial, waysTo(trial, resource, field, [state]));
}

/** The shortest way into a state out of which a transition leads; undefined where none was found. */
export function wayInto(trial: Trial, { of: { resource, field }, from = [] }: Move): Way | undefined {
  const makers = operationsFor(trial.of, resource, 'create').slice(0, 1);
  return shortest(trial, waysTo(trial, resource, field, from, [...makers, ...movers(trial.of, resource)]));
}

/** Ways that end in one of these states: by a request to each of these operations, and by a wait. */
function waysTo(
  trial: Trial,
  resource: Resource,
  field: string,
  states: readonly string[],
  operations = movers(trial.of, resource),
): readonly Way[] {
  const found: Way[] = [];
  const isThere = (item: Item): boolean => states.includes(String(item.known.get(field)));
  for (const operation of operations) {
    const move = moveNamed(trial.of, resource, stated(operation.does)?.verb ?? '');
    if (move?.of.field === field && !mayLeadTo(move, states)) continue;
    const course = freeCourse(
      trial,
      operation,
      ({ foreseen }) => foreseen.after !== null && isThere(foreseen.after),
    );
    if (course) found.push([...course.before, course.last]);
    if (course && !course.before.some(isWait)) return found;
  }
  for (const { steps, item } of nodes(trial, resource)) {
    const last = steps.at(-1);
    if ((last === undefined || isWait(last)) && isThere(item)) return [...found, steps];
  }
  return found;
}

function mayLeadTo({ to }: Move, states: readonly string[]): boolean {
  return to === undefined || (to !== null && states.includes(to));
}

function shortest(trial: Trial, ways: readonly Way[]): Way | undefined {
  return ways.toSorted((a, b) => byWait(trial, a, b))[0];
}

/** Makes the item that a way begins with, and takes it to its end. Throws `Unreached` where it does not get there. */
export async function carryOut(
  trial: Trial,
  resource: Resource,
  way: Way,
  more: Attempt = {},
): Promise<Item> {
  const last = way.findLastIndex(isWait);
  const rest = way.slice(last + 1) as readonly Step[];
  if (last !== -1 && more.others) throw new Unreached('what is made under others is not waited for');
  if (last === -1)
    return await goOn(trial, resource, isMade(way) ? undefined : await trial.come(resource), rest, more);
  return await goOn(trial, resource, await waited(trial, resource, way.slice(0, last + 1)), rest, more);
}
