import type { Scenario } from '../check.ts';
import { statedOnly } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 1, what the service is for: said to people, and nothing that a request could show (language §1). */
export function checks({ of }: Trial): Scenario[] {
  return [statedOnly(of, 'service', 'it is said to people; no request can show it')];
}
