import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { bodyOf } from '../body.ts';
import { type Check, type Scenario, scenario } from '../check.ts';
import { carryOut, courses } from '../foresee/course.ts';
import { foresee, isLimited } from '../foresee/foresee.ts';
import { isWholeBody } from '../foresee/giving.ts';
import type { Step } from '../foresee/tree.ts';
import { closed, doesJustThat } from '../guards.ts';
import { isReadable, membersOf } from '../item.ts';
import { isUnique } from '../keys.ts';
import { namesFor } from '../names.ts';
import type { Item } from '../partly.ts';
import { readBack } from '../perform.ts';
import { fieldSchema } from '../schema.ts';
import { isStateField, movesAskedBy } from '../states/machines.ts';
import { type Done, restsOf, type Trial } from '../trial.ts';
import { shownAs } from '../unify.ts';
import { steady } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { type Raced, race, winners } from './race.ts';

interface Counted extends Raced {
  readonly start: Item;
  readonly bodies: readonly (Json | undefined)[];
  readonly back: Done;
}

/** How many values are tried until as many are found as are wanted. */
const tries = 60;

/**
 * A number that a request takes further from where it is, as `set: { update: "${old.n + 1}" }` does, a transition's
 * `set`, or `with`: of several requests at once each takes it one step, and no step is lost (language §F.7).
 */
export function racedNumbers(trial: Trial, operation: Operation, resource: Resource): Scenario[] {
  if (stated(stated(operation.endpoint.conditional)?.ifMatch) === 'required') return [];
  const numbers = [...resource.fields.values()].filter(isNumber);
  return numbers.flatMap((field) => {
    if (!maySet(trial.of, operation, field)) return [];
    const [course] = courses(trial, operation, (step) => goesOn(field, step));
    if (course === undefined) return [];
    const check = lostNone(trial, operation, resource, field);
    const bodies = course.last.foreseen.before
      ? bodiesFor(trial, operation, field, course.last.foreseen.before, course.last.body)
      : [];
    if (bodies.length < 2) return [];
    const observe = async (): Promise<Counted> => {
      const start = await carryOut(trial, resource, course.before);
      const ask = (index: number) => {
        const body = bodies[index % bodies.length];
        return { item: start, ...(body !== undefined && { body }) };
      };
      const raced = await race(trial, operation, ask, bodies.length);
      return { ...raced, start, bodies, back: await readBack(trial, start) };
    };
    return [scenario(trial.of, [...restsOf(operation), field.address], observe, [check])];
  });
}

function isNumber(field: Field): boolean {
  const type = stated(field.shape.keywords.get('type'));
  return (type === 'integer' || type === 'number') && isReadable(field) && field.derived.kind === 'open';
}

/** Whether an operation may set a field to what its request does not give. */
function maySet(of: Specification, operation: Operation, field: Field): boolean {
  const change = stated(operation.does);
  if (stated(field.update) || change?.verb === 'replace') return true;
  if (stated(change?.qualifiers.with)?.some((template) => !isWholeBody(template.template))) return true;
  return movesAskedBy(of, operation).some(({ transition }) => stated(transition.set)?.has(field.name));
}

/** Whether a request takes the number on, and does not give it. */
function goesOn({ name }: Field, step: Step): boolean {
  if (membersOf(step.body)?.[name] !== undefined) return false;
  const { foreseen } = step;
  const { before, after, outcome } = foreseen;
  if (outcome !== 'changed') return false;
  const [from, to] = [before?.known.get(name), after?.known.get(name)];
  return typeof from === 'number' && typeof to === 'number' && from !== to && foreseen.free.value === true;
}

/** What the number comes to by these requests, one after the other; undefined where that cannot be told. */
function reached(
  trial: Trial,
  operation: Operation,
  { name }: Field,
  start: Item,
  bodies: readonly (Json | undefined)[],
): number | undefined {
  let item: Item | null = start;
  for (const given of bodies) {
    const names = namesFor(trial, { operation, request: null, given, item });
    const foreseen = foresee(trial.of, operation, names);
    if (foreseen.free.value !== true || foreseen.outcome !== 'changed') return undefined;
    item = foreseen.after;
    if (item === null) return undefined;
  }
  const value = item.known.get(name);
  return typeof value === 'number' ? value : undefined;
}

/** Bodies of which each takes the number on, in whatever order they come: the same one, or each with another value. */
function bodiesFor(
  trial: Trial,
  operation: Operation,
  field: Field,
  start: Item,
  usual: Json | undefined,
): readonly (Json | undefined)[] {
  const twenty = Array<Json | undefined>(20).fill(usual);
  if (reached(trial, operation, field, start, twenty) !== undefined) return twenty;
  for (const varied of bodyOf(trial.of, operation)?.fields.values() ?? []) {
    const isPlain = !isUnique(varied) && !isLimited(varied) && varied.refers.kind !== 'stated';
    if (!isPlain || isStateField(trial.of, start.resource, varied.name)) continue;
    const values = new Set([JSON.stringify(start.known.get(varied.name))]);
    for (let i = 0; i < tries && values.size <= twenty.length; i++)
      values.add(JSON.stringify(trial.tools.valid(fieldSchema(trial.of, varied), 'most')));
    const bodies = [...values].slice(1).flatMap((value): Json[] => {
      const body = { ...membersOf(usual), [varied.name]: JSON.parse(value ?? 'null') as Json };
      return reached(trial, operation, field, start, [body]) === undefined ? [] : [body];
    });
    if (bodies.length > 1 && reached(trial, operation, field, start, bodies) !== undefined) return bodies;
  }
  return [];
}

function lostNone(trial: Trial, operation: Operation, resource: Resource, field: Field): Check<Counted> {
  const { of } = trial;
  const { name } = field;
  /** What the number has to be, by whichever order of those that succeeded; undefined where the order bears on it. */
  const due = ({ start, bodies, raced }: Counted): number | undefined => {
    const won = new Set(winners(operation, raced));
    const done = raced.flatMap((one, index) => (won.has(one) ? [bodies[index % bodies.length]] : []));
    const orders = [done, done.toReversed(), [...done.slice(1), ...done.slice(0, 1)]];
    const values = new Set(orders.map((one) => reached(trial, operation, field, start, one)));
    return values.size === 1 ? [...values][0] : undefined;
  };
  return {
    name: 'race.number',
    says: `${operation.key}, by several at once, takes ${name} one step each`,
    cites: { address: field.address, at: field.at },
    guard: (seen) =>
      all(
        doesJustThat(of, operation),
        closed(of, field.address),
        steady(of, resource, seen.start),
        known(winners(operation, seen.raced).length > 1, 'no two of them succeeded'),
        // Whether one was carried out that was not answered, or by a fault, cannot be told.
        seen.raced.every(({ exchange }) => (exchange.response?.status ?? 500) < 500)
          ? yes
          : unseen('one of them was not answered'),
        due(seen) === undefined ? unseen('what it comes to hangs on the order') : yes,
        membersOf(seen.back.shown)?.[name] === undefined ? unseen(`nothing shows ${name}`) : yes,
      ),
    claim: (seen) => {
      const found = membersOf(seen.back.shown)?.[name];
      return {
        truth: known(found === due(seen)),
        expected: `${due(seen)}, after ${winners(operation, seen.raced).length} successes from ${shownAs(seen.start.known.get(name))}`,
        found: shownAs(found),
      };
    },
    exchange: ({ back }) => back.exchange,
  };
}
