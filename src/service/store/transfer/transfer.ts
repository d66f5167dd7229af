import { createHash } from 'node:crypto';
import type { ValueKind } from '../../../expression/query.ts';
import { StoreRefused, type Table } from '../store.ts';
import type { WholeRow } from '../upgrade.ts';

/** Why stored data is not copied (docs/backup.md). */
export const transferCodes = [
  'source-missing',
  'source-in-use',
  'target-not-empty',
  'target-in-use',
  'same-place',
  'other-document',
  'older-format',
  'newer-format',
  'not-a-backup',
  'damaged-backup',
  'backup-exists',
  'differs',
] as const;

export type TransferCode = (typeof transferCodes)[number];

/** Stored data is not copied, and the target is as it was. The message begins with the code, and ends with what to do. */
export class TransferRefused extends StoreRefused {
  readonly code: TransferCode;

  constructor(code: TransferCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** A table as it is stored, whatever document it was of. */
export interface StoredTable {
  readonly name: string;
  readonly keyFields: readonly string[];
  readonly keyKinds: readonly ValueKind[];
  readonly hasBytes: boolean;
  /** What a document asked of its rows when it was last served. */
  readonly note: string | null;
}

/** A row with all that is stored of it. */
export interface PlacedRow extends WholeRow {
  readonly place: number;
}

/** Stored data, as of one moment. */
export interface Source {
  /** The latest time that was stored, in microseconds since 1970. */
  readonly latest: number;
  readonly tables: readonly StoredTable[];
  /** The rows of a table by their places. A backup has them in the order of `tables`. */
  readonly rows: (table: StoredTable) => AsyncIterable<PlacedRow> | Iterable<PlacedRow>;
  /** Where the data is moved: keeps the services that use it from storing anything more. */
  readonly leave: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** An empty place that data is copied to, in one transaction. */
export interface Target {
  readonly add: (table: StoredTable, rows: readonly PlacedRow[]) => Promise<void>;
  readonly rows: (table: StoredTable) => AsyncIterable<PlacedRow> | Iterable<PlacedRow>;
  /** Commits. */
  readonly keep: (latest: number) => Promise<void>;
  /** Undoes what was not committed. */
  readonly close: () => Promise<void>;
}

/** What a table came to. */
export interface Copied {
  readonly table: StoredTable;
  readonly count: number;
  /** SHA-256 over all of its rows. */
  readonly digest: string;
}

/** Copies all tables, reads them again from the target, and commits if both have the same rows. */
export async function transfer(source: Source, target: Target): Promise<readonly Copied[]> {
  const copied: Copied[] = [];
  for (const table of source.tables) {
    const sum = summing(table);
    for await (const piece of pieces(source.rows(table), table)) {
      for (const row of piece) sum.add(lineOf(row));
      await target.add(table, piece);
    }
    copied.push(sum.end());
  }
  for (const { table, ...one } of copied) {
    const sum = summing(table);
    for await (const row of target.rows(table)) sum.add(lineOf(row));
    const { count, digest } = sum.end();
    if (count === one.count && digest === one.digest) continue;
    throw new TransferRefused(
      'differs',
      `${table.name} has ${one.count} rows, of which ${count} or others were read again from the copy; nothing was stored, so try again, and report this if it happens twice`,
    );
  }
  await target.keep(source.latest);
  return copied;
}

/** A row as a line of a backup, and as it is compared. */
export function lineOf({ place, key, text, aside, bytes }: PlacedRow): string {
  return JSON.stringify([
    place,
    key,
    text,
    aside,
    ...(bytes ? [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')] : []),
  ]);
}

/** Counts the rows of a table, and sums up what they are. */
export function summing(table: StoredTable): {
  readonly add: (line: string) => void;
  readonly end: () => Copied;
} {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add: (line) => {
      hash.update(`${line}\n`);
      count += 1;
    },
    end: () => ({ table, count, digest: hash.digest('hex') }),
  };
}

/** How many rows are copied at once: of bytes, each may be large. */
const [pieceRows, pieceOfBytes] = [1000, 8];

export function pieceOf({ hasBytes }: Pick<StoredTable, 'hasBytes'>): number {
  return hasBytes ? pieceOfBytes : pieceRows;
}

async function* pieces(
  rows: AsyncIterable<PlacedRow> | Iterable<PlacedRow>,
  table: StoredTable,
): AsyncIterable<readonly PlacedRow[]> {
  let piece: PlacedRow[] = [];
  for await (const row of rows) {
    piece.push(row);
    if (piece.length < pieceOf(table)) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** The table as a store lays it out. Its rows are brought over to a document when that is next served. */
export function laidOut({ name, keyFields, keyKinds, hasBytes, note }: StoredTable): Table {
  return {
    name,
    keyFields,
    keyKinds,
    hasBytes,
    ...(note !== null && {
      rules: {
        note,
        since: () => {
          throw new TypeError('rows are copied as they are');
        },
      },
    }),
  };
}
