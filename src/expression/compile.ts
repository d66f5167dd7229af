import { type Expression, macroOf, type Syntax } from './expression.ts';
import { CannotWorkOut, equal, finite, functions, type Makers, order, whole, written } from './functions.ts';
import type { Template } from './template.ts';

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
  const step = compileStep(expression.syntax, [], show);
  return (frame) => step(frame, none);
}

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
      const members = node.args.map(([key, value]) => [sub(key), sub(value)] as const);
      return (frame, values) =>
        Object.fromEntries(members.map(([key, value]) => [key(frame, values), value(frame, values)]));
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
        return typeof list === 'object' && list !== null && Object.hasOwn(list, String(value));
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
      const operator = operators[node.op];
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
        return apply(list, (item) => body(frame, [...values, item]));
      };
    }
    default:
      throw new TypeError(`no such operator: ${(node as Syntax).op}`);
  }
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

/** An ordering with null, or between values of different kinds, is false (language §G.6). */
function comparable(a: unknown, b: unknown): boolean {
  return a !== null && typeof a === typeof b;
}

function bounded(result: number, a: unknown, b: unknown): number {
  return Number.isInteger(a) && Number.isInteger(b) ? whole(result) : finite(result);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new CannotWorkOut(`this is no number: ${JSON.stringify(value) ?? 'nothing'}`);
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
      return Array.isArray(value) ? value.map((item) => shown(item, frame)) : value === null ? null : shown(value, frame);
    };
  }
  const found = functions.get(name);
  if (!found) throw new TypeError(`no such function: ${name}`);
  const steps = args.map(sub);
  return (frame, values) => {
    const given = steps.map((step) => step(frame, values));
    if (given.length > 0 && given[0] === null && name !== 'string')
      throw new CannotWorkOut(`${name} of nothing`);
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

/** Compiles a template. Where an expression within text gives null, nothing is written (language §G.1). */
export function compileTemplate(template: Template, show: Show): Run {
  switch (template.kind) {
    case 'literal': {
      const { value } = template;
      return () => value;
    }
    case 'expression':
      return compile(template.expression, show);
    case 'text': {
      const pieces = template.pieces.map((piece) => {
        if (typeof piece === 'string') return piece;
        return compile(piece.expression, show);
      });
      return (frame) => pieces.map((piece) => (typeof piece === 'string' ? piece : written(piece(frame)))).join('');
    }
    case 'list': {
      const items = template.items.map((item) => compileTemplate(item, show));
      return (frame) => items.map((item) => item(frame));
    }
    case 'object': {
      const members = [...template.members].map(([name, item]) => [name, compileTemplate(item, show)] as const);
      return (frame) => Object.fromEntries(members.map(([name, item]) => [name, item(frame)]));
    }
  }
}
