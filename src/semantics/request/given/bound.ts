import { stated } from '../../../specification/reading/said.ts';
import { schemaOf } from '../../../specification/vocabulary/shape.ts';
import type { FieldFailure, Refusal } from '../../change/refusal.ts';
import { definitionsOf } from '../../shape/definitions.ts';
import { failuresOf, type Schema } from '../../shape/shape.ts';
import type { Value } from '../../value/value.ts';
import type { World } from '../../world/world.ts';
import type { Request } from '../prediction.ts';

/** The fields of the subject that the path gives (language §4.2, rule 7). */
export function boundFields({ operation, path }: Request): Readonly<Record<string, Value>> {
  const fields: Record<string, Value> = {};
  for (const [name, binding] of operation.bindings)
    if (binding.kind === 'subject') fields[binding.field] = path[name] ?? null;
  return fields;
}

/** What the path gives to fields of a new item and does not fit (condition 9). */
export function boundFailures(request: Request, world: World): readonly FieldFailure[] {
  const { subject, does } = request.operation;
  if (subject === null || stated(does)?.verb !== 'create') return [];
  const bound = boundFields(request);
  return [...subject.fields.values()].flatMap(({ name, shape }): FieldFailure[] => {
    if (!Object.hasOwn(bound, name)) return [];
    const value = bound[name] as Value;
    return failuresOf(schemaOf(shape) as Schema, value, definitionsOf(world.specification))
      .filter(({ holds }) => world.decide(holds))
      .map(({ keyword, limit }) => ({ field: name, keyword, value, limit: limit as Value }));
  });
}

/** What refuses the body, with the failures of what the path gives. */
export function withBound(
  refusals: readonly Refusal[],
  own: readonly FieldFailure[],
  { operation: { subject } }: Request,
): readonly Refusal[] {
  if (subject === null || own.length === 0) return refusals;
  const isOfSubject = ({ condition, subject: about }: Refusal): boolean =>
    condition === 'invalid' && about === subject.name;
  const others = refusals.filter((refusal) => !isOfSubject(refusal));
  const given = refusals.filter(isOfSubject).flatMap(({ failures }) => failures);
  const names = [...subject.fields.keys()];
  const place = ({ field }: FieldFailure): number => names.indexOf(field.split('.')[0] as string) >>> 0;
  const failures = [...own, ...given].toSorted((a, b) => place(a) - place(b));
  return [...others, { condition: 'invalid', subject: subject.name, failures }];
}
