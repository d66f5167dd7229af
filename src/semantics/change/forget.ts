import { once } from '../../source/once.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import { Forgotten, Item, type Value } from '../value/value.ts';
import { fixedFields } from '../world/founding.ts';
import type { Stored } from '../world/stored.ts';
import { always, type Timer } from '../world/timer.ts';
import type { World } from '../world/world.ts';
import { startsFrom } from './move.ts';
import { moveBy, ownMoves } from './timers.ts';

/** Forgets what may have changed of an item (language §F.3, rule 1). */
export function forgetMembers(stored: Stored, resource: Resource, world: World): void {
  const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
  const fixed = fixedFields(resource, world.newest);
  const members = new Map(stored.members);
  for (const { name, derived } of resource.fields.values())
    if (!stated(derived) && !fixed.has(name) && !identifier.includes(name))
      members.set(name, new Forgotten());
  world.change({ ...stored, members });
  world.hasForgotten = true;
  mayMove(stored, resource, world);
}

/**
 * Forgets of all other items what nobody says that the service sets, on creation or later: it may be worked out of what was
 * changed, such as the number of replies to an entry (language §F.3, rule 5).
 */
export function forgetFollowing(before: World, world: World): void {
  for (const resource of world.specification.resourcesByName.values()) {
    const names = asked(resource);
    if (names.length === 0) continue;
    const changed = new Set(world.written(before, resource.name));
    const others = world.all(resource.name).filter(({ handle }) => !changed.has(handle));
    const forgotten = others.map((stored): Stored => {
      const members = new Map(stored.members);
      for (const name of names) members.set(name, new Forgotten());
      return { ...stored, members };
    });
    world.know(resource.name, forgotten);
    world.hasForgotten ||= forgotten.length > 0;
  }
}

const asked = once(({ fields }: Resource): readonly string[] =>
  [...fields.values()]
    .filter(({ create, update }) => isAsked(create) && isAsked(update))
    .map(({ name }) => name),
);

/** Adds an item that may have been made, of which nothing is known. */
export function addDoubtful(resource: Resource, world: World): void {
  const fields = [...resource.fields.values()].filter(({ derived }) => !stated(derived));
  const stored = world.create(resource.name, new Map(fields.map(({ name }) => [name, new Forgotten()])));
  world.hasForgotten = true;
  world.doubt(stored);
  mayMove(stored, resource, world);
}

/** It is not known when an item moves by itself, or whether it did. */
function mayMove({ handle }: Stored, resource: Resource, world: World): void {
  for (const { kind, name } of ownMoves(world.newest, resource)) {
    const known = world.timers.filter(
      (timer) => timer.kind === kind && timer.handle === handle && timer.move === name,
    );
    for (const timer of known) world.dropTimer(timer);
    // Where nothing was sent that is refused, no attempts end.
    if (kind === 'exhausted' && known.length === 0) continue;
    world.setTimer({ kind, resource: resource.name, handle, move: name, due: always, time: null });
  }
}

/** The world with what answers showed of what was forgotten. */
export function recalled(before: World): World {
  if (!before.hasForgotten) return before;
  const world = before.fork(before.ways);
  world.hasForgotten = false;
  world.watched = [];
  for (const resource of world.newest.resourcesByName.values())
    world.know(
      resource.name,
      forgottenAmong(world.all(resource.name)).flatMap((stored) => recalledOf(stored, resource, world) ?? []),
    );
  for (const timer of world.timers) {
    const stored = world.stored(timer);
    if (stored && isElsewhere(timer, stored.members, world)) world.dropTimer(timer);
  }
  return world;
}

/** The items of which something was forgotten. */
const forgottenAmong = once((items: readonly Stored[]): readonly Stored[] =>
  items.filter(({ members }) => [...members.values()].some((value) => value instanceof Forgotten)),
);

/** An item with what answers showed of what was forgotten; undefined: they showed nothing. */
function recalledOf(stored: Stored, resource: Resource, world: World): Stored | undefined {
  const members = new Map(stored.members);
  for (const [name, value] of stored.members) {
    if (!(value instanceof Forgotten)) continue;
    const shown = value.shown && recall(name, value.shown.value, resource, world);
    if (shown === null) world.hasForgotten = true;
    else if (shown.value === undefined) members.delete(name);
    else members.set(name, shown.value);
  }
  const isOther =
    [...members].some(([name, value]) => stored.members.get(name) !== value) ||
    members.size < stored.members.size;
  return isOther ? { ...stored, members } : undefined;
}

/** Whether the item is known to be in a state from which it does not make the move of a timer. */
function isElsewhere(timer: Timer, members: Stored['members'], world: World): boolean {
  const move = moveBy(world, timer);
  const state = move && members.get(move.field);
  return move !== undefined && state !== undefined && startsFrom(move.transition, state) === false;
}

/** What a member holds that was shown; null: a reference of which it is not known to which item it leads. */
function recall(
  name: string,
  value: Value | undefined,
  { fields }: Resource,
  world: World,
): { readonly value?: Value } | null {
  if (value === undefined) return {};
  const field = fields.get(name);
  const to = field && stated(field.refers);
  if (!to || value === null) return { value };
  const by = to.field ?? stated(world.newest.resourcesByName.get(to.resource)?.identifier)?.[0]?.text;
  if (by === undefined || world.isShared) return null;
  const items = world
    .all(to.resource)
    .map((each) => ({ each, isIt: equal(each.members.get(by) ?? null, value) }));
  const found = items.find(({ isIt }) => isIt === true)?.each;
  if (!found && items.some(({ isIt }) => isIt !== false)) return null;
  return { value: new Item(to.resource, found?.handle ?? null, by, value) };
}
