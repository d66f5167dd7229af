import { equal } from '../expression/functions.ts';
import { once } from '../source/once.ts';
import { identityOf } from './item.ts';
import { type Item, type World, world } from './partly.ts';
import type { Trial } from './trial.ts';

/** What is known of what is kept, from what was seen since something last may have changed it (language §F.3). */
export function worldOf({ seen, seenLists }: Trial): World {
  const find = (resource: string, field: string, key: unknown): Item | null => {
    const listed = (seenLists.get(resource) ?? []).map(({ item }) => item);
    const all = [...(seen.get(resource)?.values() ?? []), ...listed];
    return all.find((one) => one.known.has(field) && equal(one.known.get(field), key)) ?? null;
  };
  return world(find, (resource) => seenLists.get(resource)?.map(({ item }) => item) ?? null);
}

/** Notes items as they were just seen. */
export function note({ seen }: Trial, items: readonly Item[]): void {
  for (const [name, own] of placed(items)) {
    const all = seen.get(name) ?? new Map<string, Item>();
    seen.set(name, all);
    for (const [identity, one] of own) all.set(identity, one);
  }
}

/** Items by their resource and identity; those of which that is not known are left out. */
const placed = once((items: readonly Item[]): ReadonlyMap<string, ReadonlyMap<string, Item>> => {
  const found = new Map<string, Map<string, Item>>();
  for (const one of items) {
    const identity = identityOf(one);
    if (identity === undefined) continue;
    const { name } = one.resource;
    found.set(name, (found.get(name) ?? new Map()).set(identity, one));
  }
  return found;
});

/** An item by its resource and identity, as a key. */
export function placeOf(item: Item): string {
  return `${item.resource.name} ${identityOf(item) ?? ''}`;
}
