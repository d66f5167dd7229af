import { pathsIn } from '../../expression/template.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Scenario, scenario } from '../check.ts';
import { alsoOf, follow, namesAfter } from '../foresee/also.ts';
import { type Course, courses } from '../foresee/course.ts';
import type { Step } from '../foresee/tree.ts';
import { membersOf } from '../item.ts';
import { succeeds } from '../success.ts';
import { restsOf, type Trial } from '../trial.ts';
import { alsoDone } from './also.ts';
import { liveBy } from './by-course.ts';

/** How many requests are tried that differ in what follows them, or in what decides it. */
const tried = 10;

/** Requests of which each has something else follow: on both sides of `when`, and for lists of no, one and more elements. */
export function alsoCases(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  const branching = alsoOf(operation, []).some(
    ({ change: { qualifiers } }) => stated(qualifiers.when) || stated(qualifiers.for),
  );
  const moving = operation.endpoint.also.kind === 'open' && !branching;
  if (moving || !branching) return [];
  const found = courses(
    trial,
    operation,
    ({ foreseen }) => foreseen.free.value === true,
    tried,
    (step) => signature(trial, operation, step),
  );
  return found.map((course, index) => ofCourse(trial, operation, resource, course, index + 1));
}

function ofCourse(
  trial: Trial,
  operation: Operation,
  resource: Resource,
  course: Course,
  number: number,
): Scenario {
  const { moves } = course.last.foreseen;
  const says = `${operation.key}, case ${number} of what follows it,`;
  return scenario(trial.of, restsOf(operation), () => liveBy(trial, operation, resource, course), [
    succeeds(trial, operation, says, Object.keys(membersOf(course.last.body) ?? {})),
    ...alsoDone(trial, operation, says, moves),
  ]);
}

/** What follows a request, and the values by which that is decided. */
function signature({ of }: Trial, operation: Operation, { foreseen, names }: Step): string {
  const changes = alsoOf(operation, foreseen.moves);
  const after = namesAfter(operation, names, foreseen);
  const { done } = follow(of, changes, after, () => []);
  const read = changes.flatMap(({ change: { qualifiers } }) => {
    const when = stated(qualifiers.when);
    return when ? pathsIn(when.template) : [];
  });
  const item = foreseen.after ?? foreseen.before;
  const values = read.map(([first, second]) =>
    first === 'this' ? (item?.known.get(second ?? '') ?? null) : null,
  );
  return JSON.stringify([changes.map((one) => Math.min(2, done.get(one)?.length ?? 0)), values]);
}
