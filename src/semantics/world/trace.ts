import type { ConditionName } from '../../specification/vocabulary/condition.ts';

/** Conditions that are judged together, in the order of language §H.4. */
export type Stage =
  | 'path'
  | 'sender and item'
  | 'rates'
  | 'media'
  | 'content'
  | 'repeats'
  | 'preconditions'
  | 'change'
  | 'expressions'
  | 'fault';

/** A stage that a request came to, and what refused it there; empty: it passed. */
export interface Judged {
  readonly stage: Stage;
  readonly refusals: readonly {
    readonly condition: ConditionName;
    /** `Todo`, `Todo.title`; empty: none. */
    readonly subject: string;
    /** Of the condition `expression`: the row that states it. */
    readonly code?: string;
  }[];
}
