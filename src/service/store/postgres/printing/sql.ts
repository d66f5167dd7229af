import {
  type Node,
  parameter,
  type Query,
  type Table,
  type ValueKind,
} from '../../../../expression/query.ts';
import { semijoined } from '../../../../expression/query-semijoin.ts';
import type { WordField } from '../../../../expression/query-words.ts';
import type { Key, Row, TextStatement } from '../../rows.ts';
import { type IndexField, type Table as StoredTable, searchedBy } from '../../table.ts';
import { type Columns, rowsOf, widthOf } from '../../told.ts';
import { decoded } from '../values.ts';
import { type Bound, bind, Constants } from './constants.ts';
import { type Sql, sortable } from './expressions.ts';
import { type Around, type Beside, type InText, type KeyKinds, marked, Printer } from './printer.ts';
import { type Stored, type StoredNames, storedOf } from './stored.ts';
import { parametersIn } from './texts.ts';

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
  /** How many columns a row has. */
  readonly width: number;
}

interface Ask {
  readonly sql: string;
  readonly bound: readonly unknown[];
}

/**
 * A number of rows that is at least what a query is limited to, and is written out: a plan for whatever is bound would
 * reckon with a tenth of the table. One of few, so that there are few statements.
 */
function mostOf({ limit }: Query, constants: Constants, given: readonly unknown[]): number | null {
  const most = limit && given[constants.numberOf(limit) ?? -1];
  if (typeof most !== 'number') return null;
  return [4, 32, 256, 2048].find((one) => most <= one) ?? null;
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
 * @param inText rows are given as texts: one column, how many there are, and what is the same for all. Default: they are not
 */
export function print(
  query: Query,
  kinds: KeyKinds,
  beside: Beside = {},
  inText: TextStatement | null = null,
): Printed {
  const texts = new Map(
    (inText ? parametersIn(inText.text) : []).map((index) => [index, parameter(index, 'text')]),
  );
  const constants = new Constants(query, [...texts.values()]);
  const known = new Map<string, Statement>();
  const row = 'table' in query.from ? rowsOf(query.from.table, query.besides, columns) : null;
  return {
    ask: (values) => {
      const given = constants.given(values);
      const shapes = constants.shapes(given);
      const most = mostOf(query, constants, given);
      const name = `${most} ${shapes.join()}`;
      const statement =
        known.get(name) ??
        statementOf(query, { kinds, constants, shapes, most, ...beside }, inText && { ...inText, texts });
      if (known.size < mostStatements) known.set(name, statement);
      return { sql: statement.sql, bound: statement.bound.map(({ index, as }) => bind(given[index], as)) };
    },
    value: decoded,
    row: (columns) => row?.(columns, 0) as Row,
    width: 'table' in query.from ? widthOf(query.from.table, query.besides) : 1,
  };
}

/**
 * The expression of a column by which rows are searched, in parentheses: printed as statements print it, so that its
 * index serves them. An index puts its nulls first (`isNullable`), and ends with `place`, by which statements put what is
 * alike in order.
 */
export function columnOf(table: Indexed, column: IndexField, kinds: readonly ValueKind[]): string {
  return `(${sortable(printedColumn(table, column, kinds))})`;
}

/** Whether a column may hold null: an index has `NULLS FIRST` there, as the order of statements does. */
export function isNullable(table: Indexed, column: IndexField, kinds: readonly ValueKind[]): boolean {
  return printedColumn(table, column, kinds).nullable;
}

function printedColumn(table: Indexed, by: IndexField, kinds: readonly ValueKind[]): Sql {
  const of = { table: { name: '', keyFields: table.keyFields } };
  const stored = new Map([['', storedNames(table, kinds)]]);
  return new Printer({ kinds: () => kinds, unnamed: of, stored }).value(searchedBy(of, by));
}

type Indexed = Pick<StoredTable, 'keyFields' | 'indexes' | 'texts'>;

/** The columns in which a table keeps what its indexes are of, by what they hold. */
export function storedColumns(table: Indexed, kinds: readonly ValueKind[]): ReadonlyMap<string, Stored> {
  // A column is made of none that is made itself, as `document` is.
  const document = 'tacet_document(members)';
  return storedOf(
    table,
    (unnamed, node) => new Printer({ kinds: () => kinds, unnamed, document }).value(node).sql,
  );
}

export function storedNames(table: Indexed, kinds: readonly ValueKind[]): StoredNames {
  return new Map([...storedColumns(table, kinds)].map(([held, { name }]) => [held, name]));
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
  inText: InText | null,
): Statement {
  const { constants, shapes } = around;
  const isThere = (node: Node): boolean => {
    const shape = shapes[constants.numberOf(node) ?? -1];
    return shape !== undefined && shape !== 'null' && shape !== 'failed';
  };
  const text = new Printer(around).whole(semijoined(query, isThere), inText);
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
