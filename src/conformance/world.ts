import { equal } from '../expression/functions.ts';
import { once } from '../source/once.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { identityOf } from './item.ts';
import { type Item, type World, world } from './partly.ts';
import type { Entry, Trial } from './trial.ts';

/** What is known of what is kept, from what was seen since something last may have changed it (language §F.3). */
export function worldOf({ of, seen, seenLists }: Trial): World {
  const listedOf = (name: string): readonly Entry[] | undefined => {
    const resource = of.resourcesByName.get(name);
    return resource && seenLists.get(resource);
  };
  const find = (name: string, field: string, key: unknown): Item | null => {
    const listed = (listedOf(name) ?? []).map(({ item }) => item);
    const resource = of.resourcesByName.get(name);
    const all = [...((resource && seen.get(resource))?.values() ?? []), ...listed];
    return all.find((one) => one.known.has(field) && equal(one.known.get(field), key)) ?? null;
  };
  return world(find, (name) => listedOf(name)?.map(({ item }) => item) ?? null);
}

/** Notes items as they were just seen. */
export function note({ seen }: Trial, items: readonly Item[]): void {
  for (const [resource, own] of placed(items)) {
    const all = seen.get(resource) ?? new Map<string, Item>();
    seen.set(resource, all);
    for (const [identity, one] of own) all.set(identity, one);
  }
}

/** Items by their resource and identity; those of which that is not known are left out. */
const placed = once((items: readonly Item[]): ReadonlyMap<Resource, ReadonlyMap<string, Item>> => {
  const found = new Map<Resource, Map<string, Item>>();
  for (const one of items) {
    const identity = identityOf(one);
    if (identity === undefined) continue;
    const { resource } = one;
    found.set(resource, (found.get(resource) ?? new Map()).set(identity, one));
  }
  return found;
});

/** An item by its resource and identity, as a key. */
export function placeOf(item: Item): string {
  return `${item.resource.name} ${identityOf(item) ?? ''}`;
}
