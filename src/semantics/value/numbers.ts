import { NotComputable } from './value.ts';

/** Numbers other than integers are binary64; a result that is none of them cannot be computed (language §G.6). */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new NotComputable('the result is no number');
  return value;
}

/** Integers are exact between ±(2⁵³−1) (language §G.6). */
export function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new NotComputable('the result is past the bounds of integers');
  return value === 0 ? 0 : value;
}

/** A result of two integers is an integer. */
export function bounded(result: number, a: number, b: number): number {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? whole(result) : finite(result);
}

export function plus(a: number, b: number): number {
  return bounded(a + b, a, b);
}
