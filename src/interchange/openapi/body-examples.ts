import { isDeepStrictEqual } from 'node:util';
import { get, type Json, json, type Node } from '../../source/node.ts';
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
    for (const [name, value] of examplesUnder(place, places).flatMap(membersOf)) {
      const member = members.get(name);
      if (member === undefined || holdsObject(value)) continue;
      const { pointer } = places.followed(member);
      const known = found.get(pointer) ?? [];
      if (known.length < most && !known.some((each) => isDeepStrictEqual(each, value)))
        found.set(pointer, [...known, value]);
    }
  }
  return found;
}

/** The examples of content of a media type (OpenAPI 3.1 §4.8.14). */
export function examplesUnder(media: Place, places: Places): readonly Node[] {
  const named = places.members(places.member(media, 'examples'));
  const all = [get(media.node, 'example'), ...named.map(([, each]) => get(each.node, 'value'))];
  return all.filter((example) => example !== undefined);
}

/** The members of an object; of anything else, none. */
function membersOf(node: Node): readonly (readonly [string, Json])[] {
  return node.kind === 'map' ? Object.entries(json(node) as Record<string, Json>) : [];
}

function holdsObject(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsObject);
  return typeof value === 'object' && value !== null;
}
