import { stated } from '../reading/said.ts';
import type { Operation } from './operation.ts';
import type { Specification } from './specification.ts';

/** The operation that a `run` sends requests to (language §H.2); undefined: it is no `run`, or names no operation. */
export function operationRun(
  { operations }: Pick<Specification, 'operations'>,
  { does }: Pick<Operation, 'does'>,
): Operation | undefined {
  const change = stated(does);
  if (change?.verb !== 'run') return undefined;
  return operations.find(({ name }) => name === change.subject.name);
}
