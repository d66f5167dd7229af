import { Collection, Item, isList, isObject, Made, Range, seen, Text, Unknown, type Value } from './value.ts';

/** Whether two values are the same in all that is known. Made values that were not seen are, if they were made alike. */
export function areAlike(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const [one, other] = [seen(a), seen(b)];
  if (one === other) return true;
  if (one instanceof Made)
    return other instanceof Made && one.series === other.series && one.place === other.place;
  if (one instanceof Text) return other instanceof Text && areAll(one.pieces, other.pieces);
  if (one instanceof Item)
    return other instanceof Item && one.handle === other.handle && areAlike(one.key, other.key);
  if (one instanceof Collection)
    return other instanceof Collection && one.closed === other.closed && areAll(one.items, other.items);
  if (one instanceof Range)
    return other instanceof Range && one.least === other.least && one.most === other.most;
  if (one instanceof Unknown) return other instanceof Unknown;
  if (isList(one)) return isList(other) && areAll(one, other);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => areAlike(one[name], other[name]))
  );
}

function areAll(some: readonly Value[], others: readonly Value[]): boolean {
  return some.length === others.length && some.every((each, place) => areAlike(each, others[place]));
}
