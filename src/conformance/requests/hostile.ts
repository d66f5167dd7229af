import type { Json } from '../../source/node.ts';

/** What markup, shells and templates read as something else, and the characters that implementations change most. */
export const markedTexts: readonly string[] = [
  '"quoted" \'text\' & <b>bold</b> \\ / ${7*7} {{7*7}} <%= 7 %> 100% %s %2F',
  ' line\r\nbreak\ttab e\u0301 \u00e9 \u{1f600} \u{1d11e} İıſK ',
];

/** Further texts that implementations trip over: of SQL and JSON, and long ones. */
const furtherTexts: readonly string[] = [
  "'; DROP TABLE x; --",
  'null',
  '1e3',
  '__proto__',
  'x'.repeat(300),
  'x'.repeat(2500),
];

/** Numbers at which representations end: of 32 bits and of 53, and a fraction that no binary number is. */
const hostileNumbers: readonly number[] = [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 2, 2 - 2 ** 53, 0, -1, 0.1];

/** Values that implementations change or trip over, besides marked texts. */
export const hostileValues: readonly Json[] = [...furtherTexts, ...hostileNumbers];
