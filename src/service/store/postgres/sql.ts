import {
  type Gives,
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
import { CannotWorkOut, isItem } from '../../../expression/values.ts';
import { StoreRefused } from '../store.ts';
import { tableOf } from './names.ts';

/** A query as a statement of PostgreSQL's. */
export interface Printed {
  readonly sql: string;
  /** What is bound, in order, from the values of the query's parameters. */
  readonly bind: (values: readonly unknown[]) => readonly unknown[];
  /** The one value that an aggregate gives, from its column; rows are `place`, columns of the key, then `members`. */
  readonly value: (column: string | null) => unknown;
}

/** Prints a query. Values are jsonb, and null is SQL's. */
export function print(query: Query): Printed {
  const printer = new Printer();
  const sql = printer.select(query);
  const { gives } = query;
  const isTruth = gives !== 'rows' && (gives.kind === 'exists' || gives.kind === 'none');
  return {
    sql,
    bind: (values) => printer.bindings.map((binding) => binding(values)),
    value: (column) => (isTruth ? column === 't' : column === null ? null : JSON.parse(column)),
  };
}

/** A column by which rows are searched: printed as statements print it, so that its index serves them. */
export interface Column {
  readonly path: Path;
  readonly caseless?: boolean;
  readonly time?: boolean;
  /** Of what kind its values are. Default: texts or numbers. */
  readonly type?: ValueKind;
}

export function columnOf(
  table: Pick<Table, 'keyFields'>,
  { path, caseless, time, type = 'text' }: Column,
): string {
  const of = { table: { name: '', keyFields: table.keyFields } };
  const field: Node = { kind: 'field', of, path, type: time ? 'time' : type };
  const node: Node = caseless ? { kind: 'call', name: 'fold', args: [field] } : orderable(field);
  return new Printer(of).value(node);
}

type Binding = (values: readonly unknown[]) => unknown;

class Printer {
  readonly bindings: Binding[] = [];
  readonly #names = new Map<Source, string>();

  /** @param unnamed the one table whose columns are printed without a name before them, as an index has them */
  constructor(unnamed?: Source) {
    if (unnamed) this.#names.set(unnamed, '');
  }

  select({ from, where, order, limit, offset, gives }: Query): string {
    if (!('table' in from)) throw notYet('a list that is gone through');
    const clauses = [
      `FROM ${tableOf(from.table.name)} AS ${this.#nameOf(from)}`,
      ...(where ? [`WHERE ${this.#holds(where)}`] : []),
      ...(order.length > 0
        ? [`ORDER BY ${order.map((one) => this.#order(one.by, one.descending)).join(', ')}`]
        : gives === 'rows'
          ? [`ORDER BY ${this.#prefix(from)}place`]
          : []),
      ...(limit ? [`LIMIT ${this.#count(limit)}`] : []),
      ...(offset ? [`OFFSET ${this.#count(offset)}`] : []),
    ].join(' ');
    if (gives === 'rows') return `SELECT ${this.#columns(from.table, from)} ${clauses}`;
    switch (gives.kind) {
      case 'exists':
        return `SELECT EXISTS (SELECT 1 ${clauses})`;
      case 'none':
        return `SELECT NOT EXISTS (SELECT 1 ${clauses})`;
      case 'count':
        return `SELECT to_jsonb(count(*)) FROM (SELECT 1 ${clauses}) AS counted`;
      case 'value':
        return `SELECT ${this.value(gives.of)} ${clauses}`;
      case 'sum':
        return `SELECT coalesce(to_jsonb(sum((v)::numeric::float8)), '0') FROM (SELECT ${this.value(gives.of)} AS v ${clauses}) AS summed`;
      default:
        return `SELECT to_jsonb(${gives.kind}(v)) FROM (SELECT ${this.#comparable(gives.of)} AS v ${clauses}) AS all_of`;
    }
  }

  /** A value, as jsonb. */
  value(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.value === null
          ? 'NULL::jsonb'
          : `'${JSON.stringify(node.value).replaceAll("'", "''")}'::jsonb`;
      case 'parameter':
        return `${this.#parameter(node)}::jsonb`;
      case 'field':
        return this.#field(node.of, node.path);
      case 'place':
        return `to_jsonb(${this.#prefix(node.of)}place)`;
      case 'choice':
        return `CASE WHEN ${this.#holds(node.test)} THEN ${this.value(node.yes)} ELSE ${this.value(node.no)} END`;
      case 'call':
        throw notYet(`\`${node.name}\``);
      case 'query':
        return isTruth(node.query.gives)
          ? `to_jsonb((${this.select(node.query)}))`
          : `(${this.select(node.query)})`;
      default:
        return `to_jsonb(${this.#holds(node)})`;
    }
  }

  /** Whether something is true: never null where it is not within another condition. */
  #holds(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.value === true ? 'true' : 'false';
      case 'compare':
        return this.#compare(node.op, node.left, node.right);
      case 'and':
      case 'or':
        return `(${this.#holds(node.left)} ${node.kind.toUpperCase()} ${this.#holds(node.right)})`;
      case 'not':
        return `NOT coalesce(${this.#holds(node.of)}, false)`;
      case 'query':
        if (isTruth(node.query.gives)) return `(${this.select(node.query)})`;
        break;
    }
    return `coalesce(${this.value(node)} = 'true', false)`;
  }

  #compare(op: string, left: Node, right: Node): string {
    const [a, b] = [this.value(left), this.value(right)];
    if (op === '==') return `${a} IS NOT DISTINCT FROM ${b}`;
    if (op === '!=') return `${a} IS DISTINCT FROM ${b}`;
    if (op === 'matches') return `${a} = ${b}`;
    if (left.kind === 'place') return `${this.#prefix(left.of)}place ${op} (${b})::bigint`;
    const types = [typeOfNode(left), typeOfNode(right)];
    const numbers = `${number(a)} ${op} ${number(b)}`;
    const texts = `${text(a)} ${op} ${text(b)}`;
    if (types.includes('number')) return numbers;
    return types.includes('text') ? texts : `coalesce(${numbers}, ${texts})`;
  }

  #comparable(of: Node): string {
    const value = this.value(orderable(of));
    return typeOfNode(of) === 'number' ? number(value) : text(value);
  }

  #order(by: Node, descending: boolean): string {
    const way = descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST';
    if (by.kind === 'place') return `${this.#prefix(by.of)}place ${way}`;
    const value = this.value(orderable(by));
    const type = typeOfNode(by);
    const rank = `CASE jsonb_typeof(${value}) WHEN 'number' THEN 1 WHEN 'string' THEN 2 ELSE 3 + (${value} IS NULL)::int * -3 END`;
    const by_ =
      type === 'number'
        ? [number(value)]
        : type === 'text'
          ? [text(value)]
          : [rank, number(value), text(value)];
    return by_.map((one) => `${one} ${way}`).join(', ');
  }

  #count(node: Node): string {
    return `(${this.value(node)})::bigint`;
  }

  #parameter({ index, item }: Parameter): string {
    this.bindings.push((values) => {
      const value = values[index];
      if (value instanceof CannotWorkOut) throw value;
      const plain = isItem(value)
        ? item
          ? value.member(item.field)
          : (value as { key?: unknown }).key
        : value;
      return plain === null || plain === undefined ? null : JSON.stringify(plain);
    });
    return `$${this.bindings.length}`;
  }

  #field(of: Source, path: Path): string {
    if (!('table' in of)) throw notYet('an element of a list');
    const [name, inner] = path;
    const index = inner === undefined ? of.table.keyFields.indexOf(name as string) : -1;
    if (index !== -1) return `${this.#prefix(of)}key${index}`;
    const steps = path.map((one) => `-> ${typeof one === 'number' ? one : `'${one.replaceAll("'", "''")}'`}`);
    return `nullif(${this.#prefix(of)}members::jsonb ${steps.join(' ')}, 'null')`;
  }

  #columns(table: Table, from: Source): string {
    const keys = table.keyFields.map((_, index) => `key${index}`);
    return ['place', ...keys, 'members'].map((column) => `${this.#prefix(from)}${column}`).join(', ');
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
}

function number(value: string): string {
  return `CASE WHEN jsonb_typeof(${value}) = 'number' THEN (${value})::numeric END`;
}

function text(value: string): string {
  return `(CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${value} #>> '{}' END) COLLATE "C"`;
}

function isTruth(gives: Gives): boolean {
  return gives !== 'rows' && (gives.kind === 'exists' || gives.kind === 'none');
}

function notYet(what: string): StoreRefused {
  return new StoreRefused(
    `PostgreSQL cannot be asked for ${what} yet, which this specification takes; keep it in SQLite`,
  );
}
