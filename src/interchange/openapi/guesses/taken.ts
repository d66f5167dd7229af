import { sameName } from '../../recognise/collections.ts';
import type { Content } from '../operations.ts';
import { isSet, type Place, type Places, raw, textIn } from '../place.ts';
import { propertiesOf, requiredOf } from '../shape.ts';

/** What a body brings of a resource. */
export interface Brought {
  /** Whether most of its members are those of the resource. */
  readonly isMost: boolean;
  /** Whether half of its members are. */
  readonly isHalf: boolean;
  /** Whether some of them have another type there: those are not taken. */
  readonly isOther: boolean;
  readonly takes: Takes;
}

/** The members of a body that are taken. */
export interface Takes {
  /** Those that are called alike; null: all that are. */
  readonly alike: readonly string[] | null;
  /** Those whose words are put together otherwise, each with what the resource calls it: `FriendlyName`, `friendly_name`. */
  readonly spelled: readonly (readonly [given: string, kept: string])[];
}

/** How far the members of a body are those of a resource; undefined: it has none. */
export function broughtBy(body: Content | undefined, resource: Place, places: Places): Brought | undefined {
  if (body?.schema === undefined) return undefined;
  const own = propertiesOf(resource, places);
  const given = propertiesOf(places.followed(body.schema), places);
  if (given.size === 0) return undefined;
  const shared = [...given].flatMap(([name, schema]) => {
    const kept = sameName(name, own.keys());
    // What is called alike itself is that member.
    return kept === undefined || (kept !== name && given.has(kept)) ? [] : [{ name, schema, kept }];
  });
  const agreeing = shared.filter(({ schema, kept }) => agrees(schema, own.get(kept) as Place, places, 0));
  const alike = agreeing.filter(({ name, kept }) => name === kept).map(({ name }) => name);
  const spelled = agreeing.filter(({ name, kept }) => name !== kept);
  const isOther = agreeing.length < shared.length;
  return {
    isMost: shared.length >= 0.88 * given.size,
    isHalf: shared.length >= 0.5 * given.size,
    isOther,
    takes: { alike: isOther ? alike : null, spelled: spelled.map(({ name, kept }) => [name, kept]) },
  };
}

/** How deep members of members are compared. */
const mostDeep = 4;

/** Whether a value of one schema may be one of another, as far as types and members that it has to have tell. */
function agrees(given: Place, kept: Place, places: Places, depth: number): boolean {
  const [one, other] = [places.followed(given), places.followed(kept)];
  if (one.pointer === other.pointer || depth > mostDeep) return true;
  const [types, those] = [typesOf(one, places), typesOf(other, places)];
  if (types === null || those === null) return true;
  if (!types.some((type) => those.includes(type) || (type === 'integer' && those.includes('number'))))
    return false;
  const [items, itemsThere] = [raw(one, 'items'), raw(other, 'items')];
  if (items && itemsThere) return agrees(items, itemsThere, places, depth + 1);
  const [members, membersThere] = [propertiesOf(one, places), propertiesOf(other, places)];
  if (membersThere.size === 0 || !types.includes('object')) return true;
  if (!requiredOf(other, places).every((name) => members.has(name))) return false;
  return [...members].every(([name, schema]) => {
    const there = membersThere.get(name);
    return there === undefined || agrees(schema, there, places, depth + 1);
  });
}

/** The types that a schema admits; null: any. */
export function typesOf(schema: Place, places: Places, depth = 0): readonly string[] | null {
  const written = raw(schema, 'type')?.node;
  if (written?.kind === 'list')
    return written.items.flatMap((each) => (each.kind === 'scalar' ? [String(each.value)] : []));
  const type = textIn(schema, 'type');
  if (type !== undefined) return [type];
  if (raw(schema, 'properties')) return ['object'];
  const union = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => places.elements(raw(schema, keyword)));
  if (union.length === 0 || depth > mostDeep) return null;
  const all = union.map((each) => typesOf(each, places, depth + 1));
  return all.some((each) => each === null) ? null : all.flatMap((each) => each ?? []);
}

/** Whether a client has to give a member, may give it, or cannot, when it makes an item. */
export function givenIn(
  body: Content | undefined,
  member: string,
  places: Places,
): 'required' | 'optional' | 'never' {
  if (body?.schema === undefined) return 'never';
  const schema = places.followed(body.schema);
  const members = propertiesOf(schema, places);
  const name = sameName(member, members.keys());
  const property = name === undefined ? undefined : members.get(name);
  if (name === undefined || property === undefined || isSet(places.followed(property), 'readOnly'))
    return 'never';
  return requiredOf(schema, places).includes(name) ? 'required' : 'optional';
}
