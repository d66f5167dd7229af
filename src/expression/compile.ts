import { isWholeDivision, staticType } from './check.ts';
import { type Expression, macroOf, type Syntax } from './expression.ts';
import {
  accepts,
  CannotWorkOut,
  equal,
  finite,
  functions,
  instant,
  type Makers,
  order,
  whole,
  written,
} from './functions.ts';
import type { Template } from './template.ts';
import type { Type } from './type.ts';

/** An item at hand: its members are worked out as they are asked for. */
export interface Item {
  readonly resource: string;
  /** The value kept or derived under this name; null where there is none. */
  readonly member: (name: string) => unknown;
  readonly has: (name: string) => boolean;
}

/** What the names of an expression stand for while it runs (language §G.2). */
export interface Frame {
  readonly names: Readonly<Record<string, unknown>>;
  readonly makers: Makers;
}

export type Run = (frame: Frame) => unknown;

/** How `R(x)` shows one item; a list of them is shown one by one, null as null (language §G.4). */
export type Show = (name: string) => ((item: unknown, frame: Frame) => unknown) | undefined;

type Step = (frame: Frame, locals: readonly unknown[]) => unknown;

/** Compiles an expression to a function. Throws `CannotWorkOut` while it runs (language §G.6). */
export function compile(expression: Expression, show: Show): Run {
  return running(compileStep(expression.syntax, [], show));
}

/** The same for a member of a payload: undefined where it comes to `absent()`, which leaves it out (language §G.4). */
export function compileMember(expression: Expression, show: Show): Run {
  return running(compileMemberStep(expression.syntax, [], show));
}

function running(step: Step): Run {
  return (frame) => {
    const before = spent;
    try {
      return step(frame, none);
    } finally {
      // What one expression spends counts for those that it is part of, and for no other.
      if (before === 0) spent = 0;
    }
  };
}

/** How many elements the macros of one expression may visit: a guard for the process, not a rule. */
const mostVisits = 1_000_000;
let spent = 0;

const none: readonly unknown[] = [];

function compileStep(node: Syntax, locals: readonly string[], show: Show): Step {
  const sub = (child: Syntax): Step => compileStep(child, locals, show);
  switch (node.op) {
    case 'value': {
      const value = typeof node.args === 'bigint' ? whole(Number(node.args)) : node.args;
      return () => value;
    }
    case 'id': {
      const name = node.args;
      const local = locals.lastIndexOf(name);
      if (local !== -1) return (_frame, values) => values[local];
      return (frame) => frame.names[name] ?? null;
    }
    case '.':
    case '.?': {
      const over = sub(node.args[0]);
      const name = node.args[1];
      return (frame, values) => memberOf(over(frame, values), name);
    }
    case '[]':
    case '[?]': {
      const [over, by] = [sub(node.args[0]), sub(node.args[1])];
      return (frame, values) => {
        const index = by(frame, values);
        const list = over(frame, values);
        if (typeof index === 'string') return memberOf(list, index);
        return Array.isArray(list) ? (list[index as number] ?? null) : null;
      };
    }
    case 'list': {
      const items = node.args.map(sub);
      return (frame, values) => items.map((item) => item(frame, values));
    }
    case 'map': {
      const members = node.args.map(
        ([key, value]) => [sub(key), compileMemberStep(value, locals, show)] as const,
      );
      return (frame, values) =>
        Object.fromEntries(
          members
            .map(([key, value]) => [nameOf(key(frame, values)), value(frame, values)] as const)
            .filter(([, value]) => value !== undefined),
        );
    }
    case '!_': {
      const over = sub(node.args);
      return (frame, values) => over(frame, values) !== true;
    }
    case '-_': {
      const over = sub(node.args);
      return (frame, values) => -numberOf(over(frame, values)) || 0;
    }
    case '&&': {
      const [left, right] = [sub(node.args[0]), sub(node.args[1])];
      return (frame, values) => left(frame, values) === true && right(frame, values) === true;
    }
    case '||': {
      const [left, right] = [sub(node.args[0]), sub(node.args[1])];
      return (frame, values) => left(frame, values) === true || right(frame, values) === true;
    }
    case '?:': {
      const [test, yes, no] = [sub(node.args[0]), sub(node.args[1]), sub(node.args[2])];
      return (frame, values) => (test(frame, values) === true ? yes : no)(frame, values);
    }
    case 'in': {
      const [one, of] = [sub(node.args[0]), sub(node.args[1])];
      return (frame, values) => {
        const value = one(frame, values);
        const list = of(frame, values);
        if (Array.isArray(list)) return list.some((item) => equal(item, value));
        return (
          typeof list === 'object' && list !== null && typeof value === 'string' && Object.hasOwn(list, value)
        );
      };
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      const [left, right] = [sub(node.args[0]), sub(node.args[1])];
      const operator = isWholeDivision(node) ? wholeDivision : operators[node.op];
      const isTime = node.args.some((operand) => staticType(operand).kind === 'timestamp');
      if (isTime)
        return (frame, values) => operator(instant(left(frame, values)), instant(right(frame, values)));
      return (frame, values) => operator(left(frame, values), right(frame, values));
    }
    case 'call':
      return compileCall(node.args[0], node.args[1], sub, show);
    case 'rcall': {
      const macro = macroOf(node);
      if (!macro) return compileCall(node.args[0], [node.args[1], ...node.args[2]], sub, show);
      const over = sub(macro.over);
      const body = compileStep(macro.bodies[0] as Syntax, [...locals, macro.name], show);
      const apply = macroRuns[macro.macro];
      return (frame, values) => {
        const list = over(frame, values);
        if (!Array.isArray(list)) throw new CannotWorkOut(`${macro.macro} wants a list`);
        spent += list.length;
        if (spent > mostVisits) throw new CannotWorkOut('this takes too long');
        return apply(list, (item) => body(frame, [...values, item]));
      };
    }
    default:
      throw new TypeError(`no such operator: ${(node as Syntax).op}`);
  }
}

/** What a member of a map or a payload holds; undefined where that is `absent()`, itself or by a choice. */
function compileMemberStep(node: Syntax, locals: readonly string[], show: Show): Step {
  if (node.op === 'call' && node.args[0] === 'absent') return () => undefined;
  if (node.op !== '?:') return compileStep(node, locals, show);
  const test = compileStep(node.args[0], locals, show);
  const yes = compileMemberStep(node.args[1], locals, show);
  const no = compileMemberStep(node.args[2], locals, show);
  return (frame, values) => (test(frame, values) === true ? yes : no)(frame, values);
}

const macroRuns = {
  map: (list: unknown[], body: (item: unknown) => unknown) => list.map((item) => body(item)),
  filter: (list: unknown[], body: (item: unknown) => unknown) => list.filter((item) => body(item) === true),
  exists: (list: unknown[], body: (item: unknown) => unknown) => list.some((item) => body(item) === true),
  all: (list: unknown[], body: (item: unknown) => unknown) => list.every((item) => body(item) === true),
};

const operators = {
  '==': (a: unknown, b: unknown) => equal(a, b),
  '!=': (a: unknown, b: unknown) => !equal(a, b),
  '<': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) < 0,
  '<=': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) <= 0,
  '>': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) > 0,
  '>=': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) >= 0,
  '+': (a: unknown, b: unknown) => {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
    return bounded(numberOf(a) + numberOf(b), a, b);
  },
  '-': (a: unknown, b: unknown) => bounded(numberOf(a) - numberOf(b), a, b),
  '*': (a: unknown, b: unknown) => bounded(numberOf(a) * numberOf(b), a, b),
  '/': (a: unknown, b: unknown) => finite(numberOf(a) / numberOf(b)),
  '%': (a: unknown, b: unknown) => finite(numberOf(a) % numberOf(b)),
};

/** CEL's division of integers goes towards zero. */
const wholeDivision = (a: unknown, b: unknown): number =>
  whole(Math.trunc(finite(numberOf(a) / numberOf(b))));

/** An ordering with null, or between values of different kinds, is false (language §G.6). */
function comparable(a: unknown, b: unknown): boolean {
  return a !== null && typeof a === typeof b;
}

function bounded(result: number, a: unknown, b: unknown): number {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? whole(result) : finite(result);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new CannotWorkOut(`this is no number: ${JSON.stringify(value) ?? 'nothing'}`);
}

function nameOf(key: unknown): string {
  if (typeof key === 'string') return key;
  throw new CannotWorkOut('the name of a member is text');
}

function compileCall(name: string, args: readonly Syntax[], sub: (node: Syntax) => Step, show: Show): Step {
  const [first] = args;
  if (name === 'has' && first && (first.op === '.' || first.op === '[]')) {
    const over = sub(first.args[0]);
    const member = first.op === '.' ? first.args[1] : String(first.args[1].args);
    return (frame, values) => hasMember(over(frame, values), member);
  }
  const shown = show(name);
  if (shown && first) {
    const of = sub(first);
    return (frame, values) => {
      const value = of(frame, values);
      return Array.isArray(value)
        ? value.map((item) => shown(item, frame))
        : value === null
          ? null
          : shown(value, frame);
    };
  }
  const found = functions.get(name);
  const steps = args.map(sub);
  return (frame, values) => {
    if (!found) throw new CannotWorkOut(`${name} is not run by this version`);
    const given = steps.map((step) => step(frame, values));
    const wrong = given.findIndex((value, index) => !accepts(found.parameters[index] as Type, value));
    // `string(null)` is the text of nothing, as within other text.
    if (wrong !== -1 && name !== 'string')
      throw new CannotWorkOut(`${name} cannot take its value number ${wrong + 1}`);
    return found.run(given, frame.makers);
  };
}

function isItem(value: object): value is Item {
  return typeof (value as Partial<Item>).member === 'function' && 'resource' in value;
}

function memberOf(over: unknown, name: string): unknown {
  if (typeof over !== 'object' || over === null) return null;
  if (isItem(over)) return over.member(name);
  return Object.hasOwn(over, name) ? ((over as Record<string, unknown>)[name] ?? null) : null;
}

function hasMember(over: unknown, name: string): boolean {
  if (typeof over !== 'object' || over === null) return false;
  return isItem(over) ? over.has(name) : Object.hasOwn(over, name);
}

/** Compiles a template, of which what is not stated is left out. Null within text is nothing (language §G.1). */
export function compileTemplate(template: Template, show: Show): Run {
  switch (template.kind) {
    case 'literal': {
      const { value } = template;
      return () => value;
    }
    case 'expression':
      return compile(template.expression, show);
    case 'handled':
      return () => {
        throw new CannotWorkOut(`no function is given for ${template.name}`);
      };
    case 'marker':
      return () => undefined;
    case 'text': {
      const pieces = template.pieces.map((piece) => {
        if (typeof piece === 'string') return piece;
        return compile(piece.expression, show);
      });
      return (frame) =>
        pieces.map((piece) => (typeof piece === 'string' ? piece : written(piece(frame)))).join('');
    }
    case 'list': {
      const items = template.items.map((item) => compileTemplate(item, show));
      return (frame) => items.map((item) => item(frame));
    }
    case 'object': {
      const members = [...template.members].map(([name, item]) => {
        const isOne = item.kind === 'expression';
        return [name, isOne ? compileMember(item.expression, show) : compileTemplate(item, show)] as const;
      });
      return (frame) =>
        Object.fromEntries(
          members
            .map(([name, item]) => [name, item(frame)] as const)
            .filter(([, value]) => value !== undefined),
        );
    }
  }
}
