import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { isBinary } from '../../specification/vocabulary/shape.ts';
import { isSameValue } from '../value/compare.ts';
import { Forgotten, Item, NotComputable, theirs, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, snapshot, type World } from '../world/world.ts';
import { refusalsOf, unfit } from './held.ts';
import { maker } from './makers.ts';
import type { Refused } from './refusal.ts';

/** Values of fields, by name. */
export type Given = { readonly [name: string]: Value };

/** Makes an item of what is given, of defaults, and of what is set on creation (language §2.2). */
export function created(resource: Resource, given: Given, moment: Moment): Stored | Refused {
  const { world } = moment;
  const members = new Map<string, Value>();
  for (const field of storedFields(resource, world.stores(resource))) {
    const value = Object.hasOwn(given, field.name)
      ? given[field.name]
      : (stated(field.default) as Value | undefined);
    if (value !== undefined) members.set(field.name, referred(field, value, world));
  }
  for (const [name, value] of unstatedIn(given, resource)) members.set(name, value);
  const set = setFields(resource, world.create(resource.name, members), 'create', given, moment);
  const begun = inFirstState(resource, set, moment);
  const identifier = stated(resource.identifier) ?? [];
  if (identifier.length === 0 || identifier.some(({ text }) => !begun.members.has(text)))
    return world.leave(unknown([]));
  const refusals = refusalsOf(resource, begun, 'create', null, moment);
  return refusals.length > 0 ? { refusals } : begun;
}

/** The fields of a version that are stored. A field that only older versions have is not (language §9.3, rule 17). */
const storedFields = once((resource: Resource, { fields }: Resource): readonly Field[] =>
  [...resource.fields.values()].filter(({ name }) => fields.has(name)),
);

/** The members that nobody stated: `others: keep` stores them (language §H.1, rule 7). */
function unstatedIn(given: Given, { fields }: Resource): readonly (readonly [string, Value])[] {
  return Object.entries(given).filter(([name]) => !fields.has(name));
}

/** The machines of the items of a resource, by field. */
const machinesOf = once(({ name }: Resource, { states }: Specification) =>
  [...(stated(states) ?? [])].flatMap(([key, said]) => {
    const [of, field = ''] = key.split('.');
    return of === name ? [[field, said] as const] : [];
  }),
);

/** The state in which a new item is (language §3.1). */
function inFirstState(resource: Resource, stored: Stored, moment: Moment): Stored {
  const members = new Map(stored.members);
  for (const [field, said] of machinesOf(resource, moment.world.specification)) {
    const machine = stated(said);
    const initial = machine && stated(machine.initial);
    if (initial === undefined) return moment.world.leave(unknown([]));
    members.set(field, moment.value(initial, { this: itemOf(stored, resource) }));
  }
  const begun = { ...stored, members };
  moment.world.change(begun);
  return begun;
}

/** What it is to leave every value as it was (language §H.2, `same`); undefined: a choice. */
export type Same = 'unchanged' | 'changed' | undefined;

/** The name by which a moment knows that null removes a member, as in a merge patch. No expression has such a name. */
export const removing = 'null removes';

/** Sets the given members, and what is set if something changed. Of a merge patch, null removes a member (RFC 7396 §2). */
export function updated(
  resource: Resource,
  before: Stored,
  given: Given,
  same: Same,
  moment: Moment,
): { readonly stored: Stored; readonly isChanged: boolean } | Refused {
  const { world, names } = moment;
  const members = new Map(before.members);
  let isChanged = false;
  for (const [name, value] of Object.entries(given)) {
    const field = resource.fields.get(name);
    if (isStateField(resource, name, world.specification)) world.leave(unknown([]));
    if (value === null && names[removing] === true) {
      isChanged = isThere(before, name, world) || isChanged;
      members.delete(name);
      continue;
    }
    const taken = field ? referred(field, value, world) : value;
    const isSame = isSameValue(before.members.get(name), taken);
    // Whether what was hashed is the same, the language does not say.
    isChanged =
      !world.decide(field && stated(field.secret) && isSame === true ? unknown([]) : isSame) || isChanged;
    members.set(name, taken);
  }
  const isChange = isChanged || (same === undefined ? world.decide(unknown([])) : same === 'changed');
  return settled(resource, before, members, isChange, given, new Moment(world, names));
}

/** Whether an item has a member. */
function isThere({ members }: Stored, name: string, world: World): boolean {
  const value = members.get(name);
  return value instanceof Unknown ? world.leave(value) : value !== undefined;
}

/** Sets the given members; the others that a client may write return to their default, or go. */
export function replaced(
  resource: Resource,
  before: Stored,
  given: Given,
  same: Same,
  moment: Moment,
): ReturnType<typeof updated> {
  const { world, names } = moment;
  const members = new Map(before.members);
  let isChanged = false;
  const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
  for (const field of storedFields(resource, world.stores(resource))) {
    const { name } = field;
    const isGiven = Object.hasOwn(given, name);
    const stays =
      stated(field.writable) !== true ||
      identifier.includes(name) ||
      // Bytes that are not given stay (language §H.1, rule 13).
      isBinary(field.shape) ||
      isStateField(resource, name, world.specification);
    if (!isGiven && stays) continue;
    const asked = isAsked(field.create) ? new Forgotten() : undefined;
    const otherwise = field.default.kind === 'stated' ? (field.default.value as Value) : asked;
    const value = isGiven ? given[name] : otherwise;
    world.hasForgotten ||= value instanceof Forgotten;
    const taken = value === undefined ? undefined : referred(field, value, world);
    isChanged = !world.decide(isSameValue(before.members.get(name), taken)) || isChanged;
    if (taken === undefined) members.delete(name);
    else members.set(name, taken);
  }
  // Members that nobody stated, and that are kept, are given anew or go.
  const unstated = new Map(unstatedIn(given, resource));
  const kept = [...before.members.keys()].filter((name) => !resource.fields.has(name));
  for (const name of new Set([...kept, ...unstated.keys()])) {
    const value = unstated.get(name);
    isChanged = !world.decide(isSameValue(before.members.get(name), value)) || isChanged;
    if (value === undefined) members.delete(name);
    else members.set(name, value);
  }
  const isChange = isChanged || (same === undefined ? world.decide(unknown([])) : same === 'changed');
  return settled(resource, before, members, isChange, given, new Moment(world, names));
}

function settled(
  resource: Resource,
  before: Stored,
  members: ReadonlyMap<string, Value>,
  isChanged: boolean,
  given: Given,
  { world, names }: Moment,
): ReturnType<typeof updated> {
  if (!isChanged) {
    // What is given is judged, although the item holds it already (language §2.2, rule 10).
    const own = { before: snapshot(before, resource), given };
    const refusals = unfit(resource, { ...before, members }, own, new Moment(world, names));
    return refusals.length > 0 ? { refusals } : { stored: before, isChanged };
  }
  world.change({ ...before, members });
  const old = snapshot(before, resource);
  const moment = new Moment(world, { ...names, old });
  const set = setFields(resource, { ...before, members }, 'update', given, moment);
  const refusals = refusalsOf(resource, set, 'update', { before: old, given }, moment);
  return refusals.length > 0 ? { refusals } : { stored: set, isChanged };
}

/** Whether a machine moves the field (language §3.1). */
export function isStateField({ name }: Resource, field: string, { states }: Specification): boolean {
  return stated(states)?.has(`${name}.${field}`) ?? false;
}

/** A reference is stored as the item that it refers to, with the key by which it refers. */
export function referred({ refers }: Field, value: Value, world: World): Value {
  const reference = stated(refers);
  if (reference === undefined) return value;
  const identifier = stated(world.specification.resourcesByName.get(reference.resource)?.identifier);
  const by = reference.field ?? identifier?.[0]?.text ?? null;
  if (!(value instanceof Item)) return world.refer(reference.resource, by, value);
  const isOther = by !== null && value.by !== by && value.resource === reference.resource;
  if (isOther && value.handle === theirs) return new Item(value.resource, theirs, by, unknown([]));
  const key = isOther ? world.stored(value)?.members.get(by) : undefined;
  return key === undefined ? value : new Item(value.resource, value.handle, by, key);
}

/** What the service sets on creation, or at any change of the item. */
export function setFields(
  resource: Resource,
  stored: Stored,
  when: 'create' | 'update',
  given: Given,
  { world, names }: Moment,
): Stored {
  let latest = unsettled(resource, stored, when, given, world);
  for (const field of inOrderOfReading(resource, when)) {
    const said = stated(field[when]);
    if (said === undefined) continue;
    if (Object.hasOwn(given, field.name)) {
      // It replaces what the client gives, and not what `with` gives: `given` is both.
      if (when === 'update' && stated(field.writable) !== false) world.leave(unknown([]));
      continue;
    }
    const moment = new Moment(world, names, maker(world, field, names));
    const value = moment.value(said, { this: itemOf(latest, resource) });
    if (value instanceof Unknown && value.mayFail && world.decide(value)) throw new NotComputable();
    latest = { ...latest, members: new Map(latest.members).set(field.name, referred(field, value, world)) };
    world.change(latest);
  }
  return latest;
}

/**
 * What the service sets where it is asked what that is, or where any value will do: nothing is known of it until an answer
 * shows it (language §F.1, §F.3). An identifier that it picks is another one for each item.
 */
function unsettled(
  resource: Resource,
  stored: Stored,
  when: 'create' | 'update',
  given: Given,
  world: World,
): Stored {
  const fields = [...resource.fields.values()].filter(
    (field) => (isAsked(field[when]) || field[when].kind === 'any') && !Object.hasOwn(given, field.name),
  );
  if (fields.length === 0) return stored;
  const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
  const members = new Map(stored.members);
  for (const { name, shape, address, [when]: set } of fields) {
    const isText = stated(shape.keywords.get('type')) === 'string';
    if (set.kind !== 'any' || !identifier.includes(name)) {
      members.set(name, new Forgotten());
      world.hasForgotten = true;
    } else if (isText && identifier.length === 1) members.set(name, world.make('text', `any ${address}`));
  }
  const latest = { ...stored, members };
  world.change(latest);
  return latest;
}

/** The fields that are set, each after those that it reads. */
const inOrderOfReading = once(({ fields }: Resource, when: 'create' | 'update'): readonly Field[] => {
  const set = [...fields.values()].filter((field) => stated(field[when]) !== undefined);
  const reads = (field: Field): readonly (string | undefined)[] => {
    const { template } = stated(field[when]) as { readonly template: Parameters<typeof expressionsIn>[0] };
    const paths = expressionsIn(template).flatMap(({ syntax }) => pathsRead(syntax));
    return paths.filter(([root]) => root === 'this').map(([, name]) => name);
  };
  const ordered = new Set<Field>();
  const add = (field: Field): void => {
    if (ordered.has(field)) return;
    const before = reads(field);
    for (const other of set) if (other !== field && before.includes(other.name)) add(other);
    ordered.add(field);
  };
  set.forEach(add);
  return [...ordered];
});
