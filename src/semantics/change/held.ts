import { stated } from '../../specification/reading/said.ts';
import type { GuardedVerb } from '../../specification/vocabulary/guards.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { every, type Truth, truthOf } from '../value/truth.ts';
import { unknown } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { itemOf, type Stored } from '../world/world.ts';
import type { FieldFailure, Refusal } from './refusal.ts';
import { notUnique } from './unique.ts';

/**
 * What refuses an item that a change has made. Its guard is judged by what is stored without it, if it is not unique
 * (language §H.4, rule 8).
 */
export function refusalsOf(
  resource: Resource,
  stored: Stored,
  verb: GuardedVerb,
  moment: Moment,
): readonly Refusal[] {
  const found = unfit(resource, stored, moment);
  if (found.length > 0) return found;
  const twice = notUnique(resource, stored, verb === 'create', moment.world);
  const hasGuard = stated(stated(resource.guards)?.[verb]) !== undefined;
  if (twice.length > 0 && hasGuard) moment.world.leave(unknown([]));
  return [...guarded(resource, stored, verb, moment), ...twice];
}

/** What refuses an item that a transition has made: its guard is judged before (language §3.1). */
export function refusalsOfFields(resource: Resource, stored: Stored, moment: Moment): readonly Refusal[] {
  const found = unfit(resource, stored, moment);
  return found.length > 0 ? found : notUnique(resource, stored, false, moment.world);
}

/** Required fields that are missing, and `holds` that does not hold (language §2.2). */
function unfit(resource: Resource, stored: Stored, moment: Moment): readonly Refusal[] {
  const { name, fields, required } = resource;
  const failure = (field: string, keyword: string): FieldFailure => ({
    field,
    keyword,
    value: stored.members.get(field) ?? null,
    limit: null,
  });
  const missing = (stated(required) ?? [])
    .filter((use) => !stored.members.has(use.name))
    .map((use) => failure(use.name, 'required'));
  const broken = [...fields.values()]
    .filter((field) => !moment.world.decide(heldBy(field, stored, resource, moment)))
    .map((field) => failure(field.name, 'holds'));
  const failures = [...missing, ...broken];
  return failures.length === 0 ? [] : [{ condition: 'invalid', subject: name, failures }];
}

function heldBy({ name, holds }: Field, stored: Stored, resource: Resource, moment: Moment): Truth {
  const value = stored.members.get(name);
  if (value === undefined || value === null) return true;
  const sentences = [...(stated(holds)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  return every(sentences, (sentence) =>
    truthOf(moment.value(sentence, { value, this: itemOf(stored, resource) })),
  );
}

/** The guard of a change of an item, which it sees as made (language §2.1). */
export function guarded(
  resource: Resource,
  stored: Stored,
  verb: GuardedVerb,
  moment: Moment,
): readonly Refusal[] {
  const guard = stated(stated(resource.guards)?.[verb]);
  if (guard === undefined) return [];
  const holds = truthOf(moment.value(guard, { this: itemOf(stored, resource) }));
  return moment.world.decide(holds)
    ? []
    : [{ condition: 'guard refused', subject: `${resource.name}.${verb}`, failures: [] }];
}

/** Invariants are judged at the end, of every item of a resource that states some (language §2.1, rule 6). */
export function invariantsBroken(moment: Moment): readonly Refusal[] {
  const { specification } = moment.world;
  for (const resource of specification.resourcesByName.values()) {
    const sentences = [...(stated(resource.invariants)?.values() ?? [])].flatMap(
      (said) => stated(said) ?? [],
    );
    for (const stored of sentences.length > 0 ? moment.world.items(resource.name) : []) {
      const holds = every(sentences, (sentence) =>
        truthOf(moment.value(sentence, { this: itemOf(stored, resource) })),
      );
      if (!moment.world.decide(holds))
        return [{ condition: 'invariant broken', subject: resource.name, failures: [] }];
    }
  }
  return [];
}
