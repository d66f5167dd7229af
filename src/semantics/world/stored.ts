import type { Value } from '../value/value.ts';

/** A stored item. A change makes another one with the same handle. */
export interface Stored {
  readonly resource: string;
  /** Which item it is, for as long as it exists. Less than `theirs`: others use it, too. */
  readonly handle: number;
  /** By field. A field that is not there is absent; a reference is an `Item`. */
  readonly members: ReadonlyMap<string, Value>;
}
