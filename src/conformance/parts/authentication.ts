import { type Check, type Scenario, scenario } from '../check.ts';
import { answerFound } from '../guards.ts';
import { header } from '../http.ts';
import { sample } from '../sample.ts';
import { partStatedOnly } from '../stated.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { known, yes } from '../verdict.ts';

/** Part 5, who may ask (language §5): `(none)` asks nobody who they are; schemes are not run by this version. */
export function checks(trial: Trial): Scenario[] {
  const { of } = trial;
  const { authentication } = of;
  if (authentication.kind !== 'none') return partStatedOnly(of, 'authentication');
  const operations = of.operations.filter((operation) => heldUp(of, operation) === null);
  if (operations.length === 0) return partStatedOnly(of, 'authentication');
  return operations.map((operation) => {
    const check: Check<Done> = {
      name: 'authentication.none',
      says: `${operation.key} asks nobody who they are`,
      cites: { address: authentication.address, at: authentication.at },
      guard: () => yes,
      claim: ({ exchange }) => ({
        truth: known(
          exchange.response?.status !== 401 && header(exchange.response, 'www-authenticate') === undefined,
        ),
        expected: 'no challenge (401, WWW-Authenticate)',
        found: answerFound(exchange),
      }),
    };
    return scenario(of, restsOf(operation), () => sample(trial, operation), [check]);
  });
}
