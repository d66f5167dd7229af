import { add, divide, divideWhole, multiply, negate, remainder, subtract } from './arithmetic.ts';
import { fold } from './fold.ts';
import { type FunctionName, functionNamed, type Makers } from './functions.ts';
import { among, deeply } from './operators.ts';
import type { RowFunction } from './query.ts';
import { addTimes, instant, span, subtractTimes } from './time.ts';
import type { Type } from './type.ts';
import { accepts, CannotWorkOut } from './values.ts';
import { matches } from './words.ts';

/** What a store is handed to work out of the values of a row: the same that expressions run (language §G.5). */
export const rowFunctions: Readonly<Record<RowFunction, (...args: readonly unknown[]) => unknown>> = {
  add: (a, b) => add(a, b),
  subtract: (a, b) => subtract(a, b),
  multiply: (a, b) => multiply(a, b),
  divide: (a, b) => divide(a, b),
  divideWhole: (a, b) => divideWhole(a, b),
  remainder: (a, b) => remainder(a, b),
  negate: (a) => negate(a),
  addTimes: (a, b) => addTimes(a, b),
  subtractTimes: (a, b) => subtractTimes(a, b),
  startsWith: profile('startsWith'),
  endsWith: profile('endsWith'),
  contains: profile('contains'),
  matches: (wanted, ...texts) => matches(wanted, ...texts),
  lower: profile('lower'),
  size: profile('size'),
  list: (...items) => items,
  among: (one, list) => among(one, list),
  fold: (value) => fold(value),
  instant: deeply(instant),
  span: deeply(span),
};

function profile(name: FunctionName): (...args: readonly unknown[]) => unknown {
  const found = functionNamed(name);
  return (...args) => {
    if (!args.every((value, index) => accepts(found.parameters[index] as Type, value)))
      throw new CannotWorkOut(`${name} cannot take this`);
    return found.run(args, none);
  };
}

/** None of these functions makes anything new. */
const none = {} as Makers;
