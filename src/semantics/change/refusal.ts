import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Value } from '../value/value.ts';

/** A condition that holds for a request (language §H.4). */
export interface Refusal {
  readonly condition: ConditionName;
  /** `Todo`, `Todo.title`; empty: none. */
  readonly subject: string;
  readonly failures: readonly FieldFailure[];
  /** Of the condition `expression`: the row that states it. */
  readonly code?: string;
  /** Header fields of the answer, unless its row states them: by name in lower case. */
  readonly headers?: Readonly<Record<string, Value>>;
  /** Names that a row may read besides: `quota`. */
  readonly names?: Readonly<Record<string, Value>>;
}

/** A change that is refused. What it wrote is not kept. */
export interface Refused {
  readonly refusals: readonly Refusal[];
}

/** The keyword of a failure of which nobody knows which keyword fails. */
export const unknownKeyword = 'unknown';

export interface FieldFailure {
  /** The members that lead there, with dots, counted from the body. */
  readonly field: string;
  readonly keyword: string;
  readonly value: Value;
  readonly limit: Value;
  /** Whether only a deleted item had the value. Default: false */
  readonly isFormer?: boolean;
}

/** A condition about a resource, or about a part of one, without failures of fields. */
export function refusal(condition: ConditionName, subject = ''): Refusal {
  return { condition, subject, failures: [] };
}
