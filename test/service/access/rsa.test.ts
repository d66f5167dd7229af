import { createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rsaKey } from '../../../src/service/access/rsa.ts';

const keyOf = (secret: string) =>
  rsaKey((length, name) => Buffer.from(hkdfSync('sha256', secret, '', name, length)));
const numberOf = (text: string | undefined): bigint =>
  BigInt(`0x${Buffer.from(text ?? '', 'base64url').toString('hex')}`);

describe('a key of RSA that follows from a secret', () => {
  it('is the same for the same secret, and another for another', () => {
    const [one, same, other] = ['a', 'a', 'b'].map((secret) => keyOf(secret).export({ format: 'jwk' }).n);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('has 2048 bits, numbers that belong together, and signs', () => {
    const key = keyOf('a');
    const jwk = key.export({ format: 'jwk' });
    const [n, e, d, p, q] = [jwk.n, jwk.e, jwk.d, jwk.p, jwk.q].map(numberOf) as [
      ...[bigint, bigint, bigint, bigint, bigint],
    ];
    expect(n.toString(2)).toHaveLength(2048);
    expect([p * q, e, (e * d) % (p - 1n), (e * d) % (q - 1n)]).toEqual([n, 65_537n, 1n, 1n]);
    expect([numberOf(jwk.dp), numberOf(jwk.dq)]).toEqual([d % (p - 1n), d % (q - 1n)]);
    expect((numberOf(jwk.qi) * q) % p).toBe(1n);
    const content = Buffer.from('content');
    expect(verify('sha256', content, createPublicKey(key), sign('sha256', content, key))).toBe(true);
  });
});
