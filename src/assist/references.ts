import { nameHere, placesOf } from './definition.ts';
import type { Named } from './names.ts';
import type { Place } from './place.ts';

/** Where the name at an offset is used, and, if that is wanted, where it is declared. Empty: there is no name. */
export function references(
  names: readonly Named[],
  file: string,
  offset: number,
  withDeclaration: boolean,
): readonly Place[] {
  const named = nameHere(names, file, offset)?.named;
  if (named === undefined) return [];
  return withDeclaration ? placesOf(named) : named.uses;
}
