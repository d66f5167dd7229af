import type { Operation } from '../../specification/model/operation.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Scenario, unreached } from '../check.ts';
import { judgeMove } from '../foresee/conditions.ts';
import { type Course, carryOut, courses } from '../foresee/course.ts';
import { openWays } from '../foresee/open-ways.ts';
import type { Step } from '../foresee/tree.ts';
import { closed } from '../guards.ts';
import { perform } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { isJust } from '../sides.ts';
import type { Trial } from '../trial.ts';
import { all } from '../verdict.ts';
import { askersOf } from './askers.ts';
import { type Move, type Moving, writesState } from './machines.ts';

/** Each transition that is asked for in a state out of which it does not lead is refused (language §3.2). */
export function unlistedMoves(trial: Trial, move: Move): Scenario[] {
  const { of: machine, from } = move;
  if (from === undefined) return [];
  const others = machine.states.filter((state) => !from.includes(state));
  return askersOf(trial, move)
    .filter((operation) => stated(operation.does)?.verb === move.name)
    .flatMap((operation) =>
      others.flatMap((state) =>
        refusedIn(
          trial,
          operation,
          machine,
          state,
          `${operation.key} of ${withArticle(machine.resource.name)} in ${state}`,
          [(step) => isBarredByStateAlone(trial, move, step), () => true],
          { address: move.transition.from.address, at: move.transition.from.at },
        ),
      ),
    );
}

/** Whether a transition would be made of an item, if it led out of its state: its guard would not refuse it as well. */
function isBarredByStateAlone({ of }: Trial, move: Move, { item, names }: Step): boolean {
  const anywhere = { ...move, from: move.of.states };
  return item !== null && judgeMove(of, anywhere, item, names).every(({ holds }) => holds.value === false);
}

/** Each state that is written where no transition leads to it is refused (language §3.2). */
export function unlistedWrites(trial: Trial, machine: Moving, operations: readonly Operation[]): Scenario[] {
  return operations
    .filter((operation) => writesState(trial.of, operation, machine))
    .flatMap((operation) =>
      machine.states.flatMap((from) =>
        machine.states
          .filter(
            (to) => to !== from && !machine.moves.some((move) => move.to === to && move.from?.includes(from)),
          )
          .flatMap((to) =>
            refusedIn(
              trial,
              operation,
              machine,
              from,
              `${operation.key} of ${withArticle(machine.resource.name)} in ${from} to ${to}`,
              [({ body }) => (body as { [name: string]: unknown } | undefined)?.[machine.field] === to],
              { address: machine.machine.transitions.address, at: machine.machine.transitions.at },
            ),
          ),
      ),
    );
}

function refusedIn(
  trial: Trial,
  operation: Operation,
  machine: Moving,
  state: string,
  says: string,
  fits: readonly ((step: Step) => boolean)[],
  cites: { readonly address: string; readonly at: Moving['at'] },
): Scenario[] {
  const reason: Reason = { name: 'transition refused', subject: machine.resource.name, failures: [] };
  const isInState = ({ item }: Step): boolean => item?.known.get(machine.field) === state;
  const must = all(
    closed(trial.of, machine.machine.transitions.address),
    mustRefuse(trial.of, operation, reason),
  );
  const goals = fits.map(
    (fitting) => (step: Step) => isInState(step) && fitting(step) && isJust(step, reason),
  );
  return [{ ...refusedAs(trial, operation, says, goals, reason, must, cites), about: state }];
}

/**
 * A request that a condition of what is kept refuses, found by what it should come to.
 *
 * @param goals what it should come to, the best first
 */
export function refusedAs(
  trial: Trial,
  operation: Operation,
  says: string,
  goals: readonly ((step: Step) => boolean)[],
  reason: Reason,
  must: ReturnType<typeof mustRefuse>,
  cites: { readonly address: string; readonly at: Moving['at'] },
): Scenario {
  const { subject } = operation;
  const course = goals.reduce<Course | undefined>(
    (found, goal) => found ?? courses(trial, operation, goal)[0],
    undefined,
  );
  if (course === undefined || subject === null)
    return unreached(
      trial.of,
      [{ name: 'refused', says: `${says} is refused`, cites }],
      'no way was found to such an item and request',
      subject ? openWays(trial, subject) : [],
    );
  const { body } = course.last;
  return refusing(trial, {
    says,
    operation,
    cites,
    reasons: [reason],
    must,
    item: () => carryOut(trial, subject, course.before),
    send: async (item) =>
      await perform(trial, operation, { ...(item && { item }), ...(body !== undefined && { body }) }),
  });
}
