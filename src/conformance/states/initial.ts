import { initialStates } from '../../specification/model/machine.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { type Check, type Scenario, scenario, unreached } from '../check.ts';
import { type Lived, liveNew } from '../effects/listing.ts';
import { toldBy } from '../effects/sights.ts';
import { freeCourse } from '../foresee/course.ts';
import { foresee } from '../foresee/foresee.ts';
import { withNewKeys } from '../foresee/going.ts';
import { memberOf } from '../foresee/outlook.ts';
import { doesJustThat, succeeded } from '../guards.ts';
import { hole, type Partly } from '../partly.ts';
import { before } from '../success.ts';
import { operationsFor, restsOf, type Trial } from '../trial.ts';
import { fits, shownAs } from '../unify.ts';
import { all, unseen, yes } from '../verdict.ts';
import type { Moving } from './machines.ts';

/** The state of a new item: the one that is stated, or each that its expression chooses (language §3.1, `initial`). */
export function initials(trial: Trial, machine: Moving): Scenario[] {
  const { resource, field } = machine;
  const shownField = resource.fields.get(field);
  const states = initialStates(machine.machine) ?? [undefined];
  return operationsFor(trial.of, resource, 'create').flatMap((operation) =>
    [...new Set(states)].map((state) => {
      const course = freeCourse(
        trial,
        operation,
        ({ foreseen }) => state === undefined || foreseen.after?.known.get(field) === state,
      );
      const wantedOf = (seen: Lived): Partly => {
        const { after } = foresee(trial.of, operation, before(seen));
        return (after && memberOf(after, field)) ?? hole();
      };
      const check: Check<Lived> = {
        name: 'initial',
        says: `${operation.key} makes ${withArticle(resource.name)} whose ${field} is ${shownAs(state)}`,
        cites: { address: machine.machine.initial.address, at: machine.machine.initial.at },
        guard: (seen) =>
          all(
            succeeded(seen.exchange, operation),
            toldBy(seen.told, shownField, wantedOf(seen)) ? yes : unseen(`nothing shows ${field}`),
            doesJustThat(trial.of, operation),
          ),
        claim: (seen) => {
          const wanted = wantedOf(seen);
          return toldBy(seen.told, shownField, wanted) ?? fits(wanted, undefined);
        },
      };
      if (course === undefined) return unreached(trial.of, [check], 'no request was found that makes one so');
      const observe = () =>
        liveNew(trial, resource, operation, withNewKeys(trial, operation, course.last.body));
      return scenario(trial.of, restsOf(operation), observe, [check]);
    }),
  );
}
