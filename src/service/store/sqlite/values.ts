import { type ItemKey, keyOf } from '../../../expression/query.ts';
import { CannotWorkOut, isItem } from '../../../expression/values.ts';
import { canonical } from '../../value/canonical.ts';

/**
 * Values as SQLite compares them: null, numbers and texts are its own; true, false, lists and objects are BLOBs,
 * so that none of them equals a number or a text, as they would in JSON's functions.
 */
type Encoded = null | number | bigint | string | Buffer;

const isTrue = Buffer.of(1);
const isFalse = Buffer.of(0);
/** What is equal to nothing that is kept: an item of another resource, where a key is wanted. */
const other = Buffer.from('??');
const failure = '!'.charCodeAt(0);

/** Encodes a value; `item` tells what stands for an item, and that the value is compared with a key (language §G.3). */
export function encoded(value: unknown, item: ItemKey | null = null): Encoded {
  if (value === null || value === undefined) return null;
  if (value instanceof CannotWorkOut) return failed(value.message);
  if (isItem(value)) {
    const key = keyOf(value, item);
    return key === null ? other : encoded(key);
  }
  if (Array.isArray(value)) return Buffer.from(canonical(value.map((one) => plain(one, item))));
  if (item?.itemOnly) return other;
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return exact(value);
    case 'boolean':
      return value ? isTrue : isFalse;
    default:
      return Buffer.from(canonical(value));
  }
}

/** A list whose elements a query goes through, each as JSON text of its own. */
export function encodedList(value: unknown): Encoded {
  if (value instanceof CannotWorkOut) return failed(value.message);
  if (!Array.isArray(value)) return failed('this is no list');
  return JSON.stringify(value.map((one) => canonical(plain(one, null))));
}

/** Throws `CannotWorkOut` where what was to be worked out beforehand could not be. */
export function decoded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (!(value instanceof Uint8Array)) return value;
  const [first] = value;
  if (first === 0 || first === 1) return first === 1;
  const text = Buffer.from(value).toString();
  if (first === failure) throw new CannotWorkOut(text.slice(1));
  return text === '??' ? { [text]: null } : (JSON.parse(text) as unknown);
}

/** The value of JSON text. */
export function worth(json: unknown): Encoded {
  return typeof json === 'string' ? encoded(JSON.parse(json)) : null;
}

function plain(value: unknown, item: ItemKey | null): unknown {
  return isItem(value) ? (keyOf(value, item) ?? { [other.toString()]: null }) : value;
}

function failed(message: string): Buffer {
  return Buffer.from(`!${message}`);
}

/** Past 2⁵³ JSON text has a whole number in fewer digits than it is exactly, which SQLite reads as an integer. */
function exact(value: number): number | bigint {
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63;
  return isLong ? BigInt(String(value)) : value;
}
