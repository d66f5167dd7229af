import { type Fault, macroOf, type Syntax } from './expression.ts';
import { functions, functionsNotRun } from './functions.ts';
import { any, bool, described, either, fits, integer, list, nullType, number, textType, type Type } from './type.ts';

/** What an expression may name, where it stands (language §G.2). */
export interface Scope {
  readonly names: ReadonlyMap<string, Type>;
  /** The members of an item of a resource; undefined where its fields are open. */
  readonly membersOf: (resource: string) => ReadonlyMap<string, Type> | undefined;
  /** What `R(x)` shows, for each resource and view. */
  readonly shows: ReadonlySet<string>;
  /** Whether a call may make something new here: `uuid()`, `random(n)`. */
  readonly makers: boolean;
}

/** The type of an expression; what is wrong with it goes to `report` (language §G.1). */
export function typeOf(syntax: Syntax, scope: Scope, report: (fault: Fault) => void): Type {
  const fault = (node: Syntax, message: string): Type => {
    report({ message, start: node.start, end: node.end });
    return any;
  };
  const visit = (node: Syntax, names: ReadonlyMap<string, Type>): Type => {
    const need = (child: Syntax, wanted: Type): Type => {
      const found = visit(child, names);
      if (!fits(found, wanted)) fault(child, `this is ${described(found)}, and ${described(wanted)} is wanted`);
      return found;
    };
    switch (node.op) {
      case 'value':
        return typeOfLiteral(node.args);
      case 'id': {
        const type = names.get(node.args);
        if (type) return type;
        const known = [...names.keys()].join(', ');
        return fault(node, `nothing is called ${node.args} here; known here: ${known}`);
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
            need(key, textType);
            more = true;
          }
        }
        return { kind: 'object', members, more };
      }
      case '!_':
        need(node.args, bool);
        return bool;
      case '-_':
        return need(node.args, number);
      case '&&':
      case '||':
        need(node.args[0], bool);
        need(node.args[1], bool);
        return bool;
      case '?:': {
        need(node.args[0], bool);
        return either(visit(node.args[1], names), visit(node.args[2], names));
      }
      case '==':
      case '!=': {
        const [left, right] = [visit(node.args[0], names), visit(node.args[1], names)];
        if (!fits(left, right) && !fits(right, left))
          fault(node, `${described(left)} and ${described(right)} are never equal`);
        return bool;
      }
      case '<':
      case '<=':
      case '>':
      case '>=': {
        const [left, right] = [visit(node.args[0], names), visit(node.args[1], names)];
        if (!fits(left, right) && !fits(right, left))
          fault(node, `${described(left)} and ${described(right)} have no order`);
        return bool;
      }
      case 'in': {
        visit(node.args[0], names);
        const over = visit(node.args[1], names);
        if (!['list', 'items', 'any', 'null', 'object'].includes(over.kind))
          fault(node.args[1], `this is ${described(over)}, and a list is wanted`);
        return bool;
      }
      case '+': {
        const [left, right] = [visit(node.args[0], names), visit(node.args[1], names)];
        const addable = ['text', 'integer', 'number', 'list', 'timestamp', 'duration', 'any', 'null'];
        if (!addable.includes(left.kind) || !addable.includes(right.kind) || (!fits(left, right) && !fits(right, left)))
          return fault(node, `${described(left)} and ${described(right)} cannot be added`);
        return left.kind === 'any' || right.kind === 'any' ? any : either(left, right);
      }
      case '-':
      case '*':
      case '/':
      case '%': {
        const [left, right] = [need(node.args[0], number), need(node.args[1], number)];
        return left.kind === 'any' || right.kind === 'any' ? number : either(left, right);
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
          if (!fits(type, bool)) fault(body as Syntax, `this is ${described(type)}, and true or false is wanted`);
          return macro.macro === 'filter' ? (over.kind === 'items' ? list(elementOf(over, node)) : over) : bool;
        }
        return call(node, node.args[0], [node.args[1], ...node.args[2]], names);
      }
      default:
        return any;
    }
  };
  const elementOf = (type: Type, node: Syntax): Type => {
    if (type.kind === 'list') return type.of;
    if (type.kind === 'items') return { kind: 'item', resource: type.resource };
    if (type.kind === 'any' || type.kind === 'null') return any;
    return fault(node, `this is ${described(type)}, and a list is wanted`);
  };
  const member = (type: Type, name: string, node: Syntax): Type => {
    if (type.kind === 'any' || type.kind === 'null') return any;
    const members = type.kind === 'object' ? type.members : type.kind === 'item' ? scope.membersOf(type.resource) : null;
    if (members === null) return fault(node, `${described(type)} has no members`);
    const found = members?.get(name);
    if (found) return found;
    if (members === undefined || (type.kind === 'object' && type.more)) return any;
    return fault(node, `${described(type)} has no ${name}; it has ${[...members.keys()].join(', ') || 'no members'}`);
  };
  const call = (node: Syntax, name: string, args: readonly Syntax[], names: ReadonlyMap<string, Type>): Type => {
    const types = args.map((arg) => visit(arg, names));
    if (name === 'has') return bool;
    if (scope.shows.has(name)) {
      const [of] = types;
      if (of === undefined || types.length > 1) return fault(node, `${name}(x) takes one item, or a list of them`);
      return of.kind === 'list' || of.kind === 'items' ? list(any) : any;
    }
    if (functionsNotRun.includes(name)) return any;
    const found = functions.get(name);
    if (!found) return fault(node, `there is no function ${name}, and no resource or view of this name`);
    const least = found.parameters.length - found.optional;
    if (args.length < least || args.length > found.parameters.length) {
      const wanted = found.optional > 0 ? `${least} to ${found.parameters.length}` : `${least}`;
      return fault(node, `${name} takes ${wanted} values, and ${args.length} are given`);
    }
    for (const [index, type] of types.entries()) {
      const wanted = found.parameters[index] as Type;
      if (!fits(type, wanted))
        fault(args[index] as Syntax, `this is ${described(type)}, and ${described(wanted)} is wanted`);
    }
    if (found.maker && !scope.makers)
      return fault(node, `${name}() makes something new, and may stand only in set, with, an answer, or a view`);
    return found.result(types);
  };
  return visit(syntax, scope.names);
}

function typeOfLiteral(value: unknown): Type {
  if (value === null) return nullType;
  if (typeof value === 'bigint') return integer;
  if (typeof value === 'number') return number;
  if (typeof value === 'boolean') return bool;
  return typeof value === 'string' ? textType : any;
}
