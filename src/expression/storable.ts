import { staticType } from './check.ts';
import { children, type Fault, type Macro, macroOf, path, pathsRead, type Syntax } from './expression.ts';
import { type FunctionName, functionCalled, functionNamed, isFunction, isStorable } from './functions.ts';
import { among, counted, kept } from './instead.ts';
import { insteadOfMacro, isMacro } from './macros.ts';
import { comparing } from './operators.ts';

/** Operators that cannot fail but by what they are between. */
export const logic: readonly Syntax['op'][] = [...comparing, '&&', '||', '!_', '?:', 'in', 'list'];
const operators: readonly Syntax['op'][] = [...logic, '-_', '+', '-', '*', '/', '%'];
const sums: readonly FunctionName[] = ['sum', 'min', 'max'];

/**
 * What of an expression cannot be asked of a store, where rows are found or counted (language §G.5). What reads
 * neither a row nor a set of items is worked out beforehand, so it may be anything. It has been typed before.
 *
 * @param rows the names that stand for the row that is judged
 * @param isSet whether a name stands for all items of a resource
 */
export function storableFaults(
  syntax: Syntax,
  rows: readonly string[],
  isSet: (name: string) => boolean,
): Fault[] {
  const fault = ({ start, end }: Syntax, message: string, hint: string): Fault[] => [
    { start, end, message, hint },
  ];
  const visit = (node: Syntax, known: readonly string[], within: Within): Fault[] => {
    if (node.op === 'value' || !reads(node, known, isSet) || isPath(node, known)) return [];
    const found = aggregate(node, isSet);
    if (found) return visitAggregate(node, found, known, within);
    const digested = node.op === '.' && node.args[1] === 'hex' && bytesCalled(node.args[0], 'sha256');
    if (digested) return visit(digested, known, within);
    const name = functionCalled(node);
    if (operators.includes(node.op) || (name && isStorable(name)))
      return children(node).flatMap((child) => visit(child, known, within));
    const members = node.op === '.' ? visit(node.args[0], known, within) : [];
    const [what, hint] = shown(node);
    return members.length > 0 ? members : fault(node, `${what} ${notHere}`, hint);
  };
  const visitAggregate = (
    node: Syntax,
    { over, bodies }: Aggregate,
    known: readonly string[],
    within: Within,
  ): Fault[] => {
    const isOfSet = isSetNode(over, isSet);
    const isKept = !isOfSet && reads(over, known, isSet);
    if (isKept && !isPath(over, known)) return notList(node, over, fault);
    if (isOfSet && within.set) return fault(node, deeper, kept);
    if (isKept && within.list) return fault(node, deeperList, kept);
    const items = bodies.find(({ isValue, body }) => isValue && staticType(body).kind === 'item');
    if (items) return fault(items.body, 'items have no sum and no order', 'name a field of theirs');
    const inner = { set: within.set || isOfSet, list: within.list || isKept };
    return bodies.flatMap(({ body, bound }) => visit(body, [...known, bound], inner));
  };
  return visit(syntax, rows, { set: false, list: false });
}

const notHere = 'cannot be worked out where rows are found or counted';
const deeper = 'items are looked for among items one level deep, and no deeper';
const deeperList = 'the elements of a list are looked through one level deep, and no deeper';
const overWhat = 'goes over the items of a resource, a list in the request, or a list that the item keeps';

/** Within what an expression stands: the items of a resource, the elements of a list that a row keeps. */
interface Within {
  readonly set: boolean;
  readonly list: boolean;
}

type Report = (node: Syntax, message: string, hint: string) => Fault[];

/** What is gone through is worked out of the row first. */
function notList(node: Syntax, over: Syntax, fault: Report): Fault[] {
  const macro = macroOf(node);
  if (macro) return fault(over, `${macro.macro} ${overWhat}`, insteadOfMacro[macro.macro]);
  const [what, hint] = shown(node);
  return fault(node, `${what} ${notHere}`, hint);
}

/** The bytes that a call of one of these functions takes; undefined: it is no such call. */
export function bytesCalled(node: Syntax, name: FunctionName): Syntax | undefined {
  const [of] = functionCalled(node) === name ? children(node) : [];
  return of && staticType(of).kind === 'bytes' ? of : undefined;
}

/** Whether a node reads one of these names, or the items of a resource. */
export function reads(node: Syntax, rows: readonly string[], isSet: (name: string) => boolean): boolean {
  return pathsRead(node).some(([root = '']) => rows.includes(root) || isSet(root));
}

function isPath(node: Syntax, rows: readonly string[]): boolean {
  return rows.includes(path(node)?.[0] ?? '');
}

function isSetNode(node: Syntax, isSet: (name: string) => boolean): boolean {
  return node.op === 'id' && isSet(node.args);
}

/** What is asked of each item or element: a condition, or the value of which a sum or an extreme is taken. */
interface Asked {
  readonly body: Syntax;
  /** The name that stands for it. */
  readonly bound: string;
  readonly isValue: boolean;
}

interface Aggregate {
  /** What is gone through. */
  readonly over: Syntax;
  readonly bodies: readonly Asked[];
}

/**
 * `x.exists(y, …)`, `x.all(y, …)`, `x.filter(y, …).size()`, and `x.map(y, y.f)` or `x.filter(y, …).map(y, y.f)` with
 * `sum min max`: what is gone through, and the conditions and values in it. Undefined for anything else.
 */
function aggregate(node: Syntax, isSet: (name: string) => boolean): Aggregate | undefined {
  const asked = ({ bodies, name: bound }: Macro, isValue: boolean): Asked[] =>
    bodies.map((body) => ({ body, bound, isValue }));
  const own = macroOf(node);
  if (own?.macro === 'exists' || own?.macro === 'all') return { over: own.over, bodies: asked(own, false) };
  if ((node.op !== 'rcall' && node.op !== 'call') || children(node).length !== 1) return undefined;
  const [over] = children(node) as [Syntax];
  const macro = macroOf(over);
  const filtered = (of: Syntax): Aggregate => {
    const filter = macroOf(of);
    return filter?.macro === 'filter'
      ? { over: filter.over, bodies: asked(filter, false) }
      : { over: of, bodies: [] };
  };
  const name = functionCalled(node);
  if (name === 'size' && (macro?.macro === 'filter' || isSetNode(over, isSet))) return filtered(over);
  if (!name || !sums.includes(name) || macro?.macro !== 'map') return undefined;
  const inner = filtered(macro.over);
  return { ...inner, bodies: [...inner.bodies, ...asked(macro, true)] };
}

/** What a node is called in a message, and what may stand instead. */
function shown(node: Syntax): [string, string] {
  switch (node.op) {
    case 'call':
    case 'rcall':
      return [`${node.args[0]}(…)`, insteadOf(node.args[0]) ?? 'name a field of the item'];
    case 'id':
      return ['a set of items', `${counted}; x in R is R.exists(y, y == x)`];
    case '[]':
      return ['an element by its place', among];
    case '.':
      return ['a member of what is chosen', 'choose between the members: c ? a.f : b.f'];
    default:
      return ['an object', 'compare its members, one by one'];
  }
}

function insteadOf(name: string): string | null {
  return isMacro(name) || name === 'has'
    ? insteadOfMacro[name]
    : isFunction(name)
      ? functionNamed(name).instead
      : null;
}
