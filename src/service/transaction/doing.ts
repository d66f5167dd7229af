import type { Frame } from '../../expression/compile.ts';
import { type Checked, type Refusal, refuse } from '../message/refusal.ts';
import type { KeptResource, RowItem } from '../resource/kept.ts';
import type { Row, Transaction } from '../store/store.ts';
import type { Told } from './told.ts';
import { WrittenItems } from './written.ts';

type Names = Readonly<Record<string, unknown>>;

/** One request's changes, while they are carried out in a transaction. */
export interface Doing {
  readonly tx: Transaction;
  /** When it is: RFC 3339 in UTC with six fraction digits, fixed for all of it. */
  readonly now: string;
  /** What its expressions find; `more` adds the names of their own situation. */
  readonly frame: (more: Names) => Frame;
  readonly found: Found;
}

/** What the changes came to, apart from what they wrote. Any refusal, or point that is open, undoes that. */
export interface Found {
  readonly refusals: Refusal[];
  readonly held: string[];
  /** Why the host does not send to an address that an item names. */
  readonly barred: string[];
  readonly written: WrittenItems;
  /** The moves that were made, in order. */
  readonly moved: Told[];
}

export function nothingFound(): Found {
  return { refusals: [], held: [], barred: [], written: new WrittenItems(), moved: [] };
}

/** The same with further names: what `as` binds, and the `value` of `for`. */
export function naming(doing: Doing, names: Names): Doing {
  const { tx, now, frame, found } = doing;
  for (const _name in names) return { tx, now, found, frame: (more) => frame({ ...names, ...more }) };
  return doing;
}

export function refuseIt(doing: Doing, refusal: Refusal): void {
  doing.found.refusals.push(refusal);
}

/** Refuses what is wrong with an item that a change leads to, or holds the request up where that is open. */
export function refuseChecked(doing: Doing, { failures, held }: Checked): void {
  if (held) hold(doing, held.held);
  else refuseIt(doing, { ...refuse('invalid'), failures });
}

export function hold(doing: Doing, held: readonly string[]): void {
  doing.found.held.push(...held);
}

/** Whether nothing stands against what was done so far. */
export function isClear({ found: { refusals, held, barred } }: Doing): boolean {
  return refusals.length === 0 && held.length === 0 && barred.length === 0;
}

export function noteWritten({ found }: Doing, kept: KeptResource, before: Row | null, row: Row): void {
  note(found, kept, before, row, row);
}

export function noteRemoved({ found }: Doing, kept: KeptResource, row: Row): void {
  note(found, kept, row, null, row);
}

function note({ written }: Found, kept: KeptResource, before: Row | null, row: Row | null, last: Row): void {
  const known = written.of(kept, last.key);
  written.note({ kept, row, last, first: known ? known.first : before });
}

/** A row as it is by now in this transaction; null where it is gone. */
export function latest({ found: { written } }: Doing, kept: KeptResource, row: Row): Row | null {
  const now = written.of(kept, row.key);
  return now ? now.row : row;
}

/** A row as it is by now in this transaction, or as it was when it went. */
export function lastKnown({ found: { written } }: Doing, kept: KeptResource, row: Row): Row {
  return written.of(kept, row.key)?.last ?? row;
}

export function itemOf(doing: Doing, kept: KeptResource, row: Row): RowItem {
  return kept.item(row, () => doing.frame({}));
}
