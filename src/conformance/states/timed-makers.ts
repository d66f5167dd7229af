import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { foreseeChange, plainly } from '../foresee/foresee.ts';
import { namesFor } from '../names.ts';
import { hole, type Item } from '../partly.ts';
import { operationFor, type Trial } from '../trial.ts';
import { type Move, machinesOf } from './machines.ts';
import { afterMs, isWaitedFor } from './timers.ts';

/** A timer, and what makes an item of another resource once it is due (language §3.3, §H.2 `also`). */
interface TimedMaker {
  readonly move: Move;
  readonly change: Change;
}

/** The timers that make items of a resource, for those of which no operation does. */
export const timedMakers = once((of: Specification, resource: Resource): readonly TimedMaker[] =>
  [...of.resourcesByName.values()].flatMap((other) =>
    machinesOf(of, other)
      .flatMap(({ moves }) => moves.filter((move) => afterMs(move) !== null))
      .flatMap((move) =>
        (stated(move.transition.also) ?? [])
          .filter(({ verb, subject }) => verb === 'create' && subject.name === resource.name)
          .map((change) => ({ move, change })),
      ),
  ),
);

/** An item as it should be once a timer has made it; null where an operation does, or no timer that is waited for. */
export function foreseenByTimer(trial: Trial, resource: Resource): Item | null {
  if (operationFor(trial.of, resource, 'create') !== null) return null;
  const maker = timedMakers(trial.of, resource).find(({ move }) => isWaitedFor(trial, move));
  if (maker === undefined) return null;
  const names = new Map(namesFor(trial, { operation: null, request: null })).set('this', hole());
  return foreseeChange(trial.of, maker.change, resource, null, names, plainly).after;
}

/** How long it takes at the least until a timer makes an item, in milliseconds; 0 where an operation does. */
export function comesAfterMs({ of }: Trial, resource: Resource): number {
  if (operationFor(of, resource, 'create') !== null) return 0;
  return Math.min(...timedMakers(of, resource).flatMap(({ move }) => afterMs(move) ?? []));
}
