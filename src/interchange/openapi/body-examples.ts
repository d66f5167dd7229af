import { get, type Json, json } from '../../source/node.ts';
import type { Described } from './operations.ts';
import type { Place, Places } from './place.ts';
import { propertiesOf } from './shape.ts';

/** A member has at most so many examples of bodies. */
const most = 3;

/**
 * The values that members have in the examples of the bodies of requests, by the pointers of their schemas. Of objects there
 * are none: their members may be those of another resource.
 */
export function bodyExamples(
  operations: readonly Described[],
  places: Places,
): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  for (const { schema, place } of operations.flatMap(({ bodies }) => bodies)) {
    if (schema === undefined || place === undefined) continue;
    const members = propertiesOf(places.followed(schema), places);
    for (const [name, value] of examplesUnder(place, places).flatMap((each) => Object.entries(each))) {
      const member = members.get(name);
      if (member === undefined || holdsObject(value)) continue;
      const { pointer } = places.followed(member);
      const known = found.get(pointer) ?? [];
      if (known.length < most && !known.some((each) => isSame(each, value)))
        found.set(pointer, [...known, value]);
    }
  }
  return found;
}

/** The examples of a media type that are objects (OpenAPI 3.1 §4.8.14). */
function examplesUnder(place: Place, places: Places): readonly object[] {
  const named = places.members(places.member(place, 'examples'));
  const values = [get(place.node, 'example'), ...named.map(([, each]) => get(each.node, 'value'))];
  return values.flatMap((value) => {
    const example = value && json(value);
    return typeof example === 'object' && example !== null && !Array.isArray(example) ? [example] : [];
  });
}

function holdsObject(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsObject);
  return typeof value === 'object' && value !== null;
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
