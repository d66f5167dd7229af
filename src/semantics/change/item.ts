import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import { Item, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { itemOf, type Stored } from '../world/world.ts';
import { maker } from './makers.ts';
import type { FieldFailure, Refusal } from './refusal.ts';

type Given = { readonly [name: string]: Value };
type Refused = { readonly refusals: readonly Refusal[] };

/** Makes an item of what is given, of defaults, and of what is set on creation (language §2.2). */
export function created(
  resource: Resource,
  given: Given,
  { world, names }: Moment,
): Stored | Refused | Unknown {
  if (isBeyond(resource)) return unknown([]);
  const members = new Map<string, Value>();
  for (const { name, default: said } of resource.fields.values()) {
    const value = Object.hasOwn(given, name) ? given[name] : (stated(said) as Value | undefined);
    if (value !== undefined) members.set(name, value);
  }
  const stored = world.create(resource.name, members);
  const set = setFields(resource, stored, 'create', given, new Moment(world, names));
  if (set instanceof Unknown) return set;
  const missing = (stated(resource.required) ?? []).filter(({ name }) => !set.members.has(name));
  const identifier = stated(resource.identifier) ?? [];
  if (identifier.length === 0 || identifier.some(({ text }) => !set.members.has(text))) return unknown([]);
  if (missing.length > 0)
    return {
      refusals: [
        invalid(
          resource,
          missing.map(({ name }) => name),
        ),
      ],
    };
  const isTwice = world
    .items(resource.name)
    .some(
      (other) =>
        other.handle !== set.handle &&
        identifier.every(({ text }) => isSameValue(other.members.get(text), set.members.get(text)) === true),
    );
  return isTwice
    ? {
        refusals: [
          { condition: 'not unique', subject: `${resource.name}.${identifier[0]?.text}`, failures: [] },
        ],
      }
    : set;
}

/** Sets the given members, and what is set if something changed. */
export function updated(
  resource: Resource,
  before: Stored,
  given: Given,
  { world, names }: Moment,
): { readonly stored: Stored; readonly isChanged: boolean } | Refused | Unknown {
  if (isBeyond(resource)) return unknown([]);
  const members = new Map(before.members);
  const same: (boolean | Unknown)[] = [];
  for (const [name, value] of Object.entries(given)) {
    same.push(isSameValue(before.members.get(name), value));
    members.set(name, value);
  }
  const unsure = same.find((each) => each instanceof Unknown);
  if (unsure) return unsure as Unknown;
  if (same.every((each) => each === true)) return { stored: before, isChanged: false };
  const stored = { ...before, members };
  world.change(stored);
  const set = setFields(
    resource,
    stored,
    'update',
    given,
    new Moment(world, { ...names, old: itemOf(before, resource) }),
  );
  return set instanceof Unknown ? set : { stored: set, isChanged: true };
}

/** What the service sets: each field after those that it reads, as far as the order of the document has them so. */
function setFields(
  resource: Resource,
  stored: Stored,
  when: 'create' | 'update',
  given: Given,
  moment: Moment,
): Stored | Unknown {
  let latest = stored;
  for (const field of resource.fields.values()) {
    const said = stated(field[when]);
    if (said === undefined || Object.hasOwn(given, field.name)) continue;
    const makes = maker(moment.world, field.address);
    const value = new Moment(moment.world, moment.names, makes).value(said, {
      this: itemOf(latest, resource),
    });
    if (value instanceof Unknown && value.mayFail) return value;
    latest = { ...latest, members: new Map(latest.members).set(field.name, value) };
    moment.world.change(latest);
  }
  return latest;
}

/** Whether a resource has statements about its items that this does not carry out. */
function isBeyond({ fields, unique, invariants, guards }: Resource): boolean {
  const keys = ['holds', 'refers', 'secret', 'taken'] as const;
  const isPlain = (field: Field): boolean =>
    keys.every((key) => field[key].kind !== 'stated') &&
    !['caseless', 'ever', true].includes(stated(field.unique) ?? false);
  return (
    [unique, invariants, guards].some((said) => said.kind === 'stated') ||
    ![...fields.values()].every(isPlain)
  );
}

function invalid({ name }: Resource, fields: readonly string[]): Refusal {
  const failures = fields.map(
    (field): FieldFailure => ({ field, keyword: 'required', value: null, limit: null }),
  );
  return { condition: 'invalid', subject: name, failures };
}

/** Whether two values of a field are the same, for `unchanged`. */
function isSameValue(a: Value | undefined, b: Value | undefined): boolean | Unknown {
  if (a === undefined || b === undefined) return a === b;
  if (a instanceof Item && b instanceof Item) return a.handle === b.handle && a.key === b.key;
  return equal(a, b);
}
