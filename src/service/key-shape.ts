import type { Json } from '../source/node.ts';
import type { Field } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Specification } from '../specification/specification.ts';

type Schema = Readonly<Record<string, Json>>;

/** The schema of a field; where it states no type and refers, that of the key that it refers by (language §2.2). */
export function keyShape(specification: Specification, field: Field, seen: readonly Field[] = []): Schema {
  const own = schemaOf(field.shape);
  const refers = stated(field.refers);
  if (!refers?.field || 'type' in own || '$ref' in own || seen.includes(field)) return own;
  const key = specification.resourcesByName.get(refers.resource)?.fields.get(refers.field);
  return key ? { ...keyShape(specification, key, [...seen, field]), ...own } : own;
}
