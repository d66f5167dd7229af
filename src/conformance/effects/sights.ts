import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { alike } from '../alike.ts';
import type { Claim } from '../check.ts';
import { outlookOf } from '../foresee/outlook.ts';
import { isReadable, membersOf } from '../item.ts';
import type { Sight } from '../lens.ts';
import { type Item, isAbsent, isKnown, item, type Partly, toJson } from '../partly.ts';
import { dig } from '../shown-in.ts';
import { workOut } from '../solve.ts';
import type { Done } from '../trial.ts';
import { fits, unify } from '../unify.ts';
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

/**
 * Whether an answer tells that a field has a value, as far as it tells of it: it shows the field, or says something
 * that hangs on it. Null where it says nothing of it.
 */
export function tellsOf(done: Done, field: Field, value: Partly): Claim | null {
  const { answer, lens, shown, item: seen, json, names } = done;
  if (lens?.fields.get(field.name) === field && membersOf(shown))
    return fits(value, memberOf(done, field.name));
  const template = stated(answer?.body)?.template;
  const reads = (template ? expressionsIn(template) : [])
    .flatMap(({ syntax }) => pathsRead(syntax))
    .some(([first, name]) => first === 'this' && name === field.name);
  if (template === undefined || !reads || seen === null || !isKnown(value)) return null;
  const known = new Map(seen.known).set(field.name, toJson(value));
  const supposed = item(
    seen.resource,
    known,
    [...seen.absent].filter((name) => name !== field.name),
  );
  const under = stated(answer?.under);
  const content = under === undefined ? json : dig(json, [under]);
  return fits(workOut(template, new Map(names).set('this', supposed)), content);
}

/** What several answers tell of a field; null where none tells anything. */
export function toldBy(seen: readonly Done[], field: Field | undefined, value: Partly): Claim | null {
  const claims = seen.flatMap((one) => (field && tellsOf(one, field, value)) ?? []);
  return claims.find(({ truth }) => truth.value !== true) ?? claims[0] ?? null;
}

/** The members that are not as they were foreseen. What could not be foreseen is left out. */
export function differing(resource: Resource, expected: Item, sight: Sight) {
  return compared(resource, expected, sight).filter(({ isSame }) => !isSame);
}

/** The members that are seen and were foreseen, and whether they are so. */
export function compared(resource: Resource, expected: Item, { shown, lens }: Sight) {
  const members = membersOf(shown) ?? {};
  const outlook = outlookOf(expected);
  const visible = plainFields(resource).filter(
    (field) => lens === null || lens.fields.get(field.name) === field,
  );
  return visible.flatMap(({ name, shape }) => {
    const wanted = outlook.get(name);
    const found = Object.hasOwn(members, name) ? members[name] : undefined;
    const isSame = wanted === undefined ? null : isAs(schemaOf(shape), wanted, found);
    return wanted === undefined || isSame === null ? [] : [{ name, expected: wanted, found, isSame }];
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
