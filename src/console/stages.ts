import type { Answered } from '../service/answered.ts';
import { ownMember } from '../source/node.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import { type ConditionRow, conditions } from '../specification/vocabulary/condition.ts';

/** A stage of a request: what is judged there, up to a place in the order of conditions (language §H.4). */
export interface Stage {
  readonly name: string;
  /** `decided`: the answer was decided there; `not reached`: it was decided before. */
  readonly state: 'passed' | 'decided' | 'not reached';
}

const stages: readonly (readonly [name: string, upTo: number])[] = [
  ['read', 1],
  ['route', 2],
  ['version', 3],
  ['who asks', 4],
  ['limits', 5],
  ['media types', 6],
  ['find and authorize', 7],
  ['content', 9],
  ['repeats', 10],
  ['preconditions', 12],
  ['change', 15],
  ['answer', Number.POSITIVE_INFINITY],
];

/**
 * Which stages a request went through, in the order in which our service judges. None if the document states another
 * order, or the request waited for an open point.
 */
export function stagesOf(of: Specification, { condition, status, held, reason }: Answered): readonly Stage[] {
  const isOwnOrder = stated(stated(of.errors)?.order) !== undefined;
  if (isOwnOrder || held.length > 0 || status === null || reason !== undefined) return [];
  const decided = condition === null ? Number.POSITIVE_INFINITY : placeOf(condition);
  const last = stages.findIndex(([, upTo]) => decided <= upTo);
  return stages.map(([name], index) => ({
    name,
    state: index < last ? 'passed' : index === last ? 'decided' : 'not reached',
  }));
}

/** The place of a condition; of a row's own expression, that of the change. */
function placeOf(condition: string): number {
  const rows: Readonly<Record<string, ConditionRow>> = conditions;
  return ownMember(rows, condition)?.place ?? 15;
}
