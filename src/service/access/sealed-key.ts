import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A key as the store keeps it: as it is, or encrypted under a secret of the operator's. */
export type KeptKey = { readonly key: string } | { readonly encrypted: string };

const sizes = { salt: 16, nonce: 12, tag: 16, key: 32 } as const;
const algorithm = 'aes-256-gcm';
/** What the derived key is for (RFC 5869 §3.2), so that the same secret gives another key elsewhere. */
const purpose = 'tacet signing key';

/**
 * Encrypts a key: AES-256-GCM (NIST SP 800-38D) under a key that HKDF-SHA-256 (RFC 5869) derives from the secret and a
 * new salt. The text is base64url of salt, nonce, ciphertext and tag.
 */
export function encryptKey(key: string, secret: string): KeptKey {
  const [salt, nonce] = [randomBytes(sizes.salt), randomBytes(sizes.nonce)];
  const cipher = createCipheriv(algorithm, derived(secret, salt), nonce, { authTagLength: sizes.tag });
  const content = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return { encrypted: Buffer.concat([salt, nonce, content, cipher.getAuthTag()]).toString('base64url') };
}

/** The key that {@link encryptKey} encrypted under this secret; null: it was another secret. */
export function decryptKey(encrypted: string, secret: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url');
  const [salt, nonce] = [bytes.subarray(0, sizes.salt), bytes.subarray(sizes.salt, sizes.salt + sizes.nonce)];
  try {
    const decipher = createDecipheriv(algorithm, derived(secret, salt), nonce, { authTagLength: sizes.tag });
    decipher.setAuthTag(bytes.subarray(-sizes.tag));
    const content = bytes.subarray(sizes.salt + sizes.nonce, -sizes.tag);
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function derived(secret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, purpose, sizes.key));
}

/** How few characters a secret may have: 22 of base64 are 128 bits. */
const fewest = 22;

/** The variable of the environment that holds the secrets, the current one first. */
export const storeSecretVariable = 'TACET_SECRET_STORE';

/** What is wrong with the operator's secrets; null: nothing. */
export function secretsProblem(secrets: readonly string[]): string | null {
  return secrets.some(({ length }) => length < fewest)
    ? `a secret in ${storeSecretVariable} has fewer than ${fewest} characters; make one at random: openssl rand -base64 32`
    : null;
}

/** A key that was read, and as it is to be kept from now on; or why it cannot be read. */
export type OpenedKey =
  | { readonly key: string; readonly kept: KeptKey | null }
  | { readonly problem: string };

/**
 * Reads a key.
 *
 * @param kept as the store keeps it
 * @param secrets the current one first; others may have encrypted it before
 */
export function openKey(kept: KeptKey, secrets: readonly string[]): OpenedKey {
  const [current] = secrets;
  if ('key' in kept) {
    const { key } = kept;
    return { key, kept: current === undefined ? null : encryptKey(key, current) };
  }
  for (const secret of secrets) {
    const key = decryptKey(kept.encrypted, secret);
    if (key === null) continue;
    return { key, kept: secret === current ? null : encryptKey(key, current as string) };
  }
  const why =
    current === undefined
      ? `${storeSecretVariable} is not set`
      : `no secret in ${storeSecretVariable} is the one that encrypted it`;
  return {
    problem: `the store keeps the key that signs credentials encrypted, and ${why}; start with the secret that encrypted it. Nothing was changed`,
  };
}
