import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { movers } from '../foresee/tree.ts';
import type { Trial } from '../trial.ts';
import { type Move, writesState } from './machines.ts';

/** The operations by which a client asks for a transition: by its name, or by writing the state (language §3.2). */
export function askersOf(trial: Trial, move: Move): readonly Operation[] {
  return movers(trial.of, move.of.resource).filter(
    (operation) => stated(operation.does)?.verb === move.name || writesState(trial.of, operation, move.of),
  );
}
