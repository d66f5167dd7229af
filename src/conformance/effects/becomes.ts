import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { schemaOf } from '../../specification/shape.ts';
import { alike } from '../alike.ts';
import type { Check, Statement } from '../check.ts';
import { foresee } from '../foresee/foresee.ts';
import { outlookOf } from '../foresee/outlook.ts';
import { asKept, doesJustThat, succeeded } from '../guards.ts';
import { isReadable, membersOf } from '../item.ts';
import type { Sight } from '../lens.ts';
import { type Item, isAbsent, isKnown, type Partly, toJson } from '../partly.ts';
import { before, deed } from '../success.ts';
import type { Done, Trial } from '../trial.ts';
import { shownAs, unify } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import type { Lived } from './listing.ts';

/** The members that a client may read and that are kept. */
export function plainFields(resource: Resource): Field[] {
  return [...resource.fields.values()].filter(
    (field) => isReadable(field) && field.derived.kind === 'open' && field.shown.kind !== 'stated',
  );
}

/** What the item is after a request that was carried out, as far as that follows from what it was. */
export function expectedAfter(trial: Trial, done: Done): Item | null {
  return foresee(trial.of, done.operation, before(done)).after;
}

/** Each member is afterwards what the change makes of it: what is set, and the others as they were (language §H.2). */
export function becomes(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  says: string,
  cites: Statement = deed(operation),
): Check<Lived> {
  return {
    name: 'effect.members',
    says: `${says} sets what is stated and leaves the other members`,
    cites,
    guard: (seen) =>
      all(
        succeeded(seen.exchange, operation),
        sights(seen).length === 0 ? unseen(`nothing shows the ${resource.name}`) : yes,
        doesJustThat(trial.of, operation),
        steady(trial.of, resource, seen.item),
        asKept(trial.of, resource),
      ),
    claim: (seen) => {
      const after = expectedAfter(trial, seen);
      if (after === null) return { truth: unseen('what it becomes cannot be told'), expected: '', found: '' };
      const faults = sights(seen).flatMap((shown) => differing(resource, after, shown));
      const [first] = faults;
      return {
        truth: known(first === undefined),
        expected: first ? `${first.name}: ${shownAs(first.expected)}` : 'so',
        found: first ? `${first.name}: ${shownAs(first.found)}` : 'so',
      };
    },
  };
}

/** The item as the answer shows it, and as it is read afterwards. */
export function sights({ shown, lens, back }: Pick<Lived, 'shown' | 'lens' | 'back'>): readonly Sight[] {
  return [{ shown, lens }, ...(back ? [back] : [])].filter((one) => membersOf(one.shown) !== undefined);
}

/** A member as it is shown; undefined where it is not. */
export function memberOf({ shown }: Sight, name: string): Json | undefined {
  const members = membersOf(shown);
  return members && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The members that are not as they were foreseen. What could not be foreseen is left out. */
export function differing(resource: Resource, expected: Item, { shown, lens }: Sight) {
  const members = membersOf(shown) ?? {};
  const outlook = outlookOf(expected);
  const visible = plainFields(resource).filter(
    (field) => lens === null || lens.fields.get(field.name) === field,
  );
  return visible.flatMap(({ name, shape }) => {
    const wanted = outlook.get(name);
    const found = Object.hasOwn(members, name) ? members[name] : undefined;
    if (wanted === undefined || isAs(schemaOf(shape), wanted, found) !== false) return [];
    return [{ name, expected: wanted, found }];
  });
}

/** Whether a member is as foreseen; null where that cannot be told. */
export function isAs(
  schema: ReturnType<typeof schemaOf>,
  wanted: Partly,
  found: Json | undefined,
): boolean | null {
  if (isKnown(wanted) && !isAbsent(wanted)) return alike(schema, toJson(wanted), found);
  return unify(wanted, found).truth.value;
}
