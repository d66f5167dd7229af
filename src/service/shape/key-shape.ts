import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';

type Schema = Readonly<Record<string, Json>>;

/** The schema of a field; where it states no type and refers, that of the key that it refers by (language §2.2). */
export function keyShape(specification: Specification, field: Field, seen: readonly Field[] = []): Schema {
  const own = schemaOf(field.shape);
  const refers = stated(field.refers);
  if (!refers?.field || 'type' in own || '$ref' in own || seen.includes(field)) return own;
  const key = specification.resourcesByName.get(refers.resource)?.fields.get(refers.field);
  return key ? { ...keyShape(specification, key, [...seen, field]), ...own } : own;
}
