import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { truthOf } from '../value/truth.ts';
import { unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { itemOf, type Stored, type World } from '../world/world.ts';
import type { Request } from './prediction.ts';

/** Verbs that are about one item that is there. */
const ofOneItem = ['read', 'update', 'replace', 'delete'];

/** The items that parameters of the path name; `missing`: the resource of one that there is not (language §4.2). */
export function boundItems(
  { bindings }: Operation,
  { path }: Request,
  world: World,
): { readonly names: Readonly<Record<string, Value>>; readonly missing: string | null } {
  const names: Record<string, Value> = {};
  let missing: string | null = null;
  for (const [parameter, binding] of bindings) {
    if (binding.kind !== 'other') continue;
    const { resource, field, as } = binding;
    const found = world.find(resource, new Map([[field, path[parameter] ?? null]]));
    const of = world.specification.resourcesByName.get(resource);
    if (of === undefined) return world.leave(unknown([]));
    if (found === null) missing ??= resource;
    else if (as !== null) names[as] = itemOf(found, of);
  }
  return { names, missing };
}

/**
 * The item that the parameters single out (language §H.2); null: there is none, and there should be one; undefined: the
 * operation is about no item that is there.
 */
export function findSubject(
  operation: Operation,
  { path }: Request,
  moment: Moment,
): Stored | null | undefined {
  const change = stated(operation.does);
  if (change === undefined || operation.subject === null) return undefined;
  const { subject, verb, qualifiers } = change;
  if (subject.kind === 'every' || verb === 'list' || verb === 'create') return undefined;
  const isPlain =
    subject.kind === 'one' && ofOneItem.includes(verb) && stated(qualifiers.absent) === undefined;
  if (!isPlain) return moment.world.leave(unknown([]));
  const fields = new Map<string, Value>();
  for (const [name, binding] of operation.bindings)
    if (binding.kind === 'subject') fields.set(binding.field, path[name] ?? null);
  const where = stated(qualifiers.where);
  if (fields.size === 0) return moment.world.leave(unknown([]));
  const found = moment.world.find(operation.subject.name, fields);
  if (found === null || where === undefined) return found;
  const admits = truthOf(moment.value(where, { this: itemOf(found, operation.subject) }));
  return moment.world.decide(admits) ? found : null;
}
