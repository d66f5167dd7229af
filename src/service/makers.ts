import { randomBytes, randomUUID } from 'node:crypto';
import type { Makers } from '../expression/functions.ts';

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

/** UUIDs of version 7 (RFC 9562 §5.7): the time, which is the same for many, and what is random of one of version 4. */
function timedUuids(): (milliseconds: number) => string {
  let [at, time] = [Number.NaN, ''];
  return (milliseconds) => {
    if (milliseconds !== at) {
      const digits = Math.floor(milliseconds).toString(16).padStart(12, '0');
      [at, time] = [milliseconds, `${digits.slice(0, 8)}-${digits.slice(8)}-7`];
    }
    return time + randomUUID().slice(15);
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
