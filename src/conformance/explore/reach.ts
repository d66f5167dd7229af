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
  const moved = new Set<Change>();
  const follow = (change: Change): void => {
    if (moved.has(change)) return;
    moved.add(change);
    const { verb, subject } = change;
    if (subject.name !== null && specification.resourcesByName.has(subject.name)) found.add(subject.name);
    for (const name of specification.resourcesByName.keys())
      for (const machine of [...machinesOf(specification, name)].map(([, each]) => each))
        for (const [transition, { also }] of transitionsIn(machine)) {
          if (transition !== verb) continue;
          found.add(name);
          for (const each of stated(also) ?? []) follow(each);
        }
  };
  for (const change of changesOf(operation)) follow(change);
  return found;
});
