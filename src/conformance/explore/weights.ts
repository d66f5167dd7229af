import { plain } from '../../semantics/value/plain.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { World } from '../../semantics/world/world.ts';
import { machinesOf, transitionsIn, waysOut } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';
import { memberOf } from '../requests/pool.ts';

/** Of fewer items than this, a walk makes more soon; of plenty it makes no more, or hardly any. */
const [few, plenty] = [3, 5];

/** Of fewer items than this in the state to which an operation moves them, a walk moves more soon. */
const fewMoved = 1;

/** After so many refusals for which nobody stated a reason, an operation has its turn less and less. */
const patience = 4;

/** Once there are so many items, those of other walks have to do. */
const crowd = 15;

/** What an operation weighs by, beside what is stored. */
export interface Weighing {
  /** Whether the request is to be refused. */
  readonly isOdd: boolean;
  /** Whether it waits for its turn, since none was found that may succeed. */
  readonly isWaiting: boolean;
  /** How many requests to it succeeded. */
  readonly successes: number;
  /** How many of the last ones were refused though they might have succeeded: for a reason that nobody stated, it seems. */
  readonly refusals: number;
  /** How often it has its turn, beside others, and how often operations have it on average. */
  readonly interest: number;
  readonly mean: number;
  /** The handle of the last item that this walk did not make. */
  readonly since: number;
}

/** Whether there is no item yet that an operation needs, or none whose key was seen. */
export function isLacking({ bindings, subject, does }: Operation, world: World): boolean {
  const isMade = stated(does)?.verb === 'create';
  return [...bindings.values()].some((binding) => {
    if (binding.kind === 'text' || (binding.kind === 'subject' && (isMade || !subject))) return false;
    const resource = binding.kind === 'subject' ? (subject?.name ?? '') : binding.resource;
    return !world.items(resource).some((item) => memberOf(item, binding.field) !== undefined);
  });
}

/**
 * How often an operation has its turn, beside others. It is larger if many ways to get it wrong are left, if it seldom
 * succeeded, if there are items for it, and if others need what it does.
 */
export function weightOf(operation: Operation, world: World, weighing: Weighing): number {
  const { isOdd, isWaiting, successes, refusals, interest, mean, since } = weighing;
  const { does, subject } = operation;
  const verb = stated(does)?.verb;
  const items = subject ? world.items(subject.name) : [];
  const own = items.filter((each) => each.handle > since && !hasEnded(each, world));
  const seldom = 1 / (1 + (successes * mean) / interest);
  if (isLacking(operation, world) || isWaiting) return 0.02 * seldom * interest;
  if (refusals > patience) return (patience / refusals) * seldom * interest;
  // What no answer showed yet can be named by no request.
  if (verb === 'list' && subject && items.some((each) => isUnseen(each, subject))) return interest;
  if (!isOdd && isNeeded(operation, own, items, world)) return Math.max(interest, mean / 2);
  const isEnding = !isOdd && (verb === 'delete' || verb === 'revoke' || movesToEnd(operation, world));
  if (isEnding) return (own.length >= plenty ? 0.3 : 0.07) * seldom * interest;
  const isIdle = own.length >= plenty ? verb === 'create' : own.length === 0 && isLooking(operation);
  return (isIdle ? 0.1 : 1) * seldom * interest;
}

/** Whether others need what an operation does: most that can be told apart takes several items, senders and states. */
function isNeeded(
  operation: Operation,
  own: readonly Stored[],
  items: readonly Stored[],
  world: World,
): boolean {
  const verb = stated(operation.does)?.verb;
  if (verb === 'create') return own.length < few && items.length < crowd;
  if (verb === 'authenticate') return sendersIn(world) < few;
  return movesOf(operation, world).some(([field, machine]) => {
    const to = stated(transitionsIn(machine).get(verb ?? '')?.to)?.text;
    const there = own.filter(({ members }) => plain(members.get(field) ?? null) === to);
    return to !== undefined && waysOut(machine, to).length > 0 && there.length < fewMoved;
  });
}

/** How many items have a credential that they were given, and that is good for all that is known. */
function sendersIn(world: World): number {
  const schemes = stated(stated(world.specification.authentication)?.schemes) ?? [];
  const good = [...schemes].flatMap(([scheme, said]) => {
    const kind = stated(said);
    const credentials = kind && stated(kind.credentials);
    const lifeMs = credentials?.kind === 'issued' ? stated(credentials.life) : undefined;
    return world
      .issued(scheme)
      .filter(({ at }) => lifeMs === undefined || world.hasPassed(at, lifeMs) !== true);
  });
  return new Set(good.map(({ item: { resource, handle } }) => `${resource} ${handle}`)).size;
}

/** The machines of the items of an operation that have a transition called like what it does, by the field that each moves. */
function movesOf({ subject, does }: Operation, world: World): readonly (readonly [string, Machine])[] {
  const verb = stated(does)?.verb ?? '';
  return subject
    ? [...machinesOf(world.specification, subject.name)].filter(([, machine]) =>
        transitionsIn(machine).has(verb),
      )
    : [];
}

/** Whether the identifier of an item was not seen yet. */
function isUnseen(stored: Stored, { identifier }: Resource): boolean {
  return (stated(identifier) ?? []).some(({ text }) => memberOf(stored, text) === undefined);
}

/** Whether an item is in a state out of which nothing leads. */
function hasEnded({ resource, members }: Stored, { specification }: World): boolean {
  return [...(stated(specification.states) ?? [])].some(([key, said]) => {
    const machine = stated(said);
    const [of, field = ''] = key.split('.');
    const state = of === resource ? plain(members.get(field) ?? null) : null;
    return machine && typeof state === 'string' && waysOut(machine, state).length === 0;
  });
}

/** Whether an operation changes nothing. */
export function isLooking({ does }: Operation): boolean {
  return ['read', 'list'].includes(stated(does)?.verb ?? '');
}

/** Whether an operation moves its item to a state out of which nothing leads. */
function movesToEnd(operation: Operation, world: World): boolean {
  const verb = stated(operation.does)?.verb ?? '';
  return movesOf(operation, world).some(([, machine]) => {
    const to = stated(transitionsIn(machine).get(verb)?.to);
    return to !== undefined && waysOut(machine, to.text).length === 0;
  });
}
