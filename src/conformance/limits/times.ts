import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { isAsked, stated } from '../../specification/reading/said.ts';
import { closed } from '../guards.ts';
import type { Exchange, Response } from '../http.ts';
import { operationOf } from '../sequences/asked.ts';
import { all, type Truth, unknown, unseen, yes } from '../verdict.ts';

/** By how much more than is stated an answer may be late that has a way to go, in milliseconds. */
const marginMs = 1000;

/** How long a request for an operation may take, in milliseconds (language §8.3); undefined: that is not stated. */
export function timeOf({ limits }: Specification, operation: Operation): number | undefined {
  const times = stated(stated(limits)?.times);
  return stated(stated(times?.operations)?.get(operation.name) ?? times?.request);
}

/** Within this time in milliseconds an answer is not slow, if no time is stated. */
const soonMs = 1000;

const durations = new WeakMap<Response, number>();

/** Notes how long an answer took, in milliseconds. */
export function noteDuration({ response }: Exchange, tookMs: number): void {
  if (response) durations.set(response, tookMs);
}

/**
 * Whether an answer is no refusal because of its time (language §8.3). A request that was answered within its time was
 * not refused for it. While a time is open, whether a slow answer is such a refusal is unknown.
 */
export function hasTime(of: Specification, operation: Operation, { response }: Exchange): Truth {
  const tookMs = (response && durations.get(response)) ?? 0;
  const ms = timeOf(of, operation);
  if (ms !== undefined) return tookMs < ms ? yes : unseen('it took longer than is stated');
  return tookMs < soonMs ? yes : all(listed(of, 'times'), ...askedTimes(of, operation));
}

/** Whether a list of part 8 names all there is. */
export function listed(
  of: Specification,
  list: 'rates' | 'concurrency' | 'sizes' | 'times' | 'quotas',
): Truth {
  const said = stated(of.limits)?.[list];
  return said && isAsked(said) ? unknown(said.address) : closed(of, `limits.${list}`);
}

function askedTimes({ limits }: Specification, { name }: Operation): Truth[] {
  const times = stated(stated(limits)?.times);
  const said = [stated(times?.operations)?.get(name) ?? times?.request].filter((one) => one !== undefined);
  return said.filter(isAsked).map(({ address }) => unknown(address));
}

/** Whether an answer was not waited for any longer, and nothing states that it should have come by then. */
export function isGivenUp(of: Specification, { request, lateMs }: Exchange): boolean {
  if (lateMs === undefined) return false;
  const operation = operationOf(of, request.method, new URL(request.url).pathname);
  const ms = operation && timeOf(of, operation);
  return ms === undefined || ms + marginMs > lateMs;
}
