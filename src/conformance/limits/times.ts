import type { Operation } from '../../specification/operation.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import type { Exchange } from '../http.ts';
import { operationOf } from '../sequences/asked.ts';

/** By how much more than is stated an answer may be late that has a way to go, in milliseconds. */
const marginMs = 1000;

/** How long a request for an operation may take, in milliseconds (language §8.3); undefined: that is not stated. */
export function timeOf({ limits }: Specification, operation: Operation): number | undefined {
  const times = stated(stated(limits)?.times);
  return stated(stated(times?.operations)?.get(operation.name) ?? times?.request);
}

/** Whether an answer was not waited for any longer, and nothing states that it should have come by then. */
export function isGivenUp(of: Specification, { request, lateMs }: Exchange): boolean {
  if (lateMs === undefined) return false;
  const operation = operationOf(of, request.method, new URL(request.url).pathname);
  const ms = operation && timeOf(of, operation);
  return ms === undefined || ms + marginMs > lateMs;
}
