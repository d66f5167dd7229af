import { children, type Fault, macroOf, path, pathsRead, type Syntax } from './expression.ts';

/** Functions that a store works out in the same way as the service does (language §G.5). */
export const storable: readonly string[] = ['startsWith', 'endsWith', 'contains', 'lower'];
const operators: readonly string[] = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '&&',
  '||',
  '!_',
  '-_',
  '?:',
  'in',
  '+',
  '-',
  '*',
  '/',
  '%',
];
const sums: readonly string[] = ['sum', 'min', 'max'];

/**
 * What of an expression cannot be asked of a store, where rows are found or counted (language §G.5). What reads
 * neither a row nor a set of items is worked out beforehand, so it may be anything.
 *
 * @param rows the names that stand for the row that is judged
 * @param isSet whether a name stands for all items of a resource
 */
export function storableFaults(
  syntax: Syntax,
  rows: readonly string[],
  isSet: (name: string) => boolean,
): Fault[] {
  const fault = ({ start, end }: Syntax, message: string): Fault[] => [{ start, end, message }];
  const visit = (node: Syntax, known: readonly string[], inner: boolean): Fault[] => {
    if (node.op === 'value' || !reads(node, known, isSet) || isPath(node, known)) return [];
    const name = node.op === 'call' || node.op === 'rcall' ? node.args[0] : '';
    if (operators.includes(node.op) || node.op === 'list' || storable.includes(name))
      return children(node).flatMap((child) => visit(child, known, inner));
    const macro = macroOf(node);
    if (macro && (macro.macro === 'exists' || macro.macro === 'all')) {
      const set = isSetNode(macro.over, isSet);
      if (set && inner) return fault(node, deeper);
      if (!set && reads(macro.over, known, isSet)) return fault(macro.over, `${macro.macro} ${overWhat}`);
      return macro.bodies.flatMap((body) => visit(body, [...known, macro.name], set || inner));
    }
    const counted = aggregate(node, isSet);
    if (counted === undefined)
      return fault(node, `${shown(node)} cannot be worked out where rows are found or counted`);
    if (inner) return fault(node, deeper);
    return counted.flatMap(([body, bound]) => visit(body, [...known, bound], true));
  };
  return visit(syntax, rows, false);
}

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

/** `R.filter(x, …).size()`, and `R.filter(x, …).map(x, x.f)` with `sum min max`: the conditions and values in it. */
function aggregate(node: Syntax, isSet: (name: string) => boolean): [Syntax, string][] | undefined {
  if (node.op !== 'rcall') return undefined;
  const [name, over, args] = node.args;
  if (args.length > 0) return undefined;
  const filtered = (of: Syntax): [Syntax, string][] | undefined => {
    if (isSetNode(of, isSet)) return [];
    const macro = macroOf(of);
    if (macro?.macro !== 'filter' || !isSetNode(macro.over, isSet)) return undefined;
    return macro.bodies.map((body) => [body, macro.name]);
  };
  if (name === 'size') return filtered(over);
  const macro = macroOf(over);
  if (!sums.includes(name) || macro?.macro !== 'map') return undefined;
  const inner = filtered(macro.over);
  return inner && [...inner, ...macro.bodies.map((body): [Syntax, string] => [body, macro.name])];
}

function shown(node: Syntax): string {
  switch (node.op) {
    case 'call':
    case 'rcall':
      return `${node.args[0]}(…)`;
    case 'id':
      return 'a set of items';
    case '[]':
      return 'an element by its place';
    default:
      return 'an object';
  }
}
