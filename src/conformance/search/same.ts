import {
  Collection,
  Item,
  isList,
  isObject,
  Made,
  Range,
  seen,
  Text,
  Unknown,
  type Value,
} from '../../semantics/value/value.ts';
import type { Stored, World } from '../../semantics/world/world.ts';
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
    [...schemes].every(([scheme]) => {
      const [mine, theirs] = [one.issued(scheme), other.issued(scheme)];
      return (
        mine.length === theirs.length &&
        mine.every(
          ({ token, item }, place) =>
            item.handle === theirs[place]?.item.handle && isSame(token, theirs[place]?.token),
        )
      );
    })
  );
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
      ([name, value]) => other.members.has(name) && isSame(value, other.members.get(name)),
    )
  );
}

/** Whether two values are the same in all that is known. Made values that were not seen are, if they were made alike. */
function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const [one, other] = [seen(a), seen(b)];
  if (one === other) return true;
  if (one instanceof Made)
    return other instanceof Made && one.series === other.series && one.place === other.place;
  if (one instanceof Text) return other instanceof Text && areAll(one.pieces, other.pieces);
  if (one instanceof Item)
    return other instanceof Item && one.handle === other.handle && isSame(one.key, other.key);
  if (one instanceof Collection)
    return other instanceof Collection && one.closed === other.closed && areAll(one.items, other.items);
  if (one instanceof Range)
    return other instanceof Range && one.least === other.least && one.most === other.most;
  if (one instanceof Unknown) return other instanceof Unknown;
  if (isList(one)) return isList(other) && areAll(one, other);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

function areAll(some: readonly Value[], others: readonly Value[]): boolean {
  return some.length === others.length && some.every((each, place) => isSame(each, others[place]));
}
