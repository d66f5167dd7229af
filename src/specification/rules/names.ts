import { shortestSlip } from '../../expression/check.ts';
import type { Span } from '../../source/text.ts';
import type { Operation } from '../model/operation.ts';
import { type ParameterPlace, parameterPlaces, parametersNamed } from '../model/parameters.ts';
import type { Specification } from '../model/specification.ts';
import { type Address, find, steps } from '../reading/address.ts';
import { nearest } from '../reading/nearest.ts';
import { type Reading, unknownName } from '../reading/reading.ts';
import { type Said, stated } from '../reading/said.ts';
import type { Bound } from './scope.ts';

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
  reading.use('entry', name, at);
  const entries = stated(of.resources);
  if (entries?.has(name)) return;
  const decided = (entries?.size ?? 0) > 0 || of.completeness.closed('resources') !== undefined;
  if (decided) unknownName(name, at, wanted, entryNames(of), reading);
}

/**
 * Reports a field that is named and described nowhere. Where their list is open it is a slip of one that is described,
 * or worth a word; as long as the resource describes none, it is silence (language §2.1).
 */
export function checkField(of: Of, resource: string, field: string, at: Span, reading: Reading): void {
  reading.use('field', `${resource}.${field}`, at);
  const found = of.resourcesByName.get(resource);
  if (found === undefined || found.fields.has(field)) return;
  const known = [...found.fields.keys()];
  const isClosed = of.completeness.closed(`${found.address}.fields`) !== undefined;
  const isSlip = field.length >= shortestSlip && nearest(field, known) !== undefined;
  if (isClosed || isSlip) unknownName(field, at, 'a field', known, reading);
  else if (known.length > 0) reading.report('undescribed-field', at, { resource, field });
}

const transitions = new WeakMap<Of, ReadonlyMap<string, readonly string[]>>();

/** The names of the transitions of all machines of a resource. */
export function transitionsOf(of: Of, resource: string): readonly string[] {
  const known = transitions.get(of) ?? transitionsByResource(of);
  transitions.set(of, known);
  return known.get(resource) ?? [];
}

function transitionsByResource(of: Of): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [machine, said] of stated(of.states) ?? []) {
    const resource = machine.split('.')[0] as string;
    const names = found.get(resource) ?? [];
    names.push(...(stated(stated(said)?.transitions)?.keys() ?? []));
    found.set(resource, names);
  }
  return found;
}

/** The names by which changes may be asked for. */
export function knownMoves(of: Of): string[] {
  return entryNames(of).flatMap((name) =>
    transitionsOf(of, name).map((transition) => `${name}.${transition}`),
  );
}

/**
 * Reports an operation that nobody has. As long as part 4 lists none and is not closed, its name is silence and no
 * fault.
 */
export function checkOperation(of: Of, name: string, at: Span, reading: Reading): void {
  reading.use('operation', name, at);
  const names = of.operations.map((one) => one.name);
  const decided = names.length > 0 || of.completeness.closed('endpoints') !== undefined;
  if (decided && !names.includes(name)) unknownName(name, at, 'an operation', names, reading);
}

/** The names that `as` binds in the path of an operation (language §4.2). */
export function boundBy(operation: Operation): Bound[] {
  return [...operation.bindings.values()].flatMap((binding) =>
    binding.kind === 'other' && binding.as !== null ? [{ name: binding.as, resource: binding.resource }] : [],
  );
}

/** Notes the parameters that a request of an operation gives, as in an example (language §4.6, §H.2). */
export function useGiven(
  of: Specification,
  operation: Operation,
  given: {
    readonly [P in ParameterPlace]: Said<
      ReadonlyMap<string, { readonly address: string; readonly at: Span }>
    >;
  },
  reading: Reading,
): void {
  if (!reading.notesUses) return;
  for (const place of parameterPlaces)
    for (const [name, said] of stated(given[place]) ?? [])
      for (const one of parametersNamed([operation], place, name))
        reading.use('parameter', one, nameAt(of, said));
}
