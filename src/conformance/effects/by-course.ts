import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Course, carryOut } from '../foresee/course.ts';
import { isMade, withNewKeys } from '../foresee/going.ts';
import { perform } from '../perform.ts';
import { populated } from '../referring.ts';
import type { Done, Trial } from '../trial.ts';
import { type Lived, live, liveNew } from './listing.ts';

/**
 * Takes an item to the last request of a course, and looks around before and after that one.
 *
 * @param but members that are to be just as the course has them
 */
export async function liveBy(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  course: Course,
  but: readonly string[] = [],
): Promise<Lived> {
  const body = withNewKeys(trial, operation, course.last.body, but);
  if (course.before.length === 0 && isMade([course.last]))
    return await liveNew(trial, resource, operation, body);
  const item = await populated(trial, operation, await carryOut(trial, resource, course.before));
  return await live(
    trial,
    resource,
    operation,
    (): Promise<Done> => perform(trial, operation, { item, ...(body !== undefined && { body }) }),
    [item],
  );
}
