import { isList, isObject, Stretch, seen, type Value } from '../../semantics/value/value.ts';

/**
 * A body with its lists in one of the orders that they may have, where all their elements are known, but not their order. So
 * an answer shows how many there are, and what they hold. Null: it holds no such list.
 */
export function arranged(body: Value): Value | null {
  let isArranged = false;
  const within = (value: Value): Value => {
    const found = seen(value);
    if (found instanceof Stretch) {
      const order = orderOf(found);
      isArranged ||= order !== null;
      return order ? order.map((place) => within(found.items[place] as Value)) : value;
    }
    if (isList(found)) return found.map(within);
    if (!isObject(found)) return value;
    return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, within(member)]));
  };
  const all = within(body);
  return isArranged ? all : null;
}

/** The places of the elements in an order that they may have; null: not all elements are known. */
function orderOf({ items, rest, window: { least, most, sure, after } }: Stretch): readonly number[] | null {
  if (rest !== undefined || least !== most || most !== items.length || !sure.every(Boolean)) return null;
  const left = [...items.keys()];
  const order: number[] = [];
  while (left.length > 0) {
    const at = left.findIndex((place) => !left.some((other) => after[other]?.has(place)));
    if (at === -1) return null;
    order.push(...left.splice(at, 1));
  }
  return order;
}
