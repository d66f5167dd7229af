import { type Named, namesAt } from './names.ts';
import { isAt, type Place } from './place.ts';

/** A name at an offset: the place where it stands there, and what it is. */
export interface NameHere {
  readonly at: Place;
  readonly named: Named;
}

/**
 * The name at an offset (UTF-16 code units) of a file; null: there is none. Where one stands within another, as a field
 * does in the name of its machine, the shortest.
 */
export function nameHere(names: readonly Named[], file: string, offset: number): NameHere | null {
  const found = namesAt(names, file, offset).flatMap((named) =>
    placesOf(named)
      .filter((place) => place.file === file && isAt(place, offset))
      .map((at) => ({ at, named })),
  );
  const size = ({ at }: NameHere): number => at.end - at.start;
  // A name that is declared says more than one that nobody declares.
  const rank = (one: NameHere): number => size(one) + (one.named.declared ? 0 : 1_000_000);
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** Where the name at an offset is declared; null: it is no name, or declared nowhere. */
export function definition(names: readonly Named[], file: string, offset: number): Place | null {
  return nameHere(names, file, offset)?.named.declared ?? null;
}

/** Every place of a name, its declaration first. */
export function placesOf({ declared, uses }: Named): readonly Place[] {
  return declared ? [declared, ...uses] : uses;
}
