import { ratesOf } from '../../specification/model/counted.ts';
import { admits, hasItemRule } from '../access/admits.ts';
import { type Check, type Scenario, scenario } from '../check.ts';
import { bodies } from '../foresee/bodies.ts';
import { succeeded } from '../guards.ts';
import { askedOf } from '../perform.ts';
import { isAboutOne, withBody } from '../request.ts';
import { before } from '../success.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { all, known, type Truth } from '../verdict.ts';
import { letsIn, success } from './lets-in.ts';
import { unlimited } from './unlimited.ts';
import { askOnce, type Series, type Using } from './using-up.ts';

/** Whoever has used a rate up is let in still to each operation that it does not count (language §8.1, `operations`). */
export function uncounted(trial: Trial, using: Using, series: Series, isAlone: Truth): Scenario[] {
  const { of } = trial;
  const { rate, name } = using;
  if (rate.operations.kind !== 'stated') return [];
  const { user, last } = series;
  const others = of.operations.filter(
    (one) =>
      heldUp(of, one) === null &&
      // What another rate counts may be refused by that one.
      ratesOf(of, one).size === 0 &&
      // Items of its own would have to be made, which the rate may count.
      !(isAboutOne(one) && hasItemRule(of, one)) &&
      [...one.bindings.values()].every(({ kind }) => kind === 'text'),
  );
  return others.map((operation) => {
    const check: Check<Done> = {
      name: 'rate.uncounted',
      says: `${operation.key}, which ${name} does not count, is let in once ${name} is used up`,
      cites: { address: rate.operations.address, at: rate.operations.at },
      guard: (done) =>
        all(
          isAlone,
          known(succeeded(last.exchange, user.operation).value !== true, `${name} was not used up`),
          letsIn(of, operation, before(done)),
          unlimited(of, operation, done.exchange, before(done)),
        ),
      claim: success(operation),
    };
    const observe = (): Promise<Done> => {
      // A rule may hang on what is asked.
      const body = bodies(trial, operation).find(
        (one) =>
          admits(of, operation, askedOf(trial, operation, { as: user.as, ...withBody(one) }, null).names)
            .value === true,
      );
      return askOnce(trial, { ...user, operation }, withBody(body));
    };
    return scenario(of, [...restsOf(operation), rate.operations.address], observe, [check]);
  });
}
