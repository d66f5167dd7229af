import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Field, Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import { schemaOf } from '../../specification/shape.ts';
import { alike } from '../alike.ts';
import { outlookOf } from '../foresee/outlook.ts';
import { isReadable, membersOf } from '../item.ts';
import type { Sight } from '../lens.ts';
import { shownIn } from '../look.ts';
import { type Item, isAbsent, isKnown, type Partly, toJson } from '../partly.ts';
import type { Trial } from '../trial.ts';
import { unify } from '../unify.ts';
import type { Lived } from './listing.ts';

/** The members that a client may read and that are kept. */
export function plainFields(resource: Resource): Field[] {
  return [...resource.fields.values()].filter(
    (field) => isReadable(field) && field.derived.kind === 'open' && field.shown.kind !== 'stated',
  );
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

/** Whether an answer of an operation shows the item that it is about. */
export function showsItem({ of }: Trial, operation: Operation, resource: Resource): boolean {
  return (stated(operation.response) ?? []).some(({ body }) => {
    const template = stated(body)?.template;
    return template !== undefined && shownIn(template, of, resource) !== null;
  });
}
