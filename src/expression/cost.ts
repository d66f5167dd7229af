import { rounds } from './call-steps.ts';
import { staticType } from './check.ts';
import { children, macroOf, type Syntax } from './expression.ts';
import { type FunctionName, functionCalled } from './functions.ts';
import { comparing } from './operators.ts';
import { stepsToRead } from './steps.ts';
import { longest, type Type } from './type.ts';

/**
 * How many steps an expression may take where everything in it is as long as is stated (language §G.7). What is open
 * counts as nothing, and an element as one: with what is stated alone it may come to that. It has been typed before.
 */
export function stepsAtMost(syntax: Syntax): number {
  const macro = macroOf(syntax);
  if (macro) {
    const each = macro.bodies.reduce((steps, body) => steps + stepsAtMost(body), 0);
    return stepsAtMost(macro.over) + (mostIn(macro.over) ?? 1) * (1 + each);
  }
  const within = children(syntax).reduce((steps, child) => steps + stepsAtMost(child), 0);
  if (comparing.includes(syntax.op)) return within + Math.min(...children(syntax).map(through));
  switch (syntax.op) {
    case 'in':
      return within + through(syntax.args[1]);
    case 'call':
      return within + ofCall(functionCalled(syntax), syntax.args[1]);
    case 'rcall':
      return within + ofCall(functionCalled(syntax), [syntax.args[1], ...syntax.args[2]]);
    default:
      return within;
  }
}

function ofCall(name: FunctionName | undefined, args: readonly Syntax[]): number {
  const all = args.reduce((steps, arg) => steps + through(arg), 0);
  const [list] = args;
  const type = list && staticType(list);
  if (type?.kind !== 'list') return all;
  const isOfMany = type.of.kind === 'list' || type.of.kind === 'object';
  return all * rounds(name, mostIn(list as Syntax) ?? 0, isOfMany);
}

/** How many steps it takes to go through a value. */
function through(node: Syntax): number {
  return throughType(staticType(node), mostIn(node));
}

function throughType(type: Type, length = longest(type)): number {
  if (length === undefined) return 0;
  return type.kind === 'list' ? length * (1 + throughType(type.of)) : stepsToRead(length);
}

/** How many elements a list has at most, and characters a text; undefined: that is open. It has been typed before. */
export function mostIn(node: Syntax): number | undefined {
  const macro = macroOf(node);
  if (macro && ['map', 'filter', 'group'].includes(macro.macro)) return mostIn(macro.over);
  if (node.op === 'list') return node.args.length;
  if (node.op !== '+') return longest(staticType(node));
  const [one, other] = [mostIn(node.args[0]), mostIn(node.args[1])];
  return one === undefined || other === undefined ? undefined : one + other;
}
