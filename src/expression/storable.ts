import { staticType } from './check.ts';
import { children, type Fault, type Macro, macroOf, path, pathsRead, type Syntax } from './expression.ts';
import { comparing } from './operators.ts';

/** Functions that a store works out in the same way as the service does (language §G.5). */
export const storable: readonly string[] = ['startsWith', 'endsWith', 'contains', 'lower', 'size'];
/** Operators that cannot fail but by what they are between. */
export const logic: readonly string[] = [...comparing, '&&', '||', '!_', '?:', 'in', 'list'];
const operators: readonly string[] = [...logic, '-_', '+', '-', '*', '/', '%'];
const sums: readonly string[] = ['sum', 'min', 'max'];

const kept = 'keep what it comes to in a field that is set, and compare that';
const counted =
  'of items, and of a list that the item keeps, R.exists(x, …), R.all(x, …) and R.filter(x, …).size() are worked out here, and sum(), min() and max() of R.filter(x, …).map(x, x.f)';
const among = 'whether a list that is kept holds a value is told by: value in this.list';

const objects = 'compare members of it, one by one';

/** What to write in place of a function that a store does not work out (language §G.4). */
const instead: Readonly<Record<string, string>> = {
  has: 'compare with null: this.a != null',
  upper: 'compare in lower case, by lower(…)',
  trim: kept,
  slug: kept,
  substring: `say startsWith(…), endsWith(…) or contains(…); or ${kept}`,
  replace: kept,
  split: `keep the list in a field that is set; ${among}`,
  int: `numbers and times are compared as they are; or ${kept}`,
  double: 'multiply by 1.0 instead, and a division is not whole',
  round: `numbers are compared as they are; or ${kept}`,
  string: `compare the value as it is; or ${kept}`,
  timestamp: 'give the field the format date-time, and it is a time as it is',
  duration: 'give the field the format duration, and it is a duration as it is',
  sum: `${counted}; of a list, ${kept}`,
  min: `${counted}; of a list, ${kept}`,
  max: `${counted}; of a list, ${kept}`,
  join: kept,
  sort: kept,
  distinct: kept,
  flatten: kept,
  merge: objects,
  keys: `whether a map holds a name is told by: name in this.map; or ${kept}`,
  object: objects,
  type: kept,
  pick: objects,
  omit: objects,
  sha256: kept,
  httpDate: 'times are compared as they are',
  filter: `${counted}; ${among}`,
  map: `${counted}; ${among}`,
  exists: `${among}; of R.filter(x, a).exists(x, b), write R.exists(x, a && b)`,
  all: `${kept}; of R.filter(x, a).all(x, b), write R.all(x, !(a) || b)`,
};

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
    const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : '';
    if (operators.includes(node.op) || storable.includes(name))
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
  if (macro) return fault(over, `${macro.macro} ${overWhat}`, instead[macro.macro] as string);
  const [what, hint] = shown(node);
  return fault(node, `${what} ${notHere}`, hint);
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
  const name = node.args[0];
  if (name === 'size' && (macro?.macro === 'filter' || isSetNode(over, isSet))) return filtered(over);
  if (!sums.includes(name) || macro?.macro !== 'map') return undefined;
  const inner = filtered(macro.over);
  return { ...inner, bodies: [...inner.bodies, ...asked(macro, true)] };
}

/** What a node is called in a message, and what may stand instead. */
function shown(node: Syntax): [string, string] {
  switch (node.op) {
    case 'call':
    case 'rcall':
      return [`${node.args[0]}(…)`, instead[node.args[0]] ?? 'name a field of the item'];
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
