import type { Address } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Field, Resource, View } from '../../specification/vocabulary/parts/resources.ts';
import { hidesMembers, readableIn } from '../shape/readable.ts';
import { hiddenIn, hide } from '../value/hidden.ts';
import { Item, isKnown, isObject, Snapshot, seen, Unknown, unknown, type Value } from '../value/value.ts';
import { isRenamed, nameIn, schemaOfField, shownIn } from '../version/names.ts';
import type { World } from './world.ts';

/** What a showing reads: the stored items, and values of templates. */
interface Moment {
  readonly world: World;
  readonly value: (template: PlacedTemplate, names: Readonly<Record<string, Value>>) => Value;
}

/** An item as a resource or a view of it shows it (language §2.1, §G.4); undefined if the name is of neither. */
export function shownAs(name: string, item: Item, moment: Moment): Value | undefined {
  const { specification } = moment.world;
  const resource = specification.resourcesByName.get(name);
  const unstated = unstatedIn(item, moment);
  if (resource) {
    const members = shown([...resource.fields.values()], item, moment);
    return unstated.length > 0 && isObject(members)
      ? hide({ ...members, ...Object.fromEntries(unstated) }, hiddenIn(members))
      : members;
  }
  const entry = stated(stated(specification.resources)?.get(name));
  if (entry?.kind !== 'view') return undefined;
  // Whether a view of all but some fields shows what nobody stated, the language does not say.
  if (unstated.length > 0 && stated(entry.shows) === undefined) return unknown([]);
  return shown(fieldsOf(entry, specification.resourcesByName.get(item.resource)), item, moment);
}

/** The same of somebody else's item: its values are unknown, but none that only one item has is that of an item of ours. */
export function shownOfTheirs(name: string, item: Item, moment: Moment): Value | undefined {
  const fields = fieldsShown(name, item, moment);
  if (fields === undefined) return undefined;
  const mayFail = fields.some(
    (field) => [field.derived, field.shown].some(stated) || typeof stated(field.readable) === 'object',
  );
  const plain = fields.filter((field) => stated(field.readable) === true && !stated(field.shown));
  const ours = plain.flatMap((field): Value[] => {
    const member = nameIn(moment.world.specification, field);
    const values = member === null ? [] : uniqueOurs(field, moment.world);
    return values.map((value) => ({ [member as string]: value }));
  });
  return new Unknown(new Set(), mayFail, ours);
}

/** What our items hold in a field that no two items share. */
export function uniqueOurs({ name, resource, unique, derived }: Field, world: World): readonly Value[] {
  const identifier = stated(world.specification.resourcesByName.get(resource)?.identifier) ?? [];
  const isKey = identifier.length === 1 && identifier[0]?.text === name;
  const isUnique = stated(unique) !== undefined && stated(unique) !== false;
  if ((!isKey && !isUnique) || stated(derived)) return [];
  const values = world.items(resource).flatMap(({ members }) => members.get(name) ?? []);
  return values.filter((value) => !(value instanceof Item) && isKnown(value)).map(seen);
}

function fieldsShown(name: string, item: Item, { world: { specification } }: Moment): Field[] | undefined {
  const resource = specification.resourcesByName.get(name);
  if (resource) return [...resource.fields.values()];
  const entry = stated(stated(specification.resources)?.get(name));
  if (entry?.kind !== 'view') return undefined;
  return fieldsOf(entry, specification.resourcesByName.get(item.resource));
}

/** The stored members that nobody stated (language §H.1, rule 7). */
function unstatedIn(item: Item, { world }: Moment): readonly (readonly [string, Value])[] {
  const fields = world.newest.resourcesByName.get(item.resource)?.fields;
  const { members } = item instanceof Snapshot ? item : (world.stored(item) ?? {});
  return [...(members ?? [])].filter(([name]) => fields?.has(name) === false);
}

/** The fields that a view shows, and those of its own. */
function fieldsOf(view: View, resource: Resource | undefined): Field[] {
  const [shows, omits] = [stated(view.shows), stated(view.omits)];
  const all = [...(resource?.fields.values() ?? [])];
  const isShown = ({ name }: Field): boolean =>
    shows ? shows.some(({ text }) => text === name) : !(omits ?? []).some(({ text }) => text === name);
  return [...all.filter(isShown), ...view.fields.values()];
}

function shown(fields: readonly Field[], item: Item, moment: Moment): Value {
  const members: [string, Value][] = [];
  const hidden = unreadableIn(item, moment);
  for (const field of fields) {
    const readable = isReadable(field, item, moment);
    if (readable instanceof Unknown) return unknown([readable]);
    const name = nameIn(moment.world.specification, field);
    if (!readable && name !== null) hidden.set(name, field.readable.address);
    const value = readable && name !== null ? shownField(field, item, moment) : undefined;
    if (value !== undefined) members.push([name as string, value]);
  }
  return hide(Object.fromEntries(members), hidden);
}

/** The fields that nobody is shown, also where a view leaves them out. */
function unreadableIn({ resource }: Item, { world: { specification } }: Moment): Map<string, Address> {
  const fields = specification.resourcesByName.get(resource)?.fields.values() ?? [];
  return new Map(
    [...fields].flatMap((field): [string, Address][] => {
      const name = stated(field.readable) === false ? nameIn(specification, field) : null;
      return name === null ? [] : [[name, field.readable.address]];
    }),
  );
}

/** `readable` may be a condition; if somebody asks about it, the field is not shown (language §2.2). */
function isReadable(field: Field, item: Item, moment: Moment): boolean | Unknown {
  const readable = stated(field.readable);
  if (readable === undefined) return unknown([]);
  if (typeof readable === 'boolean') return readable;
  const value = moment.value(readable, { this: item });
  return value instanceof Unknown ? value : value === true;
}

/** Undefined: the member is not there. A reference is shown as its key (language §G.3). */
function shownField(field: Field, item: Item, moment: Moment): Value | undefined {
  const { specification } = moment.world;
  const derived = stated(field.derived);
  const schema = schemaOfField(field);
  // The names of what is computed for an older version, the language does not say.
  if ((derived || stated(field.shown)) && isRenamed(schema, specification)) return unknown([], true);
  if (derived) return moment.value(derived, { this: item });
  moment.world.reads(item, field.name);
  const { members } = item instanceof Snapshot ? item : (moment.world.stored(item) ?? {});
  const stored = members?.get(field.name);
  if (stored === undefined) return undefined;
  const conversion = stated(field.shown);
  if (conversion) return moment.value(conversion, { this: item, value: stored });
  if (stored instanceof Item) return stored.key;
  const readable = hidesMembers(moment.world.newest, field)
    ? readableIn(stored, schema, specification)
    : stored;
  return shownIn(readable, schema, specification);
}
