import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import { Collection, isObject, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { itemOf, type Stored, type World } from '../world/world.ts';
import { created, updated } from './item.ts';
import { maker } from './makers.ts';
import type { Refusal } from './refusal.ts';

/** What a change came to. */
export interface Changed {
  readonly outcome: Outcome | null;
  /** `this`, `page`, and what else the answer may read. */
  readonly names: Readonly<Record<string, Value>>;
  readonly makes: Moment['make'];
}

/**
 * Carries out what an operation does, in this world (language §H.2). Unknown: this does not carry it out, or not as far as
 * it is known.
 */
export function carryOut(
  operation: Operation,
  subject: Stored | null,
  names: Readonly<Record<string, Value>>,
  world: World,
): Changed | { readonly refusals: readonly Refusal[] } | Unknown {
  const makes = maker(world, '');
  const change = stated(operation.does);
  const resource = operation.subject;
  if (change === undefined) return { outcome: null, names: {}, makes };
  if (resource === null) return unknown([]);
  const moment = new Moment(world, names);
  const item = (stored: Stored): Record<string, Value> => ({ this: itemOf(stored, resource) });
  switch (change.verb) {
    case 'create': {
      const given = givenOf(change.qualifiers.with, moment);
      if (given instanceof Unknown || stated(change.qualifiers.present)) return unknown([]);
      const made = created(resource, given, moment);
      return 'handle' in made ? { outcome: 'created', names: item(made), makes } : made;
    }
    case 'read':
      return subject ? { outcome: null, names: item(subject), makes } : unknown([]);
    case 'update': {
      const given = givenOf(change.qualifiers.with, moment);
      if (given instanceof Unknown || subject === null) return unknown([]);
      const found = updated(resource, subject, given, moment);
      if (found instanceof Unknown || 'refusals' in found) return found;
      return { outcome: found.isChanged ? 'changed' : 'unchanged', names: item(found.stored), makes };
    }
    case 'delete':
      return deleted(operation, subject, world, makes);
    case 'list':
      return listed(operation, world, makes);
    default:
      return unknown([]);
  }
}

/** What `with` gives; later entries take precedence. */
function givenOf(
  said: Said<readonly PlacedTemplate[]>,
  moment: Moment,
): { readonly [name: string]: Value } | Unknown {
  const values = (stated(said) ?? []).map((entry) => moment.value(entry));
  return values.every(isObject) ? Object.assign({}, ...values) : unknown(values);
}

/** Deletes the item, or all items. Items that refer to a deleted one are not carried out. */
function deleted(
  { does, subject: resource }: Operation,
  subject: Stored | null,
  world: World,
  makes: Moment['make'],
): Changed | Unknown {
  const change = stated(does);
  if (!change || !resource || stated(change.qualifiers.where) || isReferredTo(resource.name, world))
    return unknown([]);
  const isEvery = change.subject.kind === 'every';
  const gone = isEvery ? world.items(resource.name) : subject ? [subject] : [];
  const names = !isEvery && subject ? { this: itemOf(subject, resource) } : {};
  for (const stored of gone) world.remove(stored);
  return { outcome: 'deleted', names, makes };
}

function isReferredTo(name: string, { specification }: World): boolean {
  return [...specification.resourcesByName.values()].some(({ fields }) =>
    [...fields.values()].some(({ refers }) => stated(refers)?.resource === name),
  );
}

/** The whole list. Conditions, orders and pages are not carried out. */
function listed(
  { does, subject: resource, request }: Operation,
  world: World,
  makes: Moment['make'],
): Changed | Unknown {
  const change = stated(does);
  const query = request && stated(request.query);
  if (
    !change ||
    !resource ||
    stated(change.qualifiers.where) ||
    stated(change.qualifiers.order) ||
    (query && query.size > 0)
  )
    return unknown([]);
  const items = world.items(resource.name).map((stored) => itemOf(stored, resource));
  const page = {
    items: new Collection(items, { rest: undefined, ordered: items.length < 2 }),
    total: items.length,
  };
  return { outcome: null, names: { page }, makes };
}
