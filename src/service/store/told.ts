import type { Besides, Label, Node, Query, Table } from '../../expression/query.ts';
import type { Key, Row, Told } from './rows.ts';

/** A query over a table. */
export type Over = Query & { readonly from: { readonly table: Table } };

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

/** How a store reads what its columns hold. */
export interface Columns {
  readonly key: (columns: readonly unknown[]) => Key;
  /** What a node is, by the column that it was printed as. */
  readonly value: (node: Node) => (column: unknown) => unknown;
  /** The columns of each row of a list. */
  readonly list: (column: unknown) => readonly (readonly unknown[])[];
}

/** Makes a row of columns, from one of them on; null where there is none. */
export type ReadRow = (columns: readonly unknown[], first: number) => Row | null;

type ReadTold = (columns: readonly unknown[], first: number) => unknown;

/** How rows are read whose columns are `place`, those of the key, `members`, and what is told besides. */
export function rowsOf({ keyFields }: Pick<Table, 'keyFields'>, besides: Besides, of: Columns): ReadRow {
  const keys = keyFields.length;
  const readers = new Map<Label, ReadTold>();
  let width = keys + 2;
  for (const [label, node] of besides) {
    readers.set(label, toldOf(node, width, of));
    width += columnsOf(node);
  }
  return (columns, first) => {
    const place = columns[first] as number | null;
    if (place === null) return null;
    const key = of.key(keys === 1 ? [columns[first + 1]] : columns.slice(first + 1, first + 1 + keys));
    const row: Row = { key, text: columns[first + 1 + keys] as string, place };
    return readers.size === 0 ? row : { ...row, besides: new ToldBy(readers, columns, first) };
  };
}

function toldOf(node: Node, at: number, of: Columns): ReadTold {
  const [row, rows] = [joined(node), listed(node)];
  const query = row ?? rows;
  if (query === null) {
    const value = of.value(node);
    return (all, first) => value(all[first + at]);
  }
  const read = rowsOf(query.from.table, query.besides, of);
  if (row) return (all, first) => read(all, first + at);
  return (all, first) => of.list(all[first + at]).map((columns) => read(columns, 0));
}

function columnsOf(node: Node): number {
  const row = joined(node);
  return row === null ? 1 : widthOf(row.from.table, row.besides);
}

/** How many columns a row has, and what is told besides. */
export function widthOf({ keyFields }: Pick<Table, 'keyFields'>, besides: Besides): number {
  return [...besides.values()].map(columnsOf).reduce((sum, one) => sum + one, keyFields.length + 2);
}

/** What was told with a row, made as it is asked for. */
class ToldBy implements Told {
  readonly #readers: ReadonlyMap<Label, ReadTold>;
  readonly #columns: readonly unknown[];
  readonly #first: number;

  constructor(readers: ReadonlyMap<Label, ReadTold>, columns: readonly unknown[], first: number) {
    this.#readers = readers;
    this.#columns = columns;
    this.#first = first;
  }

  get(label: Label): unknown {
    return this.#readers.get(label)?.(this.#columns, this.#first);
  }
}
