import type { Scenario } from '../check.ts';
import { partStatedOnly } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 9, how versions are told apart (language §9): stated, and not run by this version. */
export function checks({ of }: Trial): Scenario[] {
  return partStatedOnly(of, 'versioning');
}
