import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Answer } from '../../specification/vocabulary/answer.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { type Scenario, scenario } from '../check.ts';
import { withNewKeys } from '../foresee/going.ts';
import { creations } from '../foresee/tree.ts';
import { answerFor } from '../look.ts';
import { create } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { showsAsStated } from '../shows.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { alsoDone } from './also.ts';
import { isListed, leavesOthers, liveNew, readsTheSame } from './listing.ts';

/** The answers that may come of a creation, each with the body of a request that should get it (language §H.3). */
function answersOf(trial: Trial, operation: Operation): ReadonlyMap<Answer, Json | undefined> {
  const found = new Map<Answer, Json | undefined>();
  if ((stated(operation.response) ?? []).length < 2) return found;
  for (const { body, foreseen, names } of creations(trial, operation)) {
    const { after, outcome, free } = foreseen;
    if (after === null || free.value === false) continue;
    const answer = answerFor(operation, outcome, new Map(names).set('this', after));
    if (answer && !found.has(answer)) found.set(answer, body);
  }
  return found;
}

/** `create`: makes an item, which is listed and read from then on, and is answered as stated (language §H.2). */
export function creates(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const [first, ...others] = answersOf(trial, operation);
  const also = others.map(([answer, body]) =>
    scenario(
      trial.of,
      restsOf(operation),
      () => create(trial, operation, withNewKeys(trial, operation, body)),
      looksAsStated(trial, operation, 'created', answer),
    ),
  );
  return [creation(trial, operation, resource, first), ...also];
}

function creation(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  due: readonly [Answer, Json | undefined] | undefined,
): Scenario {
  const members = [...(bodyOf(trial.of, operation)?.fields.keys() ?? [])];
  const observe = async () => {
    const body = due ? withNewKeys(trial, operation, due[1]) : bodyFor(trial, operation, 'most');
    return await liveNew(trial, resource, operation, body);
  };
  return scenario(trial.of, restsOf(operation), observe, [
    succeeds(trial, operation, `${operation.key} with every member`, members),
    ...looksAsStated(trial, operation, undefined, due?.[0]),
    ...showsAsStated(trial, operation, resource),
    ...alsoDone(trial, operation, operation.key, []),
    ...isListed(trial, operation, resource),
    ...leavesOthers(trial, operation, resource),
    ...readsTheSame(trial, operation, resource),
  ]);
}
