import type { ConditionName } from '../../specification/vocabulary/condition.ts';
import type { Value } from '../value/value.ts';

/** A condition that holds for a request (language §H.4). */
export interface Refusal {
  readonly condition: ConditionName;
  /** `Todo`, `Todo.title`; empty: none. */
  readonly subject: string;
  readonly failures: readonly FieldFailure[];
}

export interface FieldFailure {
  /** The members that lead there, with dots, counted from the body. */
  readonly field: string;
  readonly keyword: string;
  readonly value: Value;
  readonly limit: Value;
}
