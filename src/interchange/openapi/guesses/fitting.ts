import { get, type Json, json } from '../../../source/node.ts';
import { refusedBy } from '../../../specification/vocabulary/agreement.ts';
import { isSet, type Place, type Places, raw } from '../place.ts';
import { closes, propertiesOf, requiredOf } from '../shape.ts';
import { typesOf } from './taken.ts';

/** How deep it is looked. What is deeper is taken to fit. */
const mostDeep = 24;

/** The keywords about a value itself. */
const plain = [
  ...['const', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
];

/** What of a value fits a schema, without members that may be left out and elements that do not; undefined: nothing does. */
export function fitting(value: Json, schema: Place, places: Places, depth = 0): Json | undefined {
  if (depth > mostDeep || fits(value, schema, places)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const place = places.followed(schema);
  const within = (one: Json, inner: Place | undefined): readonly Json[] => {
    const left = inner ? fitting(one, inner, places, depth + 1) : one;
    return left === undefined ? [] : [left];
  };
  const left = Array.isArray(value)
    ? value.flatMap((element) => within(element, raw(place, 'items')))
    : membersFitting(Object.entries(value) as [string, Json][], propertiesOf(place, places), within);
  const isSome = typeof left === 'object' && left !== null && Object.keys(left).length > 0;
  return isSome && fits(left, place, places) ? left : undefined;
}

function membersFitting(
  members: readonly (readonly [string, Json])[],
  properties: ReadonlyMap<string, Place>,
  within: (value: Json, schema: Place | undefined) => readonly Json[],
): Json {
  return Object.fromEntries(
    members.flatMap(([name, member]) => within(member, properties.get(name)).map((left) => [name, left])),
  );
}

/** Whether a value fits a schema, as far as it is looked at: an example that does not cannot be sent as an answer. */
function fits(value: Json, schema: Place, places: Places, depth = 0): boolean {
  if (depth > mostDeep) return true;
  const place = places.followed(schema);
  const within = (one: Json, inner: Place): boolean => fits(one, inner, places, depth + 1);
  if (value === null && isSet(place, 'nullable')) return true;
  const each = (keyword: string): readonly Place[] => places.elements(raw(place, keyword));
  if (!each('allOf').every((part) => within(value, part))) return false;
  const [any, one] = [each('anyOf'), each('oneOf')];
  if (any.length > 0 && !any.some((part) => within(value, part))) return false;
  if (one.length > 0 && one.filter((part) => within(value, part)).length !== 1) return false;
  if (!isOfType(value, place, places) || refusedBy(keywordsOf(place), value) !== undefined) return false;
  if (Array.isArray(value)) {
    const items = raw(place, 'items');
    return items === undefined || value.every((element) => within(element, items));
  }
  if (typeof value !== 'object' || value === null) return true;
  return areMembers(Object.entries(value) as [string, Json][], place, places, within);
}

function areMembers(
  members: readonly (readonly [string, Json])[],
  place: Place,
  places: Places,
  within: (value: Json, schema: Place) => boolean,
): boolean {
  const names = new Set(members.map(([name]) => name));
  if (!requiredOf(place, places).every((name) => names.has(name))) return false;
  const properties = propertiesOf(place, places);
  const further = raw(place, 'additionalProperties');
  const isClosed = closes(place, places);
  return members.every(([name, member]) => {
    const schema = properties.get(name) ?? (further?.node.kind === 'map' ? further : undefined);
    return schema ? within(member, schema) : !isClosed;
  });
}

function isOfType(value: Json, place: Place, places: Places): boolean {
  const types = typesOf(place, places);
  const own =
    value === null
      ? ['null']
      : Array.isArray(value)
        ? ['array']
        : typeof value === 'number'
          ? ['number', ...(Number.isInteger(value) ? ['integer'] : [])]
          : [typeof value];
  return (
    types === null ||
    own.some((type) => types.includes(type)) ||
    (value === null && isNullable(place, places))
  );
}

/** Whether one of several schemas that a value may have admits null. */
function isNullable(place: Place, places: Places): boolean {
  return ['anyOf', 'oneOf'].some((keyword) =>
    places.elements(raw(place, keyword)).some((part) => isSet(part, 'nullable')),
  );
}

function keywordsOf({ node }: Place): { readonly [keyword: string]: Json } {
  return Object.fromEntries(
    plain.flatMap((name) => {
      const said = get(node, name);
      return said ? [[name, json(said)] as const] : [];
    }),
  );
}
