import type { KeptResource, RowItem } from '../resource/kept.ts';
import type { Row } from '../store/store.ts';
import { type Doing, itemOf } from './doing.ts';

/** The items that a request's path names, and the one that its change is about. */
export interface Found {
  /** The items that parameters bind, by name (language §4.2); null: there is none. */
  readonly bound: Readonly<Record<string, RowItem | null>>;
  /** Null: there is none, or none that the change could be about yet. */
  readonly subject: { readonly kept: KeptResource; readonly row: Row } | null;
  /** The resources of which an item is not there. */
  readonly missing: readonly string[];
  /** No item is looked for, since a parameter does not fit, and what looks for it cannot be evaluated. */
  readonly isUnsought?: true;
}

/** What is found by a request of which a parameter does not fit: `invalid` refuses it (language §H.4, 9). */
export const unsought: Found = { bound: {}, subject: null, missing: [], isUnsought: true };

/** The names of the items that were found, as they were. */
export function itemsFound(doing: Doing, { bound, subject }: Found): Readonly<Record<string, unknown>> {
  const item = subject && itemOf(doing, subject.kept, subject.row);
  return { ...bound, this: item, old: item };
}
