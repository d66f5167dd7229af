import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import type { Truth } from '../value/truth.ts';
import { Item, theirs, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import { guarded } from './held.ts';
import type { Refusal } from './refusal.ts';

/**
 * Deletes items at once, with what follows for the items that refer to them (language §2.2, rule 8, §H.2, rule 13).
 *
 * @param ofOthers resources of which items of others are deleted, too
 * @returns why it is refused
 */
export function removeItems(
  gone: readonly Stored[],
  moment: Moment,
  ofOthers: readonly string[] = [],
): readonly Refusal[] {
  const { world } = moment;
  const guarded = guardsOf(gone, moment);
  if (guarded.length > 0) return guarded;
  for (const stored of gone) world.remove(stored);
  const handles = new Map<string, ReadonlySet<number>>(ofOthers.map((resource) => [resource, new Set()]));
  for (const { resource, handle } of gone)
    handles.set(resource, new Set([...(handles.get(resource) ?? []), handle]));
  const isGone = ({ refers }: Field, value: Value): Truth => {
    if (value instanceof Unknown) return handles.has(stated(refers)?.resource ?? '') && value;
    if (value instanceof Item && value.handle === theirs)
      return ofOthers.includes(value.resource) && unknown([]);
    return value instanceof Item && (handles.get(value.resource)?.has(value.handle ?? -1) ?? false);
  };
  const further: Stored[] = [];
  for (const { field, stored } of referring(world, isGone)) {
    const rule = stated(field.ifDeleted);
    if (rule === undefined) return world.leave(new Unknown(new Set([field.ifDeleted.address])));
    if (rule === 'refuse') return [{ condition: 'in use', subject: gone[0]?.resource ?? '', failures: [] }];
    if (rule === 'delete') further.push(stored);
    else world.change({ ...stored, members: without(stored, field, rule) });
  }
  return further.length === 0 ? [] : removeItems(distinct(further), moment);
}

/** A guard sees each item as it is before it is deleted (language §2.1, rule 8). */
function guardsOf(gone: readonly Stored[], moment: Moment): readonly Refusal[] {
  for (const stored of gone) {
    const resource = moment.world.specification.resourcesByName.get(stored.resource);
    const found = resource ? guarded(resource, stored, 'delete', moment) : [];
    if (found.length > 0) return found;
  }
  return [];
}

/** `clear` sets the field to null; `keep` keeps the key of an item that is not there. */
function without({ members }: Stored, { name }: Field, rule: 'clear' | 'keep'): Stored['members'] {
  const reference = members.get(name);
  if (rule === 'clear') return new Map(members).set(name, null);
  if (!(reference instanceof Item)) return members;
  return new Map(members).set(name, new Item(reference.resource, null, reference.by, reference.key));
}

function referring(
  world: World,
  isGone: (field: Field, value: Value) => Truth,
): { readonly field: Field; readonly stored: Stored }[] {
  return [...world.specification.resourcesByName.values()].flatMap(({ name, fields }) =>
    world
      .items(name)
      .flatMap((stored) =>
        [...fields.values()]
          .filter((field) => world.decide(isGone(field, stored.members.get(field.name) ?? null)))
          .map((field) => ({ field, stored })),
      ),
  );
}

function distinct(items: readonly Stored[]): Stored[] {
  return [...new Map(items.map((stored) => [`${stored.resource} ${stored.handle}`, stored])).values()];
}
