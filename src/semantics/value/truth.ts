import { NotComputable, Unknown, unknown, type Value } from './value.ts';

/** True, false, or unknown: strong Kleene logic (language §F.2). */
export type Truth = boolean | Unknown;

/** Where true or false is required, nothing but true is true (language §G.6). */
export function truthOf(value: Value): Truth {
  return value instanceof Unknown ? value : value === true;
}

export function not(truth: Truth): Truth {
  return truth instanceof Unknown ? truth : !truth;
}

/**
 * Both hold. The right side is asked for only if the left side does not decide (language §G.6), so a left side that may
 * not be computable is never outvoted.
 */
export function both(left: Truth, right: () => Truth): Truth {
  return joined(left, right, false);
}

export function either(left: Truth, right: () => Truth): Truth {
  return joined(left, right, true);
}

function joined(left: Truth, right: () => Truth, decides: boolean): Truth {
  if (left === decides) return left;
  if (!(left instanceof Unknown)) return right();
  const other = attempt(right);
  if (other === decides) return left.mayFail ? left : other;
  return unknown([left, other]);
}

/** Whether all hold, asked in order. */
export function every<T>(all: readonly T[], holds: (one: T) => Truth): Truth {
  return joinedAll(all, holds, false);
}

/** Whether one holds, asked in order. */
export function some<T>(all: readonly T[], holds: (one: T) => Truth): Truth {
  return joinedAll(all, holds, true);
}

function joinedAll<T>(all: readonly T[], holds: (one: T) => Truth, decides: boolean): Truth {
  let known: Truth = !decides;
  for (const one of all) {
    if (known === decides) return known;
    known = joined(known, () => holds(one), decides);
  }
  return known;
}

/** The value; an unknown one that may fail, if it cannot be computed. For what may not be asked for at all. */
export function attempt<T extends Value>(work: () => T): T | Unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotComputable) return new Unknown(new Set(), true);
    throw error;
  }
}
