import { place, query, rowOf } from '../../expression/query.ts';
import type { Row, Store, Table } from './store.ts';

/**
 * Reads rows in the order of their places, of a table in which none is passed by that is committed later than one of a
 * higher place.
 *
 * @param read gives the next rows after a place, in order
 */
export function inPlaceOrder(
  store: Store,
  table: string,
  read: (after: number) => Promise<readonly Row[]>,
): (after: number) => Promise<readonly Row[]> {
  const { settled } = store;
  if (settled === undefined) return read;
  return async (after) => {
    const rows = await read(after);
    const last = rows.at(-1)?.place ?? after;
    if (last - after === rows.length) return rows;
    await settled(table, last);
    return (await read(after)).filter(({ place }) => (place as number) <= last);
  };
}

/** Finds where the last row of such a table stands, behind which each further one comes; 0: there is none. */
export function lastPlace(store: Store, table: Table): () => Promise<number> {
  const row = rowOf(table);
  const last = store.prepare(query(row, { gives: { kind: 'max', of: place(row) } }));
  return async () => {
    const found = ((await store.read((reads) => reads.value(last, []))) as number | null) ?? 0;
    await store.settled?.(table.name, found);
    return found;
  };
}
