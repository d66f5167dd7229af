import { stated } from '../../specification/reading/said.ts';
import { ifReached, type Result, type Scenario, scenario } from '../check.ts';
import { restsOf, type Trial } from '../trial.ts';
import { rateFields } from './rate-fields.ts';
import { type Series, type Using, usableRates, userOf, useUp } from './using-up.ts';

/**
 * What tells of a rate that counts by who asks, as somebody new asks for the first time: how many are left is known
 * then, and none has to be used up.
 */
export function firstShown(trial: Trial): Scenario[] {
  return usableRates(trial).flatMap((one) => {
    const isShown = !('why' in one) && stated(one.rate.per)?.kind === 'actor' && stated(one.rate.headers);
    return isShown ? [{ run: () => shown(trial, one) }] : [];
  });
}

/** Where nobody new is counted for sure, what tells of the rate is judged once it is used up. */
async function shown(trial: Trial, using: Using): Promise<Result[]> {
  const series = await ifReached(async () => {
    const user = await userOf(trial, using);
    return user.isNew ? await useUp(trial, using, user, 1) : undefined;
  });
  const [first] = series?.let ?? [];
  if (!series || !first) return [];
  const [at] = series.times;
  const which = 'asked by somebody new';
  const exchangeOf = () => first.exchange;
  const checks = rateFields<Series>(trial, using, series, which, using.allow - 1, at, exchangeOf);
  const rests = [...restsOf(series.user.operation), using.said.address];
  return await scenario(trial.of, rests, () => Promise.resolve(series), checks).run();
}
