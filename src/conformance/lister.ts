import type { Operation } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { hasItemRule } from './access/admits.ts';
import { sharesAll } from './names.ts';
import { operationsFor, type Trial } from './trial.ts';

/** The operation that shows every item of a resource, whatever it is like; the others of its kind show some. */
export function listerOf(trial: Trial, resource: Resource): Operation | null {
  const { of } = trial;
  const whole = operationsFor(of, resource, 'list').filter((operation) => {
    const where = stated(operation.does)?.qualifiers.where;
    const isWhole = where?.kind === 'open' || where?.kind === 'none';
    return isWhole && (!hasItemRule(of, operation) || sharesAll(trial, operation));
  });
  return whole[0] ?? null;
}
