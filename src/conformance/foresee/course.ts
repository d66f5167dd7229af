import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import { ifReached, Unreached } from '../check.ts';
import { answerFound, succeeded } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { keysGiven, renewed } from '../keys.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { create, perform, readBack } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { bodyOf } from '../schema.ts';
import { machinesOf, moveNamed, writesState } from '../states/machines.ts';
import { type Done, heldUp, operationsFor, type Trial } from '../trial.ts';
import { type Foreseen, foresee } from './foresee.ts';
import { hints } from './hints.ts';

/** A request, and what it should come to. */
export interface Step {
  readonly operation: Operation;
  readonly body: Json | undefined;
  readonly foreseen: Foreseen;
}

/** Requests that lead, one after the other, to the last one: the first creates the item. */
export interface Course {
  readonly before: readonly Step[];
  readonly last: Step;
}

/** How many requests lead to an item at the most, and how many bodies are tried for one. */
const most = { steps: 6, bodies: 60, beginnings: 40 };

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
  kind: (step: Step) => string = (step) => JSON.stringify([step.foreseen.before?.known.size, step.body]),
): readonly Course[] {
  const found = new Map<string, Course>();
  const { subject } = operation;
  if (subject === null) return [];
  const take = (before: readonly Step[], item: Item | null): boolean => {
    for (const body of bodies(trial, operation)) {
      const last = stepOf(trial, operation, body, item);
      const key = kind(last);
      if (!found.has(key) && goal(last)) found.set(key, { before, last });
      if (found.size >= count) return true;
    }
    return false;
  };
  if (stated(operation.does)?.verb === 'create') {
    take([], null);
    return [...found.values()];
  }
  for (let nodes = beginnings(trial, subject), depth = 0; nodes.length > 0 && depth < most.steps; depth++) {
    for (const { steps, item } of nodes) if (take(steps, item)) return [...found.values()];
    nodes = nodes.flatMap((node) => onwards(trial, subject, node));
  }
  return [...found.values()];
}

interface Node {
  readonly steps: readonly Step[];
  readonly item: Item;
  /** The states that were come through, so that none is come to twice. */
  readonly seen: Set<string>;
}

function beginnings(trial: Trial, resource: Resource): Node[] {
  const [creator] = operationsFor(trial.of, resource, 'create');
  if (creator === undefined) return [];
  const found: Node[] = [];
  for (const body of bodies(trial, creator)) {
    const step = stepOf(trial, creator, body, null);
    const { after, free } = step.foreseen;
    if (after === null || free.value === false) continue;
    found.push({ steps: [step], item: after, seen: new Set([statesOf(trial, after)]) });
    if (found.length >= most.beginnings) break;
  }
  return found;
}

function onwards(trial: Trial, resource: Resource, { steps, item, seen }: Node): Node[] {
  return movers(trial, resource).flatMap((operation) => {
    for (const body of bodies(trial, operation)) {
      const step = stepOf(trial, operation, body, item);
      const { after, free } = step.foreseen;
      if (after === null || free.value !== true) continue;
      const states = statesOf(trial, after);
      if (seen.has(states)) continue;
      seen.add(states);
      return [{ steps: [...steps, step], item: after, seen }];
    }
    return [];
  });
}

/** The operations that ask for transitions of a resource, by their verb or by writing a state. */
export function movers({ of }: Trial, resource: Resource): readonly Operation[] {
  return of.operations.filter((operation) => {
    if (operation.subject !== resource || heldUp(of, operation) !== null) return false;
    const verb = stated(operation.does)?.verb ?? '';
    return (
      moveNamed(of, resource, verb) !== undefined ||
      machinesOf(of, resource).some((machine) => writesState(of, operation, machine))
    );
  });
}

function statesOf({ of }: Trial, item: Item): string {
  return JSON.stringify(machinesOf(of, item.resource).map(({ field }) => item.known.get(field) ?? null));
}

function stepOf({ of, url }: Trial, operation: Operation, body: Json | undefined, item: Item | null): Step {
  const names = namesFor(of, url, { operation, request: null, given: body, item });
  return { operation, body, foreseen: foresee(of, operation, names) };
}

const made = new WeakMap<Trial, Map<Operation, readonly (Json | undefined)[]>>();

/** Bodies to try: usual ones, and each member at each value at which something may turn. */
export function bodies(trial: Trial, operation: Operation): readonly (Json | undefined)[] {
  const all = made.get(trial) ?? new Map<Operation, readonly (Json | undefined)[]>();
  made.set(trial, all);
  const known = all.get(operation) ?? [...variants(trial, operation)].slice(0, most.bodies);
  all.set(operation, known);
  return known;
}

function* variants(trial: Trial, operation: Operation): Iterable<Json | undefined> {
  const body = bodyOf(trial.of, operation);
  if (body === null) return yield undefined;
  const usual = bodyFor(trial, operation, 'most');
  const members = membersOf(usual);
  yield usual;
  yield bodyFor(trial, operation, 'least');
  if (members === undefined) return;
  for (const machine of operation.subject ? machinesOf(trial.of, operation.subject) : [])
    if (writesState(trial.of, operation, machine))
      for (const state of machine.states)
        yield { ...(stated(operation.does)?.verb === 'update' ? {} : members), [machine.field]: state };
  const fits = (one: Members): boolean => trial.tools.failures(body.schema, one).length === 0;
  for (const name of membersTried(body.schema))
    for (const value of hints(trial.of)) {
      const one = { ...members, [name]: value };
      if (members[name] !== value && fits(one)) yield one;
    }
  for (let i = 0; i < most.bodies; i++) yield bodyFor(trial, operation, i % 3 === 0 ? 'least' : 'most');
}

function membersTried(schema: { readonly [keyword: string]: Json }): readonly string[] {
  return Object.keys(membersOf(schema['properties']) ?? {});
}

/** Makes the item that a course begins with, and takes it to its last request. Throws `Unreached` where it does not get there. */
export async function carryOut(trial: Trial, resource: Resource, steps: readonly Step[]): Promise<Item> {
  let item: Item | undefined;
  for (const { operation, body, foreseen } of steps) {
    const done: Done = item
      ? await perform(trial, operation, { item, ...(body !== undefined && { body }) })
      : await create(trial, operation, withNewKeys(trial, operation, body));
    if (succeeded(done.exchange, operation).value !== true || done.item === null)
      throw new Unreached(
        `no ${resource.name} could be brought there: ${operation.key} gave ${answerFound(done.exchange)}`,
      );
    item = await refreshed(trial, done, done.item);
    const [wanted, found] = [foreseen.after && statesOf(trial, foreseen.after), statesOf(trial, item)];
    if (found.includes('null') === false && wanted !== found)
      throw new Unreached(`after ${operation.key} the ${resource.name} is in ${found}, and not in ${wanted}`);
  }
  if (item === undefined) throw new Unreached(`no operation that can be exercised creates ${resource.name}`);
  return item;
}

/** The same body with an identifier that was not used before, where the client gives one. */
export function withNewKeys(trial: Trial, operation: Operation, body: Json | undefined): Json | undefined {
  const model = bodyOf(trial.of, operation);
  if (model === null || body === undefined) return body;
  return renewed(trial, model, keysGiven(operation, model), body);
}

/** The item as it is known after a request, read again where the answer does not show it. */
export async function refreshed(trial: Trial, done: Done, item: Item): Promise<Item> {
  if (done.shown !== undefined) return item;
  const back = await ifReached(() => readBack(trial, item));
  return back?.shown !== undefined && back.item ? back.item : item;
}
