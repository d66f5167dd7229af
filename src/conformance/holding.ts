import type { Json } from '../source/node.ts';
import { stated } from '../specification/reading/said.ts';
import type { Field, Resource } from '../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../specification/vocabulary/shape.ts';
import { turningOf } from './foresee/hints.ts';
import { item, type Partly } from './partly.ts';
import type { Random } from './random.ts';
import { workOut } from './solve.ts';
import type { Values } from './values.ts';

/** The other members of the item that a value is made for. */
export interface Around {
  readonly resource: Resource;
  readonly members: { readonly [member: string]: Json };
}

/** Whether a value surely breaks what should hold of its field (language §2, `holds`). */
export function breaksHolds(field: Field, value: Json, around: Around | null): boolean {
  const names = new Map<string, Partly>([['value', value]]);
  if (around) {
    const members = { ...around.members, [field.name]: value };
    names.set('this', item(around.resource, Object.entries(members), []));
  }
  return [...(stated(field.holds)?.values() ?? [])].some((said) => {
    const expression = stated(said);
    return expression !== undefined && workOut(expression.template, names) === false;
  });
}

/** Values that the shape of a field admits, made of what its `holds` compares with: a text that goes on, a number near it. */
export function* valuesToHold(
  values: Values,
  random: Random,
  field: Field,
  around: Around | null,
): Iterable<Json> {
  const schema = schemaOf(field.shape);
  const all = [...(stated(field.holds)?.values() ?? [])].flatMap(turningOf);
  const others = around ? Object.values(around.members) : [];
  const literals = [...new Set([...all.flatMap((one) => one.values), ...others])];
  const sizes = all.flatMap((one) => one.sizes).map((size) => ({ minLength: size, maxLength: size }));
  for (let tries = 0; tries < 20; tries++) {
    const letters = random.letters(8);
    const made = literals.flatMap((one): Json[] => {
      if (typeof one === 'string')
        return [`${one}${letters}`, `${letters}${one}`, `${letters}${one}${letters}`];
      return typeof one === 'number' ? [one + random.whole(0, 1000), one - random.whole(0, 1000)] : [];
    });
    for (const one of [...made, letters.toUpperCase()])
      yield* values.valid({ ...schema, const: one }, 'most') === undefined ? [] : [one];
    for (const bounds of sizes)
      yield* [values.valid({ ...schema, ...bounds }, 'most')].filter((one) => one !== undefined);
  }
}
