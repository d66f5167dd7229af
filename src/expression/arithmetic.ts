import { finite, numberOf, whole } from './values.ts';

/** Two numbers, two texts, or two lists. */
export function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  return bounded(numberOf(a) + numberOf(b), a, b);
}

export function subtract(a: unknown, b: unknown): number {
  return bounded(numberOf(a) - numberOf(b), a, b);
}

export function multiply(a: unknown, b: unknown): number {
  return bounded(numberOf(a) * numberOf(b), a, b);
}

export function divide(a: unknown, b: unknown): number {
  return finite(numberOf(a) / numberOf(b));
}

/** CEL's division of integers goes towards zero. */
export function divideWhole(a: unknown, b: unknown): number {
  return whole(Math.trunc(divide(a, b)));
}

export function remainder(a: unknown, b: unknown): number {
  return finite(numberOf(a) % numberOf(b));
}

export function negate(a: unknown): number {
  return -numberOf(a) || 0;
}

/** Nulls are left out; of nothing it is 0. */
export function sum(values: readonly unknown[]): unknown {
  return values.reduce((total, one) => (one === null ? total : add(total, one)), 0);
}

/** What is at one end of an order, nulls left out; the first of those that are alike. */
export function further(
  best: unknown,
  one: unknown,
  isFurther: (one: unknown, best: unknown) => boolean,
): unknown {
  return best === null || (one !== null && isFurther(one, best)) ? one : best;
}

/** Integers are exact between ±(2⁵³−1), other numbers are binary64 (language §G.6). */
function bounded(result: number, a: unknown, b: unknown): number {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? whole(result) : finite(result);
}
