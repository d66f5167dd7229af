import type { Span } from '../source/text.ts';
import { type Address, step } from '../specification/address.ts';
import { isAboutResource } from '../specification/change.ts';
import type { Operation } from '../specification/operation.ts';
import { isSaid, type Said, stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { moveNamed } from './states/machines.ts';

/** A statement that bears on an operation, and that the tester cannot bring about or foresee. */
export interface Unexercised {
  readonly address: Address;
  readonly at: Span;
}

const verbs = ['create', 'read', 'list', 'update', 'replace', 'delete'];

/**
 * The statements for which an operation is not exercised. It is a list of the tester's own: what this version's
 * service runs has no part in it, since any implementation may be tested.
 */
export function unexercised(of: Specification, operation: Operation): Unexercised[] {
  const found: Unexercised[] = [];
  const add = (said: Said<unknown> | undefined): void => {
    if (said && isSaid(said) && said.kind !== 'none') found.push({ address: said.address, at: said.at });
  };
  add(of.authentication);
  add(of.versioning);
  rates(of, operation).forEach(add);
  const change = stated(operation.does);
  if (change) {
    const { subject } = operation;
    const isMove = subject !== null && moveNamed(of, subject, change.verb) !== undefined;
    if ((!verbs.includes(change.verb) && !isMove) || !isAboutResource(change))
      found.push({ address: step(operation.address, 'does'), at: change.at });
    const { with: _, where, order, as, ...others } = change.qualifiers;
    Object.values<Said<unknown>>(others).forEach(add);
  }
  add(operation.endpoint.also);
  return found;
}

/** Rates that count the operation: a run of the tester would use them up. */
function rates(of: Specification, { name }: Operation): Said<unknown>[] {
  return [...(stated(stated(of.limits)?.rates)?.values() ?? [])].filter((said) => {
    const operations = stated(stated(said)?.operations);
    return operations === undefined || operations.some((one) => one.text === name);
  });
}
