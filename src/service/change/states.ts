import { equal } from '../../expression/functions.ts';
import { refuse } from '../message/refusal.ts';
import type { Brought, KeptResource, Members } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type Doing, refuseIt } from '../transaction/doing.ts';
import type { CompiledMachine, Move } from './machines.ts';
import type { Moving } from './move.ts';

/** States that are written as if they were values: each asks for a move (language §3.2). */
export interface Asked {
  /** What is brought besides. */
  readonly brought: Brought;
  readonly states: readonly { readonly machine: CompiledMachine; readonly to: unknown }[];
}

/** Takes the fields of machines out of what is brought, since only a move writes one. */
export function askedOf(machines: readonly CompiledMachine[], brought: Brought): Asked {
  if (machines.length === 0) return { brought, states: [] };
  const given: Members = { ...brought.given };
  const set: Members = { ...brought.set };
  const states = machines.flatMap((machine) => {
    const of = Object.hasOwn(set, machine.field) ? set : given;
    if (!Object.hasOwn(of, machine.field)) return [];
    const to = of[machine.field];
    delete given[machine.field];
    delete set[machine.field];
    return [{ machine, to }];
  });
  return { brought: { ...brought, given, set }, states };
}

/** Makes the moves that written states ask for; null where one is refused, or the item ceased to be. */
export function moveAsked(
  doing: Doing,
  kept: KeptResource,
  row: Row | null,
  { states }: Asked,
  move: Moving,
): Row | null {
  let at = row;
  for (const { machine, to } of states) {
    if (at === null) return null;
    const from = kept.members(at)[machine.field];
    if (equal(from, to)) continue;
    const wanted = moveTo(machine.moves, from, to);
    if (wanted === undefined) {
      refuseIt(doing, refuse('transition refused', kept.name));
      return null;
    }
    at = move(doing, kept, at, wanted, { given: {} });
  }
  return at;
}

/** The move between two states; undefined: none is listed. */
function moveTo(moves: readonly Move[], from: unknown, to: unknown): Move | undefined {
  return moves.find((one) => one.to === to && one.from.includes(String(from)));
}
