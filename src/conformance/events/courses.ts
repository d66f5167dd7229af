import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/operation.ts';
import type { Events } from '../../specification/parts/events.ts';
import { stated } from '../../specification/said.ts';
import { bodyOf } from '../body.ts';
import { courses } from '../foresee/course.ts';
import type { Step } from '../foresee/tree.ts';
import { membersOf } from '../item.ts';
import { hole } from '../partly.ts';
import { create, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { heldUp, type Trial } from '../trial.ts';
import { dueBy } from './expected.ts';
import { emittersOf, kindsOf, moveOf, operationsBy, type Wanted } from './kinds.ts';
import type { Course, Story } from './story.ts';

/** A course of which the last request emits an event of a kind, as far as can be foreseen. */
export interface Emitting {
  readonly wanted: Wanted;
  readonly operation: Operation;
  readonly course: Course;
  readonly last: Step;
}

/** One by each operation by which a kind is emitted. */
export function emitting(trial: Trial, wanted: Wanted): readonly Emitting[] {
  return operationsBy(trial, wanted.by).flatMap((operation) => {
    const found = courseTo(
      trial,
      operation,
      (step) => isBy(trial, wanted, step) && whenOf(trial, wanted, step) !== false,
    );
    return found ? [{ wanted, operation, ...found }] : [];
  });
}

/** The same request where `when` is not true. */
export function withholding(trial: Trial, { wanted, operation }: Emitting): Course | null {
  if (!stated(wanted.kind.when)) return null;
  const isIt = (step: Step): boolean => isBy(trial, wanted, step) && whenOf(trial, wanted, step) === false;
  return courseTo(trial, operation, isIt)?.course ?? null;
}

function courseTo(
  trial: Trial,
  operation: Operation,
  isIt: (step: Step) => boolean,
): { readonly course: Course; readonly last: Step } | null {
  const { subject } = operation;
  const isGoal = (step: Step): boolean => {
    const { free, outcome } = step.foreseen;
    return free.value !== false && outcome !== null && outcome !== 'unchanged' && isIt(step);
  };
  const [found] = courses(trial, operation, isGoal);
  if (subject === null || found === undefined) return null;
  return { course: { resource: subject, steps: [...found.before, found.last] }, last: found.last };
}

/** Whether a request is one by which the kind is emitted: where a transition is named, it asks for that one. */
function isBy({ of }: Trial, { by }: Wanted, { operation, foreseen }: Step): boolean {
  const move = moveOf(of, by);
  return operation.name === by || (move !== undefined && foreseen.moves.includes(move));
}

function whenOf(trial: Trial, wanted: Wanted, { names, foreseen }: Step): boolean | null {
  const { before, after, outcome } = foreseen;
  const about = new Map(names)
    .set('this', (outcome === 'deleted' ? before : after) ?? hole())
    .set('old', outcome === 'created' ? null : (before ?? hole()))
    .set('event', { by: wanted.by });
  return dueBy(trial, wanted, about).value;
}

/** Operations that change something and emit nothing, as it is stated; each with a course to it. */
export function silent(
  trial: Trial,
  events: Events,
): readonly { readonly operation: Operation; readonly course: Course }[] {
  const bys = kindsOf(events).flatMap(({ kind }) => emittersOf(kind));
  return trial.of.operations.flatMap((operation) => {
    if (operation.method === 'GET' || bys.includes(operation.name) || heldUp(trial.of, operation) !== null)
      return [];
    const moves = bys.flatMap((by) => moveOf(trial.of, by) ?? []);
    const found = courseTo(
      trial,
      operation,
      ({ foreseen }) => !foreseen.moves.some((one) => moves.includes(one)),
    );
    return found ? [{ operation, course: found.course }] : [];
  });
}

/** A request that should be refused, in words, with what leads to it. */
export interface Refusable extends Pick<Story, 'resource' | 'steps'> {
  readonly says: string;
  readonly besides: NonNullable<Story['besides']>;
}

/** Requests to an operation that emits events, which are refused: what it did once is asked again, and with a body that does not fit. */
export function refusable(trial: Trial, { operation, course, last }: Emitting): readonly Refusable[] {
  const { resource, steps } = course;
  const isNew = stated(operation.does)?.verb === 'create';
  const bad = unfit(trial, operation);
  const found: Refusable[] = [];
  if (!isNew && last.body === undefined)
    found.push({
      says: `${operation.key} once more`,
      resource,
      steps,
      besides: (item) => perform(trial, operation, item ? { item } : {}),
    });
  if (bad !== undefined)
    found.push({
      says: `${operation.key} with a body that does not fit`,
      resource,
      steps: isNew ? [] : steps.slice(0, -1),
      besides: (item) =>
        isNew
          ? create(trial, operation, bad, { stays: true })
          : perform(trial, operation, { ...(item && { item }), body: bad }),
    });
  return found;
}

/** A body of which one member is of no type that it may have; undefined where there is none. */
function unfit(trial: Trial, operation: Operation): Json | undefined {
  const body = bodyOf(trial.of, operation);
  const members = body && membersOf(bodyFor(trial, operation, 'most'));
  if (!body || !members) return undefined;
  for (const [name, said] of Object.entries(membersOf(body.schema['properties']) ?? {}))
    for (const value of [true, 'x', 5, [], {}])
      if (trial.tools.failures(membersOf(said) ?? {}, value).length > 0) return { ...members, [name]: value };
  return undefined;
}
