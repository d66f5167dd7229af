import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { ifReached, type Scenario, scenario } from '../check.ts';
import { doesAsFollowing } from '../foresee/also.ts';
import { withNewKeys } from '../foresee/going.ts';
import { creations } from '../foresee/tree.ts';
import { create, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { workOut } from '../solve.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { operationsFor, restsOf, type Trial } from '../trial.ts';
import { isDone, nothingElse } from './also.ts';
import { type Lived, live } from './listing.ts';

/** How many items are made on each side of `where`: so many that those at its bound are among them. */
const eachSide = 8;

/** A change of every item that `where` admits, and of no other (language §H.2). */
export function changesEvery(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const observe = async (): Promise<Lived> => {
    await stock(trial, operation, resource);
    const body = bodyFor(trial, operation, 'most');
    return await live(trial, resource, operation, () =>
      perform(trial, operation, body === undefined ? {} : { body }),
    );
  };
  const { key } = operation;
  return [
    scenario(trial.of, restsOf(operation), observe, [
      succeeds(trial, operation, key, []),
      ...looksAsStated(trial, operation),
      ...doesAsFollowing(operation).map((one) => isDone(trial, operation, key, one)),
      nothingElse(trial, operation, key, resource.name),
    ]),
  ];
}

/** Makes items of which `where` is true, and others. */
async function stock(trial: Trial, operation: Operation, resource: Resource): Promise<void> {
  const where = stated(stated(operation.does)?.qualifiers.where);
  const [creator] = operationsFor(trial.of, resource, 'create');
  if (creator === undefined) return;
  const counts = new Map<boolean, number>();
  for (const { body, foreseen } of creations(trial, creator)) {
    if (foreseen.after === null || foreseen.free.value === false) continue;
    const isIn = where ? workOut(where.template, new Map([['this', foreseen.after]])) === true : true;
    const count = counts.get(isIn) ?? 0;
    if (count >= eachSide) continue;
    counts.set(isIn, count + 1);
    await ifReached(() => create(trial, creator, withNewKeys(trial, creator, body)));
  }
}
