import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Address, step } from '../../specification/reading/address.ts';
import { withArticle } from '../../specification/reading/article.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Entry, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Described, type Plan, type Scenario, unreached } from '../check.ts';
import { constraints } from '../constraints.ts';
import { creation } from '../creation.ts';
import { alsoAny } from '../foresee/also.ts';
import { asGiven, unbounded } from '../freedoms.ts';
import { guarding } from '../guarding.ts';
import { identity } from '../identity.ts';
import { holding, invariants, writing } from '../invariants.ts';
import { listerOf } from '../lister.ts';
import { nows } from '../nows.ts';
import { notTaken } from '../others.ts';
import { pairwise } from '../pairwise.ts';
import { references } from '../references.ts';
import { statedOnly, unchecked } from '../stated.ts';
import { machinesOf, moveNamed } from '../states/machines.ts';
import { foreseenByTimer } from '../states/timed-makers.ts';
import { type Taking, takingOf } from '../taking.ts';
import { heldUp, operationFor, operationsFor, type Trial } from '../trial.ts';
import { turns } from '../turns.ts';

/** Part 2: what is kept, and what it may look like (language §2), seen through the operations that make and change it. */
export function* checks(trial: Trial): Iterable<Plan> {
  const { of } = trial;
  for (const [name, said] of stated(of.resources) ?? [])
    yield () => notKept(of, step('resources', name), stated(said));
  for (const resource of of.resourcesByName.values()) yield* ofResource(trial, resource);
  yield () => nows(trial);
}

/** Shapes and views are not kept: they are judged in the fields that use them, and in the answers that show them. */
function notKept(of: Specification, address: Address, entry: Entry | undefined): Scenario[] {
  if (entry?.kind === 'shape') return [unchecked(of, address, 'a shape is judged in the fields that use it')];
  return entry?.kind === 'view'
    ? [unchecked(of, address, 'a view is judged in the answers that show it')]
    : [];
}

function* ofResource(trial: Trial, resource: Resource): Iterable<Plan> {
  const { of } = trial;
  const creators = operationsFor(of, resource, 'create');
  for (const creator of creators) {
    yield () => [creation(trial, creator, resource), identity(trial, creator, resource)];
    yield* created(takingOf(trial, creator, resource));
  }
  const maker = of.operations.find((operation) => makesBesides(trial, operation, resource));
  const byItself = creators.length === 0 ? comingOf(trial, resource) : null;
  const isListed =
    byItself !== null || (creators.length === 0 && maker !== undefined && listerOf(trial, resource) !== null);
  if (isListed) yield () => listed(trial, resource, byItself ?? `${maker?.key} makes one`);
  else if (creators.length === 0) yield () => [notMade(trial, resource)];
  const moves = machinesOf(of, resource).flatMap((machine) => machine.moves);
  for (const mover of moves.flatMap(({ name }) => operationsFor(of, resource, name))) {
    const taking = takingOf(trial, mover, resource);
    if (taking) yield () => constraints(taking);
  }
  for (const updater of ['update', 'replace'].flatMap((verb) => operationsFor(of, resource, verb))) {
    const taking = takingOf(trial, updater, resource);
    if (taking) yield* plansOf(taking, [constraints, asGiven, notTaken]);
  }
  if (creators.length === 0 && !isListed) return;
  for (const always of [references, invariants, guarding, holding, writing])
    yield () => always(trial, resource);
}

function notMade({ of }: Trial, resource: Resource): Scenario {
  const held = of.operations.find((one) => one.subject === resource && stated(one.does)?.verb === 'create');
  const reason = held ? heldUp(of, held) : null;
  return statedOnly(of, resource.address, reason ?? `no operation makes ${withArticle(resource.name)}`);
}

/** What a creation takes, and how it gives it back. */
function created(taking: Taking | null): Plan[] {
  return taking ? plansOf(taking, [constraints, unbounded, asGiven, turns, pairwise, notTaken]) : [];
}

function plansOf(taking: Taking, plans: readonly ((taking: Taking) => Scenario[])[]): Plan[] {
  return plans.map((plan) => () => plan(taking));
}

/** Whether an item of a resource is made in what follows an operation (language §H.2, `also`). */
function makesBesides({ of }: Trial, operation: Operation, resource: Resource): boolean {
  if (heldUp(of, operation) !== null) return false;
  const { subject, does } = operation;
  const move = subject && moveNamed(of, subject, stated(does)?.verb ?? '');
  return alsoAny(of, operation, move ? [move] : []).some(
    ({ change }) => change.verb === 'create' && change.subject.name === resource.name,
  );
}

/** How items come to be that no request makes, where they are listed: a timer makes them, or they are there; null where they do not. */
function comingOf(trial: Trial, resource: Resource): string | null {
  if (operationFor(trial.of, resource, 'list') === null) return null;
  if (foreseenByTimer(trial, resource)) return 'a timer makes one';
  return stated(resource.items)?.length ? 'it is there from the start' : null;
}

/** Items that are made in what follows others: how they are made is judged there, and what they show where they are listed. */
function listed({ of }: Trial, resource: Resource, how: string): Scenario[] {
  const check: Described = {
    name: 'stated',
    says: `${resource.name} is kept to where ${how}, and where it is listed`,
    cites: { address: resource.address, at: resource.at },
  };
  return [unreached(of, [check], 'no operation makes one by itself')];
}
