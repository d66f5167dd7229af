import { stated } from '../../specification/reading/said.ts';
import type { Parameter } from '../../specification/vocabulary/request.ts';
import type { Failure } from '../shape/validate.ts';

/** The least that a page may say: an item, or a page, is counted from 1, and nothing can be less than none (language §4.5). */
const least: Readonly<Record<string, number>> = { offset: 0, size: 0, start: 1, number: 1 };

/** What is wrong with a value, beyond its shape, by what it says of a list (language §4.5); null where that is nothing. */
export function compileMeaning(parameter: Parameter): ((value: unknown) => Failure | null) | null {
  const fields = stated(parameter.roles.sort)?.map((one) => one.text);
  const from = least[stated(parameter.roles.page) ?? ''];
  const failure = (keyword: string, value: unknown, limit: unknown): Failure => ({
    field: parameter.name,
    keyword,
    value,
    limit,
  });
  if (fields) return (value) => (isSort(value, fields) ? null : failure('sort', value, null));
  if (from === undefined) return null;
  return (value) => (typeof value === 'number' && value < from ? failure('minimum', value, from) : null);
}

/** Whether a value is a list of these fields, `-` before those that descend: with commas, or as a list of texts. */
function isSort(value: unknown, fields: readonly string[]): boolean {
  const listed: readonly unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  return listed.every((one) => typeof one === 'string' && fields.includes(one.replace(/^-/, '')));
}
