import type { Scenario } from '../check.ts';
import { partStatedOnly } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 6, what is told to others (language §6): stated, and not run by this version. */
export function checks({ of }: Trial): Scenario[] {
  return partStatedOnly(of, 'events');
}
