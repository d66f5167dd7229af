import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { type Scenario, scenario, unreached } from '../check.ts';
import { carryOut, courses } from '../foresee/course.ts';
import type { Item } from '../partly.ts';
import { perform } from '../perform.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { becomes } from './becomes.ts';
import { live, readsTheSame } from './listing.ts';

/** A request that changes nothing: the members that the item has already (language §H.2, `unchanged`). */
export function changesNothing(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const body = bodyOf(trial.of, operation);
  if (body === null || body.fields.size === 0) return [];
  const says = `${operation.key} with what is there already`;
  const outcome: Outcome | undefined = stated(stated(operation.does)?.qualifiers.same);
  const checks = [
    succeeds(trial, operation, says, [...body.fields.keys()]),
    // What it is to leave every value as it was is free unless it is stated (language §F.1).
    ...(outcome ? looksAsStated(trial, operation, outcome) : []),
    becomes(trial, operation, resource, says),
    ...readsTheSame(trial, operation, resource),
  ];
  const [course] = courses(trial, operation, ({ foreseen }) => foreseen.before !== null);
  if (course === undefined) return [unreached(trial.of, checks, `no ${resource.name} could be made`)];
  /** What the item shows of the members that may be given; all of them where what is not given goes. */
  const same = (item: Item): Json =>
    Object.fromEntries([...item.known].filter(([name]) => body.fields.has(name)));
  const observe = async () => {
    const item = await carryOut(trial, resource, course.before);
    const given = same(item);
    return await live(trial, resource, operation, () => perform(trial, operation, { item, body: given }));
  };
  return [scenario(trial.of, restsOf(operation), observe, checks)];
}
