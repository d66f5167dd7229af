import { type Operation, queryFields } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import { type Change, findsNoItem } from '../../specification/vocabulary/change.ts';
import { covers } from '../../specification/vocabulary/condition.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { folded, uniqueSets } from '../change/unique.ts';
import { equal } from '../value/compare.ts';
import { both, either, every, some, type Truth, truthOf } from '../value/truth.ts';
import { Item, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { ofOthers, type Stored } from '../world/stored.ts';
import { itemOf, type World } from '../world/world.ts';
import type { Request } from './prediction.ts';

/** The items that parameters of the path name; `missing`: the resources of those that there are not (language §4.2). */
export function boundItems(
  { bindings }: Operation,
  { path }: Request,
  world: World,
): { readonly names: Readonly<Record<string, Value>>; readonly missing: readonly string[] } {
  const names: Record<string, Value> = {};
  const missing: string[] = [];
  for (const [parameter, binding] of bindings) {
    if (binding.kind !== 'other') continue;
    const { resource, field, as } = binding;
    const found = world.find(resource, new Map([[field, path[parameter] ?? null]]));
    const of = world.specification.resourcesByName.get(resource);
    if (of === undefined) return world.leave(unknown([]));
    if (found === null) missing.push(resource);
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
  { path, query }: Request,
  moment: Moment,
): Stored | null | undefined {
  const change = stated(operation.does);
  if (change === undefined) return undefined;
  const { subject, verb, qualifiers } = change;
  if (subject.kind === 'named' || subject.kind === 'expression') return veryItem(change, moment);
  if (operation.subject === null || subject.kind === 'every' || verb === 'list' || verb === 'create')
    return undefined;
  if (verb === 'authenticate' || verb === 'revoke') return undefined;
  if (subject.kind !== 'one' || verb === 'handled') return moment.world.leave(unknown([]));
  const fields = new Map<string, Value>();
  for (const [name, binding] of operation.bindings)
    if (binding.kind === 'subject') fields.set(binding.field, path[name] ?? null);
  for (const [name, field] of queryFields(operation)) fields.set(field, query[name] ?? null);
  return single(operation.subject, fields, stated(qualifiers.where), moment);
}

/** The item that a bound name or an expression means (language §H.2, rule 3); null: there is none. */
function veryItem({ verb, subject, qualifiers }: Change, moment: Moment): Stored | null | undefined {
  if (findsNoItem.includes(verb)) return undefined;
  const value =
    subject.kind === 'expression' ? moment.value(subject.item) : (moment.names[subject.name ?? ''] ?? null);
  if (value === null && stated(qualifiers.absent)) return null;
  // Of which resource an item is that is not there, nothing says.
  return (value instanceof Item && moment.world.stored(value)) || moment.world.leave(unknown([value]));
}

/** The one item with these values that `where` admits; null: there is none. */
function single(
  resource: Resource,
  fields: ReadonlyMap<string, Value>,
  where: PlacedTemplate | undefined,
  moment: Moment,
): Stored | null {
  if ([...fields.values()].includes(null)) return null;
  if (fields.size === 0 && where === undefined) return moment.world.leave(unknown([]));
  const sets = uniqueSets(moment.world.stores(resource)).filter(({ caseless }) => caseless);
  const judged = moment.world.candidates(resource.name).map((stored) => {
    const isIt = every([...fields], ([name, value]) => {
      moment.world.compares(stored, name);
      const held = stored.members.get(name) ?? null;
      const isCaseless = sets.some((set) => set.fields.includes(name));
      return isCaseless ? equal(folded(held), folded(value)) : equal(held, value);
    });
    const admits = (): Truth =>
      where ? truthOf(moment.value(where, { this: itemOf(stored, resource) })) : true;
    if (isIt !== false) moment.world.finds(stored);
    return { stored, isIt: both(isIt, admits) };
  });
  const sure = judged.find(({ isIt }) => isIt === true);
  const found = sure ?? judged.find(({ isIt }) => moment.world.decide(isIt));
  const isTheirs = found === undefined && moment.world.decide(moment.world.mayHave(resource.name, fields));
  if (!isTheirs) return found?.stored ?? null;
  // Found without regard to case, it may be written otherwise.
  const exact = [...fields].filter(([name]) => !sets.some((set) => set.fields.includes(name)));
  return ofOthers(resource.name, moment.world.specification, new Map(exact));
}

/** Whether a row lists `gone`, and the path names an item that was deleted (language §H.4, rule 11). */
export function isGone(name: string, { operation, path }: Request, world: World): Truth {
  const { errors, resourcesByName } = world.specification;
  const rows = [...(stated(stated(errors)?.codes)?.values() ?? [])].map(stated);
  const isListed = rows.some((row) =>
    (stated(row?.when) ?? []).some(
      (condition) => condition.names.includes('gone') && covers(condition.subject, name),
    ),
  );
  const identifier = (stated(resourcesByName.get(name)?.identifier) ?? []).map(({ text }) => text);
  const given = new Map<string, Value>();
  for (const [parameter, binding] of operation.bindings) {
    const isOfIt =
      binding.kind === 'subject'
        ? operation.subject?.name === name
        : binding.kind === 'other' && binding.resource === name;
    if (isOfIt && binding.kind !== 'text') given.set(binding.field, path[parameter] ?? null);
  }
  if (!isListed || identifier.length === 0 || !identifier.every((field) => given.has(field))) return false;
  const key = identifier.map((field) => [field, given.get(field) as Value] as const);
  const wasOurs = some(world.former(name), ({ members }) =>
    every(key, ([field, value]) => equal(members.get(field) ?? null, value)),
  );
  return either(wasOurs, () => world.mayBeTheirs(key.map(([, value]) => value)));
}
