import { ownMember } from '../../source/node.ts';
import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Failure } from '../shape/validate.ts';
import type { Reply } from './reply.ts';

/** What is judged: a condition, or whether the same request was answered before (language §4.4). */
export type Judged = ConditionName | 'replay';

/** A reason to refuse that holds for a request (language §H.4). */
export interface Refusal {
  readonly condition: ConditionName;
  /** What it is about, from the narrowest: rows that cover one of them fit. Empty texts fit no subject. */
  readonly subjects: readonly string[];
  /** For `invalid`: each way in which the request does not fit. */
  readonly failures: readonly Failing[];
  /** For an expression of a row's own: that row. */
  readonly code: string | null;
  /** Header fields that HTTP has the answer carry, name and value in turn, unless its row states them. */
  readonly fields?: readonly string[];
  /** What expressions of its row find besides. */
  readonly names?: Readonly<Record<string, unknown>>;
}

/** A failure, and the subjects by which a row may list it. */
export interface Failing extends Failure {
  readonly subjects: readonly string[];
}

export function refuse(condition: ConditionName, ...subjects: readonly string[]): Refusal {
  return { condition, subjects, failures: [], code: null };
}

/**
 * Another item has these fields alike: of each, a failure of the keyword `unique` (language §7.2).
 *
 * @param former those of which only a deleted item had the value
 */
export function notUnique(
  resource: string,
  fields: readonly string[],
  members: Readonly<Record<string, unknown>>,
  former: readonly string[] = [],
): Refusal {
  const ever = (field: string): string[] => (former.includes(field) ? [`${resource}.${field}.ever`] : []);
  const subjects = fields.flatMap((field) => [...ever(field), `${resource}.${field}`]);
  const failures = fields.map((field) => ({
    field,
    keyword: 'unique',
    value: ownMember(members, field),
    limit: null,
    subjects: [...ever(field), `${resource}.${field}.unique`],
  }));
  return { ...refuse('not unique', ...subjects), failures };
}

/** Points that are open, and without which this request cannot be answered: a 501 that names them. */
export interface Held {
  readonly held: readonly string[];
}

/** The answer that an equal request had before (language §4.4). */
export interface Again {
  readonly again: Reply;
}

/** What was found wrong with what a request brings; `held` where it is open whether it is wrong. */
export interface Checked {
  readonly failures: readonly Failing[];
  readonly held: Held | null;
}

export function isHeld(found: object): found is Held {
  return 'held' in found;
}

export function isAgain(found: object): found is Again {
  return 'again' in found;
}
