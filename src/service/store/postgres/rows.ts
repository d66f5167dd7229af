import type { Besides, Label, Node, Query, Table } from '../../../expression/query.ts';
import type { Key, Row } from '../rows.ts';
import { type ReadRow, type ReadTold, ToldBy } from '../told.ts';
import { decoded } from './values.ts';

/** A query over a table. */
type Over = Query & { readonly from: { readonly table: Table } };

/** The row that another is found by, of which the columns stand beside that one's. */
export function joined(node: Node): Over | null {
  const query = overTable(node);
  return query && query.gives !== 'rows' && query.gives.kind === 'row' ? query : null;
}

/** Rows, which are one column: a list of the columns of each. */
export function listed(node: Node): Over | null {
  const query = overTable(node);
  return query?.gives === 'rows' ? query : null;
}

function overTable(node: Node): Over | null {
  return node.kind === 'query' && 'table' in node.query.from ? (node.query as Over) : null;
}

/** How rows are read whose columns are `place`, those of the key, `members`, and what is told besides. */
export function rowsOf({ keyFields }: Pick<Table, 'keyFields'>, besides: Besides): ReadRow {
  const keys = keyFields.length;
  const readers = new Map<Label, ReadTold>();
  let width = keys + 2;
  for (const [label, node] of besides) {
    const { read, columns } = toldOf(node);
    const at = width;
    readers.set(label, (all, first) => read(all, first + at));
    width += columns;
  }
  return (columns, first) => {
    const place = columns[first] as number | null;
    if (place === null) return null;
    const key = columns.slice(first + 1, first + 1 + keys).map(decoded) as unknown as Key;
    const row: Row = { key, text: columns[first + 1 + keys] as string, place };
    return readers.size === 0 ? row : { ...row, besides: new ToldBy(readers, columns, first) };
  };
}

function toldOf(node: Node): { readonly read: ReadTold; readonly columns: number } {
  const [row, rows] = [joined(node), listed(node)];
  if (row) return { read: rowsOf(row.from.table, row.besides), columns: widthOf(row) };
  if (!rows) return { read: (all, at) => decoded(all[at]), columns: 1 };
  const read = rowsOf(rows.from.table, rows.besides);
  return { read: (all, at) => (all[at] as unknown[][]).map((columns) => read(columns, 0)), columns: 1 };
}

function widthOf({ from, besides }: Over): number {
  const inner = [...besides.values()].map((node) => toldOf(node).columns);
  return inner.reduce((sum, one) => sum + one, from.table.keyFields.length + 2);
}
