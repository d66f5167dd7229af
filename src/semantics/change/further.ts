import { stated } from '../../specification/reading/said.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Truth, truthOf } from '../value/truth.ts';
import { Collection, Item, isList, seen, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf } from '../world/world.ts';
import { type Refused, refusal } from './refusal.ts';
import { concernsTheirs, refusalsOfTheirs } from './theirs.ts';

type Names = Readonly<Record<string, Value>>;
type Done = { readonly item: Value } | Refused;

/** Carries out a change of one item: `changed` of `change.ts`. */
type CarryOut = (change: Change, resource: Resource, stored: Stored | null, moment: Moment) => Done;

/**
 * The changes of `also`, in order (language §H.2). Each may read `this`, `old`, `outcome`, and the names that those before it
 * bind.
 *
 * @returns the names that they bind
 */
export function furtherChanges(
  changes: readonly Change[],
  own: Names,
  { world, names }: Moment,
  carryOut: CarryOut,
): { readonly names: Names } | Refused {
  let bound: Names = own;
  for (const change of changes) {
    const moment = new Moment(world, { ...names, ...bound });
    const done = forEach(change, moment, carryOut);
    if ('refusals' in done) return done;
    const as = stated(change.qualifiers.as);
    if (as) bound = { ...bound, [as.text]: done.item };
  }
  return { names: bound };
}

/** One change, or one for each element of a list. */
function forEach(change: Change, moment: Moment, carryOut: CarryOut): Done {
  const list = stated(change.qualifiers.for);
  if (list === undefined) return whenDue(change, moment, carryOut);
  const value = seen(moment.value(list));
  if (value === null) return { item: [] };
  const isKnown = isList(value) || (value instanceof Collection && value.closed && value.ordered);
  if (!isKnown) return moment.world.leave(unknown([value]));
  const items: Value[] = [];
  for (const element of isList(value) ? value : (value as Collection).items) {
    const own = new Moment(moment.world, { ...moment.names, value: element });
    const done = whenDue(change, own, carryOut);
    if ('refusals' in done) return done;
    items.push(done.item);
  }
  return { item: items };
}

function whenDue(change: Change, moment: Moment, carryOut: CarryOut): Done {
  const when = stated(change.qualifiers.when);
  const isDue = when ? truthOf(moment.value(when)) : true;
  if (!moment.world.decide(isDue)) return { item: null };
  return ofSubject(change, moment, carryOut);
}

function ofSubject(change: Change, moment: Moment, carryOut: CarryOut): Done {
  const { subject, qualifiers } = change;
  const { resourcesByName } = moment.world.specification;
  if (change.verb === 'create') {
    const resource = resourcesByName.get(subject.name ?? '');
    return resource ? carryOut(change, resource, null, moment) : moment.world.leave(unknown([]));
  }
  if (subject.kind === 'one' || subject.kind === 'every') {
    const resource = resourcesByName.get(subject.name);
    return resource ? admitted(change, resource, moment, carryOut) : moment.world.leave(unknown([]));
  }
  const value =
    subject.kind !== 'expression' ? (moment.names[subject.name] ?? null) : moment.value(subject.item);
  if (value instanceof Unknown) return moment.world.leave(value);
  const stored = value instanceof Item ? moment.world.stored(value) : undefined;
  if (!(value instanceof Item) || stored === undefined) {
    // There is no such item. Which resource the condition names is not known of null.
    if (stated(qualifiers.absent)) return { item: null };
    return value instanceof Item
      ? { refusals: [refusal('unknown', value.resource)] }
      : moment.world.leave(unknown([]));
  }
  const resource = resourcesByName.get(value.resource);
  if (resource === undefined || stated(qualifiers.where)) return moment.world.leave(unknown([]));
  return carryOut(change, resource, stored, withName(change, value, moment));
}

/** The one item, or all items, that `where` admits. */
function admitted(change: Change, resource: Resource, moment: Moment, carryOut: CarryOut): Done {
  const found: Stored[] = [];
  const where = stated(change.qualifiers.where);
  const isEvery = change.subject.kind === 'every';
  if (!isEvery && where === undefined) return moment.world.leave(unknown([]));
  const isMeant = (item: Item): Truth =>
    where ? truthOf(withName(change, item, moment).value(where, { this: item })) : true;
  for (const stored of moment.world.items(resource.name))
    if (moment.world.decide(isMeant(itemOf(stored, resource)))) found.push(stored);
  if (isEvery && concernsTheirs(resource, isMeant, moment)) {
    const refusals = change.verb === 'delete' ? refusalsOfTheirs(resource, moment) : [];
    if (refusals.length > 0) return { refusals };
  }
  // Of theirs, one may be meant as well.
  if (!isEvery && moment.world.isShared) return moment.world.leave(unknown([]));
  if (!isEvery && found.length !== 1) {
    if (found.length > 1) return moment.world.leave(unknown([]));
    const isIgnored = stated(change.qualifiers.absent) === 'ignore';
    return isIgnored ? { item: null } : { refusals: [refusal('unknown', resource.name)] };
  }
  let item: Value = null;
  for (const stored of found) {
    const now = moment.world.items(resource.name).find(({ handle }) => handle === stored.handle);
    if (now === undefined) continue;
    const done = carryOut(change, resource, now, withName(change, itemOf(now, resource), moment));
    if ('refusals' in done) return done;
    item = done.item;
  }
  return { item };
}

/** The change's own `with` and `where` may use the name that `as` gives (language §H.2, rule 14). */
function withName({ qualifiers }: Change, item: Item, moment: Moment): Moment {
  const as = stated(qualifiers.as);
  return as ? new Moment(moment.world, { ...moment.names, [as.text]: item }) : moment;
}
