import { areSameTallies } from '../../semantics/rate/tally.ts';
import { areAlike } from '../../semantics/value/alike.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import { keyOf, type Timer } from '../../semantics/world/timer.ts';
import type { World } from '../../semantics/world/world.ts';
import { stated } from '../../specification/reading/said.ts';

/** Whether two worlds that went apart hold the same, in all that is known: what comes next is the same, too. */
export function areSame(one: World, other: World): boolean {
  const { resourcesByName, authentication } = one.specification;
  const schemes = stated(stated(authentication)?.schemes) ?? [];
  return (
    [...resourcesByName.keys()].every(
      (resource) =>
        areSameItems(one.items(resource), other.items(resource)) &&
        areSameItems(one.former(resource), other.former(resource)),
    ) &&
    one.remembered.length === other.remembered.length &&
    areSameTallies(one.tallies, other.tallies) &&
    timersApart(one, other).length === 0 &&
    [...schemes].every(([scheme]) => {
      const [mine, theirs] = [one.issued(scheme), other.issued(scheme)];
      return (
        mine.length === theirs.length &&
        mine.every(
          ({ token, item }, place) =>
            item.handle === theirs[place]?.item.handle && areAlike(token, theirs[place]?.token),
        )
      );
    })
  );
}

/** The timers that only one of two worlds has. */
function timersApart(one: World, other: World): readonly Timer[] {
  if (one.timers === other.timers) return [];
  const [mine, theirs] = [one, other].map(({ timers }) => new Set(timers.map(keyOf)));
  return [
    ...one.timers.filter((timer) => !theirs?.has(keyOf(timer))),
    ...other.timers.filter((timer) => !mine?.has(keyOf(timer))),
  ];
}

/**
 * The items that two worlds hold otherwise, as the first holds them; or as the second does, if the first has none such. Then
 * those that move at other times.
 */
export function differing(one: World, other: World): readonly Stored[] {
  const moving = timersApart(one, other).flatMap((timer) => one.stored(timer) ?? []);
  return [...itemsApart(one, other), ...new Set(moving)];
}

function itemsApart(one: World, other: World): readonly Stored[] {
  return [...one.specification.resourcesByName.keys()].flatMap((resource) => {
    const [mine, theirs] = [one.all(resource), other.all(resource)];
    if (mine === theirs) return [];
    const byHandle = new Map(theirs.map((stored) => [stored.handle, stored]));
    const [more, handles] = [new Map(byHandle), new Set(mine.map(({ handle }) => handle))];
    for (const handle of handles) more.delete(handle);
    return [...mine.filter((stored) => !isSameItem(stored, byHandle.get(stored.handle))), ...more.values()];
  });
}

function areSameItems(some: readonly Stored[], others: readonly Stored[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((each, place) => isSameItem(each, others[place]));
}

function isSameItem(one: Stored, other: Stored | undefined): boolean {
  if (one === other) return true;
  return (
    one.handle === other?.handle &&
    one.members.size === other.members.size &&
    [...one.members].every(
      ([name, value]) => other.members.has(name) && areAlike(value, other.members.get(name)),
    )
  );
}
