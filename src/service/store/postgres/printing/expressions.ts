import { encodedText } from '../values.ts';

/** Expressions of SQL's that have the meaning of the language's comparisons (language §G.6). */

/** What a value is to SQL; `json`: anything, as `jsonb`; `place`: a bigint; `null`: nothing, of any type. */
export type SqlType = 'text' | 'float' | 'boolean' | 'json' | 'place' | 'null';

/** An expression of SQL's, and what is known of its value. */
export interface Sql {
  readonly sql: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** Working it out may fail, so that it stands only where its value is needed (language §G.6). */
  readonly fragile: boolean;
  /** It is a column, or a member of a document, on which there may be an index. */
  readonly isColumn: boolean;
  /** PostgreSQL cannot work it out beforehand, which it does with constants, also where the value is not needed. */
  readonly varies: boolean;
}

/** How types are written. */
export const typeNames: Readonly<Record<SqlType, string>> = {
  text: 'text',
  float: 'float8',
  boolean: 'boolean',
  json: 'jsonb',
  place: 'bigint',
  null: 'jsonb',
};

/** @param more what is not as usual: the value may be null, cannot fail, is no column, and varies */
export function sqlOf(sql: string, type: SqlType, more: Partial<Omit<Sql, 'sql' | 'type'>> = {}): Sql {
  return { sql, type, nullable: true, fragile: false, isColumn: false, varies: true, ...more };
}

export const isFalse = sqlOf('false', 'boolean', { nullable: false, varies: false });

/** A value that is not worked out beforehand. */
export function held(of: Sql): Sql {
  return of.varies ? of : { ...of, sql: `(SELECT ${of.sql})`, varies: true };
}

export function isNumeric({ type }: Sql): boolean {
  return type === 'float' || type === 'place';
}

/** Whether a value is text, or may be. */
export function isWording({ type }: Sql): boolean {
  return type === 'text' || type === 'json';
}

/** A value whose type is told, and is one of those that a column gives. */
export function plainly(of: Sql): Sql {
  if (of.type === 'null')
    return { ...of, sql: of.varies ? '(SELECT NULL::jsonb)' : 'NULL::jsonb', type: 'json' };
  return of.type === 'place' ? asFloat(of) : of;
}

export function asJson(of: Sql): Sql {
  if (of.type === 'json') return of;
  if (of.type === 'null') return plainly(of);
  return { ...of, sql: `to_jsonb(${plainly(of).sql})`, type: 'json' };
}

export function asFloat(of: Sql): Sql {
  if (of.type === 'float') return of;
  if (of.type === 'place') return { ...of, sql: `${of.sql}::float8`, type: 'float' };
  return { ...of, sql: `tacet_number(${held(asJson(of)).sql})`, type: 'float', varies: true };
}

export function asText(of: Sql): Sql {
  if (of.type === 'text') return of;
  return { ...of, sql: `tacet_text(${held(asJson(of)).sql})`, type: 'text', varies: true };
}

/** A text that is equal for equal values, and in their order, whatever they are. */
export function worth(of: Sql): Sql {
  return { ...of, sql: `(tacet_worth(${asJson(of).sql}) COLLATE "C")`, type: 'text' };
}

/** What a value is put in order by. */
export function sortable(of: Sql): string {
  if (of.type === 'json' || of.type === 'null') return worth(of).sql;
  return of.type === 'text' && !of.isColumn ? `(${of.sql}) COLLATE "C"` : of.sql;
}

/** Null, of the type of another; what it is compared with would not be worked out, and may fail, if it were seen. */
function nothing({ type }: Sql): Sql {
  return held(sqlOf(`NULL::${typeNames[type]}`, type, { varies: false }));
}

/** Two values as values of one type. */
export function alike(a: Sql, b: Sql): [Sql, Sql] {
  if (a.type === b.type) return [plainly(a), plainly(b)];
  if (isNumeric(a) && isNumeric(b)) return [asFloat(a), asFloat(b)];
  if (a.type === 'null') return [nothing(plainly(b)), plainly(b)];
  if (b.type === 'null') return [plainly(a), nothing(plainly(a))];
  return [asJson(a), asJson(b)];
}

export function both(left: Sql, right: Sql): Sql {
  const fragile = left.fragile || right.fragile;
  const sql = fragile
    ? `CASE WHEN ${left.sql} THEN ${right.sql} ELSE false END`
    : `(${left.sql} AND ${right.sql})`;
  return sqlOf(sql, 'boolean', { fragile, varies: left.varies && right.varies });
}

/** Two values in the form in which they compare; null: they are of different types, and nothing of them may fail. */
function comparable(a: Sql, b: Sql): [Sql, Sql] | null {
  if (a.type === b.type && a.type !== 'json' && a.type !== 'null') return [a, b];
  if (isNumeric(a) && isNumeric(b)) return [asFloat(a), asFloat(b)];
  if (a.type === 'json' || b.type === 'json' || a.fragile || b.fragile) return [worth(a), worth(b)];
  return null;
}

const holding = (sql: string, a: Sql, b: Sql): Sql =>
  sqlOf(sql, 'boolean', { fragile: a.fragile || b.fragile, varies: a.varies || b.varies });

/** `null == null` is true. `IS NOT DISTINCT FROM` stands only where no index could serve. */
export function equal(a: Sql, b: Sql): Sql {
  if (a.type === 'null' || b.type === 'null') {
    const other = a.type === 'null' ? b : a;
    return holding(other.type === 'null' ? 'true' : `(${other.sql} IS NULL)`, a, b);
  }
  const forms = comparable(a, b);
  if (forms === null)
    return a.nullable && b.nullable ? holding(`(${a.sql} IS NULL AND ${b.sql} IS NULL)`, a, b) : isFalse;
  const [x, y] = forms.map(({ sql }) => sql) as [string, string];
  if (!(a.nullable && b.nullable)) return holding(`(${x} = ${y})`, a, b);
  if (a.isColumn && b.isColumn) return holding(`(${x} = ${y} OR (${x} IS NULL AND ${y} IS NULL))`, a, b);
  return holding(`(${x} IS NOT DISTINCT FROM ${y})`, a, b);
}

/** As `==`, but null matches nothing. */
export function matches(a: Sql, b: Sql): Sql {
  const forms = a.type === 'null' || b.type === 'null' ? null : comparable(a, b);
  return forms ? holding(`(${forms[0].sql} = ${forms[1].sql})`, a, b) : isFalse;
}

/** Between which texts the worths of the values of a type are. */
const ranges: Readonly<Partial<Record<SqlType, readonly [string, string]>>> = {
  float: ['1', '2'],
  place: ['1', '2'],
  text: ['2', '3'],
  boolean: ['3', '4'],
};

/** An ordering with null, or between values of different kinds, is false. */
export function ordered(op: '<' | '<=' | '>' | '>=', a: Sql, b: Sql): Sql {
  const isNothing = a.type === 'null' || b.type === 'null';
  if (isNothing && !a.fragile && !b.fragile) return isFalse;
  const forms = comparable(a, b);
  if (forms === null) return isFalse;
  const [x, y] = forms;
  if (a.type !== 'json' && b.type !== 'json' && !isNothing && x === a)
    return holding(`(${sortable(x)} ${op} ${y.sql})`, a, b);
  if (isNumeric(a) && isNumeric(b)) return holding(`(${x.sql} ${op} ${y.sql})`, a, b);
  const range = ranges[a.type] ?? ranges[b.type];
  const column = a.type === 'json' ? a : b;
  if (range && column.type === 'json' && column.isColumn) {
    const of = sortable(column);
    const compared = `${x.sql} ${op} ${y.sql}`;
    return holding(`(${compared} AND ${of} >= '${range[0]}' AND ${of} < '${range[1]}')`, a, b);
  }
  return holding(`(tacet_compared(${x.sql}, ${y.sql}) ${op} 0)`, a, b);
}

/** A list; PostgreSQL's functions take a hundred arguments. */
export function listOf(elements: readonly string[]): string {
  const most = 100;
  const pieces = Array.from({ length: Math.max(1, Math.ceil(elements.length / most)) }, (_, index) =>
    elements.slice(index * most, (index + 1) * most).join(', '),
  );
  const lists = pieces.map((piece) => `jsonb_build_array(${piece})`);
  return lists.length === 1 ? (lists[0] as string) : `(${lists.join(' || ')})`;
}

export function literalOf(value: string | number | boolean | null): string {
  return typeof value === 'string'
    ? quoted(encodedText(value))
    : typeof value === 'number'
      ? `'${value}'`
      : String(value);
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The name of a table, as statements have it. */
export function tableOf(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
