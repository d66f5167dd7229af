import type { Key, Reads, Row } from './rows.ts';

/**
 * What a specification asks of the rows of a table, as far as a store must know it to go on with rows that were
 * kept under an earlier one.
 */
export interface Rules {
  /** What is asked, as text that is kept beside the rows: where it is still the same, no row is looked at. */
  readonly note: string;
  /** What becomes of rows that were kept under another note; null: before there were notes. */
  readonly since: (note: string | null) => Upgrade;
}

export interface Upgrade {
  /** The row as it is from now on, the same object where nothing is changed, and what could not be brought over. */
  readonly bring: (row: WholeRow) => { readonly row: WholeRow; readonly faults: readonly RowFault[] };
  /** In how far a row, once all have been brought over, is not as it is asked to be. */
  readonly faults: (row: Row, reads: Reads) => readonly RowFault[];
  /** Rows of other tables that come with it. Default: none. */
  readonly adds?: (row: Row, reads: Reads) => readonly Added[];
}

/** A row of another table. */
export interface Added {
  readonly table: string;
  readonly row: Row;
  /** The key of the row in whose place it is stored. Default: its own. */
  readonly replaces?: Key;
}

/** A row with the members that are kept and belong to no field: JSON text of an object, or null for none. */
export interface WholeRow extends Row {
  readonly aside: string | null;
}

/** Why a row is not as it is asked to be: a field, and the keyword that it does not meet. */
export interface RowFault {
  readonly field: string;
  readonly keyword: string;
  /** The item lacks the field, which is not in the document that it was stored under. Default: false */
  readonly isNew?: true;
}
