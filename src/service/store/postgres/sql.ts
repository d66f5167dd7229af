import {
  type Comparison,
  conjuncts,
  type Gives,
  type Node,
  orderable,
  type Parameter,
  type Path,
  type Query,
  type RowFunction,
  type Source,
  type Table,
  typeOfNode,
  type ValueKind,
} from '../../../expression/query.ts';
import type { Key, Row } from '../rows.ts';
import { type Bound, bind, Constants, type Shape, shapeOf } from './constants.ts';
import {
  alike,
  asFloat,
  asJson,
  asText,
  both,
  equal,
  isNumeric,
  isWording,
  listOf,
  literalOf,
  matches,
  ordered,
  plainly,
  quoted,
  type Sql,
  type SqlType,
  sortable,
  sqlOf,
  tableOf,
  typeNames,
  worth,
} from './expressions.ts';
import { foldName, lowerName } from './functions.ts';
import { decoded, encodedText } from './values.ts';

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

/** Of what kind each column of a table's key is, by the table's name. */
export type KeyKinds = (table: string) => readonly ValueKind[];

/** A query that is asked with more combinations of kinds than this is printed again and again. */
const mostStatements = 64;

/**
 * Prints a query: rows as `place`, the columns of the key, and `members`, in the order in which they were made
 * where no other is given; anything else as one column.
 */
export function print(query: Query, kinds: KeyKinds): Printed {
  const constants = new Constants(query);
  const known = new Map<string, Statement>();
  return {
    ask: (values) => {
      const given = constants.given(values);
      const shapes = given.map(shapeOf);
      const name = shapes.join();
      const statement = known.get(name) ?? statementOf(query, kinds, constants, shapes);
      if (known.size < mostStatements) known.set(name, statement);
      return { sql: statement.sql, bound: statement.bound.map(({ index, as }) => bind(given[index], as)) };
    },
    value: decoded,
    row: (columns) => {
      const [place, ...others] = columns;
      const text = others.pop() as string;
      return { key: others.map(decoded) as Key, text, place: place as number };
    },
  };
}

/** How a column of a key is declared. */
export function keyType(kind: ValueKind): string {
  return kind === 'number' ? 'double precision' : kind === 'unknown' ? 'jsonb' : 'text COLLATE "C"';
}

/** A column by which rows are searched: printed as statements print it, so that its index serves them. */
export interface Column {
  readonly path: Path;
  readonly caseless?: boolean;
  readonly time?: boolean;
  /** Of what kind its values are. Default: text. */
  readonly type?: ValueKind;
}

/**
 * The expression of a column, in parentheses. An index puts its nulls first (`isNullable`), and ends with `place`, by
 * which statements put what is alike in order.
 */
export function columnOf(
  table: Pick<Table, 'keyFields'>,
  column: Column,
  kinds: readonly ValueKind[],
): string {
  return `(${sortable(printedColumn(table, column, kinds))})`;
}

/** Whether a column may hold null: an index has `NULLS FIRST` there, as the order of statements does. */
export function isNullable(
  table: Pick<Table, 'keyFields'>,
  column: Column,
  kinds: readonly ValueKind[],
): boolean {
  return printedColumn(table, column, kinds).nullable;
}

function printedColumn(
  { keyFields }: Pick<Table, 'keyFields'>,
  { path, caseless, time, type = 'text' }: Column,
  kinds: readonly ValueKind[],
): Sql {
  const of = { table: { name: '', keyFields } };
  const field: Node = { kind: 'field', of, path, type: time ? 'time' : type };
  const printer = new Printer(() => kinds, null, [], of);
  return printer.value(caseless ? { kind: 'call', name: 'fold', args: [field] } : orderable(field));
}

interface Statement {
  readonly sql: string;
  readonly bound: readonly { readonly index: number; readonly as: Bound }[];
}

function statementOf(
  query: Query,
  kinds: KeyKinds,
  constants: Constants,
  shapes: readonly Shape[],
): Statement {
  const text = new Printer(kinds, constants, shapes).select(query);
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

/** What is bound stands between two characters that no statement has. */
const marked = /\0([^\0]*)\0/g;

const isFalse = sqlOf('false', 'boolean', { nullable: false });

/** Prints one statement: which source goes by which name, and what is bound. */
class Printer {
  readonly #names = new Map<Source, string>();
  readonly #kinds: KeyKinds;
  readonly #constants: Constants | null;
  readonly #shapes: readonly Shape[];

  /** @param unnamed the one table whose columns are printed without a name before them, as an index has them */
  constructor(kinds: KeyKinds, constants: Constants | null, shapes: readonly Shape[], unnamed?: Source) {
    this.#kinds = kinds;
    this.#constants = constants;
    this.#shapes = shapes;
    if (unnamed) this.#names.set(unnamed, '');
  }

  select(query: Query): string {
    return this.#select(query).sql;
  }

  /** A query, and what its one value is. */
  #select(query: Query): Sql {
    const { from, order, gives, limit, offset } = query;
    const none = 'list' in from ? this.#noList(from.list) : null;
    if (none) return sqlOf(`SELECT ${none.sql}`, none.type, { fragile: true });
    const found = this.#found(query);
    const clauses = [
      found.sql,
      ...(order.length > 0
        ? [`ORDER BY ${order.map((one) => this.#order(one.by, one.descending)).join(', ')}`]
        : gives === 'rows'
          ? [`ORDER BY ${this.#prefix(from)}place`]
          : []),
      ...(limit ? [`LIMIT ${this.#integer(limit)}`] : []),
      ...(offset ? [`OFFSET ${this.#integer(offset)}`] : []),
    ].join(' ');
    const { fragile } = found;
    if (gives === 'rows') return sqlOf(`SELECT ${this.#columns(from)} ${clauses}`, 'json', { fragile });
    switch (gives.kind) {
      case 'exists':
      case 'none': {
        // So that one row after another is looked at, in their order, until there is one.
        const end = fragile && !offset ? ' OFFSET 0' : '';
        const not = gives.kind === 'none' ? 'NOT ' : '';
        return sqlOf(`SELECT ${not}EXISTS (SELECT 1 ${clauses}${end})`, 'boolean', {
          fragile,
          nullable: false,
        });
      }
      case 'count': {
        const counted = limit || offset ? `FROM (SELECT 1 ${clauses}) AS counted` : clauses;
        return sqlOf(`SELECT count(*)::float8 ${counted}`, 'float', { fragile, nullable: false });
      }
      case 'value': {
        const of = plainly(this.value(gives.of));
        return sqlOf(`SELECT ${of.sql} ${clauses}`, of.type, { fragile: fragile || of.fragile });
      }
      default:
        return this.#aggregate(gives.kind, gives.of, `${this.#prefix(from)}place`, clauses, fragile);
    }
  }

  /**
   * What comes of the values of rows, in the order in which these were made. The values are those of a query within,
   * since an aggregate of what is read of rows without is one of those rows.
   */
  #aggregate(
    kind: 'sum' | 'min' | 'max',
    node: Node,
    place: string,
    clauses: string,
    isFragile: boolean,
  ): Sql {
    const of = plainly(this.value(node));
    const fragile = isFragile || of.fragile || kind === 'sum';
    const over = (values: string): string => `FROM (SELECT ${values}, ${place} AS p ${clauses}) AS rows`;
    if (kind === 'sum')
      return sqlOf(`SELECT tacet_sum(v ORDER BY p) ${over(`${asFloat(of).sql} AS v`)}`, 'float', { fragile });
    const isInstant = typeOfNode(node) === 'time' || typeOfNode(node) === 'duration';
    if (of.type === 'float' || (of.type === 'text' && !isInstant))
      return sqlOf(`SELECT ${kind}(v) ${over(`${sortable(of)} AS v`)}`, of.type, { fragile });
    const by = worth(this.value(orderable(node)));
    return sqlOf(
      `SELECT tacet_${kind}(v, w ORDER BY p) ${over(`${asJson(of).sql} AS v, ${by.sql} AS w`)}`,
      'json',
      { fragile },
    );
  }

  /**
   * Where rows are from, and which of them. What may fail is looked at for those rows alone that all else leaves, and
   * where it counts which is first, in the order in which they were made.
   */
  #found({ from, where, gives }: Query): { readonly sql: string; readonly fragile: boolean } {
    const name = this.#nameOf(from);
    const of =
      'table' in from
        ? `${tableOf(from.table.name)} AS ${name}`
        : `jsonb_array_elements(${this.value(from.list).sql}) WITH ORDINALITY AS ${name} (document, place)`;
    if (where === null) return { sql: `FROM ${of}`, fragile: false };
    const all = conjuncts(where).map((one) => this.#holds(one));
    const first = all.findIndex(({ fragile }) => fragile);
    const plain = (first === -1 ? all : all.slice(0, first)).map(({ sql }) => sql);
    const narrowed = `${of}${plain.length > 0 ? ` WHERE ${plain.join(' AND ')}` : ''}`;
    if (first === -1) return { sql: `FROM ${narrowed}`, fragile: false };
    const rest = all.slice(first).reduceRight((right, left) => both(left, right)).sql;
    // What reads nothing of the row is looked at for a row all the same.
    const held = `CASE WHEN ${name}.place > 0 THEN ${rest} ELSE false END`;
    const order = isTruth(gives) ? ` ORDER BY ${name}.place` : '';
    return {
      sql: `FROM (SELECT * FROM ${narrowed}${order} OFFSET 0) AS ${name} WHERE ${held}`,
      fragile: true,
    };
  }

  value(node: Node): Sql {
    const constant = this.#constants?.numberOf(node);
    if (constant !== undefined) return this.#constant(node, constant);
    switch (node.kind) {
      case 'field':
        return this.#field(node.of, node.path, node.type);
      case 'place':
        return sqlOf(`${this.#prefix(node.of)}place`, 'place', { nullable: false });
      case 'choice': {
        const test = this.#holds(node.test);
        const [yes, no] = alike(this.value(node.yes), this.value(node.no));
        return {
          ...sqlOf(`CASE WHEN ${test.sql} THEN ${yes.sql} ELSE ${no.sql} END`, yes.type),
          nullable: yes.nullable || no.nullable,
          fragile: test.fragile || yes.fragile || no.fragile,
        };
      }
      case 'call':
        return this.#call(
          node.name,
          node.args.map((one) => this.value(one)),
        );
      case 'query': {
        const selected = this.#select(node.query);
        return { ...selected, sql: `(${selected.sql})` };
      }
      default: {
        const holds = this.#holds(node);
        return { ...holds, sql: `((${holds.sql}) IS TRUE)`, nullable: false };
      }
    }
  }

  /** Whether something is true, as SQL has it: null stands for false. */
  #holds(node: Node): Sql {
    switch (node.kind) {
      case 'compare':
        return this.#compare(node.op, node.left, node.right);
      case 'and':
        return both(this.#holds(node.left), this.#holds(node.right));
      case 'or': {
        const [left, right] = [this.#holds(node.left), this.#holds(node.right)];
        const fragile = left.fragile || right.fragile;
        const sql = fragile
          ? `CASE WHEN ${left.sql} THEN true ELSE ${right.sql} END`
          : `(${left.sql} OR ${right.sql})`;
        return sqlOf(sql, 'boolean', { fragile });
      }
      case 'not': {
        const of = this.#holds(node.of);
        return { ...of, sql: `((${of.sql}) IS NOT TRUE)`, nullable: false };
      }
      case 'choice': {
        const [test, yes, no] = [node.test, node.yes, node.no].map((one) => this.#holds(one)) as [
          Sql,
          Sql,
          Sql,
        ];
        return sqlOf(`CASE WHEN ${test.sql} THEN ${yes.sql} ELSE ${no.sql} END`, 'boolean', {
          fragile: test.fragile || yes.fragile || no.fragile,
        });
      }
    }
    const of = this.value(node);
    if (of.type === 'boolean') return of;
    if (of.type !== 'json') return isFalse;
    return { ...of, sql: `(${of.sql} = 'true')`, type: 'boolean' };
  }

  #compare(op: Comparison, left: Node, right: Node): Sql {
    const [a, b] = this.#sides(left, right);
    switch (op) {
      case '==':
        return equal(a, b);
      case '!=': {
        const of = equal(a, b);
        return { ...of, sql: `((${of.sql}) IS NOT TRUE)`, nullable: false };
      }
      case 'matches':
        return matches(a, b);
      default:
        return ordered(op, a, b);
    }
  }

  /** The two that are compared; where one is a place, which is a bigint, a constant is one too, so that its index serves. */
  #sides(left: Node, right: Node): [Sql, Sql] {
    const places = [left, right].map(({ kind }) => kind === 'place');
    if (places[0] === places[1]) return [this.value(left), this.value(right)];
    const side = (node: Node): Sql => {
      if (node.kind === 'place') return this.value(node);
      const index = this.#constants?.numberOf(node);
      const isNumber = index !== undefined && this.#shapes[index] === 'float';
      return isNumber ? sqlOf(this.#integer(node), 'place', { nullable: false }) : this.value(node);
    };
    return [side(left), side(right)];
  }

  #constant(node: Node, index: number): Sql {
    const shape = this.#shapes[index] as Shape;
    if (shape === 'null') return sqlOf('NULL', 'null');
    if (shape === 'failed')
      return sqlOf(`tacet_fail(${this.#bound(index, 'message')})::jsonb`, 'json', { fragile: true });
    const type = shape === 'list' ? 'json' : shape;
    const sql = node.kind === 'literal' ? literalOf(node.value) : this.#bound(index, type);
    return sqlOf(`${sql}::${typeNames[type]}`, type, { nullable: false });
  }

  /** What stands in the place of a query over a parameter that is no list: that it cannot be worked out. */
  #noList(list: Parameter): Sql | null {
    const index = this.#constants?.numberOf(list) as number;
    const shape = this.#shapes[index];
    if (shape === 'list') return null;
    const message = shape === 'failed' ? this.#bound(index, 'message') : "'this is no list'";
    return sqlOf(`tacet_fail(${message})::boolean`, 'boolean', { fragile: true });
  }

  #call(name: RowFunction, args: readonly Sql[]): Sql {
    const fragile = args.some((one) => one.fragile);
    const [a, b] = args as [Sql, Sql];
    const risky = (sql: string, type: SqlType): Sql => sqlOf(sql, type, { fragile: true, nullable: false });
    const numeric = (of: string): Sql => risky(`tacet_${of}(${asFloat(a).sql}, ${asFloat(b).sql})`, 'float');
    const textual = (of: string, type: SqlType): Sql =>
      risky(`tacet_${of}(${asText(a).sql}, ${asText(b).sql})`, type);
    switch (name) {
      case 'add':
        if (a.type === 'text' && b.type === 'text') return textual('joined', 'text');
        if (isNumeric(a) && isNumeric(b)) return numeric('add');
        return risky(`tacet_added(${asJson(a).sql}, ${asJson(b).sql})`, 'json');
      case 'subtract':
        return risky(`tacet_add(${asFloat(a).sql}, -(${asFloat(b).sql}))`, 'float');
      case 'multiply':
      case 'divide':
      case 'remainder':
        return numeric(name);
      case 'divideWhole':
        return numeric('divide_whole');
      case 'negate':
        return risky(`tacet_multiply(${asFloat(a).sql}, -1)`, 'float');
      case 'addTimes':
        return textual('add_times', 'text');
      case 'subtractTimes':
        return textual('subtract_times', 'text');
      case 'startsWith':
        return textual('starts', 'boolean');
      case 'endsWith':
        return textual('ends', 'boolean');
      case 'contains':
        return textual('contains', 'boolean');
      case 'lower':
        return risky(`${lowerName}(${asText(a).sql})`, 'text');
      case 'list':
        return sqlOf(listOf(args.map((one) => plainly(one).sql)), 'json', { fragile, nullable: false });
      case 'among':
        return sqlOf(`tacet_among(${asJson(a).sql}, ${asJson(b).sql})`, 'boolean', {
          fragile,
          nullable: false,
        });
      case 'fold':
        return isWording(a) ? { ...a, sql: `${foldName}(${a.sql})` } : a;
      case 'instant':
        return isWording(a) ? { ...a, sql: `tacet_instant(${a.sql})` } : a;
      case 'span':
        return isWording(a) ? { ...a, sql: `tacet_span(${a.sql})`, type: 'json' } : a;
    }
  }

  #field(of: Source, path: Path, type: ValueKind): Sql {
    const key = keyIndex(of, path);
    if (key !== -1 && 'table' in of) {
      const kind = this.#kinds(of.table.name)[key] ?? 'text';
      const own = kind === 'number' ? 'float' : kind === 'unknown' ? 'json' : 'text';
      return sqlOf(`${this.#prefix(of)}key${key}`, own, { nullable: false, isColumn: true });
    }
    const names = path.map((name) => (typeof name === 'number' ? String(name) : quoted(encodedText(name))));
    const document = `${this.#prefix(of)}document`;
    const json = [document, ...names].join(' -> ');
    if (type === 'unknown') return sqlOf(`nullif(${json}, 'null'::jsonb)`, 'json', { isColumn: true });
    const last = names.pop();
    const text =
      last === undefined ? `${document} #>> '{}'` : `${[document, ...names].join(' -> ')} ->> ${last}`;
    if (type === 'number') return sqlOf(`(${text})::float8`, 'float', { isColumn: true });
    if (type === 'boolean') return sqlOf(`(${text})::boolean`, 'boolean', { isColumn: true });
    return sqlOf(`((${text}) COLLATE "C")`, 'text', { isColumn: true });
  }

  #order(by: Node, descending: boolean): string {
    const of = this.value(orderable(by));
    const nulls = of.nullable ? (descending ? ' NULLS LAST' : ' NULLS FIRST') : '';
    return `${sortable(of)}${descending ? ' DESC' : ''}${nulls}`;
  }

  /** A whole number: how many, or a place. */
  #integer(node: Node): string {
    const index = this.#constants?.numberOf(node);
    return index === undefined
      ? `${this.value(node).sql}::bigint`
      : `${this.#bound(index, 'integer')}::bigint`;
  }

  #columns(from: Source): string {
    const prefix = this.#prefix(from);
    const keys = 'table' in from ? from.table.keyFields.map((_, index) => `${prefix}key${index}`) : [];
    return [`${prefix}place::float8`, ...keys, `${prefix}members`].join(', ');
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

  /** The same value, bound as the same, is bound once. */
  #bound(index: number, as: Bound): string {
    return `\0${index} ${as}\0`;
  }
}

function isTruth(gives: Gives): boolean {
  return gives !== 'rows' && (gives.kind === 'exists' || gives.kind === 'none');
}

/** Which of the identifier's fields a path is; -1: none. */
function keyIndex(of: Source, path: Path): number {
  const [name, inner] = path;
  return 'table' in of && inner === undefined ? of.table.keyFields.indexOf(name as string) : -1;
}
