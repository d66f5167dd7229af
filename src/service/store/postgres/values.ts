import { type ItemKey, keyOf } from '../../../expression/query.ts';
import { CannotWorkOut, isItem } from '../../../expression/values.ts';

/**
 * Values as PostgreSQL takes them: texts, numbers (binary64) and truths are its own, anything else is `jsonb`. Its texts
 * hold no U+0000, so the first four characters are each written as three that keep their order, and in which no text
 * is found that was not in them before.
 */

const codes = ['\u0001\u0002\u0002', '\u0001\u0002\u0003', '\u0001\u0003\u0002', '\u0001\u0003\u0003'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is written otherwise
const [first, coded] = [/[\0-\x03]/g, /\x01[\x02\x03]{2}/g];

/** A text as it is kept, also in the names of members. */
export function encodedText(text: string): string {
  return text.replace(first, (character) => codes[character.charCodeAt(0)] as string);
}

/** The text that is kept so. */
export function decodedText(text: string): string {
  return text.replace(coded, (code) => String.fromCharCode(codes.indexOf(code)));
}

/** A part of a key as its column holds it. */
export function encodedKey(value: string | number): string | number {
  return typeof value === 'string' ? encodedText(value) : value;
}

/** A value of a column, as `pg` reads it. */
export function decoded(value: unknown): unknown {
  if (typeof value === 'string') return decodedText(value);
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [decodedText(name), decoded(one)]));
}

/** A value as JSON text that PostgreSQL can read. */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return /\\u000[0-3]/.test(text) ? JSON.stringify(encodedWithin(JSON.parse(text))) : text;
}

function encodedWithin(value: unknown): unknown {
  if (typeof value === 'string') return encodedText(value);
  if (Array.isArray(value)) return value.map(encodedWithin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [encodedText(name), encodedWithin(one)]),
  );
}

/** What is equal to nothing that is kept: an item of another resource, where a key is wanted. */
const other = { '??': null };

/**
 * The plain value that is handed over for one of an expression's; `item` tells what stands for an item, and that the
 * value is compared with a key (language §G.3).
 */
export function plain(value: unknown, item: ItemKey | null): unknown {
  if (value === undefined) return null;
  if (isItem(value)) return keyOf(value, item) ?? other;
  if (Array.isArray(value)) return value.map((one) => (isItem(one) ? (keyOf(one, item) ?? other) : one));
  return item?.itemOnly && value !== null && !(value instanceof CannotWorkOut) ? other : value;
}

/** The code of errors that the functions of `functions.ts` raise. */
export const failureCode = 'TACET';

/** Overflow and division by zero (PostgreSQL, Appendix A). */
const arithmetic: readonly string[] = ['22003', '22012'];

/** What a statement's error is to an expression: undefined where it is none of an expression's (language §G.6). */
export function failureOf(error: unknown): CannotWorkOut | undefined {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code === failureCode) return new CannotWorkOut(decodedText(message ?? ''));
  return arithmetic.includes(code ?? '') ? new CannotWorkOut('the result is no number') : undefined;
}
