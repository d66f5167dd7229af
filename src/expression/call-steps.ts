import type { FunctionName } from './functions.ts';
import { isLong, stepsThrough } from './steps.ts';

/** How often a function goes through a list that it is given first; `isOfMany`: of lists or objects. */
export function rounds(name: FunctionName | undefined, length: number, isOfMany: boolean): number {
  if (name === 'sort') return Math.log2(length + 1);
  return name === 'distinct' && isOfMany ? length : 1;
}

/** How many steps a function takes to go through what it is given. */
export function stepsOfCall(name: FunctionName | undefined, given: readonly unknown[]): number {
  let through = 0;
  for (const one of given) if (isLong(one)) through += stepsThrough(one);
  const [list] = given;
  if (!Array.isArray(list)) return through;
  const isOfMany = list.some((one) => typeof one === 'object' && one !== null);
  return through * rounds(name, list.length, isOfMany);
}
