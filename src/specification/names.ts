import type { Span } from '../source/text.ts';
import { type Address, find, steps } from './address.ts';
import type { Operation } from './operation.ts';
import { type Reading, unknownName } from './reading.ts';
import { stated } from './said.ts';
import type { Bound } from './scope.ts';
import type { Specification } from './specification.ts';

type Of = Specification;

/** Where the name of an entry stands, which is the key of its value. */
export function nameAt(of: Of, said: { readonly address: Address; readonly at: Span }): Span {
  const path = steps(said.address) ?? [];
  const list = find(of.tree, path.slice(0, -1));
  return (list?.kind === 'map' ? list.entries.get(String(path.at(-1)))?.key : undefined) ?? said.at;
}

/** The names of part 2: resources, shapes and views. */
export function entryNames(of: Of): string[] {
  return [...(stated(of.resources)?.keys() ?? [])];
}

/** The names of what is kept, the ones too of which only the name is known. */
export function resourceNames(of: Of): string[] {
  const entries = stated(of.resources);
  return [...(entries ?? [])].flatMap(([name, said]) =>
    said.kind === 'open' || stated(said)?.kind === 'resource' ? [name] : [],
  );
}

/**
 * Reports a name of part 2 that nobody has. As long as part 2 describes nothing and is not closed, such a name is
 * silence and no fault: everything about it is open (language §2).
 */
export function checkEntry(of: Of, name: string, at: Span, wanted: string, reading: Reading): void {
  const known = entryNames(of);
  const decided = known.length > 0 || of.completeness.closed('resources') !== undefined;
  if (decided && !known.includes(name)) unknownName(name, at, wanted, known, reading);
}

/** Reports a field that a closed list of fields does not name. */
export function checkField(of: Of, resource: string, field: string, at: Span, reading: Reading): void {
  const found = of.resourcesByName.get(resource);
  if (found === undefined || of.completeness.closed(`${found.address}.fields`) === undefined) return;
  const fields = [...found.fields.keys()];
  if (!fields.includes(field)) unknownName(field, at, 'a field', fields, reading);
}

export function transitionsOf(of: Of, resource: string): string[] {
  return [...(stated(of.states) ?? [])].flatMap(([name, said]) =>
    name.split('.')[0] === resource ? [...(stated(stated(said)?.transitions)?.keys() ?? [])] : [],
  );
}

/** The names that `as` binds in the path of an operation (language §4.2). */
export function boundBy(operation: Operation): Bound[] {
  return [...operation.bindings.values()].flatMap((binding) =>
    binding.kind === 'other' && binding.as !== null ? [{ name: binding.as, resource: binding.resource }] : [],
  );
}
