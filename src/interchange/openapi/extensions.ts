import { get } from '../../source/node.ts';
import { type Branch, type Host, opened, type Piece, pieceOf, without } from './piece.ts';
import type { Place } from './place.ts';
import { namesIn } from './pointer.ts';

/**
 * What OpenAPI cannot say stands in extensions of the object to which it belongs: `x-tacet-NAME` is an entry of the
 * statement that is made of the object, laid over what the object says; `x-tacet-without` lists the entries that the
 * object suggests and the statement does not have, by JSON Pointers; `x-tacet-stated` is the statement, whole.
 */
export const extension = {
  of: ({ prefix }: Host, name: string): string => `x-tacet-${prefix}${name}`,
  without: 'without',
  whole: ({ prefix }: Host): string => `x-tacet-${prefix === '' ? 'stated' : prefix.slice(0, -1)}`,
} as const;

/** Entries that another one takes the place of, where an extension says it. */
const superseding: Readonly<Record<string, string>> = {
  body: 'shape',
  derived: 'writable',
  set: 'writable',
};

/** What stands no more beside entries that extensions say, unless they say it too. */
export function supersededBy(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => superseding[name] ?? []);
}

/** The extension of a parameter of a path that says which item it names, beside its shape. */
export const namingExtension = 'x-tacet-is';

/** Whether an object has extensions of ours. */
export function isExtended({ node }: Place): boolean {
  return node.kind === 'map' && [...node.entries.keys()].some((name) => name.startsWith('x-tacet-'));
}

/** The piece with what the extensions of its objects say. */
export function restated(piece: Piece): Piece {
  const { host } = piece;
  const whole = host && get(host.place.node, extension.whole(host));
  if (whole) return pieceOf(whole);
  if ('items' in piece) return { ...piece, items: piece.items.map(restated) };
  if (!('entries' in piece)) return piece;
  const entries = new Map([...piece.entries].map(([name, inner]) => [name, restated(inner)]));
  const inner: Branch = { ...piece, entries };
  return host ? laidOver(inner, host) : inner;
}

function laidOver(piece: Branch, host: Host): Branch {
  const { node } = host.place;
  const start = extension.of(host, '');
  if (node.kind !== 'map') return piece;
  const removed = get(node, extension.of(host, extension.without));
  let found: Piece = piece;
  if (removed?.kind === 'list')
    for (const pointer of removed.items)
      if (pointer.kind === 'scalar') found = without(found, namesIn(pointer.written));
  const added = [...node.entries].flatMap(([name, { value }]): [string, Piece][] => {
    const own = name.startsWith(start) ? name.slice(start.length) : '';
    return own === '' || own === extension.without ? [] : [[own, pieceOf(value)]];
  });
  for (const name of supersededBy(added.map(([each]) => each))) found = without(found, [name]);
  return merged(found, { at: piece.at, entries: new Map(added) }) as Branch;
}

/** Maps are put together, entry by entry; of anything else the second stands. */
function merged(first: Piece, second: Piece): Piece {
  const under = opened(first);
  if (!('entries' in under) || !('entries' in second)) return second;
  const entries = new Map(under.entries);
  for (const [name, inner] of second.entries) {
    const before = entries.get(name);
    entries.set(name, before ? merged(before, inner) : inner);
  }
  return { ...under, entries };
}
