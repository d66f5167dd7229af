import { canonical } from '../canonical.ts';
import type { RowItem } from '../resource/kept.ts';

/** Who, or what, a value is, as a text that is the same for equal ones: an item by its key, what is else by its value. */
export function ownerOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const { resource = '', row } = value as Partial<RowItem>;
  return row ? JSON.stringify([resource, row.key]) : canonical(value);
}
