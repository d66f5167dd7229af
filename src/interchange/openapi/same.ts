import type { Node } from '../../source/node.ts';
import { type Place, type Places, raw, rawElements } from './place.ts';

/** What people read, which makes no difference. */
const prose = new Set(['title', 'description', 'example', 'examples', 'externalDocs']);

/** Whether two values are the same, with what they refer to, wherever that stands. What people read does not count. */
export function isSame(one: Place, other: Place, places: Places, known: Set<string> = new Set()): boolean {
  const [a, b] = [places.followed(one), places.followed(other)];
  const pair = `${a.pointer}\n${b.pointer}`;
  // A pair that is compared already is the same unless something else differs.
  if (a.pointer === b.pointer || known.has(pair)) return true;
  known.add(pair);
  const same = (first: Place, second: Place): boolean => isSame(first, second, places, known);
  if (a.node.kind === 'scalar' || b.node.kind === 'scalar')
    return a.node.kind === b.node.kind && scalarOf(a.node) === scalarOf(b.node);
  if (a.node.kind === 'list' || b.node.kind === 'list') {
    const [these, those] = [rawElements(a), rawElements(b)];
    return (
      a.node.kind === b.node.kind &&
      these.length === those.length &&
      zip(these, those).every((each) => same(...each))
    );
  }
  const names = namesOf(a.node);
  if (names.length !== namesOf(b.node).length) return false;
  return names.every((name) => {
    const [inner, counterpart] = [raw(a, name), raw(b, name)];
    return inner !== undefined && counterpart !== undefined && same(inner, counterpart);
  });
}

function zip(these: readonly Place[], those: readonly Place[]): readonly (readonly [Place, Place])[] {
  return these.flatMap((each, index) => {
    const other = those[index];
    return other === undefined ? [] : [[each, other] as const];
  });
}

function namesOf(node: Node): readonly string[] {
  return node.kind === 'map' ? [...node.entries.keys()].filter((name) => !prose.has(name)) : [];
}

function scalarOf(node: Node): unknown {
  return node.kind === 'scalar' ? node.value : undefined;
}
