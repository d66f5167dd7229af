import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { type Course, carryOut, isMade, withNewKeys } from '../foresee/course.ts';
import { create, perform } from '../perform.ts';
import type { Done, Trial } from '../trial.ts';
import { type Lived, live } from './listing.ts';

/** Takes an item to the last request of a course, and looks around before and after that one. */
export async function liveBy(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  course: Course,
): Promise<Lived> {
  const { body } = course.last;
  if (course.before.length === 0 && isMade([course.last]))
    return await live(trial, resource, operation, () =>
      create(trial, operation, withNewKeys(trial, operation, body)),
    );
  const item = await carryOut(trial, resource, course.before);
  return await live(
    trial,
    resource,
    operation,
    (): Promise<Done> => perform(trial, operation, { item, ...(body !== undefined && { body }) }),
    [item],
  );
}
