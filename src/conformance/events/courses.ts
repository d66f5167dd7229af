import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { bodyOf } from '../body.ts';
import { courses } from '../foresee/course.ts';
import { isWait, type Step, stepsFrom } from '../foresee/tree.ts';
import { membersOf } from '../item.ts';
import { hole } from '../partly.ts';
import { create, perform } from '../perform.ts';
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

/** A request that changes something and emits nothing, and what leads to it. */
export interface Silent {
  readonly operation: Operation;
  readonly course: Course;
  readonly last: Step;
}

/** Operations that change something and emit nothing, as it is stated; each with a course to it. */
export function silent(trial: Trial, events: Events): readonly Silent[] {
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
    return found ? [{ operation, ...found }] : [];
  });
}

/** A request that should be refused, in words, with what leads to it. */
export interface Refusable extends Pick<Story, 'resource' | 'steps'> {
  readonly says: string;
  readonly besides: NonNullable<Story['besides']>;
  readonly after?: readonly Step[];
}

/** Requests to an operation that emits events, which are refused: what it did once is asked again, and with a body that does not fit. */
export function refusable(trial: Trial, { operation, course, last }: Emitting): readonly Refusable[] {
  const { resource, steps } = course;
  const isNew = stated(operation.does)?.verb === 'create';
  const bad = unfit(trial, operation, last.body);
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
      ...(!isNew && { after: [last] }),
      besides: (item) =>
        isNew
          ? create(trial, operation, bad, { stays: true })
          : perform(trial, operation, { ...(item && { item }), body: bad }),
    });
  return found;
}

/** The body with one member of no type that it may have, and no reference where another is there; undefined where none is. */
function unfit(trial: Trial, operation: Operation, body: Json | undefined): Json | undefined {
  const model = bodyOf(trial.of, operation);
  const members = membersOf(body);
  if (!model || !members) return undefined;
  const isReference = (name: string): boolean => model.refers.has(name);
  const all = Object.entries(membersOf(model.schema['properties']) ?? {});
  for (const [name, said] of all.toSorted(([a], [b]) => Number(isReference(a)) - Number(isReference(b))))
    for (const value of [true, 'x', 5, [], {}])
      if (trial.tools.failures(membersOf(said) ?? {}, value).length > 0) return { ...members, [name]: value };
  return undefined;
}

/** A request that emits an event about an item which a course leads to: what comes after it comes later. */
export function further(trial: Trial, { course, last }: Silent, all: readonly Emitting[]): readonly Step[] {
  const item = last.foreseen.after;
  if (item === null) return [];
  for (const { wanted, operation } of all) {
    if (operation.subject !== course.resource || stated(operation.does)?.verb === 'create') continue;
    const step = stepsFrom(trial, operation, item).find((one) => isSureOf(trial, wanted, one));
    if (step) return [step];
  }
  return [];
}

function isSureOf(trial: Trial, wanted: Wanted, step: Step): boolean {
  const { free, outcome } = step.foreseen;
  const isChange = outcome !== null && outcome !== 'unchanged';
  return free.value === true && isChange && isBy(trial, wanted, step) && whenOf(trial, wanted, step) === true;
}

/** The same course for another item that refers to what this one refers to, so that whoever hears of one hears of both. */
export function alongside(trial: Trial, course: Course, { resource, steps }: Course): Course {
  const [first] = [...steps, ...course.steps].some(isWait) ? [] : (steps as readonly Step[]);
  const model = first && bodyOf(trial.of, first.operation);
  const given = first && membersOf(first.body);
  if (!model || !given || resource !== course.resource) return course;
  const references = Object.entries(given).filter(([name]) => model.refers.has(name));
  const [begins, ...others] = course.steps as readonly Step[];
  const members = begins && membersOf(begins.body);
  if (begins === undefined || members === undefined || begins.operation !== first.operation) return course;
  return {
    ...course,
    steps: [{ ...begins, body: { ...members, ...Object.fromEntries(references) } }, ...others],
  };
}
