import { fold } from '../../expression/fold.ts';
import { once } from '../../source/once.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import { either, every, some, type Truth } from '../value/truth.ts';
import { Made, seen, Text, unknown, type Value } from '../value/value.ts';
import type { Stored } from '../world/stored.ts';
import type { World } from '../world/world.ts';
import type { FieldFailure, Refusal } from './refusal.ts';

/** Fields of which no two items have the same values. */
interface UniqueSet {
  readonly fields: readonly string[];
  readonly caseless: boolean;
  /** Nor may a deleted item have had them. */
  readonly ever: boolean;
}

/** The sets of fields by which items differ: the identifier first, then in the order of the document (language §2.1, §2.2). */
export const uniqueSets = once(({ identifier, fields, unique }: Resource): readonly UniqueSet[] => {
  const single = [...fields.values()].flatMap((field): UniqueSet[] => {
    const word = stated(field.unique);
    if (word === undefined || word === false) return [];
    return [{ fields: [field.name], caseless: word === 'caseless', ever: word === 'ever' }];
  });
  const names = (stated(identifier) ?? []).map(({ text }) => text);
  const together = (stated(unique) ?? []).map((set) => ({
    fields: set.fields.map(({ text }) => text),
    caseless: set.caseless,
    ever: false,
  }));
  const own = names.length > 0 ? [{ fields: names, caseless: false, ever: false }] : [];
  return [...own, ...single, ...together];
});

/**
 * Another item has the values of fields that are unique (language §2.2, rule 6, §7.2, rule 20). Null is unique to nobody.
 *
 * @param isNew whether the item was made just now: what the service made for it is no other item's
 */
export function notUnique(
  resource: Resource,
  stored: Stored,
  isNew: boolean,
  world: World,
): readonly Refusal[] {
  const others = world.items(resource.name).filter(({ handle }) => handle !== stored.handle);
  const failures = new Map<string, FieldFailure>();
  const fail = (fields: readonly string[], isFormer: boolean): void => {
    for (const field of fields) {
      const value = stored.members.get(field) ?? null;
      if (!failures.has(field))
        failures.set(field, { field, keyword: 'unique', value, limit: null, isFormer });
    }
  };
  for (const set of uniqueSets(world.stores(resource))) {
    const isMade = ({ fields: names }: UniqueSet): boolean =>
      names.some((name) => isUnseen(stored.members.get(name)));
    if (isNew && isMade(set)) continue;
    const values = set.fields.map((name) => stored.members.get(name) ?? null);
    const isTheirs = values.includes(null) ? false : world.mayBeTheirs(values);
    const isOurs = sameIn(set, stored, others);
    if (isOurs !== false) for (const other of others) world.finds(other);
    // Whether `ever` refuses what an item had before a change, the language does not say.
    const isFormer = set.ever && sameIn(set, stored, world.earlier(resource.name)) !== false;
    const maySay = either(isTheirs, () => (isFormer ? unknown([]) : false));
    const wasDeleted = set.ever && sameIn(set, stored, world.former(resource.name));
    const present = world.decide(either(isOurs, () => wasDeleted !== true && maySay));
    if (present) fail(set.fields, false);
    if (world.decide(!present && either(wasDeleted, () => maySay))) fail(set.fields, true);
  }
  if (failures.size === 0) return [];
  return [{ condition: 'not unique', subject: resource.name, failures: [...failures.values()] }];
}

function isUnseen(value: Value | undefined): boolean {
  return value !== undefined && [Made, Text].some((kind) => seen(value) instanceof kind);
}

function sameIn(set: UniqueSet, stored: Stored, others: readonly Stored[]): Truth {
  return some(others, (other) =>
    every(set.fields, (name) => isShared(stored.members.get(name), other.members.get(name), set.caseless)),
  );
}

function isShared(one: Value | undefined, other: Value | undefined, caseless: boolean): Truth {
  if (one === undefined || other === undefined || one === null || other === null) return false;
  return caseless ? equal(folded(one), folded(other)) : equal(one, other);
}

/** A text without its case. */
export function folded(value: Value): Value {
  const text = seen(value);
  return typeof text === 'string' ? (fold(text) as string) : value;
}

/** How a field compares with what a client gives: as its uniqueness does (language §H.2, rule 5). */
export function isAlike({ unique }: Field, stored: Value, given: Value): Truth {
  return stated(unique) === 'caseless' ? equal(folded(stored), folded(given)) : equal(stored, given);
}
