import { literal, query, rowOf } from '../../expression/query.ts';
import type { Specification } from '../../specification/specification.ts';
import type { KeptResource } from '../resource/kept.ts';
import { statement } from '../store/rows.ts';
import type { Reads } from '../store/store.ts';
import { sizeOf } from './sizes.ts';

/** Whether there are more items of a resource than there may be, by the resource's name. */
export type Crowded = ReadonlyMap<string, (reads: Reads) => boolean>;

/** The resources of which it is stated how many items there may be (language §8.3). */
export function compileCrowded(
  specification: Specification,
  resources: ReadonlyMap<string, KeptResource>,
): Crowded {
  const found = new Map<string, (reads: Reads) => boolean>();
  for (const [name, kept] of resources) {
    const most = sizeOf(specification, name);
    if (most === undefined) continue;
    const beyond = statement(query(rowOf(kept.table), { offset: literal(most), limit: literal(1) }));
    found.set(name, (reads) => reads.rows(beyond, []).length > 0);
  }
  return found;
}
