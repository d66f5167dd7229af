import { Collection, isList, isObject, type Value } from './value.ts';

/** A value with each value in it changed, at any depth, that is no list and no object. */
export function each(value: Value, change: (value: Value) => Value): Value {
  if (isList(value)) return value.map((element) => each(element, change));
  if (value instanceof Collection)
    return new Collection(
      value.items.map((element) => each(element, change)),
      { rest: value.rest, ordered: value.ordered },
    );
  return isObject(value) ? eachMember(value, change) : change(value);
}

/** The same of members by their names. */
export function eachMember(
  members: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, each(member, change)]));
}
