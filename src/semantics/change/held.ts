import { pathsIn } from '../../expression/template.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { GuardedVerb } from '../../specification/vocabulary/guards.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';
import { definitionsOf } from '../shape/definitions.ts';
import { failuresOf, type Schema } from '../shape/shape.ts';
import { isSameValue } from '../value/compare.ts';
import { both, every, type Truth, truthOf } from '../value/truth.ts';
import {
  Bytes,
  Item,
  isPartial,
  Made,
  Shaped,
  type Snapshot,
  theirs,
  Unknown,
  unknown,
  type Value,
} from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, type World } from '../world/world.ts';
import { judgeAddress } from './addresses.ts';
import { type FieldFailure, type Refusal, unknownKeyword } from './refusal.ts';
import { notUnique } from './unique.ts';

/** What a change does to an item that is there. */
export interface Brought {
  readonly before: Snapshot;
  /** The fields that it gives, even if they keep their values. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * What refuses an item that a change has made. Its guard is judged by what is stored without it, if it is not unique
 * (language §H.4, rule 8).
 */
export function refusalsOf(
  resource: Resource,
  stored: Stored,
  verb: GuardedVerb,
  brought: Brought | null,
  moment: Moment,
): readonly Refusal[] {
  const found = unfit(resource, stored, brought, moment);
  if (found.length > 0) return found;
  const twice = notUnique(resource, stored, verb === 'create', moment.world);
  const hasGuard = stated(stated(resource.guards)?.[verb]) !== undefined;
  if (twice.length > 0 && hasGuard) moment.world.leave(unknown([]));
  return [...guarded(resource, stored, verb, moment), ...twice];
}

/** What refuses an item that a transition has made: its guard is judged before (language §3.1). */
export function refusalsOfFields(
  resource: Resource,
  stored: Stored,
  brought: Brought,
  moment: Moment,
): readonly Refusal[] {
  const found = unfit(resource, stored, brought, moment);
  return found.length > 0 ? found : notUnique(resource, stored, false, moment.world);
}

const requiredOf = once(
  ({ required }: Resource): ReadonlySet<string> => new Set((stated(required) ?? []).map(({ name }) => name)),
);

/** The sentences that a field or a resource states by name. */
const sentencesOf = once((said: Said<ReadonlyMap<string, Said<PlacedTemplate>>>): readonly PlacedTemplate[] =>
  [...(stated(said)?.values() ?? [])].flatMap((each) => stated(each) ?? []),
);

/**
 * Required fields that are missing, values that do not fit, and `holds` that does not hold (language §2.2). What is stored
 * fits its field, whoever gives it (rule 9).
 */
export function unfit(
  resource: Resource,
  stored: Stored,
  brought: Brought | null,
  moment: Moment,
): readonly Refusal[] {
  const before = brought?.before ?? null;
  // What is stored is as the newest version states, whichever version gives it (language §9.3, rule 16).
  const stores = moment.world.stores(resource);
  const required = requiredOf(stores);
  const failures = [...stores.fields.values()].flatMap((field): FieldFailure[] => {
    const { name } = field;
    const value = stored.members.get(name);
    const failure = (keyword: string): FieldFailure => ({
      field: name,
      keyword,
      value: value ?? null,
      limit: null,
    });
    if (value === undefined) return before === null && required.has(name) ? [failure('required')] : [];
    const isGiven = brought !== null && Object.hasOwn(brought.given, name);
    const isSame = !isGiven && before?.members.get(name) === value;
    const misfits = isSame ? [] : misfitsOf(field, value, moment);
    const isHeld = moment.world.decide(heldBy(field, stored, resource, brought, moment));
    return isHeld ? misfits : [...misfits, failure('holds')];
  });
  for (const name of before === null ? required : [])
    if (!stores.fields.has(name) && !stored.members.has(name))
      failures.push({ field: name, keyword: 'required', value: null, limit: null });
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: resource.name, failures }];
}

/** The keywords that a value does not meet. What the service makes itself is taken to fit, if it has the type. */
function misfitsOf(field: Field, value: Value, { world }: Moment): FieldFailure[] {
  const { name, shape } = field;
  const key = value instanceof Item ? value.key : value;
  if (value instanceof Item && value.by === null) return world.leave(unknown([]));
  if (value instanceof Item && isAstray(value, world))
    return [{ field: name, keyword: 'refers', value: key, limit: null }];
  if (key instanceof Unknown && !(key instanceof Shaped) && shape.keywords.size > 0 && world.decide(key))
    return [{ field: name, keyword: unknownKeyword, value: key, limit: null }];
  if (key instanceof Made && !mayBeOf(key, shape.keywords.get('type')))
    return [
      {
        field: name,
        keyword: 'type',
        value: key,
        limit: stated(shape.keywords.get('type') as Said<Value>) ?? null,
      },
    ];
  if (isPartial(key) && !(key instanceof Bytes)) return [];
  judgeAddress(field, key, world);
  const found = failuresOf(schemaOf(shape) as Schema, key, definitionsOf(world.newest), 'keep');
  return found
    .filter(({ holds }) => world.decide(holds))
    .map(({ path, keyword, limit }) => ({
      field: [name, ...path].join('.'),
      keyword,
      value: key,
      limit: limit as Value,
    }));
}

/** Whether what the service makes may have a type: it makes integers and texts. */
function mayBeOf({ form }: Made, said: Said<unknown> | undefined): boolean {
  const type = said && stated(said);
  if (type === undefined) return true;
  const types = form === 'integer' ? ['integer', 'number'] : ['string'];
  return [type].flat().some((each) => types.includes(each as string));
}

/** Whether a reference leads to nothing. */
function isAstray(item: Item, world: World): boolean {
  return item.handle === null || (item.handle !== theirs && world.stored(item) === undefined);
}

function heldBy(
  { name, holds }: Field,
  stored: Stored,
  resource: Resource,
  brought: Brought | null,
  moment: Moment,
): Truth {
  const value = stored.members.get(name);
  if (value === undefined || value === null) return true;
  return every(sentencesOf(holds), (sentence) =>
    isConcerned(sentence, name, stored, brought, moment.world)
      ? truthOf(moment.value(sentence, { value, this: itemOf(stored, resource) }))
      : true,
  );
}

/** Whether a sentence about a field is judged of a change (language §2.2, rule 10). */
function isConcerned(
  { template }: PlacedTemplate,
  name: string,
  { members }: Stored,
  brought: Brought | null,
  world: World,
): boolean {
  if (brought === null) return true;
  const { before, given } = brought;
  const read = pathsIn(template).flatMap(([root, member]) => (root === 'this' ? [member] : []));
  return [name, ...read].some(
    (each) =>
      each === undefined ||
      Object.hasOwn(given, each) ||
      !world.decide(isSameValue(before.members.get(each), members.get(each))),
  );
}

/** The guard of a change of an item, which it sees as made (language §2.1). */
export function guarded(
  resource: Resource,
  stored: Stored,
  verb: GuardedVerb,
  moment: Moment,
): readonly Refusal[] {
  const stores = moment.world.stores(resource);
  if (!isSaidAlike(stores.guards, resource.guards)) moment.world.leave(unknown([]));
  const guard = stated(stated(stores.guards)?.[verb]);
  if (guard === undefined) return [];
  const holds = truthOf(moment.value(guard, { this: itemOf(stored, resource) }));
  return moment.world.decide(holds)
    ? []
    : [{ condition: 'guard refused', subject: `${resource.name}.${verb}`, failures: [] }];
}

/**
 * Invariants are judged at the end, of every item of a resource that states some. If one depends on the request, it is judged
 * only for what is written (language §2.1, rule 6). One that held before, and reads nothing that is written, still holds.
 */
export function invariantsBroken(before: World, moment: Moment): readonly Refusal[] {
  const { specification, newest } = moment.world;
  for (const resource of newest.resourcesByName.values()) {
    const version = specification.resourcesByName.get(resource.name);
    if (version && !isSaidAlike(version.invariants, resource.invariants)) moment.world.leave(unknown([]));
    const sentences = sentencesOf(resource.invariants);
    if (sentences.length === 0) continue;
    const isAnyWritten = (name: string): boolean => moment.world.written(before, name).length > 0;
    const always = sentences.filter(
      (sentence) =>
        !dependsOnRequest(sentence) &&
        (othersRead(sentence, resource, newest)?.some((name) => isAnyWritten(name)) ?? true),
    );
    const written = moment.world.written(before, resource.name);
    if (always.length === 0 && written.length === 0) continue;
    const holds = (stored: Stored): Truth =>
      every(written.includes(stored.handle) ? sentences : always, (sentence) =>
        truthOf(moment.value(sentence, { this: itemOf(stored, resource) })),
      );
    if (!decidedTogether(moment.world.items(resource.name), holds, moment.world))
      return [{ condition: 'invariant broken', subject: resource.name, failures: [] }];
  }
  return [];
}

/**
 * Whether something holds of all items. If that is not known of several, it is decided once for all of them: which of them
 * breaks an invariant does not show.
 */
function decidedTogether(items: readonly Stored[], holds: (item: Stored) => Truth, world: World): boolean {
  let known: Truth = true;
  for (const item of items) {
    try {
      const each = holds(item);
      if (each === false) return false;
      known = both(known, () => each);
    } catch (error) {
      // What cannot be computed is met only if all before it hold.
      if (!world.decide(known)) return false;
      throw error;
    }
  }
  return world.decide(known);
}

/** The resources of the items that a sentence reads beside its own; null: it may read any, or what is derived. */
const othersRead = once(
  (
    { template }: PlacedTemplate,
    resource: Resource,
    { resourcesByName }: Specification,
  ): readonly string[] | null => {
    const others: string[] = [];
    for (const [root, ...names] of pathsIn(template)) {
      let over: Resource | undefined = root === 'this' ? resource : undefined;
      for (const name of names) {
        const field = over?.fields.get(name);
        if (over === undefined || field === undefined || field.derived.kind === 'stated') return null;
        const to: string | undefined = stated(field.refers)?.resource;
        if (to === undefined) break;
        others.push(to);
        over = resourcesByName.get(to);
      }
      if (root !== 'this') return null;
    }
    return template.kind === 'handled' ? null : others;
  },
);

/** Whether a sentence reads who asks, when or what, or is a function of the operator. */
const dependsOnRequest = once(({ template }: PlacedTemplate): boolean => {
  const roots = pathsIn(template).map(([root]) => root);
  return template.kind === 'handled' || ['now', 'actor', 'request'].some((name) => roots.includes(name));
});

/** Whether a version says the same as the newest. If a guard or an invariant differs, the language does not say which holds. */
function isSaidAlike(one: Said<unknown>, other: Said<unknown>): boolean {
  if (one.kind !== 'stated' && other.kind !== 'stated') return true;
  return one.kind === other.kind && one.at.start === other.at.start && one.at.text === other.at.text;
}
