import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { pipeline as piped } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Key } from '../rows.ts';
import {
  type Copied,
  lineOf,
  type PlacedRow,
  type Source,
  type StoredTable,
  summing,
  TransferRefused,
} from './transfer.ts';

/** How backups are written; those of other formats are refused. */
const format = 1;

/** The first line of a backup. */
interface Head {
  readonly tacet: 'backup';
  readonly format: number;
  /** The name of the document whose service stored the data. */
  readonly document: string;
  /** When it was made (RFC 3339). */
  readonly at: string;
  readonly latest: number;
  readonly tables: readonly StoredTable[];
}

/** The line after the rows of a table. */
type Tail = Omit<Copied, 'table'> & { readonly table: string };

/**
 * A backup is a gzip file of lines in JSON: what it is, for each table its rows and what they come to, and an end.
 */
export interface Backup extends Source {
  readonly document: string;
}

/** Writes a backup, reads it again, and then gives the file its name. */
export async function writeBackup(
  source: Source,
  file: string,
  document: string,
  at: string,
): Promise<readonly Copied[]> {
  if (existsSync(file))
    throw new TransferRefused('backup-exists', `${file} is there already; name another file with --to`);
  const part = `${file}.part`;
  const copied: Copied[] = [];
  const { latest, tables } = source;
  const head: Head = { tacet: 'backup', format, document, at, latest, tables };
  const lines = async function* (): AsyncIterable<string> {
    yield line(head);
    for (const table of tables) {
      const sum = summing(table);
      for await (const row of source.rows(table)) {
        const text = lineOf(row);
        sum.add(text);
        yield `${text}\n`;
      }
      const one = sum.end();
      copied.push(one);
      yield line(tailOf(one));
    }
    yield line(end);
  };
  try {
    await rm(part, { force: true });
    await piped(lines, createGzip(), createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }));
    const backup = await openBackup(part);
    for (const table of tables) for await (const _row of backup.rows(table));
    await backup.close();
    await rename(part, file);
    await synced(dirname(file));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return copied;
}

/** So that a power cut does not take the name away. */
async function synced(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder === '' ? '.' : folder, 'r');
  await handle.sync();
  await handle.close();
}

const end = { end: true };

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function tailOf({ table: { name }, count, digest }: Copied): Tail {
  return { table: name, count, digest };
}

/** Opens a backup. What it was cut off, or is otherwise than it was written, is told as its rows are read. */
export async function openBackup(file: string): Promise<Backup> {
  if (!existsSync(file))
    throw new TransferRefused('source-missing', `there is no ${file}; name the backup with --from`);
  const damaged = (): TransferRefused =>
    new TransferRefused(
      'damaged-backup',
      `${file} is cut off or was changed since it was written; take another backup`,
    );
  const lines = linesOf(file, damaged)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw damaged();
    try {
      return JSON.parse(value);
    } catch {
      throw damaged();
    }
  };
  const { document, latest, tables } = headOf(file, await lines.next());
  const rows = async function* (table: StoredTable): AsyncIterable<PlacedRow> {
    const sum = summing(table);
    for (;;) {
      const read = await next();
      if (!Array.isArray(read)) {
        if (JSON.stringify(read) !== JSON.stringify(tailOf(sum.end()))) throw damaged();
        break;
      }
      const [place, key, text, aside, bytes] = read as [number, Key, string, string | null, string?];
      const row = {
        place,
        key,
        text,
        aside,
        ...(bytes !== undefined && { bytes: Buffer.from(bytes, 'base64') }),
      };
      sum.add(lineOf(row));
      yield row;
    }
    if (table.name !== tables.at(-1)?.name) return;
    if (JSON.stringify(await next()) !== JSON.stringify(end) || !(await lines.next()).done) throw damaged();
  };
  return {
    document,
    latest,
    tables,
    rows,
    leave: async () => {},
    close: async () => void (await lines.return?.()),
  };
}

function headOf(file: string, { value, done }: IteratorResult<string, unknown>): Head {
  const other = new TransferRefused(
    'not-a-backup',
    `${file} is no backup of tacet; name one that tacet backup made`,
  );
  if (done) throw other;
  let head: Partial<Head> | null;
  try {
    head = JSON.parse(value) as Partial<Head> | null;
  } catch {
    throw other;
  }
  if (head?.tacet !== 'backup' || typeof head.format !== 'number') throw other;
  if (head.format > format)
    throw new TransferRefused(
      'newer-format',
      `${file} was made by a later tacet (format ${head.format}, and this one reads ${format}); restore it with that tacet`,
    );
  if (head.format < format)
    throw new TransferRefused(
      'older-format',
      `${file} was made by an earlier tacet (format ${head.format}, and this one reads ${format}); restore it with that tacet, start this one on the data, and make a backup again`,
    );
  return head as Head;
}

/** The lines of a gzip file. The first that cannot be read is none, so that what it is can be told. */
async function* linesOf(file: string, damaged: () => Error): AsyncIterable<string> {
  const text = createGunzip().setEncoding('utf8');
  // An error of either ends both.
  pipeline(createReadStream(file), text, () => {});
  let isBegun = false;
  let pieces: string[] = [];
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const [first = '', ...others] = chunk.split('\n');
      pieces.push(first);
      for (const one of others) {
        isBegun = true;
        yield pieces.join('');
        pieces = [one];
      }
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_DATA_ERROR' && !isBegun) return;
    throw code.startsWith('Z_') ? damaged() : error;
  }
  if (pieces.join('') !== '') throw damaged();
}
