import type { Scenario } from '../check.ts';
import { partStatedOnly } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 3, states and transitions (language §3): stated, and not run by this version. */
export function checks({ of }: Trial): Scenario[] {
  return partStatedOnly(of, 'states');
}
