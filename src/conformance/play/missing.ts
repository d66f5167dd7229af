import type { Difference } from '../../semantics/judge/judgement.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Exchange } from '../http.ts';

/** By how much more than is stated an answer may be late that has a way to go, in milliseconds. */
const marginMs = 1000;

/**
 * Why it is wrong that no answer came; null: it is not. A request has an answer, but only part 8 says when (language §8.3).
 */
export function missingAnswer(
  { limits }: Specification,
  { name, address }: Operation,
  { response, failure, lateMs }: Exchange,
): Difference | null {
  if (response !== null) return null;
  const found = `no answer: ${failure}`;
  if (lateMs === undefined) return { at: 'answer', expected: 'an answer', found, by: address };
  const times = stated(stated(limits)?.times);
  const time = stated(times?.operations)?.get(name) ?? times?.request;
  const mostMs = time && stated(time);
  if (time === undefined || mostMs === undefined || mostMs + marginMs > lateMs) return null;
  return { at: 'answer', expected: `an answer within ${mostMs / 1000} s`, found, by: time.address };
}
