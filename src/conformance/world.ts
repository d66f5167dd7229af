import { equal } from '../expression/functions.ts';
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
  for (const one of items) {
    const identity = identityOf(one);
    if (identity === undefined) continue;
    const { name } = one.resource;
    seen.set(name, (seen.get(name) ?? new Map()).set(identity, one));
  }
}

/** An item by its resource and identity, as a key. */
export function placeOf(item: Item): string {
  return `${item.resource.name} ${identityOf(item) ?? ''}`;
}
