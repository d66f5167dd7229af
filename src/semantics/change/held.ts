import { stated } from '../../specification/reading/said.ts';
import type { GuardedVerb } from '../../specification/vocabulary/guards.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { equal } from '../value/compare.ts';
import { every, type Truth, truthOf } from '../value/truth.ts';
import type { Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { itemOf, type Stored } from '../world/world.ts';
import type { FieldFailure, Refusal } from './refusal.ts';

/** What refuses an item that a change has made. */
export function refusalsOf(
  resource: Resource,
  stored: Stored,
  verb: GuardedVerb,
  moment: Moment,
): readonly Refusal[] {
  const stages = [
    () => unfit(resource, stored, moment),
    () => guarded(resource, stored, verb, moment),
    () => twice(resource, stored, moment),
    () => broken(resource, moment),
  ];
  for (const stage of stages) {
    const found = stage();
    if (found.length > 0) return found;
  }
  return [];
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
function guarded(resource: Resource, stored: Stored, verb: GuardedVerb, moment: Moment): readonly Refusal[] {
  const guard = stated(stated(resource.guards)?.[verb]);
  if (guard === undefined) return [];
  const holds = truthOf(moment.value(guard, { this: itemOf(stored, resource) }));
  return moment.world.decide(holds)
    ? []
    : [{ condition: 'guard refused', subject: `${resource.name}.${verb}`, failures: [] }];
}

/** Another item has the value of a unique field, or of fields that are unique together. Null is unique to nobody. */
function twice(resource: Resource, stored: Stored, { world }: Moment): readonly Refusal[] {
  const single = [...resource.fields.values()]
    .filter(({ unique }) => stated(unique) === true)
    .map(({ name }) => [name]);
  const identifier = (stated(resource.identifier) ?? []).map(({ text }) => text);
  const together = (stated(resource.unique) ?? []).map(({ fields }) => fields.map(({ text }) => text));
  const others = world.items(resource.name).filter(({ handle }) => handle !== stored.handle);
  const failures: FieldFailure[] = [];
  for (const fields of [identifier, ...single, ...together].filter((each) => each.length > 0)) {
    for (const other of others) {
      const alike = every(fields, (name) => isShared(stored.members.get(name), other.members.get(name)));
      if (world.decide(alike))
        failures.push(
          ...fields.map(
            (field): FieldFailure => ({
              field,
              keyword: 'unique',
              value: stored.members.get(field) ?? null,
              limit: null,
            }),
          ),
        );
    }
  }
  const seen = failures.filter(
    ({ field }, place) => failures.findIndex((other) => other.field === field) === place,
  );
  return seen.length === 0 ? [] : [{ condition: 'not unique', subject: resource.name, failures: seen }];
}

function isShared(one: Value | undefined, other: Value | undefined): Truth {
  if (one === undefined || other === undefined || one === null || other === null) return false;
  return equal(one, other);
}

/** Invariants are judged at the end, of every item of a resource that states some (language §2.1, rule 6). */
function broken(changed: Resource, moment: Moment): readonly Refusal[] {
  const { specification } = moment.world;
  for (const resource of [changed, ...specification.resourcesByName.values()]) {
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
