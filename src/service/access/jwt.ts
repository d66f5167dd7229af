import {
  constants,
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { Algorithm } from '../../specification/vocabulary/credentials.ts';
import { rsaKey } from './rsa.ts';

/** A key that tokens are signed with (RFC 7517). */
export interface SigningKey {
  readonly kid: string;
  /** What signs; null: the key is a secret, and `shared` holds it. */
  readonly own: KeyObject | null;
  readonly others: KeyObject | null;
  readonly shared: Buffer | null;
}

/** The members of a token (RFC 7519 §4). */
export type Payload = Readonly<Record<string, unknown>>;

const curves: Readonly<
  Record<string, { readonly name: string; readonly crv: string; readonly bytes: number }>
> = {
  ES256: { name: 'prime256v1', crv: 'P-256', bytes: 32 },
  ES384: { name: 'secp384r1', crv: 'P-384', bytes: 48 },
  ES512: { name: 'secp521r1', crv: 'P-521', bytes: 66 },
};

/**
 * A key that follows from a secret, so that all processes of a service have it without telling one another.
 *
 * @param name what it is for: a scheme, and which of its keys in turn
 */
export function derivedKey(secret: Buffer, algorithm: Algorithm, name: string): SigningKey {
  const bytes = (length: number, of: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `tacet ${algorithm} ${of} ${name}`, length));
  if (algorithm.startsWith('HS')) {
    const shared = bytes(Number(algorithm.slice(2)) / 8, 'key');
    return { kid: bytes(12, 'kid').toString('base64url'), own: null, others: null, shared };
  }
  if (algorithm === 'EdDSA') return pairOf(ed25519(bytes(32, 'key')));
  return pairOf(/^[RP]S/.test(algorithm) ? rsaKey(bytes) : ec(algorithm, bytes));
}

function pairOf(own: KeyObject): SigningKey {
  const others = createPublicKey(own);
  const digest = createHash('sha256')
    .update(others.export({ format: 'der', type: 'spki' }))
    .digest();
  return { kid: digest.subarray(0, 12).toString('base64url'), own, others, shared: null };
}

/** What stands before the 32 bytes of a key in PKCS #8 (RFC 8410 §7). */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ed25519Head, seed]), format: 'der', type: 'pkcs8' });
}

function ec(algorithm: Algorithm, bytes: (length: number, of: string) => Buffer): KeyObject {
  const curve = curves[algorithm];
  if (curve === undefined) throw new TypeError(`${algorithm} has no curve`);
  const pair = createECDH(curve.name);
  // Not every number is a key of the curve: the first that is one.
  for (let attempt = 0; ; attempt += 1) {
    const d = bytes(curve.bytes, `key ${attempt}`);
    if (curve.bytes === 66) d[0] = (d[0] as number) & 1;
    try {
      pair.setPrivateKey(d);
    } catch {
      continue;
    }
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)];
    const of = (value: Buffer): string => value.toString('base64url');
    return createPrivateKey({
      key: { kty: 'EC', crv: curve.crv, x: of(x), y: of(y), d: of(d) },
      format: 'jwk',
    });
  }
}

/** The key for others, as a member of a JWK Set (RFC 7517 §5). */
export function jwkOf({ kid, others }: SigningKey, algorithm: Algorithm): Readonly<Record<string, unknown>> {
  return { ...(others?.export({ format: 'jwk' }) as object), kid, alg: algorithm, use: 'sig' };
}

/** A JWS in its compact form (RFC 7515 §7.1). */
export function signedToken(payload: Payload, key: SigningKey, algorithm: Algorithm): string {
  const head = { alg: algorithm, typ: 'JWT', kid: key.kid };
  const content = `${encoded(head)}.${encoded(payload)}`;
  return `${content}.${signatureOf(content, key, algorithm).toString('base64url')}`;
}

/**
 * What a token says that one of these keys signed; null: none did. Its times are not looked at. What signs is as it is
 * stated, and never what the token names (RFC 8725 §3.1).
 *
 * @param keyOf the key that the head names; `claimed` is what the token says before anybody knows who signed it
 */
export function verifiedToken(
  token: string,
  algorithm: Algorithm,
  keyOf: (kid: string, claimed: Payload) => SigningKey | undefined,
): Payload | null {
  const parts = token.split('.');
  const [head, payload, signature] = parts.map(decoded);
  if (parts.length !== 3 || !head || !payload || !signature) return null;
  const { alg, kid, crit } = parsed(head) ?? {};
  const claimed = parsed(payload);
  if (claimed === null || alg !== algorithm || crit !== undefined) return null;
  const key = keyOf(String(kid), claimed);
  if (key === undefined) return null;
  const content = token.slice(0, token.lastIndexOf('.'));
  return isSignature(content, signature, key, algorithm) ? claimed : null;
}

function signatureOf(content: string, { own, shared }: SigningKey, algorithm: Algorithm): Buffer {
  if (shared) return createHmac(hashOf(algorithm), shared).update(content).digest();
  if (!own) throw new TypeError('there is no key to sign with');
  return sign(
    algorithm === 'EdDSA' ? null : hashOf(algorithm),
    Buffer.from(content),
    optionsOf(own, algorithm),
  );
}

function isSignature(content: string, signature: Buffer, key: SigningKey, algorithm: Algorithm): boolean {
  if (key.shared) {
    const expected = signatureOf(content, key, algorithm);
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  const hash = algorithm === 'EdDSA' ? null : hashOf(algorithm);
  return (
    key.others !== null && verify(hash, Buffer.from(content), optionsOf(key.others, algorithm), signature)
  );
}

function hashOf(algorithm: Algorithm): string {
  return `sha${algorithm.slice(2)}`;
}

function optionsOf(key: KeyObject, algorithm: Algorithm) {
  if (algorithm.startsWith('ES')) return { key, dsaEncoding: 'ieee-p1363' as const };
  return algorithm.startsWith('PS')
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : { key };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** What base64url passes over would let several texts pass for one token. */
function decoded(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url');
  return part !== '' && bytes.toString('base64url') === part ? bytes : null;
}

function parsed(bytes: Buffer): Payload | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
  } catch {
    return null;
  }
}
