import type { Operation } from '../../specification/model/operation.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import { isObject, unknown, type Value } from '../value/value.ts';
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

/** Carries out what an operation does, in this world (language §H.2). */
export function carryOut(
  operation: Operation,
  subject: Stored | null,
  query: Readonly<Record<string, Value>>,
  names: Readonly<Record<string, Value>>,
  world: World,
): Changed | { readonly refusals: readonly Refusal[] } {
  const makes = maker(world, '');
  const change = stated(operation.does);
  const resource = operation.subject;
  if (change === undefined) return { outcome: null, names: {}, makes };
  if (resource === null) return world.leave(unknown([]));
  const moment = new Moment(world, names);
  const item = (stored: Stored): Record<string, Value> => ({ this: itemOf(stored, resource) });
  switch (change.verb) {
    case 'create': {
      if (stated(change.qualifiers.present)) return world.leave(unknown([]));
      const given = givenOf(change.qualifiers.with, moment);
      const made = created(resource, given, moment);
      return 'handle' in made ? { outcome: 'created', names: item(made), makes } : made;
    }
    case 'read':
      return subject ? { outcome: null, names: item(subject), makes } : world.leave(unknown([]));
    case 'update': {
      if (subject === null) return world.leave(unknown([]));
      const found = updated(resource, subject, givenOf(change.qualifiers.with, moment), moment);
      if ('refusals' in found) return found;
      return { outcome: found.isChanged ? 'changed' : 'unchanged', names: item(found.stored), makes };
    }
    case 'delete':
      return deleted(operation, subject, world, makes);
    case 'list':
      return { outcome: null, names: { page: pageOf(operation, query, moment) }, makes };
    default:
      return world.leave(unknown([]));
  }
}

/** What `with` gives; later entries take precedence. */
function givenOf(said: Said<readonly PlacedTemplate[]>, moment: Moment): { readonly [name: string]: Value } {
  const values = (stated(said) ?? []).map((entry) => moment.value(entry));
  return values.every(isObject) ? Object.assign({}, ...values) : moment.world.leave(unknown(values));
}

/** Deletes the item, or all items. */
function deleted(
  { does, subject: resource }: Operation,
  subject: Stored | null,
  world: World,
  makes: Moment['make'],
): Changed | { readonly refusals: readonly Refusal[] } {
  const change = stated(does);
  if (!change || !resource || stated(resource.guards)?.delete.kind === 'stated')
    return world.leave(unknown([]));
  const isEvery = change.subject.kind === 'every';
  if (isEvery && stated(change.qualifiers.where)) return world.leave(unknown([]));
  const gone = isEvery ? world.items(resource.name) : subject ? [subject] : [];
  const refusals = removeItems(gone, world);
  const names = !isEvery && subject ? { this: snapshot(subject, resource) } : {};
  return refusals.length > 0 ? { refusals } : { outcome: 'deleted', names, makes };
}
