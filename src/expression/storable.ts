import { staticType } from './check.ts';
import { children, type Fault, type Macro, macroOf, path, pathsRead, type Syntax } from './expression.ts';
import { comparing } from './operators.ts';

/** Functions that a store works out in the same way as the service does (language §G.5). */
export const storable: readonly string[] = ['startsWith', 'endsWith', 'contains', 'lower'];
/** Operators that cannot fail but by what they are between. */
export const logic: readonly string[] = [...comparing, '&&', '||', '!_', '?:', 'in', 'list'];
const operators: readonly string[] = [...logic, '-_', '+', '-', '*', '/', '%'];
const sums: readonly string[] = ['sum', 'min', 'max'];

const kept = 'keep what it comes to in a field that is set, and compare that';
const counted =
  'of items, R.exists(x, …), R.all(x, …) and R.filter(x, …).size() are worked out here, and sum(), min() and max() of R.filter(x, …).map(x, x.f)';
const among = 'whether a list that is kept holds a value is told by: value in this.list';

/** What to write in place of a function that a store does not work out (language §G.4). */
const instead: Readonly<Record<string, string>> = {
  has: 'compare with null: this.a != null',
  size: `${counted}; of a text or a list, ${kept}`,
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
  const visit = (node: Syntax, known: readonly string[], inner: boolean): Fault[] => {
    if (node.op === 'value' || !reads(node, known, isSet) || isPath(node, known)) return [];
    const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : '';
    if (operators.includes(node.op) || storable.includes(name))
      return children(node).flatMap((child) => visit(child, known, inner));
    const macro = macroOf(node);
    if (macro && (macro.macro === 'exists' || macro.macro === 'all')) {
      const set = isSetNode(macro.over, isSet);
      if (set && inner) return fault(node, deeper, kept);
      if (!set && reads(macro.over, known, isSet))
        return fault(macro.over, `${macro.macro} ${overWhat}`, instead[macro.macro] as string);
      return macro.bodies.flatMap((body) => visit(body, [...known, macro.name], set || inner));
    }
    const found = aggregate(node, isSet);
    if (found === undefined) {
      const within = node.op === '.' ? visit(node.args[0], known, inner) : [];
      const [what, hint] = shown(node);
      return within.length > 0 ? within : fault(node, `${what} ${notHere}`, hint);
    }
    if (inner) return fault(node, deeper, kept);
    const items = found.find(({ isValue, body }) => isValue && staticType(body).kind === 'item');
    if (items) return fault(items.body, 'items have no sum and no order', 'name a field of theirs');
    return found.flatMap(({ body, bound }) => visit(body, [...known, bound], true));
  };
  return visit(syntax, rows, false);
}

const notHere = 'cannot be worked out where rows are found or counted';
const deeper = 'items are looked for among items one level deep, and no deeper';
const overWhat = 'goes over the items of a resource, or over a list in the request';

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

/** What is asked of each item: a condition, or the value of which a sum or an extreme is taken. */
interface Asked {
  readonly body: Syntax;
  /** The name that stands for the item. */
  readonly bound: string;
  readonly isValue: boolean;
}

/** `R.filter(x, …).size()`, and `R.filter(x, …).map(x, x.f)` with `sum min max`: the conditions and values in it. */
function aggregate(node: Syntax, isSet: (name: string) => boolean): Asked[] | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, over, args] = node.args;
  if (args.length > 0) return undefined;
  const asked = ({ bodies, name: bound }: Macro, isValue: boolean): Asked[] =>
    bodies.map((body) => ({ body, bound, isValue }));
  const filtered = (of: Syntax): Asked[] | undefined => {
    if (isSetNode(of, isSet)) return [];
    const macro = macroOf(of);
    return macro?.macro === 'filter' && isSetNode(macro.over, isSet) ? asked(macro, false) : undefined;
  };
  if (name === 'size') return filtered(over);
  const macro = macroOf(over);
  if (!sums.includes(name) || macro?.macro !== 'map') return undefined;
  const inner = filtered(macro.over);
  return inner && [...inner, ...asked(macro, true)];
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
