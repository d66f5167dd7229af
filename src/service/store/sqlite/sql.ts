import {
  and,
  type Besides,
  conjuncts,
  type Gives,
  isTruth,
  keyIndex,
  mayFail,
  type Node,
  orderable,
  type Parameter,
  type Path,
  type Query,
  type Source,
  type Table,
  typeOfNode,
  type ValueKind,
} from '../../../expression/query.ts';
import { semijoined, semijoinOf } from '../../../expression/query-semijoin.ts';
import { type WordField, wordsRead } from '../../../expression/query-words.ts';
import { CannotWorkOut } from '../../../expression/values.ts';
import { searchedWords } from '../../../expression/words.ts';
import { type Elements, type Found, foundBy, pagedBy } from '../elements.ts';
import type { Key, Row, TextStatement } from '../rows.ts';
import { type IndexField, type Table as KeptTable, searchedBy } from '../table.ts';
import { type Columns, joined, listed, type Over, rowsOf } from '../told.ts';
import { soughtBy, type Words } from '../words.ts';
import { type ColumnNames, columnNames, jsonAt, textOf, valueAt } from './members.ts';
import { tableOf } from './open.ts';
import { written } from './texts.ts';
import { decoded, encoded, encodedList } from './values.ts';
import { beginVisits } from './visits.ts';
import { searchFor, searchForUnindexed } from './words.ts';

const noneAbsent: ReadonlySet<number> = new Set();

/** A query as a statement of SQLite's. The connection that runs it has the functions of `functions.ts`. */
export interface Printed {
  readonly sql: string;
  /** What it takes to be so of parameters, by their numbers: that they are not null, or have words to look for. */
  readonly assumed: ReadonlyMap<number, (value: unknown) => boolean>;
  /** What is bound, in order, from the values of the query's parameters. */
  readonly bind: (values: readonly unknown[]) => readonly unknown[];
  /** The one value that an aggregate gives, from its column. */
  readonly value: (column: unknown) => unknown;
  /** A row, from its columns. */
  readonly row: (columns: readonly unknown[]) => Row;
}

/**
 * Prints a query: rows as `place`, the columns of the key, `members` and those of what is told besides, in the order
 * in which they were made where no other is given; anything else as one column.
 *
 * @param absent the numbers of parameters of which nothing is assumed: of the others it is, so that indexes serve more
 * @param layout what is kept besides rows. Default: nothing
 * @param inText what each row is put together as, in the first column; null: rows are printed as said
 */
export function print(
  query: Query,
  absent: ReadonlySet<number> = noneAbsent,
  layout: Layout = bare,
  inText: InText | null = null,
): Printed {
  const assumed = new Map<number, (value: unknown) => boolean>();
  const isThere = (node: Node): boolean => {
    if (node.kind === 'literal') return node.value !== null;
    if (node.kind === 'field') return keyIndex(node.of, node.path) !== -1;
    if (node.kind !== 'parameter' || absent.has(node.index)) return false;
    if (!assumed.has(node.index)) assumed.set(node.index, isNotNull);
    return true;
  };
  const isSought = ({ index }: Parameter): boolean => {
    if (absent.has(index)) return false;
    assumed.set(index, hasWords);
    return true;
  };
  const printer = new Printer({ isThere, isSought, ...layout });
  const turned = semijoined(query, isThere);
  const text = printer.whole(turned, inText);
  const pieces = text.split(mark);
  const bindings = pieces.flatMap((piece, i) => (i % 2 === 1 ? (printer.bindings[Number(piece)] ?? []) : []));
  const row = 'table' in turned.from ? rowsOf(turned.from.table, turned.besides, columns) : null;
  return {
    sql: pieces.map((piece, i) => (i % 2 === 1 ? '?' : piece)).join(''),
    assumed,
    bind: (values) => {
      beginVisits();
      return bindings.map((binding) => binding(values));
    },
    value: readerOf(query.gives),
    row: (found) => row?.(found, 0) as Row,
  };
}

function isNotNull(value: unknown): boolean {
  return (value ?? null) !== null;
}

function hasWords(value: unknown): boolean {
  return (searchedWords(value) ?? []).length > 0;
}

/** What rows are put together as, and what is the same for all. */
type InText = Pick<TextStatement, 'text' | 'once'>;

/** What a store keeps besides its rows, for statements to find them by. */
export interface Layout {
  /** The tables that there are of the elements of lists. */
  readonly elements: readonly Elements[];
  /** The indexes of words that there are. */
  readonly words: readonly Words[];
  /** The columns in which each table keeps members besides, by its name. */
  readonly columns: ReadonlyMap<string, ColumnNames>;
}

const bare: Layout = { elements: [], words: [], columns: new Map() };

/** A column by which rows are searched: printed as statements print it, so that its index serves them. */
export function columnOf(table: Pick<KeptTable, 'keyFields' | 'columns'>, by: IndexField): string {
  const of = { table: { name: '', keyFields: table.keyFields } };
  return unnamed(of, new Map([['', columnNames(table)]])).value(searchedBy(of, by));
}

/** What an index of words holds of a row, printed as `columnOf` is. */
export function wordsColumn(
  table: Pick<KeptTable, 'keyFields' | 'columns'>,
  fields: readonly WordField[],
): string {
  const of = { table: { name: '', keyFields: table.keyFields } };
  const printer = unnamed(of, new Map([['', columnNames(table)]]));
  return `tacet_words(${wordsRead(of, fields)
    .map((one) => printer.value(one))
    .join(', ')})`;
}

/** A row's columns, and what is joined for them. */
interface Laid {
  readonly columns: readonly string[];
  readonly joins: readonly string[];
}

const columns: Columns = {
  key: (parts) => parts as unknown as Key,
  value: (node) => (node.kind === 'query' ? readerOf(node.query.gives) : decoded),
  list: (text) => JSON.parse(text as string) as unknown[][],
};

function readerOf(gives: Gives): (column: unknown) => unknown {
  return isTruth(gives) ? (column) => column === 1 : decoded;
}

type Binding = (values: readonly unknown[]) => unknown;

/** Stands on either side of a parameter's number until the order of all is known; nothing else in a statement does. */
const mark = '\u0001';

interface Around extends Layout {
  /** Whether a value that hangs on no row is not null. */
  readonly isThere: (node: Node) => boolean;
  /** Whether a parameter has words by which an index finds rows. */
  readonly isSought: (node: Parameter) => boolean;
  /** The one table whose columns are printed without a name before them, as an index has them. */
  readonly unnamed?: Source;
}

/** Prints one statement: which source goes by which name, and what is bound. */
class Printer {
  readonly bindings: Binding[] = [];
  readonly #names = new Map<Source, string>();
  readonly #around: Around;
  /** What an index by which a page is read holds of its rows, by how it is printed; null: no such page is printed. */
  #held: ReadonlyMap<string, string> | null = null;

  constructor(around: Around) {
    this.#around = around;
    if (around.unnamed) this.#names.set(around.unnamed, '');
  }

  /** A query by itself. What is told besides is asked for the rows that are left by a limit, and for no others. */
  whole(query: Query, inText: InText | null): string {
    const { from, gives, besides, limit, offset } = query;
    if (gives !== 'rows' || !('table' in from)) return this.select(query);
    const name = this.#nameOf(from);
    const { columns, joins } = inText ? this.#written(from, besides, inText) : this.#laid(from, besides);
    if (besides.size === 0) return this.select(query, columns);
    const clauses =
      limit || offset
        ? `FROM ${[`(${this.select(query, [`${name}.*`])}) AS ${name}`, ...joins].join(' ')}`
        : this.#clauses(query, joins);
    return `SELECT ${columns.join(', ')} ${clauses}`;
  }

  /** A row as an object, and what is the same for all. */
  #written(from: { readonly table: Table }, besides: Besides, inText: InText): Laid {
    const { text, joins } = written(from, besides, inText.text, {
      prefix: (of) => this.#prefix(of),
      column: ({ table }, made) => this.#around.columns.get(table.name)?.get(made),
      join: (query) => this.#join(query),
      value: (node) => this.value(node),
      holds: (node) => this.#holds(node),
      bound: (binding) => this.#bound(binding),
    });
    const once = inText.once === null ? undefined : besides.get(inText.once);
    return { columns: [text, ...(once ? [this.value(once)] : [])], joins };
  }

  /** Joins the row that a query gives, if there is one. */
  #join({ from, where }: Over): string {
    return `LEFT JOIN ${this.#source(from)} ON ${where ? this.#where(from, where) : '1'}`;
  }

  /** The columns of a row, and of what is told besides: the row that it refers to is joined. */
  #laid(from: { readonly table: Table }, besides: Besides): Laid {
    const columns = this.#columns(from);
    const joins: string[] = [];
    for (const node of besides.values()) {
      const [row, rows] = [joined(node), listed(node)];
      if (row) {
        const join = this.#join(row);
        const inner = this.#laid(row.from, row.besides);
        joins.push(join, ...inner.joins);
        columns.push(...inner.columns);
      } else if (rows) columns.push(this.#listed(rows));
      else
        columns.push(
          node.kind === 'query' && isTruth(node.query.gives) ? this.#holds(node) : this.value(node),
        );
    }
    return { columns, joins };
  }

  /** The rows of a query as one value: a list in JSON, of the columns of each. */
  #listed({ from, where, besides }: Over): string {
    const source = this.#source(from);
    const { columns, joins } = this.#laid(from, besides);
    const list = `json_group_array(json_array(${columns.join(', ')}) ORDER BY ${this.#prefix(from)}place)`;
    return `(SELECT ${list} FROM ${[source, ...joins].join(' ')}${where ? ` WHERE ${this.#where(from, where)}` : ''})`;
  }

  /** @param columns of the rows that it gives. Default: those of a row by itself */
  select(query: Query, columns?: readonly string[]): string {
    const { from, limit, offset, gives } = query;
    const page = this.#page(query, columns);
    if (page) return page;
    const clauses = this.#clauses(query);
    if (gives === 'rows') return `SELECT ${(columns ?? this.#columns(from)).join(', ')} ${clauses}`;
    switch (gives.kind) {
      case 'exists':
        return `SELECT EXISTS (SELECT 1 ${clauses})`;
      case 'none':
        return `SELECT NOT EXISTS (SELECT 1 ${clauses})`;
      case 'count': {
        const among = query.where && !limit && !offset ? this.#among(query.where) : null;
        if (among?.of === from)
          return `SELECT count(*) FROM "${among.by[0].name}" WHERE value = ${this.value(among.element)}`;
        return limit || offset ? `SELECT count(*) FROM (SELECT 1 ${clauses})` : `SELECT count(*) ${clauses}`;
      }
      case 'value':
        return `SELECT ${this.value(gives.of)} ${clauses}`;
      case 'row':
        throw new TypeError('a row is told beside another, and not by itself');
      default:
        // Within, since an aggregate of what is read of rows without is one of those rows.
        return `SELECT ${aggregate(gives.kind, typeOfNode(gives.of))} FROM (SELECT ${this.value(gives.of)} AS v ${clauses})`;
    }
  }

  /** @param joins what is joined to the rows besides */
  #clauses({ from, where, order, limit, offset, gives }: Query, joins: readonly string[] = []): string {
    return [
      `FROM ${[this.#source(from), ...joins].join(' ')}`,
      ...(where ? [`WHERE ${this.#counted(from, this.#where(from, where))}`] : []),
      ...(order.length > 0
        ? [`ORDER BY ${order.map((one) => this.#order(one.by, one.descending)).join(', ')}`]
        : gives === 'rows'
          ? [`ORDER BY ${this.#prefix(from)}place`]
          : []),
      ...(limit || offset ? [this.#limited(limit, offset)] : []),
    ].join(' ');
  }

  #source(from: Source): string {
    const name = this.#nameOf(from);
    if ('table' in from) return `"${tableOf(from.table.name)}" AS ${name}`;
    return `json_each(${this.#list(from.list)}) AS ${name}`;
  }

  /** Elements of a list are counted as they are looked at. */
  #counted(from: Source, where: string): string {
    return 'table' in from
      ? where
      : `CASE WHEN tacet_visit(${this.#prefix(from)}key) THEN ${where} ELSE 0 END`;
  }

  /**
   * What may fail is looked at row by row, after what stands before it, as SQLite does not without a CASE. A first
   * condition that only a parameter makes fail is left to an index: it fails even where there is no row.
   */
  #where(from: Source, where: Node): string {
    const all = conjuncts(where);
    const isPlain = (one: Node, index: number): boolean =>
      !mayFail(one, index === 0 && 'table' in from && comparesField(one));
    const fragile = all.findIndex((one, index) => !isPlain(one, index));
    if (fragile === -1) return all.map((one) => this.#condition(one)).join(' AND ');
    const plain = all.slice(0, fragile).map((one) => this.#condition(one));
    const isRow = `typeof(${this.#prefix(from)}${'table' in from ? 'place' : 'key'}) = 'integer'`;
    const last = and(...all.slice(fragile));
    const sought = this.#sought(all[fragile] as Node);
    const rest = sought && fragile === all.length - 1 ? sought.check : this.#holds(last);
    return [
      ...(sought ? [sought.found] : []),
      ...plain,
      `CASE WHEN ${[isRow, ...plain].join(' AND ')} THEN ${rest} ELSE 0 END`,
    ].join(' AND ');
  }

  /**
   * How rows are found by their words: `found` holds of those that have them, and of those whose words the index does not
   * hold. Of the latter alone more is to be checked. Null where a condition is another, or there is no such index.
   */
  #sought(node: Node): { readonly found: string; readonly check: string } | null {
    const sought = soughtBy(this.#around.words, node);
    if (sought === null || !this.#around.isSought(sought.wanted)) return null;
    const { of, wanted, by } = sought;
    const among = (query: string): string =>
      `${this.#prefix(of)}place IN (SELECT rowid FROM "${by.name}"(${query}))`;
    return {
      found: among(this.#bound((values) => searchFor(values[wanted.index]))),
      check: `CASE WHEN ${among(textOf(searchForUnindexed))} THEN ${this.#holds(node)} ELSE 1 END`,
    };
  }

  #limited(limit: Node | null, offset: Node | null): string {
    return `LIMIT ${limit ? this.#number(limit) : -1}${offset ? ` OFFSET ${this.#number(offset)}` : ''}`;
  }

  /** By what rows are found that have an element in a list; null where a condition is another. */
  #among(node: Node): Found | null {
    const found = foundBy(this.#around.elements, node);
    return found && this.#around.isThere(found.element) ? found : null;
  }

  /**
   * The rows of a page that have an element in a list, by the table in which these stand in the order that is wanted:
   * no more of them are read than the page has. Null where there is none such, or more is asked of them than it holds.
   */
  #page(query: Query, given?: readonly string[]): string | null {
    const { from, order, limit, offset } = query;
    const paged = pagedBy(this.#around.elements, query, (node) => this.value(node));
    if (paged === null || !this.#around.isThere(paged.element)) return null;
    const { columns, elements, element, rest } = paged;
    const isHeld = (node: Node): boolean =>
      node.kind === 'compare' && !mayFail(node) && columns.has(this.value(node.left));
    if (!rest.every(isHeld)) return null;
    const [name, side] = [this.#nameOf(from), `${this.#nameOf(from)}e`];
    const found = this.value(element);
    this.#held = new Map([...columns].map(([printed, column]) => [printed, `${side}.${column}`]));
    const conditions = rest.map((one) => ` AND ${this.#holds(one)}`);
    const ordered = order.map((one) => this.#order(one.by, one.descending));
    this.#held = null;
    return [
      `SELECT ${(given ?? this.#columns(from)).join(', ')} FROM "${elements.name}" AS ${side}`,
      `CROSS JOIN ${this.#source(from)} ON ${name}.place = ${side}.place`,
      `WHERE ${side}.value = ${found}${conditions.join('')}`,
      `ORDER BY ${ordered.join(', ')} ${this.#limited(limit, offset)}`,
    ].join(' ');
  }

  /** What has to hold of a row: SQLite does not turn EXISTS round by itself, to find the other rows first. */
  #condition(node: Node): string {
    const among = this.#among(node);
    if (among)
      return `${this.#prefix(among.of)}place IN (SELECT place FROM "${among.by[0].name}" WHERE value = ${this.value(among.element)})`;
    const found = node.kind === 'query' ? semijoinOf(node.query) : null;
    if (node.kind !== 'query' || found === null) return this.#holds(node);
    const { outer, inner, rest } = found;
    const gives: Gives = { kind: 'value', of: inner };
    return `${this.value(outer)} IN (${this.select({ ...node.query, where: and(...rest), gives })})`;
  }

  /**
   * How many rows. Of a bare parameter SQLite takes the value for its plan, and then makes the plan anew whenever one is
   * bound, which takes longer than to read a page.
   */
  #number(node: Node): string {
    const text = this.value(node);
    return node.kind === 'parameter' ? `${text} + 0` : text;
  }

  /** A value, encoded as `values.ts` does. */
  value(node: Node): string {
    const text = this.#valueOf(node);
    return this.#held?.get(text) ?? text;
  }

  #valueOf(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return literalText(node.value) ?? this.#bound(() => node.value);
      case 'parameter':
        return this.#parameter(node);
      case 'field':
        return this.#field(node.of, node.path, node.type);
      case 'place':
        return `${this.#prefix(node.of)}place`;
      case 'choice':
        return `CASE WHEN ${this.#holds(node.test)} THEN ${this.value(node.yes)} ELSE ${this.value(node.no)} END`;
      case 'call':
        return `tacet_${node.name}(${node.args.map((one) => this.value(one)).join(', ')})`;
      case 'query':
        return isTruth(node.query.gives) ? this.#truth(node) : `(${this.select({ ...node.query })})`;
      default:
        return this.#truth(node);
    }
  }

  #truth(node: Node): string {
    return `CASE WHEN ${this.#holds(node)} THEN x'01' ELSE x'00' END`;
  }

  /** Whether something is true, as SQL has it: null stands for false. */
  #holds(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.value === true ? '1' : '0';
      case 'compare':
        return this.#compare(node.op, node.left, node.right);
      case 'and': {
        const [left, right] = [this.#holds(node.left), this.#holds(node.right)];
        if (!mayFail(node)) return `(${left} AND ${right})`;
        return `CASE WHEN ${left} THEN ${right} ELSE 0 END`;
      }
      case 'or': {
        const [left, right] = [this.#holds(node.left), this.#holds(node.right)];
        if (!mayFail(node)) return `(${left} OR ${right})`;
        return `CASE WHEN ${left} THEN 1 ELSE ${right} END`;
      }
      case 'not':
        return `NOT coalesce(${this.#holds(node.of)}, 0)`;
      case 'choice':
        return `CASE WHEN ${this.#holds(node.test)} THEN ${this.#holds(node.yes)} ELSE ${this.#holds(node.no)} END`;
      case 'query':
        if (isTruth(node.query.gives)) return this.#found(node.query);
        break;
      case 'field': {
        const { of, path, type } = node;
        const isColumn = type === 'boolean' && this.#column(of, path, type) !== undefined;
        if (keyIndex(of, path) === -1 && !isColumn) return `${jsonAt(this.#document(of), path)} IS 'true'`;
        break;
      }
    }
    return `${this.value(node)} IS x'01'`;
  }

  #found(query: Query): string {
    const { from } = query;
    if ('table' in from) return this.select(query).replace(/^SELECT /, '');
    // Whether it is a list counts, even where no element is looked at.
    return `CASE WHEN ${this.#list(from.list)} IS NULL THEN 0 ELSE (${this.select(query)}) END`;
  }

  #list(list: Node): string {
    if (list.kind !== 'parameter') return `tacet_elements(${this.value(list)})`;
    const { index } = list;
    return `tacet_need(${this.#bound((values) => encodedList(values[index]))})`;
  }

  #compare(op: string, left: Node, right: Node): string {
    const [a, b] = [this.value(left), this.value(right)];
    if (op === '==') return `${a} IS ${b}`;
    if (op === '!=') return `${a} IS NOT ${b}`;
    if (op === 'matches') return `${a} = ${b}`;
    const [one, other] = [storageOf(typeOfNode(left)), storageOf(typeOfNode(right))];
    if ((one === null && other === null) || mayFail(left) || mayFail(right))
      return `tacet_compared(${a}, ${b}) ${op} 0`;
    if (one === null) return `(${isOf(a, other as string)} AND ${a} ${op} ${b})`;
    if (other === null) return `(${isOf(b, one)} AND ${a} ${op} ${b})`;
    return one === other ? `${a} ${op} ${b}` : '0';
  }

  #parameter({ index, item, mayFail: isFragile }: Parameter): string {
    const bound = this.#bound((values) => {
      const value = values[index];
      if (value instanceof CannotWorkOut && !isFragile) throw value;
      return encoded(value, item);
    });
    return isFragile ? `tacet_need(${bound})` : bound;
  }

  #field(of: Source, path: Path, type: ValueKind): string {
    const index = keyIndex(of, path);
    if (index !== -1) return `${this.#prefix(of)}key${index}`;
    const column = this.#column(of, path, type);
    return column ? `${this.#prefix(of)}${column}` : valueAt(this.#document(of), path, type);
  }

  /** The column in which a member is kept besides; undefined where it is in none. */
  #column(of: Source, path: Path, type: ValueKind): string | undefined {
    const names = 'table' in of ? this.#around.columns.get(of.table.name) : undefined;
    return names?.get(valueAt('members', path, type));
  }

  #document(of: Source): string {
    return `${this.#prefix(of)}${'table' in of ? 'members' : 'value'}`;
  }

  #order(by: Node, descending: boolean): string {
    // A literal puts nothing in order; SQLite takes a whole number there for the place of a column.
    if (by.kind === 'literal') return 'NULL';
    return `${this.value(orderable(by))}${descending ? ' DESC' : ''}`;
  }

  #columns(from: Source): string[] {
    const prefix = this.#prefix(from);
    const keys = 'table' in from ? from.table.keyFields.map((_, index) => `key${index}`) : [];
    return ['place', ...keys, 'members'].map((column) => `${prefix}${column}`);
  }

  #prefix(of: Source): string {
    const name = this.#nameOf(of);
    return name === '' ? '' : `${name}.`;
  }

  #nameOf(of: Source): string {
    const name = this.#names.get(of) ?? `t${this.#names.size}`;
    this.#names.set(of, name);
    return name;
  }

  #bound(binding: Binding): string {
    return `${mark}${this.bindings.push(binding) - 1}${mark}`;
  }
}

/** Prints what is read of a row without its name before it, as an index has it. */
function unnamed(of: Source, columns: Layout['columns']): Printer {
  return new Printer({
    ...{ isThere: () => false, isSought: () => false },
    ...{ elements: [], words: [], columns, unnamed: of },
  });
}

function aggregate(kind: 'sum' | 'min' | 'max', type: ValueKind): string {
  if (kind === 'sum') return 'tacet_sum(v)';
  if (type === 'text' || type === 'number') return `${kind}(v)`;
  return `tacet_${kind}_${type === 'time' || type === 'duration' ? type : 'plain'}(v)`;
}

function literalText(value: string | number | boolean | null): string | null {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? "x'01'" : "x'00'";
  return Number.isSafeInteger(value) ? String(value) : null;
}

/** How SQLite stores values of a kind; null: that is not known beforehand. */
function storageOf(type: ValueKind): string | null {
  return type === 'text' || type === 'number' || type === 'boolean' ? type : null;
}

function isOf(value: string, storage: string): string {
  if (storage === 'number') return `typeof(${value}) IN ('integer', 'real')`;
  return storage === 'text'
    ? `typeof(${value}) = 'text'`
    : `length(${value}) = 1 AND typeof(${value}) = 'blob'`;
}

/** Whether an index may find the rows: one side is what a row has in a field. */
function comparesField(node: Node): boolean {
  return node.kind === 'compare' && [node.left, node.right].some(({ kind }) => kind === 'field');
}
