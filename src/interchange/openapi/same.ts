import type { Node } from '../../source/node.ts';
import { type Place, type Places, raw, rawElements } from './place.ts';

/** What people read, which makes no difference; but a member of an object may be called so. */
const prose = new Set(['title', 'description', 'example', 'examples', 'externalDocs']);
const named = new Set(['properties', 'patternProperties', 'dependentSchemas', 'definitions', '$defs']);

/** Whether two values are the same, with what they refer to, wherever that stands. What people read does not count. */
export function isSame(one: Place, other: Place, places: Places): boolean {
  return new Comparing(places).isSame(one, other, false);
}

class Comparing {
  readonly #places: Places;
  /** The pairs that are compared already: each is the same, unless something else differs. */
  readonly #known = new Set<string>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** @param areNames whether the keys are names that anybody chooses */
  isSame(one: Place, other: Place, areNames: boolean): boolean {
    const [a, b] = [this.#places.followed(one), this.#places.followed(other)];
    const pair = `${a.pointer}\n${b.pointer}`;
    if (a.pointer === b.pointer || this.#known.has(pair)) return true;
    this.#known.add(pair);
    if (a.node.kind === 'scalar') return b.node.kind === 'scalar' && a.node.value === b.node.value;
    if (a.node.kind !== b.node.kind) return false;
    if (a.node.kind === 'list') {
      const [these, those] = [rawElements(a), rawElements(b)];
      const isEqual = (each: Place, index: number): boolean =>
        this.isSame(each, those[index] as Place, false);
      return these.length === those.length && these.every(isEqual);
    }
    const names = keysOf(a.node, areNames);
    if (names.length !== keysOf(b.node, areNames).length) return false;
    return names.every((name) => {
      const [inner, counterpart] = [raw(a, name) as Place, raw(b, name)];
      return counterpart !== undefined && this.isSame(inner, counterpart, !areNames && named.has(name));
    });
  }
}

function keysOf(node: Node, areNames: boolean): readonly string[] {
  return node.kind === 'map' ? [...node.entries.keys()].filter((name) => areNames || !prose.has(name)) : [];
}
