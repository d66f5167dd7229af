import type { Operation } from '../../specification/model/operation.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Scenario, scenario, unreached } from '../check.ts';
import { freeCourse } from '../foresee/course.ts';
import { openWays } from '../foresee/open-ways.ts';
import { showsItem } from '../shown-in.ts';
import { showsAsStated } from '../shows.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { alsoDone } from './also.ts';
import { becomes } from './becomes.ts';
import { liveBy } from './by-course.ts';
import { isListed, leavesOthers, readsTheSame } from './listing.ts';

/** A transition's name: the item is moved, and nothing else is (language §H.2). Each move is judged in part 3. */
export function transits(trial: Trial, operation: Operation, resource: Resource): Scenario {
  const course = freeCourse(trial, operation);
  const isShown = showsItem(trial, operation, resource);
  const ends = course?.last.foreseen.after === null;
  const checks = [
    succeeds(trial, operation, operation.key, []),
    ...looksAsStated(trial, operation),
    ...(isShown ? showsAsStated(trial, operation, resource) : []),
    ...(ends ? [] : [becomes(trial, operation, resource, operation.key)]),
    ...alsoDone(trial, operation, operation.key, course?.last.foreseen.moves ?? []),
    ...isListed(trial, operation, resource),
    ...leavesOthers(trial, operation, resource),
    ...readsTheSame(trial, operation, resource),
  ];
  if (course === undefined)
    return unreached(
      trial.of,
      checks,
      `no way was found to a ${resource.name} that ${operation.key} moves`,
      openWays(trial, resource),
    );
  const observe = () => liveBy(trial, operation, resource, course);
  return scenario(trial.of, restsOf(operation), observe, checks);
}
