import { staticType } from './check.ts';
import { children, macroOf, path, type Syntax } from './expression.ts';
import { type FunctionName, functionCalled, isStorable } from './functions.ts';
import { arithmeticOf } from './operators.ts';
import { formOf } from './ordering.ts';
import {
  and,
  type Comparison,
  call,
  choice,
  compare,
  type Gives,
  literal,
  mayFail,
  type Node,
  not,
  or,
  parameter,
  type Query,
  query,
  rowOf,
  type Table,
} from './query.ts';
import {
  differ,
  kindOf,
  type Model,
  NotAsked,
  type Operand,
  ofChoice,
  ofField,
  ofNode,
  ofParameter,
  ofRow,
  same,
} from './query-operand.ts';
import { bytesCalled, logic, reads, storableFaults } from './storable.ts';
import { span } from './time.ts';
import { integer, textType } from './type.ts';

/** The names that stand for a row, or for an element of a list. */
type Rows = ReadonlyMap<string, Operand>;

/** Translates the expressions of one query, which share its parameters (language §G.5). */
export interface Translator<P> {
  /** What is worked out beforehand, each at its number. */
  readonly parameters: readonly P[];
  /** One parameter more, of a tree that is built by hand; gives its number. */
  readonly add: (one: P) => number;
  /** A condition or a value. `rows` are the names that stand for a row of a resource, and where it is from. */
  readonly node: (syntax: Syntax, rows: ReadonlyMap<string, ResourceRow>) => Node;
  /**
   * What a node asks of the items of a resource: which there are, as `R` and `R.filter(…)` do, whether there are
   * some, how many, or what comes of their values. Undefined where it asks nothing, or more than a store can tell.
   * `rows`: as of `node`; none unless given.
   */
  readonly set: (syntax: Syntax, rows?: ReadonlyMap<string, ResourceRow>) => SetQuery | undefined;
}

/** A query over the items of a resource. */
export type SetQuery = Query & { readonly from: { readonly table: Table } };

export interface ResourceRow {
  readonly resource: string;
  readonly from: { readonly table: Table };
}

/**
 * @param parameterOf compiles what reads neither a row nor a set of items
 * @param bound names that stand for something else than the resource that is called so
 */
export function translator<P>(
  model: Model,
  parameterOf: (syntax: Syntax, mayFail: boolean) => P,
  bound: readonly string[] = [],
): Translator<P> {
  const parameters: P[] = [];
  const add = (one: P): number => parameters.push(one) - 1;
  const isSet = (name: string): boolean => !bound.includes(name) && model.table(name) !== undefined;
  const row = (resource: string, from: { readonly table: Table }): Operand =>
    ofRow(model, from, resource, (derived, self) => {
      if (storableFaults(derived, ['this'], isSet).length > 0) throw new NotAsked();
      return operand(derived, new Map([['this', self]]));
    });

  const operand = (syntax: Syntax, rows: Rows): Operand => {
    if (syntax.op === 'value') return ofNode(literal(literalOf(syntax.args)));
    if (!reads(syntax, [...rows.keys()], (name) => !rows.has(name) && isSet(name))) return beforehand(syntax);
    switch (syntax.op) {
      case 'id':
        return rows.get(syntax.args) ?? refuse();
      case '.': {
        // A row says of bytes how many they are, and their digest.
        const digested = syntax.args[1] === 'hex' ? bytesCalled(syntax.args[0], 'sha256') : undefined;
        if (digested) return operand(digested, rows).member('sha256', textType);
        return operand(syntax.args[0], rows).member(syntax.args[1], staticType(syntax));
      }
      case '[]': {
        const [over, by] = syntax.args;
        if (by.op !== 'value' || typeof by.args !== 'string') return refuse();
        return operand(over, rows).member(by.args, staticType(syntax));
      }
      case '?:': {
        const [test, yes, no] = syntax.args;
        return ofChoice(node(test, rows), operand(yes, rows), operand(no, rows));
      }
      default:
        return ofNode(nodeOf(syntax, rows));
    }
  };

  const node = (syntax: Syntax, rows: Rows): Node => operand(syntax, rows).node();

  const beforehand = (syntax: Syntax): Operand => {
    const type = staticType(syntax);
    const isFragile = !isPlain(syntax, model);
    let index: number | undefined;
    const one = () => {
      index ??= add(parameterOf(syntax, isFragile));
      return parameter(index, kindOf(type), { mayFail: isFragile });
    };
    return ofParameter(one, type.kind === 'item' ? type.resource : null);
  };

  const nodeOf = (syntax: Syntax, rows: Rows): Node => {
    switch (syntax.op) {
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return comparison(syntax, syntax.op, operand(syntax.args[0], rows), operand(syntax.args[1], rows));
      case '&&':
        return and(node(syntax.args[0], rows), node(syntax.args[1], rows));
      case '||':
        return or(node(syntax.args[0], rows), node(syntax.args[1], rows));
      case '!_':
        return not(node(syntax.args, rows));
      case '-_':
        return call('negate', value(syntax.args, rows));
      case 'in':
        return membership(syntax, syntax.args[0], syntax.args[1], rows);
      case 'list':
        return call('list', ...syntax.args.map((item) => node(item, rows)));
      case 'call':
      case 'rcall': {
        const sized = bytesCalled(syntax, 'size');
        if (sized) return operand(sized, rows).member('size', integer).node();
        const overList = listQuery(syntax, rows);
        if (overList) return { kind: 'query', query: overList };
        const asked = setQuery(syntax, rows);
        if (asked && asked.gives !== 'rows') return { kind: 'query', query: asked };
        const name = functionCalled(syntax);
        if (!name || !isStorable(name)) return refuse();
        return call(name, ...children(syntax).map((child) => value(child, rows)));
      }
      default: {
        const name = arithmeticOf(syntax) ?? refuse();
        return call(name, ...children(syntax).map((child) => value(child, rows)));
      }
    }
  };

  /** An operand of what takes no items: one that is handed over all the same is not its key. */
  const value = (syntax: Syntax, rows: Rows): Node => bare(operand(syntax, rows));

  const comparison = (syntax: Syntax, op: Comparison, left: Operand, right: Operand): Node => {
    if (op === '==' || op === '!=') {
      if (left.item || right.item) return op === '==' ? same(left, right) : differ(left, right);
    } else if (left.item || right.item) return literal(false);
    const form = formed(syntax);
    const isOrder = op !== '==' && op !== '!=';
    const [a, b] = [left, right].map((one) => form(isOrder ? bare(one) : one.node())) as [Node, Node];
    return compare(op, a, b);
  };

  const membership = (syntax: Syntax, one: Syntax, list: Syntax, rows: Rows): Node => {
    const left = operand(one, rows);
    const form = formed(syntax);
    if (list.op === 'list') {
      const elements = list.args.map((element) => operand(element, rows));
      const isOfItems = [left, ...elements].some(({ item }) => item);
      if (isOfItems || (elements.length <= fewest && isSimple(left.node()))) {
        const found = elements.map((element) => comparison(syntax, '==', left, element));
        // An expression works all elements out before it looks among them.
        if (found.some((each) => mayFail(each))) return call('among', literal(true), call('list', ...found));
        return or(...found);
      }
      return call('among', form(left.node()), form(call('list', ...elements.map((each) => each.node()))));
    }
    const of = operand(list, rows);
    const among = (each: Operand): Node => {
      if (each.either) return choice(each.either.test, among(each.either.yes), among(each.either.no));
      const [field, second] = each.item?.by ?? [];
      if (!each.item || field === undefined) return call('among', form(each.node()), form(of.node()));
      if (second !== undefined) return refuse();
      const key = { resource: each.item.resource, field, itemOnly: false };
      return call('among', each.key(key), of.key(key));
    };
    return among(left);
  };

  /** The list that a row keeps, or that is worked out beforehand, with the element at hand; undefined: a set of items. */
  const listed = (over: Syntax, name: string, rows: Rows): List | undefined => {
    if (over.op === 'id' && !rows.has(over.args) && isSet(over.args)) return undefined;
    const list = node(over, rows);
    if (list.kind === 'parameter' ? reads(over, [...rows.keys()], isSet) : path(over) === undefined)
      return refuse();
    const type = staticType(over);
    const from = { list: list.kind === 'parameter' ? { ...list, mayFail: true } : list };
    const element = ofField(from, [], type.kind === 'list' ? type.of : { kind: 'any' });
    return { from, where: null, rows: new Map(rows).set(name, element), element };
  };

  /** `list` and `list.filter(x, …)`, of which the elements have another name from here on. */
  const filteredList = (over: Syntax, name: string, rows: Rows): List | undefined => {
    const macro = macroOf(over);
    if (macro?.macro !== 'filter') return listed(over, name, rows);
    const found = listed(macro.over, macro.name, rows);
    if (found === undefined) return undefined;
    const where = node(macro.bodies[0] as Syntax, found.rows);
    return { ...found, where, rows: new Map(rows).set(name, found.element) };
  };

  /** What is asked of a list: whether there is such an element, how many, or what comes of their values. */
  const listQuery = (syntax: Syntax, rows: Rows): Query | undefined => {
    const macro = macroOf(syntax);
    if (macro?.macro === 'exists' || macro?.macro === 'all') {
      const found = listed(macro.over, macro.name, rows);
      return found && macroQuery(macro.macro, found.from, node(macro.bodies[0] as Syntax, found.rows));
    }
    const name = functionOf(syntax);
    const [over] = children(syntax);
    const inner = over && macroOf(over);
    if (name === 'size' && over && inner?.macro === 'filter') {
      const found = filteredList(over, '', rows);
      return found && query(found.from, { where: found.where, gives: { kind: 'count' } });
    }
    if ((name !== 'sum' && name !== 'min' && name !== 'max') || inner?.macro !== 'map') return undefined;
    const found = filteredList(inner.over, inner.name, rows);
    if (found === undefined) return undefined;
    const of = value(inner.bodies[0] as Syntax, found.rows);
    return query(found.from, { where: found.where, gives: { kind: name, of } });
  };

  /** `R` and `R.filter(x, …)`: the rows, and the name that stands for one of them. */
  const filtered = (
    syntax: Syntax,
    rows: Rows,
  ): (Query & { readonly from: { readonly table: Table }; readonly resource: string }) | undefined => {
    const macro = macroOf(syntax);
    const of = macro?.macro === 'filter' ? macro.over : syntax;
    if (of.op !== 'id' || rows.has(of.args) || !isSet(of.args)) return undefined;
    const from = rowOf(model.table(of.args) as Table);
    const where = macro ? body(macro.bodies[0] as Syntax, macro.name, from, of.args, rows) : null;
    return { ...query(from, { where }), from, resource: of.args };
  };

  const body = (
    syntax: Syntax,
    name: string,
    from: { readonly table: Table },
    resource: string,
    rows: Rows,
  ): Node => {
    const inner = new Map(rows).set(name, row(resource, from));
    if (storableFaults(syntax, [...inner.keys()], (one) => !inner.has(one) && isSet(one)).length > 0)
      throw new NotAsked();
    return node(syntax, inner);
  };

  const setQuery = (syntax: Syntax, rows: Rows): SetQuery | undefined => {
    const macro = macroOf(syntax);
    if (macro?.macro === 'exists' || macro?.macro === 'all') {
      const over = filtered(macro.over, rows);
      if (over === undefined) return undefined;
      const condition = body(macro.bodies[0] as Syntax, macro.name, over.from, over.resource, rows);
      const asked = macroQuery(macro.macro, over.from, condition);
      const where = over.where ? and(over.where, asked.where as Node) : asked.where;
      return { ...asked, where, from: over.from };
    }
    const name = functionOf(syntax);
    const [over] = children(syntax);
    if (name === 'size' && over) {
      const found = filtered(over, rows);
      return found && { ...found, gives: { kind: 'count' } };
    }
    const values = over && macroOf(over);
    if ((name === 'sum' || name === 'min' || name === 'max') && values?.macro === 'map') {
      const found = filtered(values.over, rows);
      if (found === undefined) return undefined;
      const [value] = values.bodies as [Syntax];
      if (staticType(value).kind === 'item') throw new NotAsked();
      return {
        ...found,
        gives: { kind: name, of: body(value, values.name, found.from, found.resource, rows) },
      };
    }
    return filtered(syntax, rows);
  };

  const operands = (rows: ReadonlyMap<string, ResourceRow>): Rows =>
    new Map([...rows].map(([name, { resource, from }]) => [name, row(resource, from)]));

  return {
    parameters,
    add,
    node: (syntax, rows) => node(syntax, operands(rows)),
    set: (syntax, rows = new Map()) => {
      try {
        return setQuery(syntax, operands(rows));
      } catch (error) {
        if (error instanceof NotAsked) return undefined;
        throw error;
      }
    },
  };
}

interface List {
  readonly from: { readonly list: Node };
  readonly where: Node | null;
  readonly rows: Rows;
  readonly element: Operand;
}

/** The function that one value alone is given to; empty: it is none. */
function functionOf(syntax: Syntax): FunctionName | undefined {
  return children(syntax).length === 1 ? functionCalled(syntax) : undefined;
}

const noItem = { resource: '', field: '', itemOnly: false };

function bare(operand: Operand): Node {
  return operand.item ? operand.node() : operand.key(noItem);
}

function isSimple({ kind }: Node): boolean {
  return kind === 'field' || kind === 'parameter' || kind === 'literal';
}

/** A list of more elements is handed over as one. */
const fewest = 100;

function macroQuery(macro: 'exists' | 'all', from: Query['from'], condition: Node): Query {
  const gives: Gives = { kind: macro === 'exists' ? 'exists' : 'none' };
  return query(from, { where: macro === 'exists' ? condition : not(condition), gives });
}

function refuse(): never {
  throw new NotAsked('this cannot be asked of a store');
}

/** Times and durations in the form in which they compare, also within lists. */
function formed(syntax: Syntax): (node: Node) => Node {
  const form = formOf(children(syntax).map(staticType));
  if (form === undefined) return (node) => node;
  return (node) => call(form === span ? 'span' : 'instant', node);
}

function literalOf(value: unknown): string | number | boolean | null {
  return typeof value === 'bigint' ? Number(value) : (value as string | number | boolean | null);
}

const plain: readonly string[] = [...logic, 'map'];

/** Whether nothing in it can fail: literals, comparisons, paths that lead through nothing derived, and what is made of them. */
function isPlain(syntax: Syntax, model: Model): boolean {
  if (syntax.op === 'value' || syntax.op === 'id') return true;
  if (syntax.op === '.') {
    const [over, name] = syntax.args;
    const of = staticType(over);
    return isPlain(over, model) && !(of.kind === 'item' && model.field(of.resource, name)?.derived);
  }
  return plain.includes(syntax.op) && children(syntax).every((child) => isPlain(child, model));
}
