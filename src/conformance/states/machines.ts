import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Machine, Transition } from '../../specification/vocabulary/parts/states.ts';
import { bodyOf } from '../body.ts';

/** A machine of a resource, as the tester needs it (language §3). */
export interface Moving {
  readonly resource: Resource;
  /** The field that holds the state. */
  readonly field: string;
  readonly address: Address;
  readonly at: Said<Machine>['at'];
  readonly machine: Machine;
  readonly states: readonly string[];
  readonly moves: readonly Move[];
}

/** A transition that is stated. */
export interface Move {
  readonly name: string;
  readonly of: Moving;
  readonly address: Address;
  readonly at: Said<Transition>['at'];
  readonly transition: Transition;
  /** The states that it leads out of; undefined where that is open. */
  readonly from: readonly string[] | undefined;
  /** The state that it leads to; null: the item ceases to be; undefined where that is open. */
  readonly to: string | null | undefined;
}

/** The machines of a resource. */
export function machinesOf(of: Specification, resource: Resource): readonly Moving[] {
  return machinesIn(of).get(resource) ?? [];
}

const machinesIn = once((of: Specification): ReadonlyMap<Resource, readonly Moving[]> => {
  const all = [...(stated(of.states) ?? [])].flatMap(([name, said]) => {
    const dot = name.indexOf('.');
    const resource = of.resourcesByName.get(name.slice(0, dot));
    const machine = stated(said);
    if (resource === undefined || machine === undefined) return [];
    const moves: Move[] = [];
    const found: Moving = {
      resource,
      field: name.slice(dot + 1),
      address: said.address,
      at: said.at,
      machine,
      states: (stated(machine.states) ?? []).map((one) => one.text),
      moves,
    };
    for (const [move, one] of stated(machine.transitions) ?? []) {
      const transition = stated(one);
      if (transition === undefined) continue;
      moves.push({
        name: move,
        of: found,
        address: step(machine.transitions.address, move),
        at: one.at,
        transition,
        from: stated(transition.from)?.map((state) => state.text),
        to: transition.to.kind === 'none' ? null : stated(transition.to)?.text,
      });
    }
    return [found];
  });
  return Map.groupBy(all, (one) => one.resource);
});

/** The transition of a resource by its name. */
export const moveNamed = once((of: Specification, resource: Resource, name: string): Move | undefined => {
  return machinesOf(of, resource)
    .flatMap((one) => one.moves)
    .find((move) => move.name === name);
});

/** Whether a field holds the state of a machine. */
export function isStateField(of: Specification, resource: Resource, name: string): boolean {
  return machinesOf(of, resource).some((one) => one.field === name);
}

/** Whether an operation may write the state of a machine, and so ask for its transitions (language §3.2). */
export function writesState(of: Specification, operation: Operation, { resource, field }: Moving): boolean {
  const verb = stated(operation.does)?.verb;
  return (
    operation.subject === resource &&
    (verb === 'update' || verb === 'replace') &&
    stated(resource.fields.get(field)?.writable) === true &&
    bodyOf(of, operation)?.fields.has(field) === true
  );
}

/** The transitions that an operation may ask for: the one that it is, or those of the machines whose state it writes. */
export const movesAskedBy = once((of: Specification, operation: Operation): readonly Move[] => {
  const { subject, does } = operation;
  if (subject === null) return [];
  const named = moveNamed(of, subject, stated(does)?.verb ?? '');
  const written = machinesOf(of, subject).filter((machine) => writesState(of, operation, machine));
  return named ? [named] : written.flatMap(({ moves }) => moves);
});

/** The transitions that writing a state asks for: those that lead from the present one to it. */
export function movesBetween({ moves }: Moving, from: string, to: string): readonly Move[] {
  return moves.filter((move) => move.from?.includes(from) && move.to === to);
}
