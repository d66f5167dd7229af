import type { Step } from '../../semantics/request/request.ts';
import { Unknown } from '../../semantics/value/value.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Candidate } from './candidate.ts';

/** Whether a request may succeed. */
export function isSuccess(steps: readonly Step[]): boolean {
  return steps.some(
    ({ prediction: { status } }) => !(status instanceof Unknown) && status.every((each) => each < 400),
  );
}

/** Whether an operation may change an item so that a quota counts it no more. */
export function mayFree({ subject, does }: Operation, { resource }: Stored): boolean {
  const verb = stated(does)?.verb;
  return subject?.name === resource && verb !== undefined && !['create', 'read', 'list'].includes(verb);
}

/** Whether a request is refused for how many items there are. */
export function isBounded({ steps }: Candidate): boolean {
  return steps.some(({ prediction: { condition } }) => condition === 'quota exceeded');
}

/** Whether it is open what an operation does. */
export function isOpen({ does }: Operation): boolean {
  return does.kind === 'open';
}

/** What refuses a request whatever is stored. */
const misshapen: ReadonlySet<ConditionName> = new Set([
  'malformed',
  'invalid',
  'unsupported media',
  'not acceptable',
  'too large',
  'credential missing',
]);

/** What refuses a request for what its items are. */
const byState: ReadonlySet<ConditionName | null> = new Set([
  'transition refused',
  'guard refused',
  'in use',
  'invariant broken',
  'quota exceeded',
  'expression',
]);

/** Whether a request is refused for what its items are. */
export function isByState({ steps }: Candidate): boolean {
  return steps.every(({ prediction: { condition } }) => byState.has(condition ?? null));
}

/** Whether a request is refused for what it is, and not for what is stored. */
export function isMisshapen({ steps }: Candidate): boolean {
  return steps.some(({ trace }) =>
    trace.some(({ refusals }) => refusals.some(({ condition }) => misshapen.has(condition))),
  );
}
