import type { Json } from '../source/node.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { alike } from './alike.ts';
import type { Claim } from './check.ts';
import { hole, isAbsent, isItem, type Partly } from './partly.ts';
import type { Schema } from './schema.ts';
import { type Names, workOut } from './solve.ts';
import { fits, shownAs } from './unify.ts';
import { known } from './verdict.ts';

/** A given value as it is kept (language §2, `taken`). */
export function keptAs({ taken, refers }: Field, given: Partly, names: Names): Partly {
  const template = stated(taken)?.template;
  if (isItem(given)) return given.known.get(stated(refers)?.field ?? '') ?? hole();
  return template ? workOut(template, new Map(names).set('value', given)) : given;
}

/** What a field is set to, as it is kept: an item that it refers to by its key (language §G.3). */
export function setTo({ refers }: Field, value: Partly): Partly {
  return isItem(value) && stated(refers) ? (value.known.get(stated(refers)?.field ?? '') ?? hole()) : value;
}

/** A given value as it is shown, after it was taken in (language §2, `taken` and `shown`). */
export function shownFor(field: Field, given: Partly, names: Names): Partly {
  const kept = keptAs(field, given, names);
  const template = stated(field.shown)?.template;
  return template && !isAbsent(kept) && kept !== null
    ? workOut(template, new Map(names).set('value', kept))
    : kept;
}

/** Whether a given value makes its way through what is kept into what is shown. */
export function comesBack(
  field: Field,
  given: Json,
  found: Json | undefined,
  names: Names,
  resolve: (schema: Schema) => Schema,
): Claim {
  if (stated(field.taken) || stated(field.shown)) return fits(shownFor(field, given, names), found);
  const schema = resolve(schemaOf(field.shape));
  return { truth: known(alike(schema, given, found)), expected: shownAs(given), found: shownAs(found) };
}
