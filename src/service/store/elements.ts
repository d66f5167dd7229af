import { createHash } from 'node:crypto';
import { conjuncts, type Node, orderable, type Path, type Query } from '../../expression/query.ts';
import { type Element, elementOf } from '../../expression/query-semijoin.ts';
import { type IndexField, searchedBy, type Table } from './table.ts';

/**
 * An index of the elements of lists: a table beside that of the rows, since databases have no such index in an order. It
 * has a row for each text or number in the list of a row, and for each name in an object (what `in` finds, language §G.2):
 * `value`, the columns `o0`, `o1`, … by which the rows are put in order, and their `place`. Triggers keep it, so in the
 * transaction that changes a row, whoever writes it.
 */
export interface Elements {
  /** The table of the rows. */
  readonly of: string;
  readonly name: string;
  readonly path: Path;
  /** What `o0`, `o1`, … are of the row. */
  readonly fields: readonly IndexField[];
}

/**
 * Those of a table.
 *
 * @param columnOf how a column of the table is printed
 * @param nameOf what one is called, by what tells it from others
 */
export function elementsIn(
  { name, indexes = [] }: Table,
  columnOf: (field: IndexField) => string,
  nameOf: (digest: string) => string,
): readonly Elements[] {
  return indexes.flatMap(({ each, fields: [list, ...fields] }) => {
    if (!each || list === undefined) return [];
    const { path } = list;
    const digest = createHash('sha256').update(JSON.stringify([path, fields.map(columnOf)]));
    return [{ of: name, name: nameOf(digest.digest('hex').slice(0, 16)), path, fields }];
  });
}

/** A condition that a row has an element in a list, and the indexes by which such rows are found. */
export interface Found extends Element {
  readonly by: readonly [Elements, ...Elements[]];
}

/** Null where a condition is another, or there is no such index. */
export function foundBy(all: readonly Elements[], node: Node): Found | null {
  const found = all.length > 0 ? elementOf(node) : null;
  if (found === null) return null;
  const [first, ...others] = all.filter(
    ({ of, path }) => of === found.of.table.name && isSame(path, found.path),
  );
  return first ? { ...found, by: [first, ...others] } : null;
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** An index in whose order a page is read, and what else is asked of its rows. */
export interface Paged extends Found {
  readonly elements: Elements;
  readonly rest: readonly Node[];
  /** Its columns, by how what they hold of a row is printed. */
  readonly columns: ReadonlyMap<string, string>;
}

/**
 * The index in which the rows of a page stand in the order that is wanted, so that no more of them are read than it
 * has; null where there is none such.
 *
 * @param print prints what is read of a row
 */
export function pagedBy(
  all: readonly Elements[],
  { from, where, order, limit, offset, gives }: Query,
  print: (node: Node) => string,
): Paged | null {
  const last = order.at(-1);
  if (gives !== 'rows' || where === null || (limit ?? offset) === null) return null;
  if (last?.by.kind !== 'place' || order.some(({ descending }) => descending !== last.descending))
    return null;
  const wanted = order.slice(0, -1).map(({ by }) => print(orderable(by)));
  const columnOf = (field: IndexField): string => print(searchedBy(from, field));
  const conditions = conjuncts(where);
  for (const [index, node] of conditions.entries()) {
    const found = foundBy(all, node);
    if (found?.of !== from) continue;
    // By what a page's rows have in common they are not put in order.
    const elements = found.by.find(({ fields }) => endsWith(fields.map(columnOf), wanted));
    if (elements === undefined) continue;
    const columns = new Map(elements.fields.map((field, number) => [columnOf(field), `o${number}`]));
    columns.set(print(last.by), 'place');
    return { ...found, elements, rest: conditions.toSpliced(index, 1), columns };
  }
  return null;
}

function endsWith(all: readonly string[], last: readonly string[]): boolean {
  return (
    last.length <= all.length && last.every((one, index) => one === all[all.length - last.length + index])
  );
}
