import { conjuncts, keyIndex, type Node, type Query, type Source } from '../../../../expression/query.ts';
import { rowFunctions } from '../../../../expression/row-functions.ts';
import type { Row, Statement } from '../../store.ts';
import { ownIndexes, searchedBy, type Table } from '../../table.ts';
import { isConstant, type Run, runOf } from '../printing/constants.ts';

/** A field of a row as a query compares it: by the function that it goes through first, such as `fold`, and its name. */
export type Compared = readonly [through: Through | null, name: string];

const throughs = ['fold', 'instant', 'span'] as const;
type Through = (typeof throughs)[number];

/** Fields by which rows are told apart, in the order of their names. */
export interface By {
  readonly fields: readonly Compared[];
  /** Whether no row counts that lacks one of them. */
  readonly isSome: boolean;
  /** All of this as a text. */
  readonly name: string;
  /** The values that a row has there, as a text; null: no query looks for such a row by them. */
  readonly valuesOf: (row: Row) => string | null;
}

/** What a query asks of the rows of one table: those that have certain values count alone. */
export interface Search {
  readonly by: By;
  /** The values that it looks for, as a text; null: no row has them, undefined: they cannot be told. */
  readonly wanted: (parameters: readonly unknown[]) => string | null | undefined;
  /** The members that it reads of those rows, by name. */
  readonly reads: ReadonlySet<string>;
  /** Whether it gives those rows, with all that they hold. */
  readonly givesRows: boolean;
  /** Whether all rows count that have these values. */
  readonly isAll: boolean;
}

/** What a query asks of one table; `search` is null where any row may count. */
export interface Reading {
  readonly table: string;
  readonly search: Search | null;
}

const known = new WeakMap<Query, readonly Reading[]>();

/** What a statement asks, of each table that it reads: of that whose rows it gives first. */
export function readingsOf(statement: Statement): readonly Reading[] {
  const { query } = statement;
  const found = known.get(query);
  if (found !== undefined) return found;
  const isText = 'text' in statement;
  const fields = fieldsIn(query);
  const given: Given = new Map();
  const made = queriesOf(query).flatMap((one): Reading[] => {
    if (!('table' in one.from)) return [];
    const isWhole = one === query ? isText : one.gives === 'rows' || one.gives.kind === 'row';
    const found = isWhole ? null : searchOf(one, fields.get(one.from) ?? new Set(), given);
    return [{ table: one.from.table.name, search: found }];
  });
  known.set(query, made);
  return made;
}

/** A search with the values that it is for; `wanted` is undefined where any row may count. */
export interface Sought extends Reading {
  readonly wanted: string | null | undefined;
}

export function soughtBy(statement: Statement, parameters: readonly unknown[]): readonly Sought[] {
  return readingsOf(statement).map(({ table, search }) => ({
    table,
    search,
    wanted: search?.wanted(parameters),
  }));
}

/**
 * The search of a query for the one row that has certain values, as of a field that is unique: what it gives after
 * further writes follows from what it gave before them, and from the rows that they wrote. Null: it is no such query.
 */
export function pointed(statement: Statement): Search | null {
  const { order, limit, offset, gives, besides } = statement.query;
  const isOne = limit?.kind === 'literal' && limit.value === 1 && offset === null && order.length === 0;
  if (!isOne || gives !== 'rows' || besides.size > 0) return null;
  const [first, second] = readingsOf(statement);
  const search = second === undefined ? first?.search : null;
  return search?.isAll && search.by.isSome ? search : null;
}

/** The same of a query that counts the rows that have certain values, or tells whether there are any. */
export function counted(statement: Statement): Search | null {
  const { limit, offset, gives } = statement.query;
  if (gives === 'rows' || !['count', 'exists', 'none'].includes(gives.kind) || limit || offset) return null;
  const [first, second] = readingsOf(statement);
  return second === undefined && first?.search?.isAll ? first.search : null;
}

/** By which fields no two rows of a table have the same: those of its key, and of each unique index; by name. */
export function uniqueBy(table: Table): ReadonlySet<string> {
  const row = { table };
  const fields = ownIndexes(table).flatMap((index) => {
    const compared = index.fields.map((one) => comparedBy(searchedBy(row, one), row));
    return index.unique && compared.every((one) => one !== null) ? [compared] : [];
  });
  return new Set([byKey(table), ...fields.map((one) => by(one, true, table))].map(({ name }) => name));
}

/** The fields of the key of a table. */
export function byKey(table: Pick<Table, 'keyFields'>): By {
  return by(
    table.keyFields.map((name) => [null, name]),
    true,
    table,
  );
}

/** @param isSome whether no row counts that lacks one of these members */
export function by(
  fields: readonly Compared[],
  isSome: boolean,
  { keyFields }: Pick<Table, 'keyFields'>,
): By {
  const sorted = [...fields].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    fields: sorted,
    isSome,
    name: JSON.stringify([isSome, ...sorted]),
    valuesOf: (row) => {
      const values = sorted.map(([through, name]) => {
        const value = memberOf(row, name, keyFields);
        return through === null ? value : rowFunctions[through](value);
      });
      return isSome && values.some((value) => value === null || value === undefined)
        ? null
        : (textOf(values) ?? null);
    },
  };
}

/** Whether a change of a row leaves these members as they are; null: all of them. */
export function leaves(reads: ReadonlySet<string> | null, before: Row, after: Row): boolean {
  if (reads === null || before.text === after.text) return before.text === after.text;
  const [old, now] = [membersOf(before), membersOf(after)];
  return [...reads].every((name) => JSON.stringify(old[name]) === JSON.stringify(now[name]));
}

/** The values that fields of rows have, by the query for these rows; and by the fields. */
type Given = Map<Source, ReadonlyMap<string, Run>>;

/** What a query looks for; it is added to what is given to those within it. */
function searchOf({ from, where, gives }: Query, reads: ReadonlySet<string>, all: Given): Search | null {
  if (where === null || !('table' in from)) return null;
  const { keyFields } = from.table;
  const found: {
    readonly name: string;
    readonly compared: Compared;
    readonly given: Run;
    readonly isSome: boolean;
  }[] = [];
  const nodes = conjuncts(where);
  for (const node of nodes) {
    if (node.kind !== 'compare' || (node.op !== '==' && node.op !== 'matches')) continue;
    for (const [own, given] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      const compared = comparedBy(own, from);
      const run = compared && givenTo(given, all);
      if (!run) continue;
      const name = JSON.stringify(compared);
      if (!found.some((one) => one.name === name))
        found.push({
          ...{ name, compared, given: run },
          isSome: node.op === 'matches' || keyFields.includes(compared[1]),
        });
      break;
    }
  }
  if (found.length === 0) return null;
  all.set(from, new Map(found.map(({ name, given }) => [name, given])));
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  const fields = found.map(({ compared }) => compared);
  return {
    by: by(
      fields,
      found.every(({ isSome }) => isSome),
      from.table,
    ),
    wanted: (parameters) => {
      const values = found.map(({ given }) => given(parameters) ?? null);
      return found.some(({ isSome }, index) => isSome && values[index] === null) ? null : textOf(values);
    },
    reads,
    givesRows: gives === 'rows',
    isAll: found.length === nodes.length,
  };
}

/** What does not hang on the rows of a query: on no row, or on a field that has a given value. */
function givenTo(node: Node, all: Given): Run | null {
  if (isConstant(node)) return runOf(node);
  for (const [row, fields] of all) {
    const compared = comparedBy(node, row);
    const run = compared && fields.get(JSON.stringify(compared));
    if (run) return run;
  }
  return null;
}

/** What of a row is compared; null where it is something else. */
function comparedBy(node: Node, row: Source): Compared | null {
  if (node.kind === 'call') {
    const [only, second] = node.args;
    const through = throughs.find((one) => one === node.name);
    const inner = only && second === undefined && through ? comparedBy(only, row) : null;
    return inner?.[0] === null ? [through as Through, inner[1]] : null;
  }
  if (node.kind !== 'field' || node.of !== row) return null;
  const [name, inner] = node.path;
  return typeof name === 'string' && inner === undefined ? [null, name] : null;
}

function memberOf(row: Row, name: string, keyFields: readonly string[]): unknown {
  const key = keyIndex({ table: { name: '', keyFields } }, [name]);
  if (key !== -1) return row.key[key];
  const members = membersOf(row);
  return Object.hasOwn(members, name) ? members[name] : null;
}

const parsed = new WeakMap<Row, Readonly<Record<string, unknown>>>();

function membersOf(row: Row): Readonly<Record<string, unknown>> {
  const found = parsed.get(row) ?? (JSON.parse(row.text) as Readonly<Record<string, unknown>>);
  parsed.set(row, found);
  return found;
}

function textOf(values: readonly unknown[]): string | undefined {
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  return JSON.stringify(values.map((value) => value ?? null));
}

/** A query, and those within it. */
function queriesOf(query: Query): readonly Query[] {
  const found = new Set<Query>();
  walk(query, (node) => {
    if ('from' in node && 'gives' in node) found.add(node as unknown as Query);
  });
  return [...found];
}

/** The members that are read of each row, by their first names. */
function fieldsIn(query: Query): ReadonlyMap<Source, Set<string>> {
  const found = new Map<Source, Set<string>>();
  walk(query, (node) => {
    if (node['kind'] !== 'field') return;
    const { of, path } = node as unknown as Extract<Node, { kind: 'field' }>;
    const names = found.get(of) ?? new Set();
    found.set(of, names.add(String(path[0])));
  });
  return found;
}

function walk(tree: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof tree !== 'object' || tree === null) return;
  if (!Array.isArray(tree) && !(tree instanceof Map)) visit(tree as Readonly<Record<string, unknown>>);
  if (tree instanceof Map) for (const one of tree.values()) walk(one, visit);
  else for (const [name, one] of Object.entries(tree)) if (name !== 'table') walk(one, visit);
}
