import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** What a credential is kept or signed with: the claims of RFC 7519 §4.1, and the item that it was issued for. */
export interface Claims {
  /** The scheme. */
  readonly aud: string;
  /** The resource, and the values of the item's key. */
  readonly item: readonly [string, ...(string | number)[]];
  /** When it was issued, in seconds since 1970 (NumericDate). */
  readonly iat: number;
  /** From when on it is not good; absent: it does not expire. */
  readonly exp?: number;
  /** What tells it from every other. */
  readonly jti: string;
}

const sizes = { nonce: 16, tag: 16 } as const;

/**
 * Signs claims so that nobody else can make or read them, since they hold the key of an item, which may be for nobody
 * to read: AES-256-GCM (NIST SP 800-38D) under a key of its own for each, by HMAC of a nonce, so that none is used twice.
 */
export function signed(claims: object, key: Buffer): string {
  const nonce = randomBytes(sizes.nonce);
  const cipher = createCipheriv('aes-256-gcm', keyFor(nonce, key), zero, { authTagLength: sizes.tag });
  const content = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()]);
  return Buffer.concat([nonce, content, cipher.getAuthTag()]).toString('base64url');
}

/** The claims that {@link signed} signed with this key; null: it did not. When they expire is not looked at. */
export function verified<T = Claims>(token: string, key: Buffer): T | null {
  const given = Buffer.from(token, 'base64url');
  // What base64url passes over would let several texts pass for one token.
  if (given.length < sizes.nonce + sizes.tag || given.toString('base64url') !== token) return null;
  const nonce = given.subarray(0, sizes.nonce);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(nonce, key), zero, { authTagLength: sizes.tag });
  decipher.setAuthTag(given.subarray(-sizes.tag));
  try {
    const content = decipher.update(given.subarray(sizes.nonce, -sizes.tag));
    return JSON.parse(Buffer.concat([content, decipher.final()]).toString()) as T;
  } catch {
    return null;
  }
}

/** A key is used once, so that its initialization vector need not differ. */
const zero = Buffer.alloc(12);

function keyFor(nonce: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(nonce).digest();
}
