import { drop, type Entry, mapping, type Node, put } from '../../source/node.ts';
import type { Span } from '../../source/text.ts';

/** The nine parts, in the founding document's order, by the key that the language gives them (language §A.2). */
export const parts = [
  'service',
  'resources',
  'states',
  'endpoints',
  'authentication',
  'events',
  'errors',
  'limits',
  'versioning',
] as const;

export type Part = (typeof parts)[number];

/**
 * The path to a point, such as `endpoints["POST /parcels"].response.status` (language §C).
 * `.*` at its end is the rest of a list: whatever the list does not name.
 */
export type Address = string;

/** An operation of several under one `METHOD /path`: in the tree they stand side by side, by key and name. */
const alternative = /^([A-Z][A-Z-]* \/\S*) (\S+)$/;

/** The address of a member: by its name after a dot or in brackets, or by its place in a list, from 0. */
export function step(address: Address, name: string | number): Address {
  if (typeof name === 'number') return `${address}[${name}]`;
  if (address === 'endpoints') {
    const [, endpoint, operation] = alternative.exec(name) ?? [];
    if (endpoint !== undefined && operation !== undefined)
      return step(`endpoints[${JSON.stringify(endpoint)}]`, operation);
  }
  // Nearly all names are ASCII, of which the first question is answered in a tenth of the time.
  return /^[\w$-]+$/.test(name) || /^[\p{L}\p{N}_$-]+$/u.test(name)
    ? `${address}.${name}`
    : `${address}[${JSON.stringify(name)}]`;
}

export function rest(address: Address): Address {
  return `${address}.*`;
}

/** The steps of an address, `*` for the rest; undefined where it does not follow the grammar. */
export function steps(address: Address): (string | number)[] | undefined {
  const first = /^[a-z]+/.exec(address)?.[0];
  if (first === undefined || !(parts as readonly string[]).includes(first)) return undefined;
  const found: (string | number)[] = [first];
  let remaining = address.slice(first.length);
  while (remaining !== '') {
    const match =
      /^\.(\*)$/.exec(remaining) ??
      /^\.([\p{L}\p{N}_$-]+)/u.exec(remaining) ??
      /^\[(\d+)\]/.exec(remaining) ??
      /^\[("(?:[^"\\]|\\.)*")\]/.exec(remaining);
    const step = match?.[1];
    if (match === null || step === undefined) return undefined;
    if (step.startsWith('"')) {
      try {
        found.push(JSON.parse(step) as string);
      } catch {
        return undefined;
      }
    } else found.push(match[0].startsWith('[') ? Number(step) : step);
    remaining = remaining.slice(match[0].length);
  }
  return found;
}

/** The one way in which an address is written; undefined where it does not follow the grammar. */
export function canonical(address: Address): Address | undefined {
  const [part, ...further] = steps(address) ?? [];
  if (part === undefined) return undefined;
  const isRest = address.endsWith('.*');
  const named = isRest ? further.slice(0, -1) : further;
  const list = named.reduce<Address>(step, String(part));
  return isRest ? rest(list) : list;
}

/** Whether `address` is `above`, or lies under it. */
export function isUnder(address: Address, above: Address): boolean {
  if (!address.startsWith(above)) return false;
  const next = address[above.length];
  return next === undefined || next === '.' || next === '[';
}

/** The steps in a tree, where operations under one `METHOD /path` stand side by side. */
export function inTree(
  tree: Node | undefined,
  path: readonly (string | number)[],
): readonly (string | number)[] {
  const [part, key, name, ...further] = path;
  if (part !== 'endpoints' || typeof key !== 'string' || typeof name !== 'string') return path;
  const endpoints = tree?.kind === 'map' ? tree.entries.get(part)?.value : undefined;
  const together = `${key} ${name}`;
  const isAlternative = endpoints?.kind === 'map' && endpoints.entries.has(together);
  return isAlternative ? [part, together, ...further] : path;
}

/** The node at these steps; undefined where there is none. */
export function find(tree: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  let here = tree;
  for (const name of inTree(tree, path)) {
    if (here?.kind === 'list' && typeof name === 'number') here = here.items[name];
    else if (here?.kind === 'map') here = here.entries.get(String(name))?.value;
    else return undefined;
  }
  return here;
}

/**
 * The tree with `value` at these steps, or without what stands there. Maps on the way are made as needed.
 *
 * @param own the maps that were made for the caller alone, and which are changed in place. Each that is made is added. So many
 * changes of one tree copy each map once. Default: none
 */
export function replaced(
  tree: Node | undefined,
  path: readonly (string | number)[],
  value: Node | undefined,
  span: Span,
  own: WeakSet<Node> = new WeakSet(),
): Node | undefined {
  const [name, ...further] = inTree(tree, path);
  if (name === undefined) return value;
  if (tree?.kind === 'list' && typeof name === 'number') {
    const items = [...tree.items];
    const item = replaced(items[name], further, value, span, own);
    if (item === undefined) items.splice(name, 1);
    else items[name] = item;
    return { ...tree, items };
  }
  const map = tree?.kind === 'map' ? tree : mapping([], tree?.span ?? span, value?.assumed);
  const key = String(name);
  const inner = replaced(map.entries.get(key)?.value, further, value, span, own);
  if (inner === undefined) return drop(map, key);
  if (own.has(map)) {
    (map.entries as Map<string, Entry>).set(key, { key: map.entries.get(key)?.key ?? span, value: inner });
    return map;
  }
  const made = put(map, key, inner, span);
  own.add(made);
  return made;
}
