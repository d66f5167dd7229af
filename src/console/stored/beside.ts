import { Refused } from '../../load/refused.ts';
import type { KeptResource } from '../../service/resource/kept.ts';
import { openBeside } from '../../service/store/open.ts';
import { type Store, StoreRefused, type Table } from '../../service/store/store.ts';
import { compileResources } from '../../service/versions/resources.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Desk, Running } from '../desk.ts';

/** The service that runs. Throws {@link Refused} if none does. */
export function runningOf(desk: Desk): Running {
  const running = desk.running();
  if (running === null) throw new Refused('the service does not run: the document has errors');
  return running;
}

/** The resources whose items are stored, as the service that runs compiles them. */
export const resourcesOf = once(
  (of: Specification): ReadonlyMap<string, KeptResource> =>
    new Map(compileResources(of).kept.map((kept) => [kept.name, kept])),
);

/**
 * Looks at what the service stores, beside it, and closes the store. Tables that are not there are left out: a service
 * makes only those that its document needs.
 *
 * @param look told of the store, and which of the tables are there
 */
export async function beside<T>(
  { data }: Running,
  tables: readonly Table[],
  look: (store: Store, has: (table: Table) => boolean) => T | Promise<T>,
): Promise<T> {
  const { store, there } = await opened(data, tables);
  try {
    return await look(store, (table) => there.includes(table));
  } finally {
    await store.close();
  }
}

async function opened(
  data: string,
  tables: readonly Table[],
): Promise<{ readonly store: Store; readonly there: readonly Table[] }> {
  try {
    return { store: await openBeside(data, tables), there: tables };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    const there: Table[] = [];
    for (const table of tables) if (await isThere(data, table)) there.push(table);
    try {
      return { store: await openBeside(data, there), there };
    } catch (again) {
      throw again instanceof StoreRefused ? new Refused(again.message) : again;
    }
  }
}

async function isThere(data: string, table: Table): Promise<boolean> {
  try {
    await (await openBeside(data, [table])).close();
    return true;
  } catch (error) {
    if (error instanceof StoreRefused) return false;
    throw error;
  }
}
