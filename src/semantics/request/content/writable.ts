import { pathsIn } from '../../../expression/template.ts';
import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Field, Resource } from '../../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../../shape/definitions.ts';
import { failuresOf, type Schema } from '../../shape/shape.ts';
import { equal } from '../../value/compare.ts';
import { attempt, truthOf } from '../../value/truth.ts';
import { type Members, theirs, Unknown, unknown } from '../../value/value.ts';
import type { Moment } from '../../world/moment.ts';
import type { Stored } from '../../world/stored.ts';
import { itemOf } from '../../world/world.ts';

/** The fields of which the item or the request tells whether a client may write them: `same`, or an expression. */
export const conditionalFields = once(({ fields }: Resource): readonly Field[] =>
  [...fields.values()].filter(({ writable }) => {
    const word = stated(writable);
    return word === 'same' || typeof word === 'object';
  }),
);

function misfits({ name, shape }: Field, given: Members, { world }: Moment): boolean {
  const value = given[name];
  if (value === undefined) return false;
  return failuresOf(schemaOf(shape) as Schema, value, definitionsOf(world.specification), 'keep').length > 0;
}

/**
 * Those of these fields that the client may write in this request (language §2.2, rule 4), of those that it gives and of
 * those that are required.
 */
export function writableIn(
  { does, subject }: Operation,
  given: Members,
  stored: Stored | null,
  moment: Moment,
): readonly string[] {
  const change = stated(does);
  if (subject === null || change === undefined) return [];
  const required = (stated(subject.required) ?? []).map(({ name }) => name);
  const { world } = moment;
  const item = stored && itemOf(stored, subject);
  // Whether a value that may not be written is judged by its shape, the language does not say.
  const barred = (field: Field): readonly string[] =>
    misfits(field, given, moment) ? world.leave(unknown([])) : [];
  return conditionalFields(subject).flatMap((field): readonly string[] => {
    const { name, writable, taken } = field;
    const isGiven = Object.hasOwn(given, name);
    const word = stated(writable);
    if (!isGiven && !(typeof word === 'object' && required.includes(name))) return [];
    // Whether an item is made that a later write would be compared with, `present` tells.
    if (change.verb === 'create' && stated(change.qualifiers.present)) return world.leave(unknown([]));
    if (word === 'same') {
      if (change.verb === 'create') return [name];
      if (stored === null || stored.handle === theirs || stated(taken)) return world.leave(unknown([]));
      const isSame = equal(stored.members.get(name) ?? null, given[name] ?? null);
      return world.decide(isSame) ? [name] : barred(field);
    }
    if (typeof word !== 'object') return [];
    const readsItem = pathsIn(word.template).some(([root]) => root === 'this');
    if (readsItem && item === null) return world.leave(unknown([]));
    const may = attempt(() => truthOf(moment.value(word, { this: item })));
    if (may instanceof Unknown && may.mayFail) return world.leave(may);
    return world.decide(may) ? [name] : barred(field);
  });
}
