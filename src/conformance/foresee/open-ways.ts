import { once } from '../../source/once.ts';
import { type Operation, singlesOut } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { openHolds } from '../../specification/openness/holds.ts';
import type { Address } from '../../specification/reading/address.ts';
import { isAsked, isSaid, type Said, stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Persona } from '../access/persona.ts';
import { machinesOf, moveNamed, writesState } from '../states/machines.ts';
import type { Trial } from '../trial.ts';
import { movers, nodes, stepsFrom } from './tree.ts';

/**
 * The open points that stand in the way of bringing an item about: of operations that would make or move it, of its
 * machines, and of guards that were met on the way. Empty: it is not for an open point that none was found.
 */
export function openWays(trial: Trial, resource: Resource): readonly Address[] {
  const { of } = trial;
  if (!isAnyOpen(of)) return [];
  const machines = machinesOf(of, resource).map(({ machine }) => machine);
  const moves = machines.flatMap((machine) => [...(stated(machine.transitions)?.values() ?? [])]);
  const said: readonly Said<unknown>[] = [
    ...machines.map(({ initial }) => initial),
    ...moves,
    ...moves.flatMap((one) => {
      const move = stated(one);
      return move ? [move.from, move.to, ...(isAsked(move.when) ? [move.when] : [])] : [];
    }),
  ];
  return [
    ...new Set([
      ...[...makersOf(of, resource)].flatMap((operation) => openHolds(of, operation)),
      ...of.operations.filter((one) => brings(of, one, resource)).flatMap((one) => openHolds(of, one)),
      ...said.filter((one) => !isSaid(one)).map(({ address }) => address),
      ...metOnTheWay(trial, resource, trial.persona),
    ]),
  ];
}

const isAnyOpen = once((of: Specification): boolean =>
  [...of.points.values()].some(({ state }) => state === 'open'),
);

/** The operations that make an item, or one that it has to refer to. */
function makersOf(of: Specification, resource: Resource, seen = new Set<Resource>()): ReadonlySet<Operation> {
  if (seen.has(resource)) return new Set();
  seen.add(resource);
  const found = new Set(
    of.operations.filter(({ subject, does }) => subject === resource && stated(does)?.verb === 'create'),
  );
  const required = new Set((stated(resource.required) ?? []).map(({ name }) => name));
  for (const field of resource.fields.values()) {
    const target = of.resourcesByName.get(stated(field.refers)?.resource ?? '');
    if (target && required.has(field.name)) for (const one of makersOf(of, target, seen)) found.add(one);
  }
  return found;
}

/** Whether an operation moves an item, or might: what it does is open, and its path goes on from the item's. */
function brings(of: Specification, operation: Operation, resource: Resource): boolean {
  const { subject, does, path } = operation;
  if (does.kind === 'open') {
    const key = (one: Operation): string =>
      one.path.map((part) => ('literal' in part ? part.literal : '{}')).join('/');
    const items = of.operations.filter((one) => one.subject === resource && singlesOut(one));
    return items.some(
      (one) => `${key(operation)}/`.startsWith(`${key(one)}/`) && path.length > one.path.length,
    );
  }
  if (subject !== resource) return false;
  const verb = stated(does)?.verb ?? '';
  return (
    moveNamed(of, resource, verb) !== undefined ||
    machinesOf(of, resource).some((machine) => writesState(of, operation, machine))
  );
}

/** The points that conditions of requests on the way hang on, whoever asks. */
const metOnTheWay = once((trial: Trial, resource: Resource, _as: Persona | null): readonly Address[] => {
  const found = new Set<Address>();
  for (const { steps, item } of nodes(trial, resource)) {
    const onwards = movers(trial.of, resource).flatMap((operation) => stepsFrom(trial, operation, item));
    for (const { foreseen } of [...steps, ...onwards])
      if (foreseen.free.value === null) for (const point of foreseen.free.points) found.add(point);
  }
  return [...found];
});
