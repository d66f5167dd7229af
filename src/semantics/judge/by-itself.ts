import { changesOf } from '../../specification/model/changes.ts';
import { exhaustedIn } from '../../specification/model/exhausted.ts';
import { isTimed, transitionsIn } from '../../specification/model/machine.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Transition } from '../../specification/vocabulary/parts/states.ts';
import type { World } from '../world/world.ts';

/** A timer that is due within so many milliseconds may fire while events are awaited. */
const soonMs = 60_000;

/**
 * The names of all transitions that something may have asked for of which nobody knows: a request, a timer, or the end of the
 * attempts to reach a receiver.
 *
 * @param unknownBy the operations of which it is not known what a request did
 * @param untilMs until when, in milliseconds since 1970. Default: until the last request was received
 */
export function maybeMoved(
  world: World,
  unknownBy: ReadonlySet<string>,
  untilMs = world.received.at.most,
): ReadonlySet<string> {
  const { specification, timers } = world;
  const all = allTransitions(specification);
  const found = new Set<string>();
  const add = (names: readonly string[]): void => {
    for (const name of names) {
      if (found.has(name)) continue;
      found.add(name);
      for (const [, { also }] of all.filter(([each]) => each === name)) add(verbsOf(stated(also) ?? []));
    }
  };
  // A function of the operator, or another operation, may ask for any.
  const verbsOf = (changes: readonly Change[]): string[] =>
    changes.some(({ verb }) => verb === 'handled' || verb === 'run')
      ? all.map(([name]) => name)
      : changes.map(({ verb }) => verb);
  add(exhaustedIn(specification).map(({ transition }) => transition));
  for (const { move, due } of timers)
    if (due.least <= untilMs + soonMs) add(move === '' ? all.map(([name]) => name) : [move]);
  // What such an operation made, or moved, may have moved by itself since.
  if (unknownBy.size > 0) add(all.filter(([, transition]) => isTimed(transition)).map(([name]) => name));
  for (const operation of specification.operations)
    if (unknownBy.has(operation.name)) add(verbsOf(changesOf(operation)));
  return found;
}

function allTransitions({ states }: Specification): readonly (readonly [string, Transition])[] {
  return [...(stated(states)?.values() ?? [])].flatMap((said) => {
    const machine = stated(said);
    return machine ? [...transitionsIn(machine)] : [];
  });
}
