import { ofBytes } from './bytes.ts';
import { children, type Fault, macroOf, path, type Syntax } from './expression.ts';
import { functionNamed, functionNames, isFunction, parameterOf } from './functions.ts';
import { isMacro, macros } from './macros.ts';
import { isOperation, typeOfOperator } from './operator-types.ts';
import {
  any,
  bool,
  described,
  either,
  fits,
  holdsBytes,
  integer,
  list,
  longest,
  nullType,
  number,
  oneOf,
  type Type,
  textType,
} from './type.ts';

/** What an expression may name, where it stands (language §G.2). */
export interface Scope {
  readonly names: ReadonlyMap<string, Type>;
  /** Whether a name stands for the set of all items of a resource. */
  readonly isResource: (name: string) => boolean;
  /** The members of an item of a resource; undefined where its fields are open. */
  readonly membersOf: (resource: string) => ReadonlyMap<string, Type> | undefined;
  /** Whether an item may have a member that is not described, since its list of fields is open (language §D.1). */
  readonly mayHave: (resource: string) => boolean;
  /** The one of these names that a name is most likely a slip of. */
  readonly suggest: (name: string, known: readonly string[]) => string | undefined;
  /** What `R(x)` shows, for each resource and view. */
  readonly shows: ReadonlySet<string>;
  /** The type of what it shows of one item. Default: any value. */
  readonly shownAs?: (name: string) => Type;
  /** Whether a call may make something new here: `uuid()`, `random(n)`. */
  readonly makers: boolean;
  /** Takes where names are used: those of resources and views, fields, states and parameters. Default: nobody asks. */
  readonly use?: (kind: 'entry' | 'field' | 'state' | 'parameter', name: string, node: Syntax) => void;
}

const types = new WeakMap<Syntax, Type>();

/** What `typeOf` found a node to be; any value where it was not asked. */
export function staticType(syntax: Syntax): Type {
  return types.get(syntax) ?? any;
}

/** A node that is put in place of another one is of its type. */
export function retyped(syntax: Syntax, like: Syntax): Syntax {
  types.set(syntax, staticType(like));
  return syntax;
}

/** `7 / 2` is 3, as in CEL, where both are integers by their types; else it is 3.5 (language §G.6). */
export function isWholeDivision(syntax: Syntax): boolean {
  if (syntax.op !== '/') return false;
  return syntax.args.every((operand) => staticType(operand).kind === 'integer');
}

/** The type of an expression; what is wrong with it goes to `report` (language §G.1). */
export function typeOf(syntax: Syntax, scope: Scope, report: (fault: Fault) => void): Type {
  const fault = (node: Syntax, message: string): Type => {
    report({ message, start: node.start, end: node.end });
    return any;
  };
  const want = (node: Syntax, found: Type, wanted: Type): Type => {
    if (!fits(found, wanted)) fault(node, `this is ${described(found)}, and ${described(wanted)} is wanted`);
    return found;
  };
  const visit = (node: Syntax, names: ReadonlyMap<string, Type>): Type => {
    const type = find(node, names);
    types.set(node, type);
    return type;
  };
  const find = (node: Syntax, names: ReadonlyMap<string, Type>): Type => {
    if (isOperation(node)) {
      const operands = children(node).map((operand) => visit(operand, names));
      return typeOfOperator(node, operands, { fault, want, never, elementOf, typeOf: staticType });
    }
    switch (node.op) {
      case 'value': {
        const problem = literalProblem(node.args);
        return problem ? fault(node, problem) : typeOfLiteral(node.args);
      }
      case 'id': {
        const type = names.get(node.args);
        if (type) return type;
        if (scope.isResource(node.args)) scope.use?.('entry', node.args, node);
        if (scope.isResource(node.args)) return { kind: 'items', resource: node.args };
        return fault(node, `nothing is called ${node.args} here; known here: ${few([...names.keys()])}`);
      }
      case '.':
      case '.?': {
        const [over, name] = node.args;
        return member(visit(over, names), name, node);
      }
      case '[]':
      case '[?]': {
        const [over, index] = node.args;
        const type = visit(over, names);
        const by = visit(index, names);
        if (index.op === 'value' && typeof index.args === 'string') return member(type, index.args, node);
        if (type.kind === 'list') {
          if (!fits(by, integer)) fault(index, `this is ${described(by)}, and an integer is wanted`);
          return type.of;
        }
        if (type.kind === 'object' || type.kind === 'any') return any;
        return fault(node, `${described(type)} has no elements`);
      }
      case 'list': {
        const types = node.args.map((item) => visit(item, names));
        return list(types.length === 0 ? any : types.reduce(either));
      }
      case 'map': {
        const members = new Map<string, Type>();
        let more = false;
        for (const [key, value] of node.args) {
          const type = visit(value, names);
          if (key.op === 'value' && typeof key.args === 'string') members.set(key.args, type);
          else {
            want(key, visit(key, names), textType);
            more = true;
          }
        }
        return { kind: 'object', members, more };
      }
      case 'call':
        return call(node, node.args[0], node.args[1], names);
      case 'rcall': {
        const macro = macroOf(node);
        if (macro) {
          const over = visit(macro.over, names);
          const inner = new Map(names).set(macro.name, elementOf(over, macro.over));
          const [body] = macro.bodies;
          const type = visit(body as Syntax, inner);
          if (macro.macro === 'map') return list(type);
          if (macro.macro === 'group') return groupsOf(type, elementOf(over, macro.over), longest(over));
          if (!fits(type, bool))
            fault(body as Syntax, `this is ${described(type)}, and true or false is wanted`);
          return macro.macro === 'filter'
            ? over.kind === 'items'
              ? list(elementOf(over, node))
              : over
            : bool;
        }
        return call(node, node.args[0], [node.args[1], ...node.args[2]], names);
      }
      default:
        return any;
    }
  };
  /** Text that is one of a few is never another one: most often a state or a word of an `enum`, mistyped. */
  const never = (of: Type, found: Type, node: Syntax): boolean => {
    if (of.kind !== 'text' || found.kind !== 'text' || !of.values || !found.values) return false;
    if (of.machine !== undefined && !found.machine)
      for (const state of found.values) scope.use?.('state', `${of.machine}.${state}`, node);
    const known = of.values;
    const [wrong] = found.values;
    if (wrong === undefined || found.values.some((value) => known.includes(value))) return false;
    const close = scope.suggest(wrong, known);
    const hint = close === undefined ? `it is one of ${few(known)}` : `did you mean '${close}'?`;
    fault(node, `it is never '${wrong}'; ${hint}`);
    return true;
  };
  const elementOf = (type: Type, node: Syntax): Type => {
    if (type.kind === 'list') return type.of;
    if (type.kind === 'items') return { kind: 'item', resource: type.resource };
    if (type.kind === 'any' || type.kind === 'null') return any;
    return fault(node, `this is ${described(type)}, and a list is wanted`);
  };
  const member = (type: Type, name: string, node: Syntax): Type => {
    if (type.kind === 'any' || type.kind === 'null') return any;
    const members =
      type.kind === 'object' ? type.members : type.kind === 'item' ? scope.membersOf(type.resource) : null;
    if (members === null) return fault(node, `${described(type)} has no members`);
    const owner = type.kind === 'item' ? type.resource : type.kind === 'object' ? type.fieldsOf : undefined;
    if (owner !== undefined) scope.use?.('field', `${owner}.${name}`, node);
    if (scope.use && type.kind === 'object')
      for (const one of type.namesOf?.(name) ?? []) scope.use('parameter', one, node);
    const found =
      members?.get(name) ?? (type.kind === 'object' && type.caseless ? alike(members, name) : undefined);
    if (found) return found;
    if (members === undefined) return any;
    const known = [...members.keys()];
    const close = scope.suggest(name, known);
    // What a list does not name it may hold all the same; a name close to one that it does is taken for a slip.
    const isSlip = close !== undefined && name.length >= shortestSlip;
    if (type.kind === 'object' && type.more && !isSlip) return any;
    if (type.kind === 'item' && scope.mayHave(type.resource) && !isSlip) {
      const undescribed = { resource: type.resource, field: name };
      report({ message: '', start: node.start, end: node.end, undescribed });
      return any;
    }
    if (type.kind === 'object' && type.place) {
      const undeclared = { place: type.place, name, close };
      report({ message: '', start: node.start, end: node.end, undeclared });
      return any;
    }
    const hint = close === undefined ? `it has ${few(known) || 'no members'}` : `did you mean ${close}?`;
    return fault(node, `${described(type)} has no ${name}; ${hint}`);
  };
  const call = (
    node: Syntax,
    name: string,
    args: readonly Syntax[],
    names: ReadonlyMap<string, Type>,
  ): Type => {
    if (name === 'has') {
      const [of] = args;
      const member = of?.op === '.' || (of?.op === '[]' && of.args[1].op === 'value');
      if (args.length !== 1 || !member) return fault(node, 'has(x.y) takes one member');
    }
    // Language §G.5 writes them so, for short.
    if (isMacro(name)) {
      const [over, one] = args.map((arg) => path(arg)?.join('.'));
      return fault(
        node,
        `${name} stands behind what it goes through: ${over ?? 'R'}.${name}(${one ?? 'x'}, …)`,
      );
    }
    const types = args.map((arg) => visit(arg, names));
    if (name === 'has') return bool;
    if (scope.shows.has(name)) {
      scope.use?.('entry', name, node);
      const [of] = types;
      if (of === undefined || types.length > 1)
        return fault(node, `${name}(x) takes one item, or a list of them`);
      const shown = scope.shownAs?.(name) ?? any;
      return of.kind === 'list' || of.kind === 'items' ? list(shown, longest(of)) : shown;
    }
    if (!isFunction(name)) {
      const close = scope.suggest(name, [...functionNames, ...macros, 'has']);
      const hint = close === undefined ? '' : `; did you mean ${close}?`;
      return fault(node, `there is no function ${name}, and no resource or view of this name${hint}`);
    }
    const found = functionNamed(name);
    const least = found.parameters.length - found.optional;
    if (args.length < least || (args.length > found.parameters.length && !found.repeats)) {
      const wanted = found.optional > 0 ? `${least} to ${found.parameters.length}` : `${least}`;
      const more = found.repeats ? ' or more' : '';
      return fault(node, `${name} takes ${wanted}${more} values, and ${args.length} are given`);
    }
    for (const [index, type] of types.entries()) {
      const wanted = parameterOf(found, index);
      if (!fits(type, wanted))
        fault(args[index] as Syntax, `this is ${described(type)}, and ${described(wanted)} is wanted`);
    }
    const own = types.findIndex(
      (type) => holdsBytes(type) && !(type.kind === 'bytes' && ofBytes.includes(name)),
    );
    if (own !== -1) return fault(args[own] as Syntax, `${name} takes no bytes, and ${forBytes}`);
    const [first] = types;
    const problem = first && found.fault?.(first);
    if (problem !== undefined) return fault(args[0] as Syntax, problem);
    const [version] = args;
    if (name === 'uuid' && version?.op === 'value' && version.args !== 4n && version.args !== 7n)
      fault(version, 'there are uuid(4) and uuid(7)');
    if (name === 'random' && version?.op === 'value' && !isLength(version.args))
      fault(version, 'random(n) makes 1 to 1000 letters and digits');
    if (name === 'string' && args.length === 2 && !['timestamp', 'any'].includes(first?.kind ?? ''))
      return fault(args[0] as Syntax, 'string(t, n) writes a time with n fraction digits, and this is none');
    if (name === 'string' && isPastDigits(args[1]))
      return fault(args[1] as Syntax, 'a time has 0 to 6 fraction digits');
    if (found.maker && !scope.makers)
      return fault(
        node,
        `${name}() makes something new, and may stand only in set, with, an answer, or a view`,
      );
    return found.result(types, args);
  };
  return visit(syntax, scope.names);
}

/** What `group` gives: `{ key, items }`, at most as many as there are elements. */
function groupsOf(key: Type, item: Type, most: number | undefined): Type {
  const members = new Map([
    ['key', key],
    ['items', list(item, most)],
  ]);
  return list({ kind: 'object', members, more: false }, most);
}

/** The member whose name differs at most in case. */
function alike(members: ReadonlyMap<string, Type> | undefined, name: string): Type | undefined {
  const lower = name.toLowerCase();
  return [...(members ?? [])].find(([known]) => known.toLowerCase() === lower)?.[1];
}

/** Whether it says how many fraction digits a time has, and none can have so many. */
function isPastDigits(node: Syntax | undefined): boolean {
  return node?.op === 'value' && typeof node.args === 'bigint' && (node.args < 0n || node.args > 6n);
}

/** How many letters and digits `random` makes (language §G.4). */
function isLength(value: unknown): boolean {
  return typeof value !== 'bigint' || (value >= 1n && value <= 1000n);
}

const forBytes = 'an expression tests bytes for null, or takes size(x) or sha256(x) of them';

/** In a list that may hold more, names shorter than this are too alike to be slips of one another. */
export const shortestSlip = 4;

/** Names for a message: a handful of them, however many there are. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ');
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}

/** What is wrong with a literal that CEL knows and JSON does not (language §G.6). */
function literalProblem(value: unknown): string | undefined {
  if (typeof value === 'bigint') {
    const exact = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
    return exact ? undefined : 'integers are exact between ±(2⁵³−1), and this is past them';
  }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'this text holds half a character';
  return typeof value === 'object' && value !== null
    ? 'there are no bytes and no unsigned integers here'
    : undefined;
}

function typeOfLiteral(value: unknown): Type {
  if (value === null) return nullType;
  if (typeof value === 'bigint') return integer;
  if (typeof value === 'number') return number;
  if (typeof value === 'boolean') return bool;
  return typeof value === 'string' ? oneOf([value]) : any;
}
