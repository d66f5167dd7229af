import { equal } from '../../expression/functions.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Item, isAbsent, isKnown, type Partly, toJson } from '../partly.ts';
import { all, known, type Truth, unseen, yes } from '../verdict.ts';
import { outlookOf } from './outlook.ts';

/** The name of the item that is there already when one is to be made; null where none is. No expression can spell it. */
export const thereName = '(there)';

/** Whether all that could be given of an item is equal, given or not, after defaults (language §H.2, `match`). */
export function matches(resource: Resource, there: Item, made: Item, bound: readonly string[]): Truth {
  const [old, now] = [outlookOf(there), outlookOf(made)];
  const given = [...resource.fields.values()].filter((field) => couldBeGiven(field, bound));
  return all(...given.map(({ name }) => sameValue(name, old.get(name), now.get(name))));
}

function couldBeGiven({ name, writable, derived }: Field, bound: readonly string[]): boolean {
  const word = stated(writable);
  return word !== false && word !== undefined && !stated(derived) && !bound.includes(name);
}

/** Whether a member is known to be the same in both. */
export function sameValue(name: string, a: Partly | undefined, b: Partly | undefined): Truth {
  if (a === undefined || b === undefined || !isKnown(a) || !isKnown(b)) return unseen(`${name} is not known`);
  if (isAbsent(a) || isAbsent(b))
    return isAbsent(a) && isAbsent(b) ? yes : known(false, `${name} is another`);
  return known(equal(toJson(a), toJson(b)), `${name} is another`);
}
