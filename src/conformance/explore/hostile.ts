import type { Json } from '../../source/node.ts';

/** Texts that implementations change or trip over: what markup, shells, templates, SQL and JSON read as something else. */
export const hostileTexts: readonly string[] = [
  '"quoted" \'text\' & <b>bold</b> \\ / ${7*7} {{7*7}} <%= 7 %> 100% %s %2F',
  "'; DROP TABLE x; --",
  ' line\r\nbreak\ttab e\u0301 \u00e9 \u{1f600} \u{1d11e} İıſK ',
  'null',
  '1e3',
  '__proto__',
  'x'.repeat(300),
  'x'.repeat(2500),
];

/** Numbers at which representations end: of 32 bits and of 53, and a fraction that no binary number is. */
const hostileNumbers: readonly number[] = [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 2, 2 - 2 ** 53, 0, -1, 0.1];

/** Values that implementations change or trip over, of those that fit. */
export function hostileValues(fits: (value: Json) => boolean): readonly Json[] {
  return [...hostileTexts, ...hostileNumbers].filter(fits);
}
