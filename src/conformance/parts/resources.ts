import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import { constraints } from '../constraints.ts';
import { creation } from '../creation.ts';
import { asGiven, unbounded } from '../freedoms.ts';
import { notTaken } from '../others.ts';
import { statedOnly } from '../stated.ts';
import { type Taking, takingOf } from '../taking.ts';
import { heldUp, operationFor, type Trial } from '../trial.ts';

/** Part 2: what is kept, and what it may look like (language §2), seen through the operations that make and change it. */
export function checks(trial: Trial): Scenario[] {
  return [...trial.of.resourcesByName.values()].flatMap((resource) => ofResource(trial, resource));
}

function ofResource(trial: Trial, resource: Resource): Scenario[] {
  const { of } = trial;
  const creator = operationFor(of, resource, 'create');
  const updater = operationFor(of, resource, 'update');
  const takes = updater && takingOf(trial, updater, resource);
  const changed = takes ? [...constraints(takes), ...notTaken(takes)] : [];
  if (creator)
    return [
      ...creation(trial, creator, resource),
      ...created(takingOf(trial, creator, resource)),
      ...changed,
    ];
  const held = of.operations.find((one) => one.subject === resource && stated(one.does)?.verb === 'create');
  const reason = held ? heldUp(of, held) : null;
  return [statedOnly(of, resource.address, reason ?? `no operation makes a ${resource.name}`), ...changed];
}

/** What a creation takes, and how it gives it back. */
function created(taking: Taking | null): Scenario[] {
  return taking
    ? [...constraints(taking), ...unbounded(taking), ...asGiven(taking), ...notTaken(taking)]
    : [];
}
