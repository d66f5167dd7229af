import type { KeptResource } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';

/** A change that events may tell of: by the name of the operation, or of the transition as `R.name`. */
export interface Told {
  readonly by: string;
  /** Null: it was about no item. */
  readonly kept: KeptResource | null;
  readonly before: Row | null;
  /** As the change left it; null: it is gone, or there was none. */
  readonly after: Row | null;
}
