import { stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import { rates } from '../limits/rates.ts';
import { sizes } from '../limits/sizes.ts';
import { partStatedOnly, statedOnly } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 8, how much, how often, how long (language §8). */
export function checks(trial: Trial): Scenario[] {
  const { of } = trial;
  if (stated(of.limits) === undefined) return partStatedOnly(of, 'limits');
  return [
    ...sizes(trial),
    statedOnly(of, 'limits.times', 'it is not known of any request that it takes so long'),
    statedOnly(of, 'limits.concurrency', 'it is not known of any request that it goes on for a while'),
  ];
}

/** Rates are used up last of all, so that nothing else is refused for it. */
export function usingUp(trial: Trial): Scenario[] {
  return rates(trial);
}
