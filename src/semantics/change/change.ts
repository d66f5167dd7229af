import { isWholeBody } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import { bodiesOf } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Change } from '../../specification/vocabulary/change.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Field } from '../../specification/vocabulary/resource/field.ts';
import { isSameValue } from '../value/compare.ts';
import type { Scope } from '../value/evaluate.ts';
import { isAbsent, payload } from '../value/payload.ts';
import { isObject, unknown, type Value } from '../value/value.ts';
import { isUnsaid } from '../version/names.ts';
import { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, snapshot, type World } from '../world/world.ts';
import { removeItems } from './delete.ts';
import { existingItem } from './existing.ts';
import { furtherChanges } from './further.ts';
import { created, type Given, referred, replaced, type Same, updated } from './item.ts';
import { maker } from './makers.ts';
import { askedMove, moved } from './move.ts';
import { type Refused, refusal } from './refusal.ts';

/** What one change of one item came to. */
export interface Changed {
  readonly outcome: Outcome | null;
  /** `this` after the change; of an item that was deleted, the item as it was. */
  readonly item: Value;
  /** The item before. */
  readonly old: Value;
}

/**
 * Carries out a change of one item, in this world (language §H.2).
 *
 * @param stored the item that is there; null: there is none, which `create` alone needs
 * @param bound the values that the path gives to fields of a new item
 */
export function changed(
  change: Change,
  resource: Resource,
  stored: Stored | null,
  bound: Given,
  moment: Moment,
): Changed | Refused {
  const { verb, qualifiers } = change;
  if (verb === 'create') return make(change, resource, bound, moment);
  const { world } = moment;
  if (stored === null) return world.leave(unknown([]));
  const old = snapshot(stored, resource);
  switch (verb) {
    case 'read':
      return { outcome: null, item: itemOf(stored, resource), old };
    case 'update':
    case 'replace': {
      const given = givenOf(change, resource, itemOf(stored, resource), moment);
      return updatedBy(verb, resource, stored, given, stated(qualifiers.same), moment);
    }
    case 'delete': {
      const refusals = removeItems([stored], moment);
      return refusals.length > 0 ? { refusals } : { outcome: 'deleted', item: old, old };
    }
    case 'list':
    case 'authenticate':
    case 'revoke':
    case 'handled':
    case 'run':
      return world.leave(unknown([]));
    default: {
      const given = givenOf(change, resource, itemOf(stored, resource), moment);
      const done = moved(resource, stored, verb, given, moment, also);
      if ('refusals' in done) return done;
      return { outcome: 'changed', item: done.stored ? itemOf(done.stored, resource) : old, old };
    }
  }
}

function updatedBy(
  verb: 'update' | 'replace',
  resource: Resource,
  stored: Stored,
  given: Given,
  same: Same,
  moment: Moment,
): Changed | Refused {
  const asked = askedMove(resource, stored, given, moment);
  if (asked !== null) {
    if ('refusals' in asked) return asked;
    const { name, others } = asked;
    if (name !== null) return movedBy(name, resource, stored, verb === 'update' ? others : null, moment);
    return updatedBy(verb, resource, stored, others, same, moment);
  }
  const found = (verb === 'update' ? updated : replaced)(resource, stored, given, same, moment);
  if ('refusals' in found) return found;
  const outcome = found.isChanged ? 'changed' : 'unchanged';
  return { outcome, item: itemOf(found.stored, resource), old: snapshot(stored, resource) };
}

/**
 * The item moves, because a client wrote its state (language §3.2, rule 5). What else the client gave is set with the move.
 *
 * @param given null: what a replacement sets besides is not carried out
 */
function movedBy(
  name: string,
  resource: Resource,
  stored: Stored,
  given: Given | null,
  moment: Moment,
): Changed | Refused {
  const { guards } = moment.world.stores(resource);
  if (given === null || stated(stated(guards)?.update) !== undefined) return moment.world.leave(unknown([]));
  const done = moved(resource, stored, name, given, moment, also);
  if ('refusals' in done) return done;
  const old = snapshot(stored, resource);
  return { outcome: 'changed', item: done.stored ? itemOf(done.stored, resource) : old, old };
}

/** The changes that follow another, in order (language §H.2). */
export function also(
  changes: readonly Change[],
  own: Readonly<Record<string, Value>>,
  moment: Moment,
): ReturnType<typeof furtherChanges> {
  return furtherChanges(changes, own, moment, (change, resource, stored, inner) =>
    changed(change, resource, stored, {}, inner),
  );
}

/** Makes an item, or does what `present` states with the one that is there. */
function make(change: Change, resource: Resource, bound: Given, moment: Moment): Changed | Refused {
  const values = givenOf(change, resource, undefined, moment);
  const given = { ...values, ...bound };
  const present = stated(change.qualifiers.present);
  const there = present === undefined ? null : existingItem(resource, given, moment.world);
  if (there === null) {
    const made = created(resource, given, moment);
    if (!('handle' in made)) return made;
    return { outcome: 'created', item: itemOf(made, resource), old: null };
  }
  const kept: Changed = {
    outcome: 'unchanged',
    item: itemOf(there, resource),
    old: snapshot(there, resource),
  };
  switch (present) {
    case 'update':
    case 'replace':
      return updatedBy(present, resource, there, given, stated(change.qualifiers.same), moment);
    case 'match': {
      const isAlike = matches(resource, there, given, moment);
      return isAlike ? kept : { refusals: [refusal('different', resource.name)] };
    }
    default:
      return kept;
  }
}

/** Whether an item is equal in everything that could be given, after defaults (language §H.2, `present`). */
function matches(resource: Resource, { members }: Stored, given: Given, moment: Moment): boolean {
  for (const field of resource.fields.values()) {
    const { name } = field;
    const isGivable = stated(field.writable) === true || stated(field.writable) === 'once';
    if (!isGivable && !Object.hasOwn(given, name)) continue;
    if (stated(field.secret)) return moment.world.leave(unknown([]));
    const value = Object.hasOwn(given, name) ? given[name] : (stated(field.default) as Value | undefined);
    const isSame = isSameValue(
      members.get(name),
      value === undefined ? undefined : referred(field, value, moment.world),
    );
    if (!moment.world.decide(isSame)) return false;
  }
  return true;
}

/** What `with` gives; later entries take precedence. */
function givenOf(change: Change, resource: Resource, item: Value | undefined, moment: Moment): Given {
  const { qualifiers } = change;
  // In `also`, `this` is the item that `does` was about (rule 26).
  const names = item === undefined || Object.hasOwn(moment.names, 'this') ? {} : { this: item };
  const scopeFor = (field: Field | null): Scope =>
    new Moment(moment.world, moment.names, maker(moment.world, field, moment.names, item)).scope(names);
  const values = (stated(qualifiers.with) ?? []).flatMap(({ template }) => {
    // A request without a body gives nothing.
    if (template.kind !== 'object') {
      const given = payload(template, scopeFor(null)) ?? {};
      const isBody = isWholeBody(template);
      return [isBody && isObject(given) ? broughtBy(given, change, resource, moment.world) : given];
    }
    // What is made may hang on its field, as the number of a sequence does.
    return [...template.members].map(([name, member]) => {
      const scope = scopeFor(resource.fields.get(name) ?? null);
      const given = payload({ ...template, members: new Map([[name, member]]) }, scope);
      const isLeftOut = isObject(given) && !Object.hasOwn(given, name);
      // What is no payload has null where it reads what is not there (language §H.3, rule 13).
      return isLeftOut && !isAbsent(member, scope) ? { [name]: null } : given;
    });
  });
  if (!values.every(isObject)) return moment.world.leave(unknown(values));
  const given = Object.assign({}, ...values) as Given;
  // A name of the newest version that an older one lacks, and that is kept, would be two things.
  if (Object.keys(given).some(isUnsaid)) moment.world.leave(unknown([]));
  return stored(given, resource, moment.world);
}

/** What the body brings, taken whole: of one with a shape of its own, the fields that a client may write (language §H.2, rule 7). */
function broughtBy(given: Given, change: Change, { fields }: Resource, { specification }: World): Given {
  if (isOfResource(specification, change)) return given;
  const isBrought = (name: string): boolean => {
    const field = fields.get(name);
    return field !== undefined && stated(field.writable) !== false;
  };
  return Object.fromEntries(Object.entries(given).filter(([name]) => isBrought(name)));
}

/** Whether the body of the operation that makes the change is that of the resource itself, as far as it is known. */
const isOfResource = once((specification: Specification, change: Change): boolean => {
  const operation = specification.operations.find(({ does }) => stated(does) === change);
  return !operation || bodiesOf(operation).some(({ of }) => of?.name === change.subject.name);
});

/** Without the fields that only older versions have (language §9.3, rule 17). */
function stored(given: Given, resource: Resource, world: World): Given {
  const { fields } = world.stores(resource);
  const isStored = (name: string): boolean => fields.has(name) || !resource.fields.has(name);
  return Object.fromEntries(Object.entries(given).filter(([name]) => isStored(name)));
}
