import { once } from '../../source/once.ts';
import { changesOf } from '../../specification/model/changes.ts';
import { machinesOf, transitionsIn } from '../../specification/model/machine.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';

/** The resources whose items an operation may change: by what it does, and by all that follows (language §4.3 and §3.1, `also`). */
export const changedBy = once((operation: Operation, specification: Specification): ReadonlySet<string> => {
  const found = new Set<string>();
  const followed = new Set<Change>();
  const follow = (change: Change): void => {
    if (followed.has(change)) return;
    followed.add(change);
    const { verb, subject } = change;
    if (subject.name !== null && specification.resourcesByName.has(subject.name)) found.add(subject.name);
    for (const name of specification.resourcesByName.keys())
      for (const machine of machinesOf(specification, name).values()) {
        const transition = transitionsIn(machine).get(verb);
        if (transition === undefined) continue;
        found.add(name);
        for (const each of stated(transition.also) ?? []) follow(each);
      }
  };
  for (const change of changesOf(operation)) follow(change);
  return found;
});
