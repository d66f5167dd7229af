import { openSqlite, openSqliteBeside } from './sqlite/store.ts';
import type { Replica, Store, Table } from './store.ts';

/**
 * Opens the store at a place: `postgres://USER@HOST/DATABASE`, or a file of SQLite's. What the other takes is not
 * loaded.
 *
 * @param mostLogBytes how large the write-ahead log of SQLite may grow for lists that are streamed
 * @param replica a standby of PostgreSQL's that is read as well. Default: none
 */
export async function openStore(
  place: string,
  tables: readonly Table[],
  mostLogBytes?: number,
  replica?: Replica,
): Promise<Store> {
  if (!isPostgres(place)) return openSqlite(place, tables, undefined, mostLogBytes);
  const { openPostgres } = await import('./postgres/store.ts');
  return openPostgres(place, tables, undefined, replica);
}

/**
 * Opens the store at a place beside the services that use it, if any do: to look at what is kept in tables that are
 * there, and to leave word for them.
 */
export async function openBeside(place: string, tables: readonly Table[]): Promise<Store> {
  if (!isPostgres(place)) return openSqliteBeside(place, tables);
  const { openPostgresBeside } = await import('./postgres/store.ts');
  return openPostgresBeside(place, tables);
}

/** A place as it is shown: what keeps things there, and no password. */
export function shownPlace(place: string): string {
  if (!isPostgres(place)) return `${place} (SQLite)`;
  const shown = place.replace(/(?<=\/\/[^/@]*):[^/@]*(?=@)/, '').replace(/(?<=[?&]password=)[^&]*/, '');
  return `${shown} (PostgreSQL)`;
}

export function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}
