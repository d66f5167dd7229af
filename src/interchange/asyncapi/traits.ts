import { type Place, type Places, raw } from '../openapi/place.ts';

/**
 * A member of a message or of an operation, by itself or by one of its traits. Of several traits the last one counts; in
 * AsyncAPI 2 it stands for what the object says itself, in AsyncAPI 3 the object comes first (Traits Merge Mechanism).
 */
export function saidOf(places: Places, place: Place, name: string, isTwo: boolean): Place | undefined {
  const traits = places.elements(raw(place, 'traits')).toReversed();
  const all = isTwo ? [...traits, place] : [place, ...traits];
  return all.map((each) => raw(each, name)).find((each) => each !== undefined);
}
