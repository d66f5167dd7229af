import { conjuncts, keyIndex, type Node, type Query, rowOf } from '../../../../expression/query.ts';
import { rowFunctions } from '../../../../expression/row-functions.ts';
import type { Row, Statement } from '../../store.ts';
import { ownIndexes, searchedBy, type Table } from '../../table.ts';

/**
 * A query for the one row that has certain values, as of a field that is unique: what it gives after further writes
 * follows from what it gave before them, and from the rows that they wrote.
 */
export interface Pointed {
  /** The values that it looks for, as a text; null: nothing has them, undefined: they cannot be told. */
  readonly wanted: (parameters: readonly unknown[]) => string | null | undefined;
  /** The same of a row. */
  readonly valuesOf: (row: Row) => string | null | undefined;
  /** By which fields it looks, whatever their order. */
  readonly by: string;
}

const known = new WeakMap<Query, Pointed | null>();

/** Null: it is no such query. */
export function pointedBy({ query }: Statement): Pointed | null {
  const found = known.get(query);
  if (found !== undefined) return found;
  const made = compile(query);
  known.set(query, made);
  return made;
}

type Read = (row: Row, members: Readonly<Record<string, unknown>>, parameters: readonly unknown[]) => unknown;

function compile({ from, where, order, limit, offset, gives, besides }: Query): Pointed | null {
  const isOne = limit?.kind === 'literal' && limit.value === 1 && offset === null && order.length === 0;
  if (!isOne || gives !== 'rows' || besides.size > 0 || where === null || !('table' in from)) return null;
  const own: Read[] = [];
  const given: Read[] = [];
  const by: string[] = [];
  for (const node of conjuncts(where)) {
    if (node.kind !== 'compare' || node.op !== 'matches') return null;
    const [left, right] = [readOf(node.left, 'field'), readOf(node.right, 'parameter')];
    if (left === null || right === null) return null;
    own.push(left);
    given.push(right);
    by.push(nameOf(node.left));
  }
  const nothing = { key: [], text: '' };
  return {
    wanted: (parameters) => textOf(given.map((read) => read(nothing, {}, parameters))),
    valuesOf: (row) => {
      const members = JSON.parse(row.text) as Readonly<Record<string, unknown>>;
      return textOf(own.map((read) => read(row, members, [])));
    },
    by: named(by),
  };
}

function named(fields: readonly string[]): string {
  return [...fields].sort().join(' ');
}

/** By which fields no two rows of a table have the same: those of its key, and of each unique index. */
export function uniqueBy(table: Table): ReadonlySet<string> {
  const row = rowOf(table);
  const key = table.keyFields.map((name) => ({ path: [name] }));
  const unique = ownIndexes(table).filter((index) => index.unique);
  return new Set(
    [key, ...unique.map(({ fields }) => fields)].map((fields) =>
      named(fields.map((one) => nameOf(searchedBy(row, one)))),
    ),
  );
}

/** What tells what is read of a row from all else. */
function nameOf(node: Node): string {
  if (node.kind === 'call') return `${node.name}(${node.args.map(nameOf).join()})`;
  return node.kind === 'field' ? JSON.stringify(node.path) : '?';
}

/** How a side of a comparison is worked out, of a row's fields alone or of parameters; null: it takes more. */
function readOf(node: Node, of: 'field' | 'parameter'): Read | null {
  if (node.kind === 'call') {
    const [only, second] = node.args;
    const inner = only && second === undefined ? readOf(only, of) : null;
    const run = rowFunctions[node.name];
    return inner && ['fold', 'instant', 'span'].includes(node.name)
      ? (row, members, parameters) => run(inner(row, members, parameters))
      : null;
  }
  if (node.kind === 'parameter' && of === 'parameter') {
    const { index, item } = node;
    return item === null ? (_row, _members, parameters) => parameters[index] : null;
  }
  if (node.kind !== 'field' || of !== 'field') return null;
  const key = keyIndex(node.of, node.path);
  if (key !== -1) return (row) => row.key[key];
  const [name, inner] = node.path;
  if (typeof name !== 'string' || inner !== undefined) return null;
  return (_row, members) => (Object.hasOwn(members, name) ? members[name] : null);
}

function textOf(values: readonly unknown[]): string | null | undefined {
  if (values.some((value) => value === null || value === undefined)) return null;
  if (values.some((value) => typeof value === 'object')) return undefined;
  return JSON.stringify(values);
}
