import { stated } from '../../specification/reading/said.ts';
import { type Scenario, scenario, unreached } from '../check.ts';
import { carryOut, freeCourse } from '../foresee/course.ts';
import type { Step } from '../foresee/tree.ts';
import { closed } from '../guards.ts';
import { populated } from '../referring.ts';
import { mustRefuse } from '../refusal.ts';
import { askersOf } from '../states/askers.ts';
import type { Move } from '../states/machines.ts';
import { restsOf, type Trial } from '../trial.ts';
import { all } from '../verdict.ts';
import { onlyOne, type Raced, race } from './race.ts';

/** A transition that leads to where it does not lead out of is taken by one of several who ask at once (language §3.2). */
export function racedMoves(trial: Trial, move: Move): Scenario[] {
  const { of } = trial;
  const { resource, field, machine } = move.of;
  const { from, to } = move;
  if (from === undefined || typeof to !== 'string' || from.includes(to)) return [];
  return askersOf(trial, move)
    .filter((operation) => stated(operation.does)?.verb === move.name)
    .slice(0, 1)
    .map((operation) => {
      const isIt = ({ foreseen }: Step): boolean =>
        foreseen.moves.includes(move) && foreseen.after?.known.get(field) === to;
      const reason = { name: 'transition refused', subject: resource.name, failures: [] } as const;
      const must = all(closed(of, machine.transitions.address), mustRefuse(of, operation, reason));
      const cites = { address: move.transition.from.address, at: move.transition.from.at };
      const check = onlyOne(operation, `${operation.key} of a ${resource.name}`, cites, must);
      const course = freeCourse(trial, operation, isIt);
      if (course === undefined) return unreached(of, [check], 'no way was found to such an item and request');
      const observe = async (): Promise<Raced> => {
        const item = await populated(trial, operation, await carryOut(trial, resource, course.before));
        const { body } = course.last;
        return await race(trial, operation, () => ({ item, ...(body !== undefined && { body }) }));
      };
      return scenario(of, [...restsOf(operation), move.address], observe, [check]);
    });
}
