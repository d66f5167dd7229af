import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Machine } from '../../specification/vocabulary/parts/states.ts';

/** The machines of a document by name, `R.field` each (language §3). */
export function machinesOf({ states }: Specification): ReadonlyMap<string, Said<Machine>> {
  return stated(states) ?? new Map();
}
