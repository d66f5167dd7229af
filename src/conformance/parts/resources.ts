import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Scenario } from '../check.ts';
import { constraints } from '../constraints.ts';
import { creation } from '../creation.ts';
import { statedOnly } from '../stated.ts';
import { heldUp, operationFor, type Trial } from '../trial.ts';

/** Part 2: what is kept, and what it may look like (language §2), seen through the operations that make and change it. */
export function checks(trial: Trial): Scenario[] {
  return [...trial.of.resourcesByName.values()].flatMap((resource) => ofResource(trial, resource));
}

function ofResource(trial: Trial, resource: Resource): Scenario[] {
  const { of } = trial;
  const creator = operationFor(of, resource, 'create');
  const updater = operationFor(of, resource, 'update');
  const changed = updater ? constraints(trial, updater, resource) : [];
  if (creator) return [...creation(trial, creator, resource), ...constraints(trial, creator, resource), ...changed];
  const held = of.operations.find((one) => one.subject === resource && stated(one.does)?.verb === 'create');
  const reason = held ? heldUp(of, held) : null;
  return [statedOnly(of, resource.address, reason ?? `no operation makes a ${resource.name}`), ...changed];
}
