import { absent } from '../../semantics/value/evaluate.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Condition, ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import { isRule } from './access/let-in.ts';
import { changed, statementsOf } from './changed.ts';
import {
  type Deviation,
  type Implementation,
  implementing,
  isRefusal,
  isSuccess,
  type Kind,
  keyOf,
  nothing,
  wrapping,
} from './deviation.ts';

/** What a row of part 7 refuses is carried out, or answered as a success: by any operation, or by a single one. */
export const notRefused: Kind = (said, specification) => {
  const [code, row] = rowAt(said, specification);
  if (row === undefined) return [];
  const conditions = stated(row.when) ?? [];
  const operations = specification.operations.filter((operation) => mayRefuse(row, operation));
  return [
    deviation('it is not refused', code, conditions, said, specification, null),
    ...(operations.length < 2
      ? []
      : operations.map((operation) =>
          deviation(
            `it is not refused in ${operation.name}`,
            code,
            conditions,
            said,
            specification,
            operation,
          ),
        )),
  ];
};

function rowAt(said: Said<unknown>, { errors }: Specification): readonly [string, Row | undefined] {
  if (!/^errors\.codes[.[]/.test(said.address)) return ['', undefined];
  const found = [...(stated(stated(errors)?.codes) ?? [])].find(([, each]) => each === said);
  return found ? [found[0], stated(found[1])] : ['', undefined];
}

/** Whether a row is for an operation, by what the row alone says. Rules and shapes have deviations of their own. */
function mayRefuse({ when, operations }: Row, operation: Operation): boolean {
  const own = stated(operations);
  if (own && !own.some(({ text }) => text === operation.name)) return false;
  return (stated(when) ?? []).some(({ names, subject }) => {
    if (names.includes('expression')) return true;
    const isMaking = stated(operation.does)?.verb === 'create';
    const resources = [...operation.bindings.values()].map((binding) =>
      binding.kind === 'other' ? binding.resource : isMaking ? undefined : operation.subject?.name,
    );
    return names.includes('unknown') && resources.some((name) => subject === '' || name === subject);
  });
}

function deviation(
  says: string,
  code: string,
  conditions: readonly Condition[],
  said: Said<unknown>,
  specification: Specification,
  operation: Operation | null,
): Deviation {
  const by = `errors.codes.${code}`;
  const wrong = (right: Implementation): Implementation => {
    const lax = implementing(lenient(conditions, said, specification));
    return (world, request) =>
      right(world, request).flatMap((step) => {
        if (!isRefusal(step) || step.prediction.by !== by) return [step];
        const carriedOut = lax(world, request).filter(isSuccess);
        if (carriedOut.length > 0) return carriedOut;
        const [status = 200] = stated(stated(request.operation.response)?.[0]?.status) ?? [];
        return [{ ...step, prediction: { status: [status], headers: {}, body: absent, by } }];
      });
  };
  return wrapping(said, specification, says, wrong, operation?.address ?? null);
}

/** What is not stated any more where a condition is not judged, by the address of the statement. */
const judgedBy: Partial<Record<ConditionName, RegExp>> = {
  'rate exceeded': /^limits\.rates\.[^.]+$/,
  'too large': /^limits\.sizes\.\w+$/,
  'quota exceeded': /^limits\.quotas\.[^.]+$/,
  'key missing': /\.idempotency$/,
  'key reused': /\.idempotency$/,
  'key busy': /\.idempotency$/,
  'precondition missing': /\.conditional\.(ifMatch|ifUnmodifiedSince)$/,
  'precondition failed': /\.conditional\.if\w+$/,
  'guard refused': /\.guards\.\w+$|\.transitions\.[^.]+\.when$/,
  'not unique': /\.unique$/,
  'invariant broken': /\.invariants\b/,
  'in use': /\.ifDeleted$/,
  invalid: /^(resources|endpoints)\..*\.(fields|query|path|headers|body)\.[^.]+\.\w+$|\.required$/,
};

/** What is shown and written, and what lists do, is no shape. */
const isNoShape =
  /\.(readable|writable|secret|derived|shown|taken|default|refers|unique|filter|sort|page|create|update|ifDeleted)$/;

/** The specification without what these conditions are judged by. */
function lenient(
  conditions: readonly Condition[],
  row: Said<unknown>,
  specification: Specification,
): Specification {
  const names = new Set(conditions.flatMap((condition) => condition.names));
  const others = new Map<Said<unknown>, Said<unknown>>();
  if (names.has('expression')) others.set(row, nothing(row));
  const isOpen = (['not authorized', 'credential missing', 'credential wrong'] as const).some((name) =>
    names.has(name),
  );
  for (const said of statementsOf(specification)) {
    if (isOpen && said.kind === 'stated' && isRule(said))
      others.set(said, { ...said, value: [{ kind: 'anyone', at: said.at }] });
    const isJudged = [...names].some((name) => judgedBy[name]?.test(said.address) === true);
    if (!isJudged || (names.has('invalid') && isNoShape.test(said.address))) continue;
    if (keyOf(said) === 'ifDeleted' && said.kind === 'stated') others.set(said, { ...said, value: 'keep' });
    else others.set(said, nothing(said));
  }
  return changed(specification, others);
}
