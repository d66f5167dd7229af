import { checkPrimeSync, createPrivateKey, type KeyObject } from 'node:crypto';

/** How long its modulus is, in bits; each of its two primes has half as many. */
const modulusBits = 2048;
const primeBytes = modulusBits / 16;
const exponent = 65_537n;

/**
 * A key of RSA that follows from a secret (RFC 8017 §3.1, §3.2): the same bytes give the same key.
 *
 * @param bytes gives as many bytes as are wanted, others for each name; whoever knows them has the key
 */
export function rsaKey(bytes: (length: number, name: string) => Buffer): KeyObject {
  const [p, q] = [
    prime((attempt) => bytes(primeBytes, `p ${attempt}`)),
    prime((attempt) => bytes(primeBytes, `q ${attempt}`)),
  ];
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  return createPrivateKey({
    key: {
      kty: 'RSA',
      ...{ n: text(p * q), e: text(exponent), d: text(d), p: text(p), q: text(q) },
      ...{ dp: text(d % (p - 1n)), dq: text(d % (q - 1n)), qi: text(inverse(q, p)) },
    },
    format: 'jwk',
  });
}

/** The first of these that is a prime, with both its highest bits set, so that the product of two is long enough (FIPS 186-5 §A.1.3). */
function prime(candidate: (attempt: number) => Buffer): bigint {
  for (let attempt = 0; ; attempt += 1) {
    const bytes = candidate(attempt);
    bytes[0] = (bytes[0] as number) | 0xc0;
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 1;
    const found = BigInt(`0x${bytes.toString('hex')}`);
    if ((found - 1n) % exponent !== 0n && checkPrimeSync(found)) return found;
  }
}

/** The inverse of a number by a modulus, by Euclid's extended algorithm. */
function inverse(of: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [of % modulus, modulus, 1n, 0n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

/** A number as JWK writes it (RFC 7518 §2, Base64urlUInt). */
function text(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
