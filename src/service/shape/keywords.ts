import type { Ajv2020 } from 'ajv/dist/2020.js';
import { equal } from '../../expression/functions.ts';
import { isMultiple } from '../value/decimal.ts';

type Check = (of: never, value: never) => boolean;

/**
 * Keywords of JSON Schema Validation that Ajv reads in a way of its own: it divides in binary64, and compares
 * objects by members that they may well have, such as `constructor` and `valueOf`.
 */
const own: readonly (readonly [string, 'number' | 'array' | null, Check])[] = [
  ['multipleOf', 'number', (of: number, value: number) => isMultiple(value, of)],
  ['const', null, (of: unknown, value: unknown) => equal(of, value)],
  ['enum', null, (of: readonly unknown[], value: unknown) => of.some((one) => equal(one, value))],
  [
    'uniqueItems',
    'array',
    (of: boolean, value: readonly unknown[]) => !of || new Set(value.map(canonical)).size === value.length,
  ],
];

export function addOwnKeywords(ajv: Ajv2020): void {
  for (const [keyword, type, validate] of own) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      ...(type && { type }),
      validate: validate as (of: unknown, value: unknown) => boolean,
    });
  }
}

/** A text that two values share if they are equal. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`,
  );
  return `{${members.sort().join()}}`;
}
