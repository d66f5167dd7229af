import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import type { Truth } from '../value/truth.ts';
import { Item, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { itemOf, type Stored, snapshot, type World } from '../world/world.ts';
import { refusalsOf } from './held.ts';
import { maker } from './makers.ts';
import type { Refusal } from './refusal.ts';

type Given = { readonly [name: string]: Value };
type Refused = { readonly refusals: readonly Refusal[] };

/** Makes an item of what is given, of defaults, and of what is set on creation (language §2.2). */
export function created(resource: Resource, given: Given, { world, names }: Moment): Stored | Refused {
  if (isBeyond(resource)) return world.leave(unknown([]));
  const members = new Map<string, Value>();
  for (const field of resource.fields.values()) {
    const value = Object.hasOwn(given, field.name)
      ? given[field.name]
      : (stated(field.default) as Value | undefined);
    if (value !== undefined) members.set(field.name, referred(field, value, world));
  }
  const stored = world.create(resource.name, members);
  const set = setFields(resource, stored, 'create', given, new Moment(world, names));
  const identifier = stated(resource.identifier) ?? [];
  if (identifier.length === 0 || identifier.some(({ text }) => !set.members.has(text)))
    return world.leave(unknown([]));
  const refusals = refusalsOf(resource, set, 'create', new Moment(world, names));
  return refusals.length > 0 ? { refusals } : set;
}

/** Sets the given members, and what is set if something changed. */
export function updated(
  resource: Resource,
  before: Stored,
  given: Given,
  { world, names }: Moment,
): { readonly stored: Stored; readonly isChanged: boolean } | Refused {
  if (isBeyond(resource)) return world.leave(unknown([]));
  const members = new Map(before.members);
  let isChanged = false;
  for (const [name, value] of Object.entries(given)) {
    const field = resource.fields.get(name);
    const taken = field ? referred(field, value, world) : value;
    isChanged = !world.decide(isSameValue(before.members.get(name), taken)) || isChanged;
    members.set(name, taken);
  }
  if (!isChanged) return { stored: before, isChanged };
  world.change({ ...before, members });
  const moment = new Moment(world, { ...names, old: snapshot(before, resource) });
  const set = setFields(resource, { ...before, members }, 'update', given, moment);
  const refusals = refusalsOf(resource, set, 'update', moment);
  return refusals.length > 0 ? { refusals } : { stored: set, isChanged };
}

/** A reference is stored as the item that it refers to. */
function referred({ refers }: Field, value: Value, world: World): Value {
  const reference = stated(refers);
  if (reference === undefined || value instanceof Item) return value;
  const identifier = stated(world.specification.resourcesByName.get(reference.resource)?.identifier);
  return world.refer(reference.resource, reference.field ?? identifier?.[0]?.text ?? null, value);
}

/** What the service sets: each field after those that it reads, as far as the order of the document has them so. */
function setFields(
  resource: Resource,
  stored: Stored,
  when: 'create' | 'update',
  given: Given,
  { world, names }: Moment,
): Stored {
  let latest = stored;
  for (const field of resource.fields.values()) {
    const said = stated(field[when]);
    if (said === undefined || Object.hasOwn(given, field.name)) continue;
    const moment = new Moment(world, names, maker(world, field.address));
    const value = moment.value(said, { this: itemOf(latest, resource) });
    if (value instanceof Unknown && value.mayFail) world.leave(value);
    latest = { ...latest, members: new Map(latest.members).set(field.name, referred(field, value, world)) };
    world.change(latest);
  }
  return latest;
}

/** Whether a resource has statements about its items that this does not carry out. */
function isBeyond({ fields, unique }: Resource): boolean {
  const isPlain = ({ secret, taken, unique }: Field): boolean =>
    [secret, taken].every(({ kind }) => kind !== 'stated') &&
    !['caseless', 'ever'].includes(String(stated(unique)));
  return (stated(unique) ?? []).some(({ caseless }) => caseless) || ![...fields.values()].every(isPlain);
}

/** Whether two values of a field are the same, for `unchanged`. */
function isSameValue(a: Value | undefined, b: Value | undefined): Truth {
  if (a === undefined || b === undefined) return a === b;
  if (a instanceof Item && b instanceof Item) return a.handle === b.handle && a.key === b.key;
  return equal(a, b);
}
