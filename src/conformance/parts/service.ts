import type { Plan } from '../check.ts';
import { unchecked } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 1, what the service is for: said to people, and nothing that a request could show (language §1). */
export function checks({ of }: Trial): Plan[] {
  return [() => [unchecked(of, 'service', 'it is said to people, and no request can show it')]];
}
