import { ownMoves } from '../../semantics/change/timers.ts';
import { plain } from '../../semantics/value/plain.ts';
import type { Timer } from '../../semantics/world/timer.ts';
import type { World } from '../../semantics/world/world.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';

/** A transition that nobody asks for, and the state to which it leads. */
interface TimedMove {
  readonly resource: string;
  readonly move: string;
  readonly field: string;
  readonly to: string;
}

/** The transitions that happen by themselves (language §3.3), or once all attempts to deliver an event failed (§6.3). */
const timedMoves = once((specification: Specification): readonly TimedMove[] =>
  [...specification.resourcesByName.values()].flatMap((resource) =>
    ownMoves(specification, resource).flatMap(({ kind, field, name, transition }) => {
      const to = stated(transition.to)?.text;
      const isTimed = kind !== 'work' && to !== undefined;
      return isTimed ? [{ resource: resource.name, move: name, field, to }] : [];
    }),
  ),
);

/** The moves by time that lead to a state in which no item is. What can be done with an item there was not tried yet. */
export function movesToNew(world: World): readonly TimedMove[] {
  return timedMoves(world.specification).filter(
    ({ resource, field, to }) =>
      !world.items(resource).some(({ members }) => plain(members.get(field) ?? null) === to),
  );
}

/** Whether a timer makes one of some moves. */
export function makesOneOf(
  moves: readonly TimedMove[],
  { resource, move }: Pick<Timer, 'resource' | 'move'>,
): boolean {
  return moves.some((each) => each.resource === resource && each.move === move);
}
