import { type Address, step } from '../../specification/address.ts';
import { withArticle } from '../../specification/article.ts';
import type { Entry, Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Scenario } from '../check.ts';
import { constraints } from '../constraints.ts';
import { creation } from '../creation.ts';
import { asGiven, unbounded } from '../freedoms.ts';
import { identity } from '../identity.ts';
import { notTaken } from '../others.ts';
import { references } from '../references.ts';
import { statedOnly } from '../stated.ts';
import { type Taking, takingOf } from '../taking.ts';
import { heldUp, operationsFor, type Trial } from '../trial.ts';

/** Part 2: what is kept, and what it may look like (language §2), seen through the operations that make and change it. */
export function checks(trial: Trial): Scenario[] {
  const { of } = trial;
  return [
    ...[...(stated(of.resources)?.entries() ?? [])].flatMap(([name, said]) =>
      notKept(of, step('resources', name), stated(said)),
    ),
    ...[...of.resourcesByName.values()].flatMap((resource) => ofResource(trial, resource)),
  ];
}

/** Shapes and views are not kept: the one is judged in the fields that use it, the other not by this version. */
function notKept(of: Specification, address: Address, entry: Entry | undefined): Scenario[] {
  if (entry?.kind === 'shape')
    return [statedOnly(of, address, 'a shape is judged in the fields that use it')];
  return entry?.kind === 'view' ? [statedOnly(of, address, 'stated, not run by this version')] : [];
}

function ofResource(trial: Trial, resource: Resource): Scenario[] {
  const { of } = trial;
  const creators = operationsFor(of, resource, 'create');
  const made = creators.flatMap((creator) => [
    creation(trial, creator, resource),
    identity(trial, creator, resource),
    ...created(takingOf(trial, creator, resource)),
  ]);
  const changed = operationsFor(of, resource, 'update').flatMap((updater) => {
    const taking = takingOf(trial, updater, resource);
    return taking ? [...constraints(taking), ...notTaken(taking)] : [];
  });
  if (creators.length > 0) return [...made, ...changed, ...references(trial, resource)];
  const held = of.operations.find((one) => one.subject === resource && stated(one.does)?.verb === 'create');
  const reason = held ? heldUp(of, held) : null;
  return [
    statedOnly(of, resource.address, reason ?? `no operation makes ${withArticle(resource.name)}`),
    ...changed,
  ];
}

/** What a creation takes, and how it gives it back. */
function created(taking: Taking | null): Scenario[] {
  return taking
    ? [...constraints(taking), ...unbounded(taking), ...asGiven(taking), ...notTaken(taking)]
    : [];
}
