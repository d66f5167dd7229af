import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Condition } from '../../specification/vocabulary/condition.ts';
import type { Row } from '../../specification/vocabulary/parts/errors.ts';
import { type Coded, refusalsOf, rowsOf } from '../openapi/export/refusals.ts';
import type { DrawnChange } from './changes.ts';
import { further, type Line, openLine, written } from './line.ts';

/** The rows of part 7 by which an operation may refuse; none that is only about guards of moves that it does not make. */
export function rowsRefusing(
  of: Specification,
  operation: Operation,
  changes: readonly DrawnChange[],
): readonly Coded[] {
  return refusalsOf(of, operation, rowsOf(of)).filter(({ row }) =>
    stated(row.when)?.some((condition) => mayHold(condition, changes)),
  );
}

function mayHold({ names, subject }: Condition, changes: readonly DrawnChange[]): boolean {
  const [, change] = subject.split('.');
  if (!names.includes('guard refused') || change === undefined) return true;
  return ['create', 'update', 'delete'].includes(change) || changes.some(({ move }) => move === subject);
}

/** What is open of the reasons to refuse as a whole. */
export function refusalsOpen(of: Specification): readonly Line[] {
  if (stated(of.errors)) return further(of, 'errors.codes', 'further reasons to refuse');
  return of.errors.kind === 'open' ? [openLine(of.errors, 'reasons to refuse')] : [];
}

/** The status of a row, or what is asked about it. */
export function statusText({ status }: Row): string {
  const codes = stated(status);
  if (codes) return codes.join(' or ');
  return status.kind === 'open' ? (status.question ?? 'status') : 'any status';
}

/** A condition as a row names it (language §H.4). */
export function conditionText({ expression, names, subject }: Condition): string {
  if (expression) return written(expression);
  return [names.length > 1 ? 'not authenticated' : names[0], subject].join(' ').trim();
}
