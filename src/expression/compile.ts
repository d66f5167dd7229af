import { negate } from './arithmetic.ts';
import { stepsOfCall } from './call-steps.ts';
import { staticType } from './check.ts';
import { type Expression, macroOf, path, readPath, type Syntax } from './expression.ts';
import { functionCalled, functionNamed, isFunction, type Makers, parameterOf, runOf } from './functions.ts';
import { operatorOf } from './operators.ts';
import { formOf } from './ordering.ts';
import { begin, end, TooManySteps, take } from './steps.ts';
import type { Template } from './template.ts';
import { accepts, CannotWorkOut, equal, type Item, isItem, order, whole, written } from './values.ts';
import { grouped } from './words.ts';

export type { Item } from './values.ts';

/** What the names of an expression stand for while it runs (language §G.2). */
export interface Frame {
  readonly names: Readonly<Record<string, unknown>>;
  readonly makers: Makers;
  /** What is kept, as it is seen while the expression runs: for items, and for sets of them. */
  readonly reads?: object | undefined;
  /** The functions that the operator gives to stand for expressions, by name (language §I). */
  readonly handlers?: ReadonlyMap<string, (names: Readonly<Record<string, unknown>>) => unknown> | undefined;
  /** What `value` stands for in expressions that such a function gave as data, by expression. */
  readonly values?: ReadonlyMap<Expression, unknown>;
}

export type Run = (frame: Frame) => unknown;

/** How `R(x)` shows one item; a list of them is shown one by one, null as null (language §G.4). */
export type Show = (name: string) => ((item: unknown, frame: Frame) => unknown) | undefined;

/** A compiled node; `locals` are the values of the names that macros around it bind. */
export type Step = (frame: Frame, locals: readonly unknown[]) => unknown;

/**
 * How a node about the items of a resource is worked out: what a store is asked; undefined where it is about none.
 * `compile` compiles what of the node is worked out beforehand.
 */
export type Sets = (
  node: Syntax,
  locals: readonly string[],
  compile: (node: Syntax) => Step,
) => Step | undefined;

/** The item that a key refers to; nobody's: an item that has no members. */
export type Follow = (
  to: { readonly resource: string; readonly by?: string | null },
  key: unknown,
  frame: Frame,
) => Item;

/** To what a chain of members of the request refers; undefined: it is no reference. */
export type Brings = (
  chain: readonly string[],
) => { readonly resource: string; readonly by?: string | null } | undefined;

/** What an expression is compiled against, besides its names. */
export interface Environment {
  readonly show: Show;
  /** Undefined where nothing is kept: a reference in a request is a key, and nothing more. */
  readonly follow?: Follow;
  /** To what a member of the request refers, where types do not tell: in an expression that operations share. */
  readonly brings?: Brings;
  /** Undefined where nothing is kept: a resource's name stands for nothing. */
  readonly sets?: Sets;
}

/** Compiles an expression to a function. Throws `CannotWorkOut` while it runs (language §G.6). */
export function compile(expression: Expression, environment: Environment | Show): Run {
  return running(expression, compileStep(expression.syntax, [], environmentOf(environment)));
}

/** The same for a member of a payload: undefined where it comes to `absent()`, which leaves it out (language §G.4). */
export function compileMember(expression: Expression, environment: Environment | Show): Run {
  return running(expression, compileMemberStep(expression.syntax, [], environmentOf(environment)));
}

/** An expression for an item: a reference that a request brings is the item that it refers to (language §G.3). */
export function compileItem(expression: Expression, environment: Environment): Run {
  const { syntax } = expression;
  return running(expression, following(syntax, compileStep(syntax, [], environment), environment));
}

/** To what an expression refers that is a reference of the request: its key, until it is followed. */
export function broughtTo(syntax: Syntax, { brings }: Environment): ReturnType<Brings> {
  const chain = path(syntax);
  if (chain?.[0] !== 'request') return undefined;
  const type = staticType(syntax);
  return brings?.(chain) ?? (type.kind === 'item' ? type : undefined);
}

function following(node: Syntax, step: Step, environment: Environment): Step {
  const { follow } = environment;
  const to = broughtTo(node, environment);
  if (to === undefined || follow === undefined) return step;
  return (frame, values) => {
    const key = step(frame, values);
    return key === null || isItem(key) ? key : follow(to, key, frame);
  };
}

function environmentOf(environment: Environment | Show): Environment {
  return typeof environment === 'function' ? { show: environment } : environment;
}

/** Runs an expression; an error that it comes to tells of it. */
function running(expression: Expression, step: Step): Run {
  return (frame) => {
    begin();
    try {
      return step(frame, none);
    } catch (error) {
      if (error instanceof CannotWorkOut || error instanceof TooManySteps) error.expression ??= expression;
      throw error;
    } finally {
      end();
    }
  };
}

const none: readonly unknown[] = [];

function compileStep(node: Syntax, locals: readonly string[], environment: Environment): Step {
  const sub = (child: Syntax): Step => compileStep(child, locals, environment);
  const item = (child: Syntax): Step => following(child, sub(child), environment);
  const set = environment.sets?.(node, locals, sub);
  if (set) return set;
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
      const over = item(node.args[0]);
      const name = nameRead(node, node.args[1]);
      return (frame, values) => memberOf(over(frame, values), name);
    }
    case '[]':
    case '[?]': {
      const [over, by] = [item(node.args[0]), sub(node.args[1])];
      const isField = path(node.args[0])?.join('.') === 'request.headers';
      return (frame, values) => {
        const index = by(frame, values);
        const list = over(frame, values);
        if (typeof index === 'string') return memberOf(list, isField ? index.toLowerCase() : index);
        return Array.isArray(list) ? (list[index as number] ?? null) : null;
      };
    }
    case 'list': {
      const items = node.args.map(sub);
      return (frame, values) => {
        take(items.length);
        return items.map((item) => item(frame, values));
      };
    }
    case 'map': {
      const members = node.args.map(
        ([key, value]) => [sub(key), compileMemberStep(value, locals, environment)] as const,
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
      return (frame, values) => negate(over(frame, values));
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
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      const [left, right] = [sub(node.args[0]), sub(node.args[1])];
      const run = operatorOf(node);
      return (frame, values) => run(left(frame, values), right(frame, values));
    }
    case 'call':
      return compileCall(node.args[0], node.args[1], { sub, item }, environment.show);
    case 'rcall': {
      const macro = macroOf(node);
      if (!macro)
        return compileCall(node.args[0], [node.args[1], ...node.args[2]], { sub, item }, environment.show);
      const over = sub(macro.over);
      const body = compileStep(macro.bodies[0] as Syntax, [...locals, macro.name], environment);
      const apply = macro.macro === 'group' ? groupRun(macro.bodies[0] as Syntax) : macroRuns[macro.macro];
      return (frame, values) => {
        const list = over(frame, values);
        if (!Array.isArray(list)) throw new CannotWorkOut(`${macro.macro} wants a list`);
        take(list.length);
        return apply(list, (item) => body(frame, [...values, item]));
      };
    }
    default:
      throw new TypeError(`no such operator: ${(node as Syntax).op}`);
  }
}

/** What a member of a map or a payload holds; undefined where that is `absent()`, itself or by a choice. */
function compileMemberStep(node: Syntax, locals: readonly string[], environment: Environment): Step {
  if (functionCalled(node) === 'absent') return () => undefined;
  if (node.op !== '?:') return compileStep(node, locals, environment);
  const test = compileStep(node.args[0], locals, environment);
  const yes = compileMemberStep(node.args[1], locals, environment);
  const no = compileMemberStep(node.args[2], locals, environment);
  return (frame, values) => (test(frame, values) === true ? yes : no)(frame, values);
}

const macroRuns = {
  map: (list: unknown[], body: (item: unknown) => unknown) => list.map((item) => body(item)),
  filter: (list: unknown[], body: (item: unknown) => unknown) => list.filter((item) => body(item) === true),
  exists: (list: unknown[], body: (item: unknown) => unknown) => list.some((item) => body(item) === true),
  all: (list: unknown[], body: (item: unknown) => unknown) => list.every((item) => body(item) === true),
};

/** Groups by ascending key: times as instants, durations by their length. */
function groupRun(key: Syntax) {
  const form = formOf([staticType(key)]) ?? ((value: unknown) => value);
  const compare = (a: unknown, b: unknown): number => order(form(a), form(b));
  return (items: unknown[], body: (item: unknown) => unknown) =>
    grouped(items, body, compare, (a, b) => equal(form(a), form(b)));
}

function nameOf(key: unknown): string {
  if (typeof key === 'string') return key;
  throw new CannotWorkOut('the name of a member is text');
}

function compileCall(
  name: string,
  args: readonly Syntax[],
  { sub, item }: Readonly<Record<'sub' | 'item', (node: Syntax) => Step>>,
  show: Show,
): Step {
  const [first] = args;
  if (name === 'has' && first && (first.op === '.' || first.op === '[]')) {
    const over = item(first.args[0]);
    const member = first.op === '.' ? first.args[1] : String(first.args[1].args);
    const name = nameRead(first, member);
    return (frame, values) => hasMember(over(frame, values), name);
  }
  const shown = show(name);
  if (shown && first) {
    const of = item(first);
    return (frame, values) => {
      const value = of(frame, values);
      return Array.isArray(value)
        ? value.map((item) => shown(item, frame))
        : value === null
          ? null
          : shown(value, frame);
    };
  }
  if (!isFunction(name))
    return () => {
      throw new CannotWorkOut(`${name} is not run by this version`);
    };
  const found = functionNamed(name);
  const run = runOf(name, args.map(staticType));
  const steps = args.map(sub);
  const [only] = args;
  const takesNull = found?.takesNull || (only && staticType(only).kind === 'bytes');
  return (frame, values) => {
    const given = steps.map((step) => step(frame, values));
    take(stepsOfCall(name, given));
    const wrong = given.findIndex(
      (value, index) => !(value === null && takesNull) && !accepts(parameterOf(found, index), value),
    );
    if (wrong !== -1) throw new CannotWorkOut(`${name} cannot take its value number ${wrong + 1}`);
    // Of bytes that are not there (language §G.4).
    if (given[0] === null && takesNull && !found.takesNull) return null;
    return run(given, frame.makers, frame);
  };
}

/** The name by which a member is read. */
function nameRead(node: Syntax, name: string): string {
  const chain = readPath(node);
  return chain?.length === 3 && chain[1] === 'headers' ? (chain[2] as string) : name;
}

function memberOf(over: unknown, name: string): unknown {
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return null;
  if (isItem(over)) return over.member(name);
  return Object.hasOwn(over, name) ? ((over as Record<string, unknown>)[name] ?? null) : null;
}

function hasMember(over: unknown, name: string): boolean {
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return false;
  return isItem(over) ? over.has(name) : Object.hasOwn(over, name);
}

/** Compiles a template, of which what is not stated is left out. Null within text is nothing (language §G.1). */
export function compileTemplate(template: Template, environment: Environment | Show): Run {
  switch (template.kind) {
    case 'literal': {
      const { value } = template;
      return () => value;
    }
    case 'expression':
      return compile(template.expression, environment);
    case 'handled':
      return ({ handlers, names }) => {
        const handler = handlers?.get(template.name);
        if (handler === undefined) throw new CannotWorkOut(`no function is given for ${template.name}`);
        return handler(names);
      };
    case 'marker':
      return () => undefined;
    case 'text': {
      const pieces = template.pieces.map((piece) => {
        if (typeof piece === 'string') return piece;
        return compile(piece.expression, environment);
      });
      return (frame) =>
        pieces.map((piece) => (typeof piece === 'string' ? piece : written(piece(frame)))).join('');
    }
    case 'list': {
      const items = template.items.map((item) => compileTemplate(item, environment));
      return (frame) => items.map((item) => item(frame));
    }
    case 'object': {
      const members = [...template.members].map(([name, item]) => {
        const isOne = item.kind === 'expression';
        return [
          name,
          isOne ? compileMember(item.expression, environment) : compileTemplate(item, environment),
        ] as const;
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
