import type { Made, Members, Value, Window } from '../value/value.ts';

/** An item of a list, as it was when a page of the list was shown. */
export interface Entry {
  /** The item as it was stored then. */
  readonly stored: { readonly handle: number };
  /** The values by which the list is in order. */
  readonly marks: readonly Value[];
  /** Where it lay: before the stretch of the list that was asked for, in it, or after it; undefined: unknown. */
  readonly side: 'before' | 'within' | 'after' | undefined;
  /** Its place among the items of the page; undefined: it surely was not on it. */
  readonly place: number | undefined;
}

/** A list as one of its pages was shown. */
export interface Listing {
  readonly entries: readonly Entry[];
  readonly window: Window;
  /** How many items the page skips from the beginning of the stretch, or from its end. */
  readonly skip: number;
  /** Whether there are no items of others. */
  readonly isWhole: boolean;
}

/** A place in a list: beside a page of it; null: at an end of the list. */
export interface Position {
  /** `after`: what comes after the place is asked for. */
  readonly side: 'after' | 'before';
  readonly listing: Listing | null;
}

/** A cursor that a list gave, if an answer showed it. */
export interface Cursor {
  /** Which list: its operation, and what it was asked for besides the page. */
  readonly list: string;
  /** The request whose answer gave it: its query has the defaults. */
  readonly request: { readonly operation: string; readonly path: Members; readonly query: Members };
  readonly made: Made;
  readonly position: Position;
}
