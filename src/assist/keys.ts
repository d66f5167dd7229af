import { json, type Mapping, type Node } from '../source/node.ts';
import { type Address, find, step } from '../specification/reading/address.ts';
import { isOpenMarker } from '../specification/reading/said.ts';
import { endOf } from './answered.ts';
import { type Place, placeOf } from './place.ts';
import { keysNamed } from './vocabulary.ts';
import { written } from './written.ts';

/** A key of a document, with the place of its value. */
export interface KeyPlace extends Place {
  /** The keys and places in lists that lead to it from the top, itself the last. */
  readonly path: readonly (string | number)[];
  /** Where its value begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Whether it is a key of the language, and no name of the author's. */
  readonly isOfLanguage: boolean;
  /** Whether the specification has a point there, or under it (language §C). */
  readonly isPoint: boolean;
  /** Whether `(open)` stands there. */
  readonly isOpen: boolean;
  /** Its value with the notation spelled out (language §E), as YAML on one line; left out: it says the same. */
  readonly spelled?: string;
}

/**
 * The keys of a document, each before those within it.
 *
 * @param tree as it is written, or its head
 * @param spelledOut the same with its notation spelled out
 * @param points the addresses of its points, and of what these are in
 */
export function keysIn(
  tree: Mapping,
  spelledOut: Mapping,
  points: { readonly has: (address: Address) => boolean },
): KeyPlace[] {
  const found: KeyPlace[] = [];
  const visit = (node: Node, path: KeyPlace['path']): void => {
    if (node.kind === 'list') for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    if (node.kind !== 'map') return;
    for (const [name, { key, value }] of node.entries) {
      const here = [...path, name];
      const place = placeOf(key);
      const isSame = value.span.text === key.text;
      const spelled = spelledAt(value, here, spelledOut);
      found.push({
        ...place,
        path: here,
        from: isSame ? value.span.start : place.end,
        to: isSame ? endOf(value, key.end) : place.end,
        // In Markdown, a part has a heading for its key.
        isOfLanguage:
          key.end - key.start <= name.length + 2 && keysNamed(here).some(({ about }) => about !== undefined),
        isPoint: points.has(addressOf(here)),
        isOpen: isOpenMarker(value),
        ...(spelled !== undefined && { spelled }),
      });
      visit(value, here);
    }
  };
  visit(tree, []);
  return found;
}

/** What a value is written out as, if it is notation for a whole. */
function spelledAt(value: Node, path: KeyPlace['path'], tree: Mapping): string | undefined {
  if (value.kind === 'map') return undefined;
  const there = find(tree, path);
  if (there === undefined || there.kind === 'scalar' || there.kind === value.kind) return undefined;
  const own = json(there);
  return JSON.stringify(own) === JSON.stringify(json(value)) ? undefined : written(own, 'flow');
}

/** The address of what stands at a path (language §C). */
export function addressOf(path: KeyPlace['path']): Address {
  const [part, ...further] = path;
  return further.reduce<Address>(step, String(part));
}
