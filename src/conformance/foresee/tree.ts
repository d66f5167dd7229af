import type { Json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import { readsRequest } from '../access/admits.ts';
import type { Persona } from '../access/persona.ts';
import { membersOf } from '../item.ts';
import { askerOf, namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import type { Names } from '../solve.ts';
import { machinesOf, moveNamed, writesState } from '../states/machines.ts';
import { foreseenByTimer } from '../states/timed-makers.ts';
import { heldUp, operationsFor, type Trial } from '../trial.ts';
import { bodies } from './bodies.ts';
import { type Foreseen, foresee } from './foresee.ts';

/** A request, and what it should come to: worked out when somebody asks, since most are never looked at. */
export interface Step {
  readonly operation: Operation;
  readonly body: Json | undefined;
  readonly foreseen: Foreseen;
  /** What its expressions may name, `this` being the item as it was. */
  readonly names: Names;
}

/** An item that can be come to, and the requests that lead to it; the first creates it, where any operation does. */
export interface Node {
  readonly steps: readonly Step[];
  readonly item: Item;
}

/** How many requests lead to an item at the most, and how many beginnings are tried. */
const most = { steps: 6, beginnings: 20 };

interface Grown {
  /** The items that so many requests lead to, the fewest first. */
  readonly levels: Node[][];
  /** The states that the items of one beginning were found in, so that each is come to once. */
  readonly seen: Map<Step, Set<string>>;
  readonly steps: WeakMap<Item, Map<Operation, readonly Step[]>>;
}

/** By whoever asks, too: what an item comes to hangs on that. */
const grown = new WeakMap<Trial, Map<Persona | null, Map<Resource, Grown>>>();

function treeOf(trial: Trial, resource: Resource): Grown {
  const own = grown.get(trial) ?? new Map<Persona | null, Map<Resource, Grown>>();
  grown.set(trial, own);
  const all = own.get(trial.persona) ?? new Map<Resource, Grown>();
  own.set(trial.persona, all);
  const found = all.get(resource) ?? { levels: [], seen: new Map(), steps: new WeakMap() };
  all.set(resource, found);
  return found;
}

/** The items of a resource that requests can lead to, those that need the fewest first; each is looked for once. */
export function* nodes(trial: Trial, resource: Resource): Iterable<Node> {
  const tree = treeOf(trial, resource);
  for (let depth = 0; depth < most.steps; depth++) {
    tree.levels[depth] ??=
      depth === 0
        ? beginnings(trial, resource, tree)
        : (tree.levels[depth - 1] ?? []).flatMap((node) => onwards(trial, resource, tree, node));
    yield* tree.levels[depth] ?? [];
  }
}

function beginnings(trial: Trial, resource: Resource, tree: Grown): Node[] {
  const [creator] = operationsFor(trial.of, resource, 'create');
  if (creator === undefined) {
    const item = foreseenByTimer(trial, resource);
    return item ? [{ steps: [], item }] : [];
  }
  const found: Node[] = [];
  for (const step of creations(trial, creator)) {
    const { after, free } = step.foreseen;
    if (after === null || free.value === false) continue;
    tree.seen.set(step, new Set([statesOf(trial, after)]));
    found.push({ steps: [step], item: after });
    if (found.length >= most.beginnings) break;
  }
  return found;
}

function onwards(trial: Trial, resource: Resource, tree: Grown, { steps, item }: Node): Node[] {
  const seen = tree.seen.get(steps[0] as Step) ?? new Set<string>();
  const found: Node[] = [];
  for (const operation of movers(trial.of, resource))
    for (const step of movesFrom(trial, operation, item)) {
      if (seen.has(statesMoved(trial, step) ?? '')) continue;
      const { after, free } = step.foreseen;
      if (after === null || free.value !== true || seen.has(statesOf(trial, after))) continue;
      seen.add(statesOf(trial, after));
      found.push({ steps: [...steps, step], item: after });
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
