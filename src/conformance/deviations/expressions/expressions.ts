import { serialize } from '@marcbachmann/cel-js';
import { retyped, staticType } from '../../../expression/check.ts';
import { children, type Expression, macroOf, type Syntax } from '../../../expression/expression.ts';
import type { Siblings } from '../../requests/literals.ts';
import { deviatingSearches, parsedLike } from './searches.ts';

/**
 * An expression as an implementation might get it wrong, each time in one place: a condition dropped or turned, a bound
 * moved by one, another literal, another field, one more of the texts that a field may hold, a branch that is always taken
 * (language §G).
 */
export function deviatingExpressions(expression: Expression, siblings: Siblings): Expression[] {
  const meant = alternativesOnce(expression.syntax);
  const others = deviating(expression.syntax, siblings)
    .map((syntax) => ({ ...expression, text: serialize(syntax), syntax }))
    .filter(({ syntax }) => alternativesOnce(syntax) !== meant);
  return [...new Map(others.map((other) => [other.text, other])).values()];
}

/** An expression as a text in which nothing is said twice: `a || b || a` is `a || b`, and `b || a` is the same. */
function alternativesOnce(node: Syntax): string {
  const parts = children(node);
  if (node.op !== '&&' && node.op !== '||')
    return parts.length === 0
      ? serialize(node)
      : `${JSON.stringify(ownOf(node))}(${parts.map(alternativesOnce).join()})`;
  return `(${[...new Set(operandsOf(node, node.op))].toSorted().join(` ${node.op} `)})`;
}

/** What is joined by one operator, however it is nested. */
function operandsOf(node: Syntax, op: string): readonly string[] {
  return node.op === op ? children(node).flatMap((part) => operandsOf(part, op)) : [alternativesOnce(node)];
}

/** What an expression is beside its parts: its operator, and the name of a member or a function. */
function ownOf(node: Syntax): readonly unknown[] {
  if (node.op === '.' || node.op === '.?') return [node.op, node.args[1]];
  return node.op === 'call' || node.op === 'rcall' ? [node.op, node.args[0]] : [node.op];
}

/** What holds where the expression does not. */
export function negated(expression: Expression): Expression {
  const { syntax } = expression;
  const not = made(syntax, '!_', syntax as never);
  return { ...expression, text: serialize(not), syntax: not };
}

function deviating(node: Syntax, siblings: Siblings): Syntax[] {
  const parts = children(node);
  if (node.op === 'call' && node.args[0] === 'duration' && parts[0]?.op === 'value')
    return [withChildren(node, [parsedLike('"PT1S"', node)])];
  const within = parts.flatMap((part, place) =>
    deviating(part, siblings).map((other) => withChildren(node, parts.with(place, other))),
  );
  return [
    ...inItself(node, parts),
    ...leftOut(node, parts),
    ...leftOutOfAll(node, parts),
    ...wider(node, siblings),
    ...otherFields(node, siblings),
    ...within,
  ];
}

/** Functions that make something else of a value of the same type. */
const omitted: ReadonlySet<string> = new Set([
  ...['lower', 'upper', 'trim', 'slug', 'substring', 'replace', 'unique'],
  ...['round', 'sort', 'distinct', 'flatten'],
]);

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);

/** One side of what is worked out, or one function, is not looked at; what is counted or summed up is taken for nothing. */
function leftOut(node: Syntax, parts: readonly Syntax[]): Syntax[] {
  const [first] = parts;
  if (first === undefined) return [];
  const kinds: readonly string[] = ['any', staticType(node).kind];
  const alike = parts.filter((part) => kinds.includes(staticType(part).kind));
  if (node.op === '+' || node.op === '*') return alike;
  if (node.op === '-' || node.op === '/' || node.op === '%') return alike.filter((part) => part === first);
  if (omitted.has(functionOf(node))) return [first];
  if (!comparisons.has(node.op)) return [];
  return parts.flatMap((part, place) =>
    ['sum', 'size'].includes(functionOf(part))
      ? [withChildren(node, parts.with(place, parsedLike('0', part)))]
      : [],
  );
}

/** Of two texts, neither is made lower case, say, before they are compared. */
function leftOutOfAll(node: Syntax, parts: readonly Syntax[]): Syntax[] {
  const without = parts.map((part) => (omitted.has(functionOf(part)) ? (children(part)[0] ?? part) : part));
  const isOfSeveral = without.filter((part, place) => part !== parts[place]).length > 1;
  return isOfSeveral ? [withChildren(node, without)] : [];
}

/** The name of the function that a node calls; empty: it calls none. */
function functionOf(node: Syntax): string {
  return (node.op === 'call' || node.op === 'rcall') && !macroOf(node) ? node.args[0] : '';
}

/** What expressions may name that is no item, and holds no fields. */
const noItems: ReadonlySet<string> = new Set([
  'request',
  'page',
  'error',
  'event',
  'rate',
  'quota',
  'service',
]);

/** Another field of the same kind is taken for the one that is meant. */
function otherFields(node: Syntax, { fields }: Siblings): Syntax[] {
  if (node.op !== '.' || noItems.has(rootOf(node))) return [];
  const [of, name] = node.args;
  return (fields.get(name) ?? []).map((other) => made(node, node.op, [of, other] as never));
}

/** The name with which a path begins; empty: it is no path. */
function rootOf(node: Syntax): string {
  if (node.op === 'id') return String(node.args);
  const [first] = children(node);
  return node.op === '.' && first ? rootOf(first) : '';
}

/** What is called in place of a function. */
const called: Readonly<Record<string, string>> = {
  startsWith: 'contains',
  endsWith: 'contains',
  contains: 'startsWith',
  min: 'max',
  max: 'min',
  sum: 'size',
};

/** What is written in place of an operator. */
const turned: Readonly<Record<string, readonly string[]>> = {
  '&&': ['||'],
  '||': ['&&'],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
};

function inItself(node: Syntax, parts: readonly Syntax[]): Syntax[] {
  switch (node.op) {
    case 'value':
      return literals(node.args).map((text) => parsedLike(text, node));
    case '&&':
    case '||':
      return [...parts, ...operators(node, parts)];
    case '?:':
      return parts.slice(1);
    case '!_':
      return [...parts];
    case 'call':
    case 'rcall': {
      const macro = macroOf(node);
      // Whatever is filtered, filters nothing; what holds of one holds of all.
      if (macro?.macro === 'filter') return [macro.over];
      if (macro?.macro === 'exists') return [renamed(node, 'all')];
      if (macro) return macro.macro === 'all' ? [renamed(node, 'exists')] : [];
      if (functionOf(node) === 'matches') return deviatingSearches(node, parts);
      const other = called[functionOf(node)];
      return other === undefined ? [] : [renamed(node, other)];
    }
    default:
      return operators(node, parts);
  }
}

/** One more of the texts that a field may hold is taken for the one that is meant, or for those in a list. */
function wider(node: Syntax, siblings: Siblings): Syntax[] {
  const isEqual = node.op === '==';
  if (isEqual || node.op === '!=') {
    const [left, right] = node.args;
    const others = siblings.texts.get(textOf(right)) ?? [];
    return others.map((text) => {
      const other = made(node, node.op, [left, parsedLike(JSON.stringify(text), right)] as never);
      return made(node, isEqual ? '||' : '&&', [node, other] as never);
    });
  }
  if (node.op !== 'list') return [];
  const listed = node.args.map(textOf);
  const [first] = node.args;
  return (siblings.texts.get(listed[0] ?? '') ?? [])
    .filter((text) => !listed.includes(text))
    .map((text) =>
      made(node, node.op, [...node.args, parsedLike(JSON.stringify(text), first as Syntax)] as never),
    );
}

/** The text that a literal is; empty where it is none. */
function textOf(node: Syntax): string {
  return node.op === 'value' && typeof node.args === 'string' ? node.args : '';
}

function operators(node: Syntax, parts: readonly Syntax[]): Syntax[] {
  return (turned[node.op] ?? []).map((op) => made(node, op, parts));
}

/** Other literals of the same type: the nearest numbers, the other truth, another text. */
function literals(value: unknown): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'bigint') return [String(value + 1n), String(value - 1n)];
  if (typeof value === 'number') return [String(value + 1), String(value - 1)].map((text) => real(text));
  return typeof value === 'string' ? [JSON.stringify(`${value}~`)] : [];
}

/** CEL tells integers from other numbers by the point. */
function real(text: string): string {
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function renamed(node: Syntax, name: string): Syntax {
  const [, ...rest] = node.args as [string, ...unknown[]];
  return made(node, node.op, [name, ...rest] as never);
}

/** The same node over other parts. */
function withChildren(node: Syntax, parts: readonly Syntax[]): Syntax {
  switch (node.op) {
    case '.':
    case '.?':
      return made(node, node.op, [parts[0], node.args[1]] as never);
    case 'call':
      return made(node, node.op, [node.args[0], parts] as never);
    case 'rcall':
      return made(node, node.op, [node.args[0], parts[0], parts.slice(1)] as never);
    case 'map':
      return made(node, node.op, pairsOf(parts) as never);
    case '!_':
    case '-_':
      return made(node, node.op, parts[0] as never);
    default:
      return made(node, node.op, parts);
  }
}

function pairsOf(parts: readonly Syntax[]): Syntax[][] {
  return parts.flatMap((part, place) => (place % 2 === 0 ? [[part, parts[place + 1] as Syntax]] : []));
}

function made(node: Syntax, op: string, args: readonly Syntax[]): Syntax {
  const clone = node as unknown as { clone: (op: { name: string }, args: unknown) => Syntax };
  return retyped(clone.clone({ name: op }, args), node);
}
