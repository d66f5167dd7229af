import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Transition } from '../../specification/vocabulary/parts/states.ts';
import { among, equal, isSameValue } from '../value/compare.ts';
import { plain } from '../value/plain.ts';
import { both, type Truth, truthOf } from '../value/truth.ts';
import { NotComputable, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, snapshot, type World } from '../world/world.ts';
import { removeItems } from './delete.ts';
import { refusalsOfFields } from './held.ts';
import { type Given, referred, setFields } from './item.ts';
import { type Refused, refusal } from './refusal.ts';

/** Carries out further changes: `also` of `change.ts`. */
type Also = (
  changes: readonly Change[],
  own: Readonly<Record<string, Value>>,
  moment: Moment,
) => { readonly names: object } | Refused;

/** A transition, and the field that it moves. */
interface Move {
  readonly name: string;
  readonly field: string;
  readonly transition: Transition;
}

/** Whether a transition starts from a state. */
export function startsFrom({ from }: Transition, state: Value): Truth {
  return among(
    state,
    (stated(from) ?? []).map(({ text }) => text),
  );
}

/** Moves an item by a transition (language §3.1, §3.2). `stored` is null, if the item is deleted by it. */
export function moved(
  resource: Resource,
  before: Stored,
  name: string,
  given: Given,
  moment: Moment,
  also: Also,
): { readonly stored: Stored | null } | Refused {
  const move = [...machinesOf(moment.world.specification, resource.name)].flatMap(
    ([field, machine]): Move[] => {
      const transition = transitionsIn(machine).get(name);
      return transition ? [{ name, field, transition }] : [];
    },
  )[0];
  if (move === undefined) return moment.world.leave(unknown([]));
  const refused = refusedMove(resource, before, move, moment);
  if (refused !== null) return refused;
  return carriedOut(resource, before, move, given, moment, also);
}

/** A move that a client asks for by writing a state, and what else the client gave. */
interface AskedMove {
  /** The transition; null: the item is in this state, so that none is asked for. */
  readonly name: string | null;
  readonly others: Given;
}

/** The transition that leads from the state of an item to the state that a client gave (language §3.2, rule 5). */
export function askedMove(
  resource: Resource,
  stored: Stored,
  given: Given,
  { world }: Moment,
): AskedMove | Refused | null {
  const [machine, ...further] = [...machinesOf(world.specification, resource.name)].filter(([field]) =>
    Object.hasOwn(given, field),
  );
  if (machine === undefined) return null;
  if (further.length > 0) return world.leave(unknown([]));
  const [field, { transitions: said }] = machine;
  const { [field]: wanted = null, ...others } = given;
  const present = stored.members.get(field) ?? null;
  if (world.decide(equal(present, wanted))) return { name: null, others };
  const transitions = [...(stated(said) ?? [])].flatMap(([name, each]) => {
    const transition = stated(each);
    return transition ? [{ name, transition }] : [];
  });
  const found = transitions.filter(({ transition }) => {
    const { to } = transition;
    const leads = (): Truth => equal(stated(to)?.text ?? null, wanted);
    return world.decide(both(startsFrom(transition, present), leads));
  });
  const [only, ...more] = found;
  if (more.length > 0) return world.leave(unknown([]));
  return only ? { name: only.name, others } : { refusals: [refusal('transition refused', resource.name)] };
}

function refusedMove(
  resource: Resource,
  stored: Stored,
  { name, field, transition }: Move,
  moment: Moment,
): Refused | null {
  moment.world.reads(stored, field);
  const state = stored.members.get(field) ?? null;
  moment.decides(transition, `from ${String(plain(state))}`);
  const starts = startsFrom(transition, state);
  if (!moment.world.decide(starts)) return { refusals: [refusal('transition refused', resource.name)] };
  const guard = stated(transition.when);
  const holds = guard ? truthOf(moment.value(guard, { this: itemOf(stored, resource) })) : true;
  return moment.world.decide(holds)
    ? null
    : { refusals: [refusal('guard refused', `${resource.name}.${name}`)] };
}

function carriedOut(
  resource: Resource,
  before: Stored,
  move: Move,
  given: Given,
  { world, names }: Moment,
  also: Also,
): { readonly stored: Stored | null } | Refused {
  const { name, field, transition } = move;
  const old = snapshot(before, resource);
  const moment = new Moment(world, { ...names, old, outcome: 'changed' });
  if (transition.to.kind === 'none') return left(resource, before, move, moment, also);
  const to = stated(transition.to)?.text;
  if (to === undefined) return world.leave(new Unknown(new Set([transition.to.address])));
  const brought = { ...given, [field]: to };
  const set = setBy(resource, before, transition, brought, moment);
  world.enter(set, field);
  const refusals = refusalsOfFields(
    resource,
    set,
    { before: old, given: namedBy(transition, brought) },
    moment,
  );
  if (refusals.length > 0) return { refusals };
  world.moves.push({ by: `${resource.name}.${name}`, item: snapshot(set, resource), old });
  const further = also(stated(transition.also) ?? [], { this: itemOf(set, resource) }, moment);
  if ('refusals' in further) return further;
  return { stored: set };
}

/** The item is deleted by its move. */
function left(
  resource: Resource,
  before: Stored,
  { name, transition }: Move,
  moment: Moment,
  also: Also,
): { readonly stored: null } | Refused {
  if (transition.set.kind === 'stated') return moment.world.leave(unknown([]));
  const refusals = removeItems([before], moment);
  if (refusals.length > 0) return { refusals };
  const item = snapshot(before, resource);
  moment.world.moves.push({ by: `${resource.name}.${name}`, item, old: item });
  const further = also(stated(transition.also) ?? [], { this: item }, moment);
  return 'refusals' in further ? further : { stored: null };
}

/** The fields that the move sets, and those that any change sets. */
function setBy(
  resource: Resource,
  before: Stored,
  { set }: Transition,
  given: Given,
  { world, names }: Moment,
): Stored {
  const members = new Map(before.members);
  const put = (name: string, value: Value): void => {
    const field = resource.fields.get(name);
    members.set(name, field ? referred(field, value, world) : value);
  };
  for (const [name, value] of Object.entries(given)) put(name, value);
  world.change({ ...before, members: new Map(members) });
  const moment = new Moment(world, names);
  for (const [name, said] of stated(set) ?? []) {
    const template = stated(said);
    if (template === undefined) continue;
    const value = moment.value(template, { this: itemOf(before, resource) });
    if (value instanceof Unknown && value.mayFail && world.decide(value)) throw new NotComputable();
    put(name, value);
  }
  const stored = { ...before, members };
  world.change(stored);
  const named = namedBy({ set }, given);
  const isAlike = [...members].every(([name, value]) => {
    const former = before.members.get(name);
    return former === value || isSameValue(former, value) === true;
  });
  return isAlike
    ? withUnknownSets(resource, stored, named, world)
    : setFields(resource, stored, 'update', named, moment);
}

/** The fields that a move gives. */
function namedBy({ set }: Pick<Transition, 'set'>, given: Given): Given {
  return Object.fromEntries(
    [...(stated(set)?.keys() ?? []), ...Object.keys(given)].map((name) => [name, null]),
  );
}

/** The language does not say whether a move that leaves every value as it was is a change of the item (§2.2, `set`). */
function withUnknownSets(resource: Resource, stored: Stored, named: Given, world: World): Stored {
  const set = [...resource.fields.values()].filter(
    ({ name, update }) => stated(update) !== undefined && !Object.hasOwn(named, name),
  );
  const members = new Map([...stored.members, ...set.map(({ name }) => [name, unknown([])] as const)]);
  const left = { ...stored, members };
  world.change(left);
  return left;
}
