import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Described, type Plan, type Scenario, unreached } from '../check.ts';
import { movers } from '../foresee/tree.ts';
import { racedMoves } from '../races/moves.ts';
import { partStatedOnly, statedOnly, unchecked } from '../stated.ts';
import { askersOf } from '../states/askers.ts';
import { guards } from '../states/guards.ts';
import { initials } from '../states/initial.ts';
import { type Move, type Moving, machinesOf } from '../states/machines.ts';
import { listedMoves } from '../states/moves.ts';
import { timed } from '../states/timed.ts';
import { isTimer } from '../states/timers.ts';
import { unlistedMoves, unlistedWrites } from '../states/unlisted.ts';
import type { Trial } from '../trial.ts';

/** Part 3: the state of a new item, each transition from each state, and those that nobody listed (language §3). */
export function checks(trial: Trial): Plan[] {
  const { of } = trial;
  if (of.states.kind !== 'stated') return [() => partStatedOnly(of, 'states')];
  const machines = [...of.resourcesByName.values()].flatMap((resource) => machinesOf(of, resource));
  const open = [...of.states.value].filter(([, said]) => stated(said) === undefined);
  return [
    () => open.map(([name]) => statedOnly(of, step('states', name), 'which states there are is open')),
    ...machines.flatMap((machine) => ofMachine(trial, machine)),
  ];
}

function ofMachine(trial: Trial, machine: Moving): Plan[] {
  const { moves, resource } = machine;
  return [
    () => initials(trial, machine),
    ...moves.flatMap((move) => ofMove(trial, move)),
    () => unlistedWrites(trial, machine, movers(trial.of, resource)),
    () => [
      unchecked(
        trial.of,
        step(machine.address, 'work'),
        'a handler is called within the service, which no request shows',
      ),
    ],
  ];
}

function ofMove(trial: Trial, move: Move): Plan[] {
  const plans = [listedMoves, guards, unlistedMoves, racedMoves, timed, unasked];
  return plans.map((plan) => () => plan(trial, move));
}

function unasked(trial: Trial, move: Move): Scenario[] {
  if (askersOf(trial, move).length > 0 || isTimer(move)) return [];
  const check: Described = {
    name: 'transition',
    says: `${move.name} moves a ${move.of.resource.name}`,
    cites: { address: move.address, at: move.at },
  };
  return [unreached(trial.of, [check], 'no operation that can be exercised asks for it')];
}
