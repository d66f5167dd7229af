import type { Specification } from '../../../specification/model/specification.ts';
import type { Field } from '../../../specification/vocabulary/resource/field.ts';

/** What each version states, the newest first (language §9.3). */
export function versionsOf(specification: Specification): readonly Specification[] {
  return [specification, ...[...specification.older.values()].map((older) => older.specification)];
}

/** Whether something holds of a field in every version, each of which has it by this name. */
export function isInEveryVersion(
  { resource, name }: Field,
  specification: Specification,
  holds: (field: Field, version: Specification) => boolean,
): boolean {
  return versionsOf(specification).every((version) => {
    const field = version.resourcesByName.get(resource)?.fields.get(name);
    return field !== undefined && holds(field, version);
  });
}
