import type { Json, Node } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';
import { asMap, type Formed, formed, kindOf, markerWithin, type Read } from '../reading/reading.ts';
import { literalJson } from '../reading/templates.ts';

/** An item that is there before the first request: its members are literals (language §2, `items`). */
export interface Item {
  readonly at: Span;
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  readonly value: Json;
  readonly node: Node;
  readonly key: Span;
}

const item: Read<Item> = (node, place, reading) => {
  const map = asMap(node, reading);
  if (map === undefined) return undefined;
  const wrong = markerWithin(node);
  if (wrong) reading.report('marker-in-literal', wrong.span, { text: wrong.written.trim() });
  const members = new Map<string, Member>();
  for (const [name, { key, value }] of map.entries) {
    const literal = literalJson(value, place, reading);
    if (literal !== undefined) members.set(name, { value: literal, node: value, key });
  }
  return { at: node.span, members };
};

const form = {
  kind: 'list',
  of: { kind: 'map', of: { read: literalJson, absence: 'value', literal: true } },
  alone: false,
} as const;

/** Reads the items of a resource: a list of maps, each from fields to literals. */
export const items: Formed<readonly Item[]> = formed(form, (node, place, reading) => {
  if (node.kind !== 'list')
    return reading.report('wrong-kind', node.span, { wanted: 'a list of items', found: kindOf(node) });
  return node.items.flatMap((one) => item(one, place, reading) ?? []);
});
