import { add, divide, divideWhole, multiply, remainder, subtract } from './arithmetic.ts';
import { isWholeDivision, staticType } from './check.ts';
import { children, type Syntax } from './expression.ts';
import { formOf } from './ordering.ts';
import { isLong, stepsThrough, stepsToMake, take } from './steps.ts';
import { addTimes, subtractTimes } from './time.ts';
import { comparable, equal, order } from './values.ts';

type Operator = (a: unknown, b: unknown) => unknown;

/** Comparisons have two values (language §G.6). */
export const comparisons = {
  '==': equal,
  '!=': (a: unknown, b: unknown) => !equal(a, b),
  '<': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) < 0,
  '<=': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) <= 0,
  '>': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) > 0,
  '>=': (a: unknown, b: unknown) => comparable(a, b) && order(a, b) >= 0,
};

export const comparing: readonly Syntax['op'][] = Object.keys(comparisons) as (keyof typeof comparisons)[];

const arithmetic = { add, subtract, multiply, divide, divideWhole, remainder, addTimes, subtractTimes };

/** Which kind of arithmetic an operator stands for, by the types of what it is between; undefined: it is none. */
export function arithmeticOf(node: Syntax): keyof typeof arithmetic | undefined {
  const isOfTimes = formOf(children(node).map(staticType)) !== undefined;
  switch (node.op) {
    case '+':
      return isOfTimes ? 'addTimes' : 'add';
    case '-':
      return isOfTimes ? 'subtractTimes' : 'subtract';
    case '*':
      return 'multiply';
    case '/':
      return isWholeDivision(node) ? 'divideWhole' : 'divide';
    case '%':
      return 'remainder';
    default:
      return undefined;
  }
}

/** How a comparison, `in` or arithmetic between two operands runs; what it goes through counts (language §G.7). */
export function operatorOf(node: Syntax): Operator {
  const run = uncounted(node);
  if (node.op === 'in')
    return (a, b) => {
      take(stepsThrough(b));
      return run(a, b);
    };
  if (children(node).some((child) => single.includes(staticType(child).kind))) return run;
  if (node.op === '+')
    return (a, b) => {
      if (typeof a === 'string' && typeof b === 'string') take(stepsToMake(a.length + b.length));
      if (Array.isArray(a) && Array.isArray(b)) take(a.length + b.length);
      return run(a, b);
    };
  return (a, b) => {
    if (isLong(a) && isLong(b)) take(Math.min(stepsThrough(a), stepsThrough(b)));
    return run(a, b);
  };
}

/** Of these there is nothing to go through. */
const single: readonly string[] = ['integer', 'number', 'boolean', 'null'];

/** Times compare as instants. */
function uncounted(node: Syntax): Operator {
  const name = arithmeticOf(node);
  if (name) return arithmetic[name];
  const operator = node.op === 'in' ? among : comparisons[node.op as keyof typeof comparisons];
  const form = formOf(children(node).map(staticType));
  if (form === undefined) return operator;
  const formed = deeply(form);
  return (a, b) => operator(formed(a), formed(b));
}

/** Whether a list holds a value, or an object a member of this name. */
export function among(one: unknown, list: unknown): boolean {
  if (Array.isArray(list)) return list.some((item) => equal(item, one));
  return typeof list === 'object' && list !== null && typeof one === 'string' && Object.hasOwn(list, one);
}

/** The same of each element of a list, at any depth. */
export function deeply(form: (value: unknown) => unknown): (value: unknown) => unknown {
  const visit = (value: unknown): unknown => (Array.isArray(value) ? value.map(visit) : form(value));
  return visit;
}
