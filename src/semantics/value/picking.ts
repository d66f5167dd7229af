import { Item, isKnown, isList, isObject, Made, type Members, Range, Text, type Value } from './value.ts';

/** With these members alone (language §G.4). If the names are null, the value itself. */
export function pick(value: Value, names: readonly Value[] | null): Value {
  if (value === null || names === null) return value;
  return picked(value, textsOf(names)) ?? (isList(value) ? [] : {});
}

/** Without these members. If the names are null, the value itself. */
export function omit(value: Value, names: readonly Value[] | null): Value {
  return value === null || names === null ? value : omitted(value, textsOf(names));
}

/** Undefined if nothing within the value has one of these names. A list keeps its length. */
function picked(value: Value, names: readonly string[]): Value | undefined {
  if (isList(value)) {
    const holdsObjects = value.some((element) => isObject(element) || isList(element));
    if (value.length > 0 && !holdsObjects) return undefined;
    return value.map((element) => picked(element, names) ?? (isObject(element) ? {} : null));
  }
  if (!isObject(value)) return undefined;
  const kept = Object.keys(value).flatMap((name) => {
    const member = value[name] as Value;
    const found = names.includes(name) ? member : picked(member, namesWithin(value, name, names));
    return found === undefined ? [] : [[name, found] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function omitted(value: Value, names: readonly string[]): Value {
  if (names.length === 0) return value;
  if (isList(value)) return value.map((element) => omitted(element, names));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(
    kept.map(([name, member]) => [name, omitted(member, namesWithin(value, name, names))]),
  );
}

/** What the names say of the inside of a member. A member that has a whole name is meant itself, dots and all. */
function namesWithin(value: Members, member: string, names: readonly string[]): string[] {
  return names
    .filter(
      (name) => !Object.hasOwn(value, name) && name.indexOf('.') === member.length && name.startsWith(member),
    )
    .map((name) => name.slice(member.length + 1));
}

/** Whether it is known of each member what the names leave of it. Texts, numbers and times have nothing within them. */
export function isReached(value: Value, names: readonly string[]): boolean {
  if (isList(value)) return value.every((element) => isReached(element, names));
  if (isObject(value))
    return Object.entries(value).every(
      ([name, member]) => names.includes(name) || isReached(member, namesWithin(value, name, names)),
    );
  const isLeaf = [Made, Text, Range, Item].some((kind) => value instanceof kind);
  return isLeaf || isKnown(value);
}

export function textsOf(names: readonly Value[]): string[] {
  return names.filter((name) => typeof name === 'string');
}
