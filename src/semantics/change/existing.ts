import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { theirs, unknown, type Value } from '../value/value.ts';
import type { Stored } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import { uniqueSets } from './unique.ts';

type Given = { readonly [name: string]: Value };

/**
 * The item that `create` with `present` is about: the one with the identifier that is given; if none is, the one with these
 * unique fields (language §H.2). Null: there is none.
 */
export function existingItem(resource: Resource, given: Given, world: World): Stored | null {
  const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
  const isGiven = (fields: readonly string[]): boolean =>
    fields.length > 0 && fields.every((name) => Object.hasOwn(given, name) && given[name] !== null);
  const valuesOf = (fields: readonly string[]): ReadonlyMap<string, Value> =>
    new Map(fields.map((name) => [name, given[name] as Value]));
  const find = (fields: readonly string[]): Stored | null => {
    const found = world.find(resource.name, valuesOf(fields));
    return found?.handle === theirs ? world.leave(unknown([])) : found;
  };
  if (isGiven(identifier)) return find(identifier);
  const others = uniqueSets(world.stores(resource)).slice(1);
  if (others.some(({ caseless, ever }) => caseless || ever)) return world.leave(unknown([]));
  for (const { fields } of others.filter((set) => isGiven(set.fields))) {
    const found = find(fields);
    if (found !== null) return found;
  }
  return null;
}
