import type { Specification } from '../../specification/model/specification.ts';
import { compileResources, type Kept } from './resources.ts';

/** A version of the service: what it states, over what the newest keeps (language §9.3). */
export interface Edition extends Kept {
  readonly specification: Specification;
}

/** The older versions from the first that differs on, by name; those that state the same are one. */
export function compileEditions(newest: Specification): ReadonlyMap<string, Edition> {
  const compiled = new Map<Specification, Edition>();
  const editions = new Map<string, Edition>();
  for (const [name, { specification: said, was }] of newest.older) {
    const known = compiled.get(said);
    const specification = { ...said, was, handlers: newest.handlers ?? new Set() };
    const edition = known ?? { ...compileResources(specification, newest), specification };
    compiled.set(said, edition);
    editions.set(name, edition);
  }
  return editions;
}
