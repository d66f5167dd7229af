import { resolve } from 'node:path';
import { isPostgres } from '../open.ts';
import { sqliteSource, sqliteTarget } from '../sqlite/transfer.ts';
import { type Source, type StoredTable, type Target, TransferRefused } from './transfer.ts';

/**
 * Reads what is stored at a place, as of one moment.
 *
 * @param isMoved nobody stores anything there meanwhile
 */
export async function sourceAt(place: string, isMoved = false): Promise<Source> {
  if (!isPostgres(place)) return sqliteSource(place, isMoved);
  const { postgresSource } = await import('../postgres/transfer.ts');
  return postgresSource(place, isMoved);
}

/** A place without rows, to copy to. */
export async function targetAt(place: string, tables: readonly StoredTable[]): Promise<Target> {
  if (!isPostgres(place)) return sqliteTarget(place, tables);
  const { postgresTarget } = await import('../postgres/transfer.ts');
  return postgresTarget(place, tables);
}

/** Refuses to move data to where it is. */
export function checkOther(from: string, to: string): void {
  const same = isPostgres(from) ? from === to : !isPostgres(to) && resolve(from) === resolve(to);
  if (same)
    throw new TransferRefused('same-place', `${to} is where the data is; name another place with --to`);
}
