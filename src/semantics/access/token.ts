import type { Json } from '../../source/node.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Credentials } from '../../specification/vocabulary/credentials.ts';

export type Claims = Readonly<Record<string, Json>>;

/** What a JSON Web Token says, whoever signed it (RFC 7519). */
export interface Said {
  readonly algorithm: Json | undefined;
  readonly claims: Claims;
}

/** Null: the text is no token. */
export function saidBy(text: string): Said | null {
  const [head, claims, signature, ...more] = text
    .split('.')
    .map((part, place) => (place < 2 ? objectIn(part) : part));
  if (!isClaims(head) || !isClaims(claims) || signature === undefined || more.length > 0) return null;
  return { algorithm: head['alg'], claims };
}

function isClaims(part: Claims | string | null | undefined): part is Claims {
  return typeof part === 'object' && part !== null;
}

function objectIn(part: string): Claims | null {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

/** Whether what a token of somebody else says is as stated (language §5.2, rule 10). Its signature, and its times, are left out. */
export function isAsStated(
  { algorithm, claims }: Said,
  credentials: Extract<Credentials, { kind: 'foreign' }>,
): boolean {
  const [issuer, audience, algorithms] = [
    stated(credentials.issuer),
    stated(credentials.audience),
    stated(credentials.algorithms),
  ];
  const given = [claims['aud'] ?? []].flat();
  return (
    claims['iss'] === issuer &&
    given.some((each) => audience?.some((name) => name === each)) &&
    algorithms?.some((name) => name === algorithm) === true &&
    typeof claims['exp'] === 'number'
  );
}
