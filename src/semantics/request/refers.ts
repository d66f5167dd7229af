import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn } from '../../expression/template.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import type { FieldFailure } from '../change/refusal.ts';
import { every, truthOf } from '../value/truth.ts';
import { type Members, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';

/**
 * References to nothing among the members that are given (language §2.2, rule 7). They are looked up only if everything else
 * fits, and are listed with `holds` (§H.4, rule 12).
 */
export function referenceFailures(
  fields: ReadonlyMap<string, Field>,
  given: Members,
  moment: Moment,
): readonly FieldFailure[] {
  const found: FieldFailure[] = [];
  for (const [name, field] of fields) {
    if (!Object.hasOwn(given, name)) continue;
    const failure = referenceFailure(name, field, given[name] as Value, moment.world);
    if (failure !== null) found.push(failure);
  }
  return found.length === 0 ? [] : withHolds(fields, given, found, moment);
}

/** The same with the `holds` that do not hold. One that reads the item is unknown: the item is not made. */
function withHolds(
  fields: ReadonlyMap<string, Field>,
  given: Members,
  references: readonly FieldFailure[],
  moment: Moment,
): readonly FieldFailure[] {
  const found: FieldFailure[] = [];
  for (const [name, { holds }] of fields) {
    const value = given[name] ?? null;
    const sentences = [...(stated(holds)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
    const reads = sentences
      .flatMap(({ template }) => expressionsIn(template))
      .flatMap(({ syntax }) => pathsRead(syntax));
    const isJudged = value !== null && sentences.length > 0;
    if (isJudged && reads.some(([root]) => root === 'this')) moment.world.leave(unknown([]));
    const isMet = isJudged
      ? every(sentences, (sentence) => truthOf(moment.value(sentence, { value })))
      : true;
    if (!moment.world.decide(isMet)) found.push({ field: name, keyword: 'holds', value, limit: null });
    found.push(...references.filter(({ field }) => field === name));
  }
  return found;
}

/** Null is no key. */
function referenceFailure(name: string, { refers }: Field, value: Value, world: World): FieldFailure | null {
  const reference = stated(refers);
  if (reference === undefined || value === null) return null;
  const identifier = stated(world.specification.resourcesByName.get(reference.resource)?.identifier) ?? [];
  const by = reference.field ?? identifier[0]?.text;
  if (by === undefined || identifier.length !== 1) return world.leave(unknown([]));
  const found = world.find(reference.resource, new Map([[by, value]]));
  return found === null ? { field: name, keyword: 'refers', value, limit: null } : null;
}
