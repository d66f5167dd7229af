import type { Doing } from './change/doing.ts';
import type { KeptResource } from './resource/kept.ts';
import type { Row } from './store/store.ts';

/** What is to happen by itself (language §3.3). */
export interface Timers {
  /** Sets and clears the timers of an item that was written; a null row: it was not there before, or is not now. */
  readonly follow: (doing: Doing, kept: KeptResource, before: Row | null, after: Row | null) => void;
}
