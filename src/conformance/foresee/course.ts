import type { Json } from '../../source/node.ts';
import { openHolds } from '../../specification/holds.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import { bodyOf } from '../body.ts';
import { ifReached, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { keysGiven, renewed } from '../keys.ts';
import type { Item } from '../partly.ts';
import { create, perform, readBack } from '../perform.ts';
import type { Attempt, Done, Trial } from '../trial.ts';
import { creations, movers, nodes, type Step, statesOf, stepsFrom } from './tree.ts';

/** Requests that lead, one after the other, to the last one: the first creates the item. */
export interface Course {
  readonly before: readonly Step[];
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
  const take = (before: readonly Step[], steps: readonly Step[]): boolean => {
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
    for (const { steps, item } of nodes(trial, subject))
      if (take(steps, stepsFrom(trial, operation, item))) break;
  return [...found.values()];
}

/** The shortest course that takes an item to a state; undefined where none was found. */
export function courseTo(trial: Trial, resource: Resource, field: string, state: string): Course | undefined {
  for (const operation of movers(trial.of, resource)) {
    const [course] = courses(
      trial,
      operation,
      ({ foreseen }) => foreseen.free.value === true && foreseen.after?.known.get(field) === state,
    );
    if (course) return course;
  }
  return undefined;
}

/** Makes the item that a course begins with, and takes it to its last request. Throws `Unreached` where it does not get there. */
export async function carryOut(
  trial: Trial,
  resource: Resource,
  steps: readonly Step[],
  more: Attempt = {},
): Promise<Item> {
  let item: Item | undefined = isMade(steps) ? undefined : await trial.come(resource);
  for (const { operation, body: usual, foreseen } of steps) {
    const body = withNewKeys(trial, operation, usual);
    const done: Done = item
      ? await perform(trial, operation, { item, ...(body !== undefined && { body }), ...more })
      : await create(trial, operation, body, more);
    if (succeeded(done.exchange, operation).value !== true || done.item === null)
      throw new Unreached(
        `no ${resource.name} could be brought there: ${operation.key} gave ${answerFound(done.exchange)}`,
        openHolds(trial.of, operation),
      );
    item = await refreshed(trial, done, done.item);
    const [wanted, found] = [foreseen.after && statesOf(trial, foreseen.after), statesOf(trial, item)];
    if (found.includes('null') === false && wanted !== found)
      throw new Unreached(`after ${operation.key} the ${resource.name} is in ${found}, and not in ${wanted}`);
  }
  if (item === undefined) throw new Unreached(`no operation that can be exercised creates ${resource.name}`);
  return item;
}

/** Whether the first request makes the item; if not, it comes by itself. */
export function isMade([first]: readonly Step[]): boolean {
  return stated(first?.operation.does)?.verb === 'create';
}

/**
 * The same body with an identifier that was not used before, and with what else no two items may have, where the client
 * gives them.
 *
 * @param but members that are to stay as they are
 */
export function withNewKeys(
  trial: Trial,
  operation: Operation,
  body: Json | undefined,
  but: readonly string[] = [],
): Json | undefined {
  const model = bodyOf(trial.of, operation);
  if (model === null || body === undefined) return body;
  const keys = keysGiven(operation, model).filter((name) => !but.includes(name));
  return renewed(trial, model, keys, body);
}

/** The item as it is known after a request, read again where the answer does not show it. */
export async function refreshed(trial: Trial, done: Done, item: Item): Promise<Item> {
  if (done.shown !== undefined) return item;
  const back = await ifReached(() => readBack(trial, item));
  return back?.shown !== undefined && back.item ? back.item : item;
}
