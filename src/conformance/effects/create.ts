import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { type Scenario, scenario } from '../check.ts';
import { create } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { bodyOf } from '../schema.ts';
import { showsAsStated } from '../shows.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { alsoDone } from './also.ts';
import { isListed, leavesOthers, live, readsTheSame } from './listing.ts';

/** `create`: makes an item, which is listed and read from then on (language §H.2). */
export function creates(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const members = [...(bodyOf(trial.of, operation)?.fields.keys() ?? [])];
  const observe = () =>
    live(trial, resource, operation, () => create(trial, operation, bodyFor(trial, operation, 'most')));
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, `${operation.key} with every member`, members),
    ...looksAsStated(trial, operation),
    ...showsAsStated(trial, operation, resource),
    ...alsoDone(trial, operation, operation.key, []),
    ...isListed(trial, operation, resource),
    leavesOthers(trial, operation, resource),
    ...readsTheSame(trial, operation, resource),
  ]);
}
