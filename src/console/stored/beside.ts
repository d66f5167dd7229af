import { Refused } from '../../load/refused.ts';
import type { KeptResource } from '../../service/resource/kept.ts';
import { openBeside } from '../../service/store/open.ts';
import { type Store, StoreRefused, type Table, TablesMissing } from '../../service/store/store.ts';
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
    const names = error instanceof TablesMissing ? error.names : [];
    const there = tables.filter(({ name }) => !names.includes(name));
    if (there.length === tables.length) throw new Refused(error.message);
    return { store: await openBeside(data, there), there };
  }
}
