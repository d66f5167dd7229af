import type { Expression } from './expression.ts';
import type { Type } from './type.ts';

/** An item at hand: its members are worked out as they are asked for. */
export interface Item {
  /** What a store told with its row, by what it was asked; undefined: it was not asked. */
  readonly told?: (label: string | object) => unknown;
  readonly resource: string;
  /** What it is compared with as a text or a number, its key, and the field that this is of; null: several. */
  readonly key?: unknown;
  readonly by?: string | null;
  /** Whether another is the same item. Without it, it is the same as itself alone. */
  readonly same?: (other: Item) => boolean;
  /** The value kept or derived under this name; null where there is none. */
  readonly member: (name: string) => unknown;
  readonly has: (name: string) => boolean;
  /** A member as JSON text, where it is kept as such; undefined: it is to be worked out, or is not there. */
  readonly text?: (name: string) => string | undefined;
}

/** An expression that cannot be worked out: a division by zero, a number past its bounds (language §G.6). */
export class CannotWorkOut extends Error {
  /** The innermost expression that has it; undefined where it stands in none. */
  expression: Expression | undefined;
}

/** The result, or undefined where it cannot be worked out, of which `failed` hears. */
export function worked<T>(work: () => T, failed?: (error: CannotWorkOut) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CannotWorkOut)) throw error;
    failed?.(error);
    return undefined;
  }
}

export function isItem(value: unknown): value is Item {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as Partial<Item>).member === 'function' && 'resource' in value;
}

/**
 * `null == null` is true, null and a value are unequal, objects and lists compare by what they hold (language
 * §G.6); items by which they are, and an item and a text or number by its key (§G.3).
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isItem(a)) return isItem(b) ? a.same?.(b) === true : isKeyOf(b, a);
  if (isItem(b)) return isKeyOf(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => equal(x, b[i]));
  const left = Object.entries(a);
  const right = b as Record<string, unknown>;
  return (
    left.length === Object.keys(b).length &&
    left.every(([name, value]) => Object.hasOwn(right, name) && equal(value, right[name]))
  );
}

function isKeyOf(value: unknown, { by, key }: Item): boolean {
  return typeof by === 'string' && typeof value !== 'object' && equal(key, value);
}

/** Whether a value is one that a parameter of this type takes; what is not known beforehand is seen here. */
export function accepts(type: Type, value: unknown): boolean {
  switch (type.kind) {
    case 'text':
    case 'timestamp':
    case 'duration':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      // Null within a list is nothing: it adds nothing to a sum, and is written as nothing.
      return Array.isArray(value) && value.every((one) => one === null || accepts(type.of, one));
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && !isItem(value);
    default:
      return value !== null;
  }
}

/** Whether two values have an order: not null, nor values of different kinds, nor what is no one value (language §G.6). */
export function comparable(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && typeof a !== 'object' && a !== undefined;
}

/** Numbers by value, texts by code point, false before true; anything else is held equal (language §G.6). */
export function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === typeof b && (typeof a === 'number' || typeof a === 'boolean'))
    return Number(a) - Number(b);
  return 0;
}

/** UTF-16 puts the characters past U+FFFF before U+E000 to U+FFFF; code points do not. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1;
  }
  return a.length - b.length;
}

/** A result as it is written into text: null as nothing; lists and objects have no such form. */
export function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isItem(value) && typeof value.by === 'string') return written(value.key);
  if (typeof value === 'object') throw new CannotWorkOut('a list or an object cannot be written into text');
  return String(value);
}

export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new CannotWorkOut('the result is no number');
  return value;
}

export function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new CannotWorkOut('the result is past the bounds of integers');
  return value === 0 ? 0 : value;
}

export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new CannotWorkOut(`this is no number: ${JSON.stringify(value) ?? 'nothing'}`);
}
