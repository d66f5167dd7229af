import { once } from '../../../source/once.ts';
import type { Operation } from '../../../specification/model/operation.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import { type ConditionName, floorStatus } from '../../../specification/vocabulary/condition.ts';
import type { Row } from '../../../specification/vocabulary/parts/errors.ts';
import { theirs, unknown } from '../../value/value.ts';
import type { Stored } from '../../world/stored.ts';
import { errorStatuses, isFloorStated, type Prediction, refusalStatuses, unsaid } from '../prediction.ts';
import { rowsListing } from '../rows.ts';
import { isReading } from '../silence.ts';

/** Whether a request changes an item that somebody else made: of what comes of it, nothing is known. */
export function changesTheirs(operation: Operation, stored: Stored | null | undefined): boolean {
  return stored?.handle === theirs && !isReading(operation);
}

/**
 * The answer to a request that changes an item of which nothing is known but that it is there: a success, or a refusal for a
 * reason that only the change can tell.
 */
export function answerOfOthers(
  operation: Operation,
  specification: Specification,
  mayAdd: boolean,
): Prediction {
  const answers = (stated(operation.response) ?? []).map(({ status }) => stated(status));
  if (answers.length === 0 || answers.includes(undefined)) return unsaid(unknown([]), operation.address);
  const successes = answers.flatMap((statuses) => statuses ?? []);
  const refusal = refusalOfOthers(operation, specification, mayAdd);
  return { ...refusal, status: [...new Set([...successes, ...refusal.status])] };
}

/** The same of a request that is refused. */
export function refusalOfOthers(
  operation: Operation,
  specification: Specification,
  mayAdd: boolean,
): Prediction & { readonly status: readonly number[] } {
  const status = mayAdd ? refusalStatuses : [...new Set(refusalsOf(operation, specification))];
  return { status, headers: {}, body: unknown([]), by: operation.address };
}

/** The statuses by which the change may be refused. */
const refusalsOf = once((operation: Operation, specification: Specification): readonly number[] =>
  conditionsOf(operation, specification).flatMap((name) => {
    const rows = rowsListing(name, operation, specification);
    const isCovered = name === 'expression' || rows.some(({ condition }) => condition.subject === '');
    const own = rows.flatMap(({ row }) => ofRow(row, name, specification));
    return isCovered ? own : [...own, ...floorOf(name, specification)];
  }),
);

/** The conditions of the change. Those of the key and of preconditions are judged before it. */
function conditionsOf(operation: Operation, specification: Specification): readonly ConditionName[] {
  const { endpoint, subject, does } = operation;
  const has = (is: unknown, ...names: readonly ConditionName[]): readonly ConditionName[] =>
    is === undefined || is === false ? [] : names;
  const verb = stated(does)?.verb ?? '';
  const isWriting = verb !== 'delete';
  const isMoving = !['delete', 'update', 'replace'].includes(verb);
  const resources = [...specification.resourcesByName.values()];
  // What `also` changes may be refused for any of these reasons.
  const isMore = stated(endpoint.also) !== undefined || isMoving;
  return [
    'internal',
    'expression',
    ...has(isMore, 'unknown'),
    ...has(isWriting || isMore, 'invalid', 'not unique', 'different'),
    ...has(!isWriting || isMore, 'in use'),
    ...has(isMoving || stated(specification.states), 'transition refused', 'guard refused'),
    ...has(subject && stated(subject.guards), 'guard refused'),
    ...has(
      resources.some(({ invariants }) => stated(invariants) !== undefined),
      'invariant broken',
    ),
    ...has(stated(specification.limits), 'quota exceeded'),
  ];
}

function ofRow({ as, status }: Row, name: ConditionName, specification: Specification): readonly number[] {
  return stated(as) ? refusalStatuses : (stated(status) ?? floorOf(name, specification));
}

/** The floor binds an implementation only with `protocol`; else a refusal has some status of an error (language §4.1). */
function floorOf(name: ConditionName, specification: Specification): readonly number[] {
  return isFloorStated(specification) ? [floorStatus[name]] : errorStatuses(name);
}
