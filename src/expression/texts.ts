import { Bytes } from './bytes.ts';
import { stepsToMake, take } from './steps.ts';
import { CannotWorkOut, finite, isItem, whole, written } from './values.ts';

/** The functions of texts and numbers (language §G.4). */

export function size(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Bytes) return value.size;
  if (typeof value === 'object' && value !== null && !isItem(value)) return Object.keys(value).length;
  throw new CannotWorkOut('size wants text, a list or an object');
}

export function int(value: unknown): number {
  return whole(Math.trunc(toNumber(value)));
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return finite(Number(value));
  throw new CannotWorkOut(`this is no number: ${JSON.stringify(value)}`);
}

const isSpace = /^\p{White_Space}$/u;

/** Without the white space of Unicode at both ends. */
export function trim(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && isSpace.test(value.charAt(from))) from++;
  while (from < to && isSpace.test(value.charAt(to - 1))) to--;
  return value.slice(from, to);
}

export function slug(value: string): string {
  return value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Counts code points, as `size` does; `to` is left out, and past an end is at it. */
export function substring(value: string, from: number, to?: number): string {
  return [...value].slice(from, to).join('');
}

export function replace(value: string, what: string, by: string): string {
  return join(split(value, what), by);
}

export function join(values: readonly unknown[], by = ''): string {
  const pieces = values.map(written);
  const between = by.length * Math.max(0, pieces.length - 1);
  take(stepsToMake(pieces.reduce((sum, one) => sum + one.length, between)));
  return pieces.join(by);
}

export function split(value: string, by: string): string[] {
  if (by === '') throw new CannotWorkOut('an empty text stands everywhere and nowhere');
  return value.split(by);
}
