import { stated } from '../reading/said.ts';
import { refusedBy } from '../vocabulary/agreement.ts';
import type { Field } from '../vocabulary/parts/resources.ts';
import { schemaOf } from '../vocabulary/shape.ts';

/** A UUID (RFC 9562), as an example of what the service would pick. */
const example = '0b7e6a52-6f0c-4d0e-9d5a-3f1f6f2a9c10';

/** Whether a field that may be set to any value of its shape may be set to a new UUID (language §F.1, `(any)`). */
export function mayBeUuid({ shape }: Field): boolean {
  if (shape.name !== null || shape.object !== null) return false;
  const type = stated(shape.keywords.get('type'));
  const format = stated(shape.keywords.get('format')) ?? 'uuid';
  const isText = type === undefined || [type].flat().includes('string');
  return isText && format === 'uuid' && refusedBy(schemaOf(shape), example) === undefined;
}

/** The keywords that leave the next number out, or may. */
const bounding = ['const', 'enum', 'maximum', 'exclusiveMaximum', 'multipleOf'];

/** Whether a field that may be set to any value of its shape may be set to the next number (language §F.1, `(any)`). */
export function mayBeNumber({ shape }: Field): boolean {
  if (shape.name !== null || shape.object !== null) return false;
  const types = [stated(shape.keywords.get('type'))].flat();
  const isBound = bounding.some((keyword) => shape.keywords.has(keyword));
  return types.includes('integer') && !isBound && refusedBy(schemaOf(shape), 1) === undefined;
}

/** Whether the service picks the next number for a field. */
export function picksNumber(field: Field): boolean {
  return field.create.kind === 'any' && mayBeNumber(field);
}
