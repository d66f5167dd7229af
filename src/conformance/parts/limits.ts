import { stated } from '../../specification/reading/said.ts';
import type { Plan, Scenario } from '../check.ts';
import { concurrency } from '../limits/concurrency.ts';
import { firstShown } from '../limits/first-shown.ts';
import { quotas } from '../limits/quotas.ts';
import { rates } from '../limits/rates.ts';
import { sizes } from '../limits/sizes.ts';
import { partStatedOnly, unchecked } from '../stated.ts';
import type { Trial } from '../trial.ts';

/** Part 8, how much, how often, how long (language §8). */
export function checks(trial: Trial): Plan[] {
  const { of } = trial;
  if (stated(of.limits) === undefined) return [() => partStatedOnly(of, 'limits')];
  return [
    () => firstShown(trial),
    () => sizes(trial),
    () => quotas(trial),
    () => [
      unchecked(
        of,
        'limits.times',
        'it counts from when the whole request is there, and of none is it known from outside that it takes so long',
      ),
    ],
  ];
}

/** What runs at once, and rates, are used up last of all, so that nothing else is refused for it. */
export function usingUp(trial: Trial): Scenario[] {
  return [...concurrency(trial), ...rates(trial)];
}
