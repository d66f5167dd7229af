import { type Json, json, type Node } from '../source/node.ts';
import { isOpenMarker, marker } from '../specification/reading/said.ts';

/** The value that is stated; undefined where none is, or `(none)`. */
export function statedValue(node: Node | undefined): Json | undefined {
  if (node === undefined || isOpenMarker(node)) return undefined;
  return node.kind === 'scalar' && marker(node.value)?.kind === 'none' ? undefined : json(node);
}

/** What is in a list, each as text; one value stands for a list of one. */
export function itemsOf(node: Node | undefined): string[] {
  const value = statedValue(node);
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((one: Json) =>
    typeof one === 'string' ? one : JSON.stringify(one),
  );
}

/** What two specifications state at one place. */
interface Both {
  readonly before: Node | undefined;
  readonly after: Node | undefined;
}

export function gone({ before, after }: Both): string[] {
  const left = itemsOf(after);
  return itemsOf(before).filter((one) => !left.includes(one));
}

export function come({ before, after }: Both): string[] {
  return gone({ before: after, after: before });
}
