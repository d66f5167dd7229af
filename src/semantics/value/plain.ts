import type { Json } from '../../source/node.ts';
import { Bytes, Item, isKnown, isList, isObject, seen, type Value } from './value.ts';

/** A value as JSON; undefined if something of it is unknown, or it is bytes. */
export function plain(value: Value): Json | undefined {
  const found = value instanceof Item ? seen(value.key) : seen(value);
  if (!isKnown(found) || found instanceof Bytes) return undefined;
  if (isList(found)) return found.map((element) => plain(element) ?? null);
  if (!isObject(found)) return found as Json;
  return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, plain(member) ?? null]));
}
