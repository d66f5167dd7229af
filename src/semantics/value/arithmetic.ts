import { timeDifference } from './compare.ts';
import { bounded, finite, plus, whole } from './numbers.ts';
import { addTimes, lengthOf, subtractTimes } from './times.ts';
import {
  isKnown,
  isList,
  Lapse,
  Made,
  NotComputable,
  Range,
  seen,
  Text,
  textOf,
  Unknown,
  unknown,
  type Value,
} from './value.ts';

export type Arithmetic = '+' | '-' | '*' | '/' | '%';

/** How an operator is carried out: among times and durations, or with the rounded division of integers (§G.6). */
export interface Manner {
  readonly times: boolean;
  readonly wholeDivision: boolean;
}

/** @throws NotComputable if the operands are none that the operator takes, or the result is past its bounds */
export function arithmetic(operator: Arithmetic, one: Value, other: Value, manner: Manner): Value {
  const [a, b] = [seen(one), seen(other)];
  if (a instanceof Range || b instanceof Range) return shiftedRange(operator, a, b) ?? unknown([a, b], true);
  const joined = operator === '+' && !manner.times ? joinedText(a, b) : undefined;
  if (joined !== undefined) return joined;
  const moved = manner.times ? (movedTime(operator, a, b) ?? lapse(operator, one, other)) : undefined;
  if (moved) return moved;
  const shifted = shiftedInteger(operator, a, b);
  if (shifted) return shifted;
  if (isPartial(a) || isPartial(b)) return fails(a) || fails(b) ? notComputable() : unknown([a, b], true);
  if (manner.times) return ofTimes(operator, a, b);
  if (operator === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
  if (operator === '+' && isList(a) && isList(b)) return [...a, ...b];
  if (typeof a !== 'number' || typeof b !== 'number') return notComputable();
  return ofNumbers(operator, a, b, manner.wholeDivision);
}

function isPartial(value: Value): boolean {
  return value instanceof Unknown || value instanceof Made || (!isList(value) && !isKnown(value));
}

/** A text with a made text in it; undefined: the two are no such texts. */
function joinedText(a: Value, b: Value): Value | undefined {
  const pieces = [a, b].map((value) => {
    if (value instanceof Text) return value.pieces;
    const isText = typeof value === 'string' || (value instanceof Made && value.form !== 'integer');
    return isText ? [value] : undefined;
  });
  return pieces.every((piece) => piece !== undefined) ? textOf(pieces.flat()) : undefined;
}

/** A made time, and a duration that is known; undefined: the two are none. */
function movedTime(operator: Arithmetic, a: Value, b: Value): Made | undefined {
  if (b instanceof Made && operator === '+') return movedTime(operator, b, a);
  if (!(a instanceof Made) || a.form !== 'time' || typeof b !== 'string') return undefined;
  const length = lengthOf(b);
  if (length === undefined || (operator !== '+' && operator !== '-')) return undefined;
  const ms = (Number(length) / 1000) * (operator === '+' ? 1 : -1);
  const move = operator === '+' ? addTimes : subtractTimes;
  return a.derived(`${operator} ${b}`, new Range(ms, ms), (text) => move(text, b));
}

/** From one time to another, of which at least one was not seen; undefined: the two are no such times. */
function lapse(operator: Arithmetic, one: Value, other: Value): Lapse | undefined {
  const isUnseen = [one, other].some((value) => seen(value) instanceof Made);
  const bounds = operator === '-' && isUnseen ? timeDifference(one, other) : undefined;
  return bounds && new Lapse(bounds);
}

/** A made integer, and one that is known; undefined: the two are none. */
function shiftedInteger(operator: Arithmetic, a: Value, b: Value): Made | undefined {
  if (b instanceof Made && operator === '+') return shiftedInteger(operator, b, a);
  if (!(a instanceof Made) || a.form !== 'integer' || (operator !== '+' && operator !== '-'))
    return undefined;
  return Number.isSafeInteger(b) ? a.shifted(operator === '+' ? (b as number) : -(b as number)) : undefined;
}

/** No operator takes these, whatever is beside them. */
function fails(value: Value): boolean {
  return value === null || typeof value === 'boolean';
}

function notComputable(): never {
  throw new NotComputable('this operator does not take such values');
}

function ofTimes(operator: Arithmetic, a: Value, b: Value): string {
  if (typeof a !== 'string' || typeof b !== 'string' || (operator !== '+' && operator !== '-'))
    return notComputable();
  return operator === '+' ? addTimes(a, b) : subtractTimes(a, b);
}

function ofNumbers(operator: Arithmetic, a: number, b: number, wholeDivision: boolean): number {
  switch (operator) {
    case '+':
      return plus(a, b);
    case '-':
      return bounded(a - b, a, b);
    case '*':
      return bounded(a * b, a, b);
    case '/':
      return wholeDivision ? whole(Math.trunc(finite(a / b))) : finite(a / b);
    case '%':
      return finite(a % b);
  }
}

/** Bounds move with what is added or taken away. */
function shiftedRange(operator: Arithmetic, a: Value, b: Value): Range | undefined {
  if (operator === '+' && typeof a === 'number') return shiftedRange(operator, b, a);
  if (!(a instanceof Range) || typeof b !== 'number' || (operator !== '+' && operator !== '-'))
    return undefined;
  const [least, most] = [a.least, a.most].map((bound) => (operator === '+' ? bound + b : bound - b)) as [
    number,
    number,
  ];
  const isSafe = (bound: number): boolean => Number.isSafeInteger(bound) || !Number.isFinite(bound);
  return isSafe(least) && isSafe(most) ? new Range(least, most) : undefined;
}

export function negated(value: Value): Value {
  const operand = seen(value);
  if (operand instanceof Range) return new Range(-operand.most, -operand.least);
  if (typeof operand === 'number') return -operand || 0;
  return operand instanceof Unknown || operand instanceof Made ? unknown([operand], true) : notComputable();
}
