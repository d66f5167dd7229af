import { randomBytes, randomUUID } from 'node:crypto';
import type { Makers } from '../../expression/functions.ts';

/** The largest number that twelve bits hold. */
const mostInTime = 0xfff;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes identifiers from random bytes (RFC 9562 for UUIDs; letters and digits without bias). */
export function makers(given?: (count: number) => Uint8Array, milliseconds: () => number = Date.now): Makers {
  const random = given ?? pooled();
  const timed = timedUuids();
  return {
    uuid: (version) => {
      if (given === undefined) return version === 4 ? randomUUID() : timed(milliseconds());
      const bytes = Buffer.from(random(16));
      if (version === 7) bytes.writeUIntBE(milliseconds(), 0, 6);
      bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
      bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
      const hex = bytes.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    random: (length) => {
      let text = '';
      while (text.length < length)
        // 248 is the largest multiple of 62 that a byte can hold.
        for (const byte of random(length - text.length)) if (byte < 248) text += alphabet[byte % 62];
      return text;
    },
  };
}

/**
 * UUIDs of version 7 (RFC 9562 §5.7), each greater than the one before, so that an index of them grows at its end: those
 * of one millisecond are counted in the twelve bits after the version (§6.2, method 1), and go on with a later time
 * where there are more, or the clock was set back.
 */
function timedUuids(): (milliseconds: number) => string {
  let [at, time, count] = [Number.NEGATIVE_INFINITY, '', 0];
  return (milliseconds) => {
    const now = Math.floor(milliseconds);
    count += 1;
    if (now > at || count > mostInTime) {
      at = Math.max(now, at + 1);
      const digits = at.toString(16).padStart(12, '0');
      [time, count] = [`${digits.slice(0, 8)}-${digits.slice(8)}-7`, 0];
    }
    return time + count.toString(16).padStart(3, '0') + randomUUID().slice(18);
  };
}

/** Random bytes from the system, fetched in larger pieces: one call for some hundred identifiers. */
function pooled(): (count: number) => Uint8Array {
  const size = 8192;
  let pool = Buffer.alloc(0);
  let used = 0;
  return (count) => {
    if (count > size) return randomBytes(count);
    if (used + count > pool.length) {
      pool = randomBytes(size);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}
