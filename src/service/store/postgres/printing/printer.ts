import {
  type Besides,
  type Comparison,
  conjuncts,
  isTruth,
  keyIndex,
  literal,
  type Node,
  orderable,
  type Parameter,
  type Path,
  type Query,
  type Source,
  type Table,
  typeOfNode,
  type ValueKind,
} from '../../../../expression/query.ts';
import type { WordField } from '../../../../expression/query-words.ts';
import { unindexed } from '../../../../expression/words.ts';
import { type Elements, foundBy, pagedBy } from '../../elements.ts';
import type { TextStatement } from '../../rows.ts';
import { joined, listed, type Over } from '../../told.ts';
import { soughtBy, type Words } from '../../words.ts';
import { wordsName } from '../functions.ts';
import { called } from './calls.ts';
import { keyOf, memberOf } from './columns.ts';
import type { Bound, Constants, Shape } from './constants.ts';
import {
  alike,
  asFloat,
  asJson,
  both,
  equal,
  isFalse,
  listOf,
  literalOf,
  matches,
  ordered,
  plainly,
  type Sql,
  sortable,
  sqlOf,
  tableOf,
  typeNames,
  worth,
} from './expressions.ts';
import { keptName, type StoredNames, storedAs } from './stored.ts';
import { written } from './texts.ts';

/** Of what kind each column of a table's key is, by the table's name. */
export type KeyKinds = (table: string) => readonly ValueKind[];

/** A row's columns, and what is joined for them. */
interface Laid {
  readonly columns: readonly string[];
  readonly joins: readonly string[];
}

/** Where rows are from, and which of them. */
interface Found {
  readonly of: string;
  readonly where: string | null;
  readonly fragile: boolean;
  /** What an index by which a page is read holds of its rows. */
  readonly held?: Held;
}

/** What stands elsewhere too, by how it is printed. */
type Held = ReadonlyMap<string, string>;

/** What is bound stands between two characters that no statement has. */
export const marked = /\0([^\0]*)\0/g;

/** What a statement hangs on besides its query. */
export interface Around extends Beside {
  readonly kinds: KeyKinds;
  readonly constants?: Constants;
  readonly shapes?: readonly Shape[];
  readonly unnamed?: Source;
  /** What queries read members of. Default: the column `document`. */
  readonly document?: string;
  /** A number of rows that is at least the limit of the whole query; null: it is not known. Default: null. */
  readonly most?: number | null;
}

/** What there is beside rows, for statements to find them by. */
export interface Beside {
  /** The tables of the elements of lists. Default: none. */
  readonly elements?: readonly Elements[];
  /** The indexes of words. Default: none. */
  readonly words?: readonly Words[];
  /** The columns that tables have for their indexes, by the table's name. Default: none. */
  readonly stored?: ReadonlyMap<string, StoredNames>;
}

/** How rows are given as texts. */
export interface InText extends Pick<TextStatement, 'text' | 'once'> {
  /** The parameters that the texts are made of, by their numbers. */
  readonly texts: ReadonlyMap<number, Node>;
}

/** Rows as they are, or as one text: null where one of them is no text. */
function ofRows(inText: InText | null, rows: string): string {
  const text = "CASE WHEN count(x) = count(*) THEN coalesce(string_agg(x, ','), '') END";
  return inText === null ? rows : `SELECT ${text}, count(*)::int, min(y) FROM (${rows}) AS rows`;
}

const none: StoredNames = new Map();

/** Prints one statement: which source goes by which name, and what is bound. */
export class Printer {
  readonly #names = new Map<Source, string>();
  readonly #kinds: KeyKinds;
  readonly #constants: Constants | null;
  readonly #shapes: readonly Shape[];
  readonly #elements: readonly Elements[];
  readonly #words: readonly Words[];
  readonly #stored: ReadonlyMap<string, StoredNames>;
  readonly #most: number | null;
  readonly #document: string;
  #held: Held | null = null;

  /** @param unnamed the one table whose columns are printed without a name before them, as an index has them */
  constructor({ kinds, constants, shapes, elements, words, stored, most, unnamed, document }: Around) {
    this.#kinds = kinds;
    this.#constants = constants ?? null;
    this.#shapes = shapes ?? [];
    this.#elements = elements ?? [];
    this.#words = words ?? [];
    this.#stored = stored ?? new Map();
    this.#most = most ?? null;
    this.#document = document ?? 'document';
    if (unnamed) this.#names.set(unnamed, '');
  }

  /** A query by itself. Of a page, it is found first which rows it has, and then what is told of these. */
  whole(query: Query, inText: InText | null = null): string {
    const { from, besides, limit, offset } = query;
    const isPage = limit !== null && (offset !== null || besides.size > 0);
    if (!('table' in from) || (besides.size === 0 && inText === null && !(isPage && query.gives === 'rows')))
      return this.#select(query).sql;
    if (isPage) return this.#paged({ ...query, from, limit }, inText);
    const { columns, joins } = this.#columnsOf(from, besides, inText, false);
    const found = this.#found(query);
    const of = [found.of, ...joins].join(' ');
    return ofRows(inText, `SELECT ${columns.join(', ')} ${this.#clauses(query, { of, where: found.where })}`);
  }

  /**
   * The places of a page's rows, which an index tells by itself, and then its rows. What the rest of the page is found
   * by is one row each, whatever the server reckons.
   */
  #paged(
    query: Query & { readonly from: { readonly table: Table }; readonly limit: Node },
    inText: InText | null,
  ): string {
    const { from, besides, limit, offset } = query;
    const name = this.#nameOf(from);
    const { columns, joins } = this.#columnsOf(from, besides, inText, true);
    const found = this.#found(query, true);
    const place = found.held?.get(`${name}.place`) ?? `${name}.place`;
    // A plan for whatever is bound is as good as any other where what it does not know is not looked at beforehand.
    const most = this.#most === null ? '' : ` LIMIT ${this.#most}`;
    const after = offset ? ` OFFSET (SELECT ${this.#integer(offset)})` : '';
    const ordered = this.#clauses({ ...query, limit: null, offset: null }, found);
    const places = `(SELECT ${place} AS place ${ordered}${most}${after})`;
    const page = `(SELECT place FROM ${places} AS ${name}q LIMIT ${this.#integer(limit)}) AS ${name}p`;
    const rows = `CROSS JOIN LATERAL (SELECT * FROM ${this.#source(from)} WHERE ${name}.place = ${name}p.place LIMIT 1) AS ${name}`;
    const of = [page, rows, ...joins].join(' ');
    const clauses = this.#clauses({ ...query, limit: null, offset: null }, { of, where: null });
    return ofRows(inText, `SELECT ${columns.join(', ')} ${clauses}`);
  }

  /** The columns of a row; or its text, and what is the same for all. */
  #columnsOf(
    from: { readonly table: Table },
    besides: Besides,
    inText: InText | null,
    isPage: boolean,
  ): Laid {
    if (inText === null) return this.#laid(from, besides, isPage);
    const { text, joins } = written(from, besides, inText.text, {
      prefix: (of) => this.#prefix(of),
      column: (of, kept) => {
        const name = this.#stored.get(of.table.name)?.get(keptName(kept));
        return name === undefined ? undefined : `${this.#prefix(of)}${name}`;
      },
      join: (row) => this.#join(row, isPage),
      value: (node) => this.value(node),
      holds: (node) => this.#holds(node).sql,
      given: (index) => {
        const of = this.value(inText.texts.get(index) as Node);
        return of.type === 'text' ? of.sql : 'NULL::text';
      },
    });
    const once = inText.once === null ? undefined : besides.get(inText.once);
    return { columns: [`${text} AS x`, `${once ? asFloat(this.value(once)).sql : 'NULL'} AS y`], joins };
  }

  /** Joins the row that a query gives, if there is one; to the rows of a page one by one. */
  #join(row: Over, isPage: boolean): string {
    const on = conjuncts(row.where ?? literal(true)).map((one) => this.#holds(one));
    const holds = on.reduceRight((right, left) => both(left, right)).sql;
    const source = this.#source(row.from);
    return isPage
      ? `LEFT JOIN LATERAL (SELECT * FROM ${source} WHERE ${holds} LIMIT 1) AS ${this.#nameOf(row.from)} ON true`
      : `LEFT JOIN ${source} ON ${holds}`;
  }

  /** The columns of a row, and of what is told besides: the row that it refers to is joined; of a page, one by one. */
  #laid(from: { readonly table: Table }, besides: Besides, isPage: boolean): Laid {
    const columns = this.#columns(from);
    const joins: string[] = [];
    for (const node of besides.values()) {
      const [row, rows] = [joined(node), listed(node)];
      if (row) {
        const join = this.#join(row, isPage);
        const inner = this.#laid(row.from, row.besides, isPage);
        joins.push(join, ...inner.joins);
        columns.push(...inner.columns);
      } else columns.push(rows ? this.#listed(rows, rows.from) : plainly(this.value(node)).sql);
    }
    return { columns, joins };
  }

  /** The rows of a query as one value: a list in JSON, of the columns of each. */
  #listed(query: Query, from: { readonly table: Table }): string {
    const { columns, joins } = this.#laid(from, query.besides, false);
    const { of, where } = this.#found(query);
    const list = `coalesce(jsonb_agg(${listOf(columns)} ORDER BY ${this.#prefix(from)}place), '[]')`;
    return `(SELECT ${list} FROM ${[of, ...joins].join(' ')}${where ? ` WHERE ${where}` : ''})`;
  }

  /** A query, and what its one value is. */
  #select(query: Query): Sql {
    const { from } = query;
    if ('table' in from) return this.#selectFrom(query);
    if (from.list.kind === 'parameter') {
      const none = this.#noList(from.list);
      return none ? sqlOf(`SELECT ${none.sql}`, none.type, { fragile: true }) : this.#selectFrom(query);
    }
    // Whether it is a list counts, even where PostgreSQL sees that no element will do.
    const selected = this.#selectFrom(query);
    const list = this.#listOf(from.list);
    return {
      ...selected,
      sql: `SELECT CASE WHEN ${list} IS NULL THEN NULL ELSE (${selected.sql}) END`,
      fragile: true,
    };
  }

  #selectFrom(query: Query): Sql {
    const { from, gives, limit, offset } = query;
    const found = this.#found(query);
    const { fragile } = found;
    const clauses = this.#clauses(query, found);
    if (gives === 'rows')
      return sqlOf(`SELECT ${this.#columns(from).join(', ')} ${clauses}`, 'json', { fragile });
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
        const among = query.where && !limit && !offset ? this.#amongIn(query.where) : null;
        if (among?.of === from)
          return sqlOf(`SELECT count(*)::float8 FROM ${among.having}`, 'float', { nullable: false });
        const counted = limit || offset ? `FROM (SELECT 1 ${clauses}) AS counted` : clauses;
        return sqlOf(`SELECT count(*)::float8 ${counted}`, 'float', { fragile, nullable: false });
      }
      case 'value': {
        const of = plainly(this.value(gives.of));
        return sqlOf(`SELECT ${of.sql} ${clauses}`, of.type, { fragile: fragile || of.fragile });
      }
      case 'row':
        throw new TypeError('a row is told beside another, and not by itself');
      default:
        return this.#aggregate(gives.kind, gives.of, `${this.#prefix(from)}place`, clauses, fragile);
    }
  }

  #clauses(
    { from, order, gives, limit, offset }: Query,
    { of, where, held }: Omit<Found, 'fragile'>,
  ): string {
    const ordered = this.#holding(held, () => order.map((one) => this.#order(one.by, one.descending)));
    return [
      `FROM ${of}`,
      ...(where ? [`WHERE ${where}`] : []),
      ...(order.length > 0
        ? [`ORDER BY ${ordered.join(', ')}`]
        : gives === 'rows'
          ? [`ORDER BY ${this.#prefix(from)}place`]
          : []),
      ...(limit ? [`LIMIT ${this.#integer(limit)}`] : []),
      ...(offset ? [`OFFSET ${this.#integer(offset)}`] : []),
    ].join(' ');
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
    // PostgreSQL looks for an extreme of what reads nothing of the row before there is one, unless it is told not to.
    const end = of.fragile ? ' OFFSET 0' : '';
    const over = (values: string): string =>
      `FROM (SELECT ${values}, ${place} AS p ${clauses}${end}) AS rows`;
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
  #found(query: Query, isOfPlaces = false): Found {
    const { from, where, gives } = query;
    const name = this.#nameOf(from);
    const of = this.#source(from);
    if (where === null) return { of, where: null, fragile: false };
    const page = this.#page(query, isOfPlaces);
    if (page) return page;
    const nodes = conjuncts(where);
    const all = nodes.map((one) => this.#holds(one));
    const first = all.findIndex(({ fragile }) => fragile);
    const sure = (first === -1 ? all : all.slice(0, first)).map(({ sql }) => sql);
    if (first === -1) return { of, where: sure.join(' AND '), fragile: false };
    const sought = this.#sought(nodes[first] as Node);
    if (sought) all[first] = sought.check;
    const plain = [...(sought ? [sought.found] : []), ...sure].join(' AND ');
    const narrowed = `${of}${plain === '' ? '' : ` WHERE ${plain}`}${isTruth(gives) ? ` ORDER BY ${name}.place` : ''}`;
    const rest = all.slice(first).reduceRight((right, left) => both(left, right)).sql;
    return {
      of: `(SELECT * FROM ${narrowed} OFFSET 0) AS ${name}`,
      // What reads nothing of the row is looked at for a row all the same.
      where: `CASE WHEN ${name}.place > 0 THEN ${rest} ELSE false END`,
      fragile: true,
    };
  }

  /**
   * How rows are found by their words: `found` holds of those that have them, and of those whose words the index does not
   * hold. Of the latter alone more is to be checked. Null where a condition is another, or no index helps.
   */
  #sought(node: Node): { readonly found: string; readonly check: Sql } | null {
    const sought = soughtBy(this.#words, node);
    const index = sought ? this.#constants?.numberOf(sought.wanted) : undefined;
    if (sought === null || index === undefined || this.#shapes[index] !== 'words') return null;
    const { of, fields } = sought;
    const other = { table: of.table };
    const unheld = `SELECT ${this.#prefix(other)}place FROM ${this.#source(other)} WHERE ${this.words(other, fields)} @@ '${unindexed}'::tsquery`;
    const holds = this.#holds(node);
    return {
      found: `${this.words(of, fields)} @@ ${this.#bound(index, 'words')}::tsquery`,
      check: {
        ...holds,
        sql: `CASE WHEN ${this.#prefix(of)}place IN (${unheld}) THEN ${holds.sql} ELSE true END`,
      },
    };
  }

  /** What an index of words holds of a row. */
  words(of: Source, fields: readonly WordField[]): string {
    const isKey = ({ path }: WordField): boolean => keyIndex(of, path) !== -1;
    const texts = fields.filter((one) => !isKey(one)).map(({ path }) => this.#field(of, path, 'unknown').sql);
    const keys = fields.filter(isKey).map(({ path, type }) => this.#field(of, path, type).sql);
    return `${wordsName}(ARRAY[${texts.join(', ')}]::jsonb[], ARRAY[${keys.join(', ')}]::text[])`;
  }

  /**
   * The rows of a page that have an element in a list, by the table in which these stand in the order that is wanted,
   * so that no more of them need be read than the page has. Null where there is none such.
   *
   * @param isOfPlaces whether nothing is wanted of the rows but their places
   */
  #page(query: Query, isOfPlaces: boolean): Found | null {
    const { from } = query;
    const paged = pagedBy(this.#elements, query, (node) => this.value(node).sql);
    const element = paged && this.#element(paged.element);
    if (!element) return null;
    const [name, side] = [this.#nameOf(from), `${this.#nameOf(from)}e`];
    const held = new Map([...paged.columns].map(([printed, column]) => [printed, `${side}.${column}`]));
    const rest = this.#holding(held, () => paged.rest.map((one) => this.#holds(one)));
    if (rest.some(({ fragile }) => fragile)) return null;
    const elements = `${tableOf(paged.elements.name)} AS ${side}`;
    return {
      of:
        isOfPlaces && rest.length === 0
          ? elements
          : `${elements} JOIN ${this.#source(from)} ON ${name}.place = ${side}.place`,
      where: [`${side}.value = ${element}`, ...rest.map(({ sql }) => sql)].join(' AND '),
      fragile: false,
      held,
    };
  }

  /** Prints while an index holds what is read of a row. */
  #holding<T>(held: Held | undefined, print: () => T): T {
    const before = this.#held;
    this.#held = held ?? null;
    const printed = print();
    this.#held = before;
    return printed;
  }

  /** The rows of the table by which those are found that have an element in a list; null where a condition is another. */
  #amongIn(node: Node): { readonly of: Source; readonly having: string } | null {
    const found = foundBy(this.#elements, node);
    const element = found && this.#element(found.element);
    return element ? { of: found.of, having: `${tableOf(found.by[0].name)} WHERE value = ${element}` } : null;
  }

  /** A text or a number as it is kept of the elements of lists; null where it may be none. */
  #element(node: Node): string | null {
    const of = this.value(node);
    return (of.type === 'text' || of.type === 'float') && !of.nullable && !of.fragile
      ? `tacet_element(${asJson(of).sql})`
      : null;
  }

  #source(from: Source): string {
    const name = this.#nameOf(from);
    if ('table' in from) return `${tableOf(from.table.name)} AS ${name}`;
    return `jsonb_array_elements(${this.#listOf(from.list)}) WITH ORDINALITY AS ${name} (document, place)`;
  }

  /** A parameter is known to be a list by its shape; what a row holds may be none. */
  #listOf(list: Node): string {
    const of = this.value(list);
    return list.kind === 'parameter' ? of.sql : `tacet_elements(${asJson(of).sql})`;
  }

  value(node: Node): Sql {
    const printed = this.#valueOf(node);
    const stored = storedAs(node, (source) => this.#storedOf(source));
    const of = stored === undefined ? printed : { ...printed, sql: this.#inColumn(node, stored) };
    const held = this.#held?.get(of.sql);
    return held === undefined ? of : { ...of, sql: held, isColumn: true };
  }

  #storedOf(source: Source): StoredNames {
    return ('table' in source ? this.#stored.get(source.table.name) : undefined) ?? none;
  }

  #inColumn(node: Node, name: string): string {
    const [field] = node.kind === 'call' ? node.args : [node];
    return `${this.#prefix((field as Node & { kind: 'field' }).of)}${name}`;
  }

  #valueOf(node: Node): Sql {
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
          varies: test.varies || (yes.varies && no.varies),
        };
      }
      case 'call': {
        const among = this.#amongIn(node);
        if (among)
          return sqlOf(
            `EXISTS (SELECT 1 FROM ${among.having} AND place = ${this.#prefix(among.of)}place)`,
            'boolean',
            { nullable: false },
          );
        return called(
          node.name,
          node.args.map((one) => this.value(one)),
        );
      }
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
        return sqlOf(sql, 'boolean', { fragile, varies: left.varies && right.varies });
      }
      case 'not': {
        const of = this.#holds(node.of);
        const sql = of.nullable ? `((${of.sql}) IS NOT TRUE)` : `(NOT ${of.sql})`;
        return { ...of, sql, nullable: false };
      }
      case 'query': {
        if (!isTruth(node.query.gives)) break;
        // A bare EXISTS is turned round where that is better, to find the other rows first.
        const selected = this.#select(node.query);
        return selected.fragile
          ? { ...selected, sql: `(${selected.sql})` }
          : { ...selected, sql: selected.sql.replace('SELECT ', '') };
      }
      case 'choice': {
        const [test, yes, no] = [node.test, node.yes, node.no].map((one) => this.#holds(one)) as [
          Sql,
          Sql,
          Sql,
        ];
        return sqlOf(`CASE WHEN ${test.sql} THEN ${yes.sql} ELSE ${no.sql} END`, 'boolean', {
          fragile: test.fragile || yes.fragile || no.fragile,
          varies: test.varies || (yes.varies && no.varies),
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
    if (shape === 'null') return sqlOf('NULL', 'null', { varies: false });
    if (shape === 'failed')
      return sqlOf(`tacet_fail(${this.#bound(index, 'message')})::jsonb`, 'json', { fragile: true });
    const type = shape === 'list' ? 'json' : shape === 'words' ? 'text' : shape;
    const sql = node.kind === 'literal' ? literalOf(node.value) : this.#bound(index, type);
    return sqlOf(`${sql}::${typeNames[type]}`, type, { nullable: false, varies: false });
  }

  /** What stands in the place of a query over a parameter that is no list: that it cannot be worked out. */
  #noList(list: Parameter): Sql | null {
    const index = this.#constants?.numberOf(list) as number;
    const shape = this.#shapes[index];
    if (shape === 'list') return null;
    const message = shape === 'failed' ? this.#bound(index, 'message') : "'this is no list'";
    return sqlOf(`tacet_fail(${message})::boolean`, 'boolean', { fragile: true });
  }

  #field(of: Source, path: Path, type: ValueKind): Sql {
    const key = keyIndex(of, path);
    if (key === -1 || !('table' in of))
      return memberOf(`${this.#prefix(of)}${'table' in of ? this.#document : 'document'}`, path, type);
    return keyOf(`${this.#prefix(of)}key${key}`, this.#kinds(of.table.name)[key] ?? 'text');
  }

  #order(by: Node, descending: boolean): string {
    const of = this.value(orderable(by));
    const nulls = of.nullable ? (descending ? ' NULLS LAST' : ' NULLS FIRST') : '';
    return `${sortable(of)}${descending ? ' DESC' : ''}${nulls}`;
  }

  /** A whole number: how many, or a place. */
  #integer(node: Node): string {
    if (node.kind === 'literal') return String(node.value);
    const index = this.#constants?.numberOf(node);
    return index === undefined
      ? `${this.value(node).sql}::bigint`
      : `${this.#bound(index, 'integer')}::bigint`;
  }

  #columns(from: Source): string[] {
    const prefix = this.#prefix(from);
    const keys = 'table' in from ? from.table.keyFields.map((_, index) => `${prefix}key${index}`) : [];
    return [`${prefix}place::float8`, ...keys, `${prefix}members`];
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
