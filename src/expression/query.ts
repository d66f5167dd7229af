import type { StorableName } from './functions.ts';
import type { Item } from './values.ts';

/**
 * What a store is asked, as plain data that knows no dialect (language §G.5). Expressions become such trees in
 * `query-syntax.ts`; the service builds others by hand, with the functions below.
 */
export interface Query {
  readonly from: Source;
  /** Which of them: where it is not true, they are left out; null: all. */
  readonly where: Node | null;
  readonly order: readonly Order[];
  /** How many at most, and after how many; null: all, and after none. */
  readonly limit: Node | null;
  readonly offset: Node | null;
  readonly gives: Gives;
  /**
   * Where it gives rows, what is told with each of them besides what it holds: values, the row that another is found
   * by, or rows. Whoever asks finds each by a label of its own.
   */
  readonly besides: Besides;
}

export type Besides = ReadonlyMap<Label, Node>;
export type Label = string | object;

export const nothingBesides: Besides = new Map();

/** A resource's table, or one of the service's own, whose names begin with a small letter. */
export interface Table {
  readonly name: string;
  /** The fields of the identifier, in its order. */
  readonly keyFields: readonly string[];
  /** Further fields of which no two rows have the same value. Default: none. */
  readonly unique?: readonly string[];
}

/**
 * What a query goes through: the rows of a table, or the elements of a list: a parameter, or what a row holds. Each
 * object is a row of its own: what is read of it is read of the row at hand, also from a query within another.
 */
export type Source = { readonly table: Table } | { readonly list: Node };

export interface Order {
  /** Null comes first, then numbers, texts by code point, and what is neither. */
  readonly by: Node;
  readonly descending: boolean;
}

export type Gives =
  | 'rows'
  /** The one row that there is, or null; as rows, only told beside another row. */
  | { readonly kind: 'row' }
  /** Whether there is one, whether there is none, how many there are. */
  | { readonly kind: 'exists' | 'none' | 'count' }
  /** `value`: of the one row that there is; null where there is none. Of the others nulls are left out. */
  | { readonly kind: 'value' | 'sum' | 'min' | 'max'; readonly of: Node };

/** Of what kind a value is, as far as it is known beforehand; what is known may still be null. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'time' | 'duration' | 'unknown';

export type Node =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | Parameter
  /** A member of a row, or of a member of it; without a path: the element of a list, itself. */
  | {
      readonly kind: 'field';
      readonly of: Source;
      readonly path: Path;
      readonly type: ValueKind;
    }
  /** Where a row stands among those of its table, in the order in which they were made. */
  | { readonly kind: 'place'; readonly of: Source }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: Node; readonly right: Node }
  | { readonly kind: 'and' | 'or'; readonly left: Node; readonly right: Node }
  | { readonly kind: 'not'; readonly of: Node }
  | { readonly kind: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node }
  | { readonly kind: 'call'; readonly name: RowFunction; readonly args: readonly Node[] }
  /** What another query gives: one value, and rows only where they are told beside another row. */
  | { readonly kind: 'query'; readonly query: Query };

/** The names of a member and of what is within it; a number is a place in a list. */
export type Path = readonly (string | number)[];

/** A value that is worked out beforehand and handed over with the statement, by its number. */
export interface Parameter {
  readonly kind: 'parameter';
  readonly index: number;
  readonly type: ValueKind;
  /** Where an item may be given, the item's field whose value stands for it (language §G.3). */
  readonly item: ItemKey | null;
  /** Whether working it out may fail, which counts only where its value is needed. */
  readonly mayFail: boolean;
}

export interface ItemKey {
  readonly resource: string;
  readonly field: string;
  /** Whether only an item will do: no one value is the key of an item with several. */
  readonly itemOnly: boolean;
}

/** What stands for an item where a key may be given: null where nothing does. */
export function keyOf(value: Item, item: ItemKey | null): unknown {
  if (item === null) return typeof value.by === 'string' ? value.key : null;
  return value.resource === item.resource ? value.member(item.field) : null;
}

/** As in CEL, and two-valued (language §G.6). `matches` is `==` without null: nothing matches what is not there. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'matches';

/** What a store works out of the values of a row as the service does (`row-functions.ts`); `list` makes a list of its arguments. */
export type RowFunction =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'divideWhole'
  | 'remainder'
  | 'negate'
  | 'addTimes'
  | 'subtractTimes'
  | StorableName
  | 'list'
  | 'among'
  | 'fold'
  | 'instant'
  | 'span';

export function query(from: Source, more: Partial<Omit<Query, 'from'>> = {}): Query {
  return {
    from,
    where: null,
    order: [],
    limit: null,
    offset: null,
    gives: 'rows',
    besides: nothingBesides,
    ...more,
  };
}

/** A row of a table, to build a query on. */
export function rowOf(table: Table): { readonly table: Table } {
  return { table };
}

export function literal(value: string | number | boolean | null): Node {
  return { kind: 'literal', value };
}

export function parameter(
  index: number,
  type: ValueKind = 'unknown',
  more: Partial<Pick<Parameter, 'item' | 'mayFail'>> = {},
): Parameter {
  return { kind: 'parameter', index, type, item: null, mayFail: false, ...more };
}

export function field(of: Source, name: string | Path, type: ValueKind = 'unknown'): Node {
  return { kind: 'field', of, path: typeof name === 'string' ? [name] : name, type };
}

export function place(of: Source): Node {
  return { kind: 'place', of };
}

/** Times are compared as instants, and durations by their length, where one of the two is known to be one. */
export function compare(op: Comparison, left: Node, right: Node): Node {
  const types = [typeOfNode(left), typeOfNode(right)];
  const by = types.includes('time') ? 'instant' : types.includes('duration') ? 'span' : null;
  if (by === null) return { kind: 'compare', op, left, right };
  return { kind: 'compare', op, left: call(by, left), right: call(by, right) };
}

/** Compares texts by Unicode simple case folding, and other values as they are (language §G.6). */
export function matchesCaseless(left: Node, right: Node): Node {
  return compare('matches', call('fold', left), call('fold', right));
}

/** A value in the form by which it is put in order: an instant for a time, a length for a duration. */
export function orderable(of: Node): Node {
  const type = typeOfNode(of);
  return type === 'time' ? call('instant', of) : type === 'duration' ? call('span', of) : of;
}

export function and(...nodes: readonly Node[]): Node {
  return joined('and', nodes) ?? literal(true);
}

export function or(...nodes: readonly Node[]): Node {
  return joined('or', nodes) ?? literal(false);
}

function joined(kind: 'and' | 'or', nodes: readonly Node[]): Node | undefined {
  const [first, ...others] = nodes;
  return first && others.reduce<Node>((left, right) => ({ kind, left, right }), first);
}

export function not(of: Node): Node {
  return { kind: 'not', of };
}

export function choice(test: Node, yes: Node, no: Node): Node {
  return { kind: 'choice', test, yes, no };
}

export function call(name: RowFunction, ...args: readonly Node[]): Node {
  return { kind: 'call', name, args };
}

/** What another query gives, as a value: whether there is such a row, how many there are, a value of the one. */
export function asked(from: Source, gives: Exclude<Gives, 'rows'>, where: Node | null): Node {
  return { kind: 'query', query: query(from, { where, gives }) };
}

/** Of what kind the value of a node is, as far as that is known; null is of every kind. */
export function typeOfNode(node: Node): ValueKind {
  switch (node.kind) {
    case 'literal':
      return typeOfLiteral(node.value);
    case 'parameter':
    case 'field':
      return node.type;
    case 'place':
      return 'number';
    case 'compare':
    case 'and':
    case 'or':
    case 'not':
      return 'boolean';
    case 'choice': {
      if (isNull(node.yes)) return typeOfNode(node.no);
      const yes = typeOfNode(node.yes);
      return isNull(node.no) || yes === typeOfNode(node.no) ? yes : 'unknown';
    }
    case 'call':
      return typeOfCall(node.name, node.args);
    case 'query':
      return typeOfAsked(node.query.gives);
  }
}

function isNull(node: Node): boolean {
  return node.kind === 'literal' && node.value === null;
}

function typeOfLiteral(value: string | number | boolean | null): ValueKind {
  if (value === null) return 'unknown';
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
}

function typeOfAsked(gives: Gives): ValueKind {
  if (gives === 'rows' || gives.kind === 'row') return 'unknown';
  if ('of' in gives) return gives.kind === 'sum' ? 'number' : typeOfNode(gives.of);
  return gives.kind === 'count' ? 'number' : 'boolean';
}

function typeOfCall(name: RowFunction, args: readonly Node[]): ValueKind {
  const [of = literal(null)] = args;
  switch (name) {
    case 'lower':
      return 'text';
    case 'fold':
      return typeOfNode(of);
    case 'instant':
      return typeOfNode(of) === 'time' ? 'text' : 'unknown';
    case 'span':
      return typeOfNode(of) === 'duration' ? 'number' : 'unknown';
    case 'startsWith':
    case 'endsWith':
    case 'contains':
    case 'matches':
    case 'among':
      return 'boolean';
    case 'size':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'divideWhole':
    case 'remainder':
    case 'negate':
      return 'number';
    case 'addTimes':
      return typeOfSum(args.map(typeOfNode));
    case 'subtractTimes':
      return typeOfDifference(args.map(typeOfNode));
    default:
      // Two texts may be added.
      return 'unknown';
  }
}

/** As the types of expressions have it (`check.ts`). */
function typeOfSum(of: readonly ValueKind[]): ValueKind {
  if (!of.includes('duration')) return 'unknown';
  if (of.includes('time')) return 'time';
  return of.every((kind) => kind === 'duration') ? 'duration' : 'unknown';
}

function typeOfDifference([left, right]: readonly ValueKind[]): ValueKind {
  if (left === 'time') return right === 'time' ? 'duration' : right === 'duration' ? 'time' : 'unknown';
  return right === 'time' || left === 'duration' ? 'duration' : 'unknown';
}

const never: readonly RowFunction[] = ['list', 'among', 'fold', 'instant', 'span'];

/**
 * Whether working a node out may fail, so that it must not be where its value is not needed (language §G.6);
 * `besides`: but for its parameters.
 */
export function mayFail(node: Node, besides = false): boolean {
  const may = (one: Node): boolean => mayFail(one, besides);
  switch (node.kind) {
    case 'literal':
    case 'field':
    case 'place':
      return false;
    case 'parameter':
      return node.mayFail && !besides;
    case 'compare':
    case 'and':
    case 'or':
      return may(node.left) || may(node.right);
    case 'not':
      return may(node.of);
    case 'choice':
      return [node.test, node.yes, node.no].some(may);
    case 'call':
      return !never.includes(node.name) || node.args.some(may);
    case 'query': {
      const { from, where, gives } = node.query;
      if ('list' in from || (gives !== 'rows' && gives.kind === 'sum')) return true;
      return [where, gives !== 'rows' && 'of' in gives ? gives.of : null].some(
        (one) => one !== null && may(one),
      );
    }
  }
}

/** Whether a query gives true or false. */
export function isTruth(gives: Gives): boolean {
  return gives !== 'rows' && (gives.kind === 'exists' || gives.kind === 'none');
}

/** Which of the identifier's fields a path is; -1: none. */
export function keyIndex(of: Source, path: Path): number {
  const [name, inner] = path;
  return 'table' in of && inner === undefined ? of.table.keyFields.indexOf(name as string) : -1;
}

/** What must hold, one by one, for a condition to hold. */
export function conjuncts(node: Node): readonly Node[] {
  return node.kind === 'and' ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node];
}

/** Every query within a tree. */
export function queriesIn(tree: unknown): readonly Query[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const own = 'from' in tree && 'gives' in tree ? [tree as Query] : [];
  const within = tree instanceof Map ? [...tree.values()] : Object.values(tree);
  return [...own, ...within.flatMap(queriesIn)];
}
