import type { Scenario } from '../check.ts';
import { partStatedOnly } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 8, how much, how often, how long (language §8): stated, and not run by this version. */
export function checks({ of }: Trial): Scenario[] {
  return partStatedOnly(of, 'limits');
}
