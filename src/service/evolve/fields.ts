import { createHash } from 'node:crypto';
import { stated } from '../../specification/reading/said.ts';
import type { Field, Resource } from '../../specification/vocabulary/parts/resources.ts';
import { schemaOf } from '../../specification/vocabulary/shape.ts';

/** The fields that are kept; a derived one is not. */
export function keptFields(resource: Resource): readonly Field[] {
  return [...resource.fields.values()].filter((field) => stated(field.derived) === undefined);
}

/** Tells the shape of a field from another one. */
export function shapeDigest(field: Field): string {
  return digestOf(schemaOf(field.shape));
}

/** Tells what is stated from something else that could be. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
