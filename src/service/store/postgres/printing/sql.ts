import type { Node, Query, Table, ValueKind } from '../../../../expression/query.ts';
import { semijoined } from '../../../../expression/query-semijoin.ts';
import type { WordField } from '../../../../expression/query-words.ts';
import type { Key, Row } from '../../rows.ts';
import { type IndexField, searchedBy } from '../../table.ts';
import { type Columns, rowsOf } from '../../told.ts';
import { decoded } from '../values.ts';
import { type Bound, bind, Constants } from './constants.ts';
import { type Sql, sortable } from './expressions.ts';
import { type Around, type Beside, type KeyKinds, marked, Printer } from './printer.ts';

export { keyType } from './columns.ts';
export type { KeyKinds } from './printer.ts';

/** A query as PostgreSQL is asked it. The schema that it runs in has the functions of `functions.ts`. */
export interface Printed {
  /**
   * The statement for these values of the query's parameters, and what is bound to `$1`, `$2`, …: there is one for
   * each combination of kinds of values, so that conditions are plain comparisons, which indexes serve.
   */
  readonly ask: (values: readonly unknown[]) => Ask;
  /** The one value that an aggregate gives, from its column. */
  readonly value: (column: unknown) => unknown;
  /** A row, from its columns. */
  readonly row: (columns: readonly unknown[]) => Row;
}

interface Ask {
  readonly sql: string;
  readonly bound: readonly unknown[];
}

/** A query that is asked with more combinations of kinds than this is printed again and again. */
const mostStatements = 64;

const columns: Columns = {
  key: (parts) => parts.map(decoded) as unknown as Key,
  value: () => decoded,
  list: (rows) => rows as unknown[][],
};

/**
 * Prints a query: rows as `place`, the columns of the key, and `members`, in the order in which they were made
 * where no other is given; anything else as one column.
 *
 * @param beside what there is beside the rows, to find them by. Default: nothing
 */
export function print(query: Query, kinds: KeyKinds, beside: Beside = {}): Printed {
  const constants = new Constants(query);
  const known = new Map<string, Statement>();
  const row = 'table' in query.from ? rowsOf(query.from.table, query.besides, columns) : null;
  return {
    ask: (values) => {
      const given = constants.given(values);
      const shapes = constants.shapes(given);
      const name = shapes.join();
      const statement = known.get(name) ?? statementOf(query, { kinds, constants, shapes, ...beside });
      if (known.size < mostStatements) known.set(name, statement);
      return { sql: statement.sql, bound: statement.bound.map(({ index, as }) => bind(given[index], as)) };
    },
    value: decoded,
    row: (columns) => row?.(columns, 0) as Row,
  };
}

/**
 * The expression of a column by which rows are searched, in parentheses: printed as statements print it, so that its
 * index serves them. An index puts its nulls first (`isNullable`), and ends with `place`, by which statements put what is
 * alike in order.
 */
export function columnOf(
  table: Pick<Table, 'keyFields'>,
  column: IndexField,
  kinds: readonly ValueKind[],
): string {
  return `(${sortable(printedColumn(table, column, kinds))})`;
}

/** Whether a column may hold null: an index has `NULLS FIRST` there, as the order of statements does. */
export function isNullable(
  table: Pick<Table, 'keyFields'>,
  column: IndexField,
  kinds: readonly ValueKind[],
): boolean {
  return printedColumn(table, column, kinds).nullable;
}

function printedColumn(
  { keyFields }: Pick<Table, 'keyFields'>,
  by: IndexField,
  kinds: readonly ValueKind[],
): Sql {
  const of = { table: { name: '', keyFields } };
  return new Printer({ kinds: () => kinds, unnamed: of }).value(searchedBy(of, by));
}

/** What an index of words holds of a row, printed as statements print it. */
export function wordsColumn(
  { keyFields }: Pick<Table, 'keyFields'>,
  fields: readonly WordField[],
  kinds: readonly ValueKind[],
): string {
  const of = { table: { name: '', keyFields } };
  return new Printer({ kinds: () => kinds, unnamed: of }).words(of, fields);
}

interface Statement {
  readonly sql: string;
  readonly bound: readonly { readonly index: number; readonly as: Bound }[];
}

function statementOf(
  query: Query,
  around: Around & Pick<Required<Around>, 'constants' | 'shapes'>,
): Statement {
  const { constants, shapes } = around;
  const isThere = (node: Node): boolean => {
    const shape = shapes[constants.numberOf(node) ?? -1];
    return shape !== undefined && shape !== 'null' && shape !== 'failed';
  };
  const text = new Printer(around).whole(semijoined(query, isThere));
  // Numbered by where they stand in the end: what was printed may have been left out.
  const bound: string[] = [];
  const numbered = (name: string): string => {
    const known = bound.indexOf(name);
    return `$${known === -1 ? bound.push(name) : known + 1}`;
  };
  const sql = text.replace(marked, (_, name: string) => numbered(name));
  return {
    sql,
    bound: bound.map((name) => {
      const [index, as] = name.split(' ');
      return { index: Number(index), as: as as Bound };
    }),
  };
}
