import { order } from '../../expression/functions.ts';
import { instant } from '../../expression/time.ts';
import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Claim } from '../check.ts';
import { type Item, isKnown, toJson } from '../partly.ts';
import { member } from '../solve.ts';
import { shownAs } from '../unify.ts';
import { known, unseen, yes } from '../verdict.ts';

/** A field by which a list is put in order. */
export interface Key {
  readonly field: string;
  readonly isDown: boolean;
}

/** `-year` as a field and a direction (language §H.2, `order`; §4.2, `sort`). */
export function keyOf(text: string): Key {
  return text.startsWith('-') ? { field: text.slice(1), isDown: true } : { field: text, isDown: false };
}

/**
 * Whether items stand in an order. Where two hold an unknown value, or null, nothing is said of the two; where no two
 * stand side by side that differ in it, any order would do.
 */
export function inOrder(items: readonly Item[], keys: readonly Key[]): Claim {
  const expected = `by ${keys.map(({ field, isDown }) => (isDown ? `-${field}` : field)).join(', ')}`;
  let isTold = false;
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    const by = next === undefined ? 0 : compare(item, next, keys);
    isTold ||= by !== 0;
    if (next === undefined || by <= 0) continue;
    const values = [item, next].map((one) => keys.map(({ field }) => comparedBy(one, field) ?? null));
    return { truth: known(false), expected, found: `${shownAs(values[0])} before ${shownAs(values[1])}` };
  }
  return {
    truth: isTold ? yes : unseen(`no two items are known to differ ${expected}`),
    expected,
    found: 'so',
  };
}

function compare(a: Item, b: Item, keys: readonly Key[]): number {
  for (const { field, isDown } of keys) {
    const [x, y] = [comparedBy(a, field), comparedBy(b, field)];
    // Where null stands among values, nothing is stated (language §G.6).
    if (x === undefined || y === undefined || x === null || y === null || typeof x !== typeof y) return 0;
    const by = typeof x === 'boolean' ? Number(x) - Number(y) : order(x, y);
    if (by !== 0) return isDown ? -by : by;
  }
  return 0;
}

/** The value of a member as it is compared: a time by its instant (language §G.6). */
function comparedBy(item: Item, name: string): Json | undefined {
  const value = member(item, name, new Map());
  if (!isKnown(value)) return undefined;
  const field = item.resource.fields.get(name);
  const isTime = stated(field?.shape.keywords.get('format')) === 'date-time';
  return isTime ? (instant(toJson(value)) as Json) : toJson(value);
}
