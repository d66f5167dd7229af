import { createHmac } from 'node:crypto';
import type { OperatorCredential } from '../../src/semantics/world/world.ts';
import type { Json } from '../../src/source/node.ts';
import { stated } from '../../src/specification/reading/said.ts';
import type { Credentials } from '../../src/specification/vocabulary/credentials.ts';

type Claims = Readonly<Record<string, Json>>;

/** The key by which an issuer of tests signs. */
export const issuersKey = 'a key of sixty-four characters that an issuer and this service know.';

/** A token that somebody else signed (RFC 7519), with HS256. */
export function signed(claims: Claims, key = issuersKey, alg = 'HS256'): string {
  const parts = [{ alg, typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const content = parts.join('.');
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

/** Tokens for a scheme, each by a name: good ones of the person `ada`, one of a person who is not there, and wrong ones. */
export function tokensFor(
  scheme: string,
  credentials: Extract<Credentials, { kind: 'foreign' }>,
): OperatorCredential[] {
  const [iss = '', [aud = ''] = []] = [stated(credentials.issuer), stated(credentials.audience)];
  const now = Math.floor(Date.now() / 1000);
  const good = { iss, aud, sub: 'ada', exp: now + 7200, scope: 'reports pages' };
  const { exp: _, ...endless } = good;
  const all: Readonly<Record<string, Claims>> = {
    good,
    'of few scopes': { ...good, scope: 'pages' },
    'for several': { ...good, aud: ['elsewhere', aud] },
    'of nobody': { ...good, sub: 'nobody' },
    'for another': { ...good, aud: 'elsewhere' },
    'of another issuer': { ...good, iss: `${iss}/other` },
    expired: { ...good, exp: now - 7200 },
    early: { ...good, nbf: now + 7200 },
    endless,
  };
  return Object.entries(all).map(([name, claims]) => ({ scheme, name, secret: signed(claims) }));
}
