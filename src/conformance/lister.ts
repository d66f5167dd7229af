import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { Resource } from '../specification/vocabulary/parts/resources.ts';
import { hasItemRule } from './access/admits.ts';
import { sharesAll } from './names.ts';
import { operationsFor, type Trial } from './trial.ts';

/** The operation that shows every item of a resource, whatever it is like; the others of its kind show some. */
export function listerOf(trial: Trial, resource: Resource): Operation | null {
  const { of } = trial;
  const isWhole = (one: Operation): boolean => !hasItemRule(of, one) || sharesAll(trial, one);
  return unfiltered(of, resource).find(isWhole) ?? null;
}

const unfiltered = once((of: Specification, resource: Resource): readonly Operation[] =>
  operationsFor(of, resource, 'list').filter((operation) => {
    const where = stated(operation.does)?.qualifiers.where;
    return where?.kind === 'open' || where?.kind === 'none';
  }),
);
