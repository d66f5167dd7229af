import { children, type Syntax } from './expression.ts';
import {
  any,
  bool,
  described,
  duration,
  either,
  fits,
  mayEqual,
  number,
  type Type,
  textType,
  timestamp,
} from './type.ts';

/** What the type of an operator asks of the checker. */
export interface Checking {
  readonly fault: (node: Syntax, message: string) => Type;
  /** Reports a fault if the type is not the wanted one; gives the type. */
  readonly want: (node: Syntax, found: Type, wanted: Type) => Type;
  /** Reports a text that is never one of the few texts of a type; gives whether there is one. */
  readonly never: (of: Type, found: Type, node: Syntax) => boolean;
  readonly elementOf: (type: Type, node: Syntax) => Type;
  readonly typeOf: (node: Syntax) => Type;
}

/** An operator: how it is written, what it takes and gives, and its type (language §G.4, §G.6). */
interface Operator {
  readonly written: string;
  readonly takes: string;
  readonly gives: string;
  readonly type: (types: readonly Type[], node: Syntax, checking: Checking) => Type;
}

const logic: Operator['type'] = (types, node, { want }) => {
  for (const [index, operand] of children(node).entries()) want(operand, types[index] ?? any, bool);
  return bool;
};

const equality: Operator['type'] = ([left = any, right = any], node, { fault, never }) => {
  const [one, other] = children(node) as [Syntax, Syntax];
  if (!mayEqual(left, right)) fault(node, `${described(left)} and ${described(right)} are never equal`);
  else if (!isLiteral(one) || !isLiteral(other)) never(left, right, other) || never(right, left, one);
  return bool;
};

const ordering: Operator['type'] = ([left = any, right = any], node, { fault }) => {
  const areBytes = [left, right].some(({ kind }) => kind === 'bytes');
  if (areBytes || (!fits(left, right) && !fits(right, left)))
    fault(node, `${described(left)} and ${described(right)} have no order`);
  return bool;
};

const membership: Operator['type'] = ([one = any, over = any], node, checking) => {
  const [element, collection] = children(node) as [Syntax, Syntax];
  if (!['list', 'items', 'any', 'null', 'object'].includes(over.kind))
    checking.fault(collection, `this is ${described(over)}, and a list is wanted`);
  else if (over.kind === 'list' || over.kind === 'items') {
    const written = collection.op === 'list' && !isLiteral(element) ? collection.args : [];
    if (!mayEqual(one, checking.elementOf(over, collection)))
      checking.fault(node, `${described(one)} is never among ${described(over)}`);
    for (const item of written) checking.never(one, checking.typeOf(item), item);
  }
  return bool;
};

const addable = ['text', 'integer', 'number', 'list', 'timestamp', 'duration', 'any', 'null'];

const addition: Operator['type'] = ([left = any, right = any], node, { fault }) => {
  const moved = sumOfTimes(left, right);
  if (moved) return moved;
  const isAddable = addable.includes(left.kind) && addable.includes(right.kind);
  if (!isAddable || (!fits(left, right) && !fits(right, left)))
    return fault(node, `${described(left)} and ${described(right)} cannot be added`);
  if (left.kind === 'text' && right.kind === 'text') return textType;
  return left.kind === 'any' || right.kind === 'any' ? any : either(left, right);
};

const subtraction: Operator['type'] = ([left = any, right = any], node, { fault }) => {
  const moved = differenceOfTimes(left, right);
  if (moved) return moved;
  for (const [index, type] of [left, right].entries())
    if (!fits(type, number))
      fault(children(node)[index] as Syntax, `this is ${described(type)}, and a number is wanted`);
  return left.kind === 'any' || right.kind === 'any' ? any : either(left, right);
};

const multiplication: Operator['type'] = ([left = any, right = any], node, { want }) => {
  for (const [index, operand] of children(node).entries()) want(operand, index === 0 ? left : right, number);
  if (left.kind !== 'any' && right.kind !== 'any') return either(left, right);
  // Of what may be whole, a product is, and a quotient is not (language §G.6).
  return node.op === '/' ? number : any;
};

/** Every operator, by its name in the syntax tree: types and the reference go by this table. */
const rows = {
  '==': {
    written: 'a == b',
    takes: 'values that may be equal; an item and its key',
    gives: 'Whether the two are equal. Null equals null (G.6).',
    type: equality,
  },
  '!=': {
    written: 'a != b',
    takes: 'the same',
    gives: 'Whether the two are not equal.',
    type: equality,
  },
  '<': ordered('<', 'Whether a is less than b. It is false if a or b is null (G.6).'),
  '<=': ordered('<=', 'Whether a is less than b, or equal to it.'),
  '>': ordered('>', 'Whether a is greater than b.'),
  '>=': ordered('>=', 'Whether a is greater than b, or equal to it.'),
  in: {
    written: 'x in list',
    takes: 'a value and a list, or a text and a map',
    gives: 'Whether x is an element of the list, or the name of a member of the map.',
    type: membership,
  },
  '&&': {
    written: 'a && b',
    takes: 'true or false',
    gives: 'Whether both are true. If a is not true, b is not evaluated.',
    type: logic,
  },
  '||': {
    written: 'a || b',
    takes: 'true or false',
    gives: 'Whether one of them is true. If a is true, b is not evaluated.',
    type: logic,
  },
  '!_': { written: '!a', takes: 'true or false', gives: 'Whether a is not true.', type: logic },
  '?:': {
    written: 'c ? a : b',
    takes: 'true or false, and two values',
    gives: 'a if c is true, otherwise b.',
    type: ([test = any, yes = any, no = any], node, { want }) => {
      want(children(node)[0] as Syntax, test, bool);
      return either(yes, no);
    },
  },
  '+': {
    written: 'a + b',
    takes: 'two numbers, texts, lists or durations; a time and a duration',
    gives: 'The sum. Texts and lists: one after the other.',
    type: addition,
  },
  '-': {
    written: 'a - b',
    takes: 'two numbers, times or durations; a time and a duration',
    gives: 'The difference. Of two times: a duration.',
    type: subtraction,
  },
  '-_': {
    written: '-a',
    takes: 'a number',
    gives: 'The negative number.',
    type: ([of = any], node, { want }) => want(children(node)[0] as Syntax, of, number),
  },
  '*': { written: 'a * b', takes: 'two numbers', gives: 'The product.', type: multiplication },
  '/': {
    written: 'a / b',
    takes: 'two numbers',
    gives: 'The quotient. Of two integers: a whole number, rounded towards zero (G.6).',
    type: multiplication,
  },
  '%': {
    written: 'a % b',
    takes: 'two numbers',
    gives: 'The remainder, with the sign of a.',
    type: multiplication,
  },
} as const satisfies Partial<Readonly<Record<Syntax['op'], Operator>>>;

export type OperatorName = keyof typeof rows;
export const operators: ReadonlyMap<OperatorName, Operator> = new Map(
  (Object.keys(rows) as OperatorName[]).map((name) => [name, rows[name]]),
);

/** A node that is an operator with its operands. */
type Operation = Extract<Syntax, { op: OperatorName }>;

export function isOperation(node: Syntax): node is Operation {
  return Object.hasOwn(rows, node.op);
}

/** The type of what an operator gives, by the types of its operands. */
export function typeOfOperator(node: Operation, types: readonly Type[], checking: Checking): Type {
  return rows[node.op].type(types, node, checking);
}

function ordered(op: '<' | '<=' | '>' | '>=', gives: string): Operator {
  return { written: `a ${op} b`, takes: 'two numbers, texts, times or durations', gives, type: ordering };
}

export function isLiteral({ op }: Syntax): boolean {
  return op === 'value';
}

function sumOfTimes(left: Type, right: Type): Type | undefined {
  const kinds = [left.kind, right.kind];
  if (!kinds.includes('duration')) return undefined;
  if (kinds.includes('timestamp')) return timestamp;
  return kinds.every((kind) => kind === 'duration') ? duration : undefined;
}

function differenceOfTimes(left: Type, right: Type): Type | undefined {
  const kinds = [left.kind, right.kind];
  if (!kinds.includes('timestamp') && !kinds.includes('duration')) return undefined;
  // What is not known may be a time or a duration, but nothing is a duration less a time.
  if (left.kind === 'any' || left.kind === 'null') return right.kind === 'timestamp' ? duration : any;
  if (right.kind === 'any' || right.kind === 'null') return left.kind === 'timestamp' ? any : duration;
  if (left.kind === 'timestamp')
    return right.kind === 'timestamp' ? duration : right.kind === 'duration' ? left : undefined;
  return left.kind === 'duration' && right.kind === 'duration' ? left : undefined;
}
