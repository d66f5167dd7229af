import {
  and,
  conjuncts,
  mayFail,
  type Node,
  type Path,
  type Query,
  type Source,
  type Table,
  typeOfNode,
} from './query.ts';

/**
 * The same query, asked the other way round where a condition goes through a reference: rows whose author has a name
 * are those that refer to an author of that name, so that an index finds them. Null equals null, and so whoever has
 * no author has one whose name is null: it is done only where the value is not.
 *
 * @param isThere whether a value that hangs on no row is not null
 */
export function semijoined(of: Query, isThere: (node: Node) => boolean): Query {
  const besides = new Map([...of.besides].map(([label, node]) => [label, within(node)]));
  return { ...of, where: of.where && turned(of.where, isThere), besides };

  function within(node: Node): Node {
    return node.kind === 'query' ? { kind: 'query', query: semijoined(node.query, isThere) } : node;
  }
}

/** The same of a condition that has to hold. */
export function turned(node: Node, isThere: (node: Node) => boolean): Node {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, left: turned(node.left, isThere), right: turned(node.right, isThere) };
    case 'query':
      return { kind: 'query', query: semijoined(node.query, isThere) };
    case 'compare':
      return through(node.left, node.right) ?? through(node.right, node.left) ?? node;
    default:
      return node;
  }

  function through(followed: Node, value: Node): Node | null {
    const { op } = node as Node & { readonly kind: 'compare' };
    if (op !== 'matches' && (op !== '==' || !isThere(value))) return null;
    if (followed.kind !== 'query') return null;
    const { from, where, gives } = followed.query;
    if (!('table' in from) || where === null || gives === 'rows' || gives.kind !== 'value') return null;
    if (mayFail(gives.of) || mayFail(value) || reads(value).has(from)) return null;
    const isIt: Node = { kind: 'compare', op: 'matches', left: gives.of, right: value };
    const [key, part] = sidesOf(where, from) ?? [];
    if (key && part && isAlone(gives.of, from) && reads(value).size === 0) {
      const found: Query = { ...followed.query, where: isIt, gives: { kind: 'value', of: key } };
      return { kind: 'compare', op: 'matches', left: part, right: { kind: 'query', query: found } };
    }
    const there: Query = { ...followed.query, where: and(isIt, where), gives: { kind: 'exists' } };
    return { kind: 'query', query: semijoined(there, isThere) };
  }
}

/** A condition that there is a row of another table, as one on a value of the row at hand. */
export interface Semijoin {
  /** What is to be among the values of `inner`. */
  readonly outer: Node;
  readonly inner: Node;
  /** Which rows of the other table: by nothing of the row at hand. */
  readonly rest: readonly Node[];
}

/**
 * How a row is looked for whose other conditions tell few rows of its table, whatever the row at hand: these are found
 * first, and then what has one of their values. Null where it is not so.
 */
export function semijoinOf({ from, where, gives }: Query): Semijoin | null {
  if (gives === 'rows' || gives.kind !== 'exists' || where === null || mayFail(where)) return null;
  const all = conjuncts(where);
  const isOwn = (one: Node): boolean => [...reads(one)].every((source) => source === from);
  const [link, other] = all.filter((one) => !isOwn(one));
  const rest = all.filter(isOwn);
  if (link?.kind !== 'compare' || other || !rest.some((one) => isNarrow(one, from))) return null;
  const [inner, outer] = sidesOf(link, from) ?? [];
  if (inner === undefined || outer === undefined || outer.kind !== 'field') return null;
  const isNeverNull = link.op === 'matches' || (link.op === '==' && (isKey(inner) || isKey(outer)));
  return isNeverNull ? { outer, inner, rest } : null;
}

/** A condition that a text or a number is among the elements of a list that a row has. */
export interface Element {
  readonly element: Node;
  readonly of: Source & { readonly table: Table };
  readonly path: Path;
}

/** Null where a condition is another, or the value hangs on the row itself. */
export function elementOf(node: Node): Element | null {
  if (node.kind !== 'call' || node.name !== 'among') return null;
  const [element, list] = node.args;
  if (element === undefined || list?.kind !== 'field' || !('table' in list.of)) return null;
  const isKept = ['text', 'number'].includes(typeOfNode(element)) && !isKey(list) && !mayFail(element);
  return isKept && !reads(element).has(list.of) ? { element, of: list.of, path: list.path } : null;
}

/** Whether it is known of a row that it has a value which hangs on no row. */
function isNarrow(node: Node, from: Source): boolean {
  if (node.kind !== 'compare' || (node.op !== '==' && node.op !== 'matches')) return false;
  const sides = sidesOf(node, from);
  return sides !== null && reads(sides[1]).size === 0;
}

/** The two sides of a comparison: that of a row, and that of none of its; null where they are not so. */
function sidesOf(node: Node, from: Source): readonly [Node, Node] | null {
  if (node.kind !== 'compare') return null;
  const [left, right] = [reads(node.left), reads(node.right)];
  if (left.has(from) === right.has(from)) return null;
  const [own, other, read] = left.has(from) ? [node.left, node.right, left] : [node.right, node.left, right];
  return read.size === 1 && own.kind !== 'query' ? [own, other] : null;
}

/** Whether no two rows have the same value. */
function isAlone(node: Node, { table }: Source & { readonly table: unknown }): boolean {
  if (node.kind !== 'field' || !('table' in node.of) || node.of.table !== table) return false;
  const { keyFields, unique = [] } = node.of.table;
  const [name, inner] = node.path;
  return (
    inner === undefined &&
    (keyFields.length === 1 ? [...keyFields, ...unique] : unique).includes(name as string)
  );
}

/** Whether it is a field of an identifier, which is never null. */
function isKey(node: Node): boolean {
  return (
    node.kind === 'field' &&
    'table' in node.of &&
    node.path.length === 1 &&
    node.of.table.keyFields.includes(node.path[0] as string)
  );
}

/** The rows that are read in a tree, but for those that its own queries go through. */
function reads(tree: unknown, found = new Set<Source>()): ReadonlySet<Source> {
  if (typeof tree !== 'object' || tree === null) return found;
  const { kind, of, from } = tree as {
    readonly kind?: unknown;
    readonly of?: Source;
    readonly from?: Source;
  };
  if (kind === 'field' || kind === 'place') return found.add(of as Source);
  const inner = from ? new Set<Source>() : found;
  for (const one of tree instanceof Map ? tree.values() : Object.values(tree)) reads(one, inner);
  if (from) for (const source of inner) if (source !== from) found.add(source);
  return found;
}
