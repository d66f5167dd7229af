import {
  and,
  conjuncts,
  type Node,
  type Path,
  parameter,
  type Query,
  queriesIn,
  type Source,
} from '../../expression/query.ts';

/** A query within a condition on the rows of a table: what it reads of the rows that it goes through. */
export interface Reading {
  /** The name of the table that it goes through. */
  readonly table: string;
  /** What it reads of a row of it. */
  readonly paths: readonly Path[];
  /** Which rows of the condition it goes to such a row for, as a condition over them; null: that takes more than the two. */
  readonly readers: Node | null;
  /** The numbers of the parameters of `readers` at which the row's members are handed over. */
  readonly given: readonly (readonly [slot: number, path: Path])[];
}

/**
 * What a condition on the rows of a table reads besides the row at hand.
 *
 * @param slot gives the number of one parameter more
 */
export function readingsOf(condition: Node, row: Source, slot: () => number): readonly Reading[] {
  return queriesIn(condition).flatMap((of) =>
    'table' in of.from ? [{ table: of.from.table.name, ...readingOf(of, of.from, row, slot) }] : [],
  );
}

function readingOf(of: Query, from: Source, row: Source, slot: () => number): Omit<Reading, 'table'> {
  const given: [number, Path][] = [];
  const handedOver = (node: Node): Node => {
    if (node.kind !== 'field' || node.of !== from) return mapped(node, handedOver);
    const index = slot();
    given.push([index, node.path]);
    return parameter(index, node.type);
  };
  const own = (of.where ? conjuncts(of.where) : []).filter((one) => isOf(one, [from, row]));
  return {
    paths: pathsOf(of, from),
    readers: own.length > 0 ? and(...own.map(handedOver)) : null,
    given,
  };
}

/** Whether a condition is worked out of the fields of these rows alone. */
function isOf(tree: unknown, rows: readonly Source[]): boolean {
  if (typeof tree !== 'object' || tree === null || rows.includes(tree as Source)) return true;
  const { kind } = tree as { readonly kind?: Node['kind'] };
  if (kind === 'query' || kind === 'place') return false;
  if (kind === 'field') return rows.includes((tree as Node & { readonly kind: 'field' }).of);
  return Object.values(tree).every((one) => isOf(one, rows));
}

function pathsOf(tree: unknown, from: Source): readonly Path[] {
  if (typeof tree !== 'object' || tree === null || tree === from) return [];
  const { kind, of, path } = tree as Partial<Node & { readonly kind: 'field' }>;
  if (kind === 'field') return of === from ? [path as Path] : [];
  return Object.values(tree).flatMap((one) => pathsOf(one, from));
}

/** A node in which no query is, with others in the place of those within it. */
function mapped(node: Node, change: (inner: Node) => Node): Node {
  switch (node.kind) {
    case 'compare':
    case 'and':
    case 'or':
      return { ...node, left: change(node.left), right: change(node.right) };
    case 'not':
      return { ...node, of: change(node.of) };
    case 'choice':
      return { ...node, test: change(node.test), yes: change(node.yes), no: change(node.no) };
    case 'call':
      return { ...node, args: node.args.map(change) };
    default:
      return node;
  }
}
