import type { Node, Query } from '../../expression/query.ts';

const known = new WeakMap<Query, ReadonlySet<string>>();

/** The tables whose rows a query reads. */
export function tablesOf(query: Query): ReadonlySet<string> {
  const found = known.get(query) ?? new Set(inQuery(query));
  known.set(query, found);
  return found;
}

function inQuery({ from, where, order, limit, offset, gives, besides }: Query): string[] {
  const nodes = [
    where,
    limit,
    offset,
    ...order.map(({ by }) => by),
    ...besides.values(),
    gives !== 'rows' && 'of' in gives ? gives.of : null,
  ];
  return [
    ...('table' in from ? [from.table.name] : []),
    ...nodes.flatMap((node) => (node === null ? [] : inNode(node))),
  ];
}

function inNode(node: Node): string[] {
  switch (node.kind) {
    case 'compare':
    case 'and':
    case 'or':
      return [...inNode(node.left), ...inNode(node.right)];
    case 'not':
      return inNode(node.of);
    case 'choice':
      return [node.test, node.yes, node.no].flatMap(inNode);
    case 'call':
      return node.args.flatMap(inNode);
    case 'query':
      return inQuery(node.query);
    default:
      return [];
  }
}
