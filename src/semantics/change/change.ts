import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import { isObject, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import { itemOf, type Stored, snapshot, type World } from '../world/world.ts';
import { removeItems } from './delete.ts';
import { created, updated } from './item.ts';
import { pageOf } from './list.ts';
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
  query: Readonly<Record<string, Value>>,
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
    case 'list': {
      const page = pageOf(operation, query, moment);
      return page instanceof Unknown ? page : { outcome: null, names: { page }, makes };
    }
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

/** Deletes the item, or all items. */
function deleted(
  { does, subject: resource }: Operation,
  subject: Stored | null,
  world: World,
  makes: Moment['make'],
): Changed | { readonly refusals: readonly Refusal[] } | Unknown {
  const change = stated(does);
  if (!change || !resource || stated(resource.guards)?.delete.kind === 'stated') return unknown([]);
  const isEvery = change.subject.kind === 'every';
  if (isEvery && stated(change.qualifiers.where)) return unknown([]);
  const gone = isEvery ? world.items(resource.name) : subject ? [subject] : [];
  const refusals = removeItems(gone, world);
  if (refusals instanceof Unknown) return refusals;
  const names = !isEvery && subject ? { this: snapshot(subject, resource) } : {};
  return refusals.length > 0 ? { refusals } : { outcome: 'deleted', names, makes };
}
