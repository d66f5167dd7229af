import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { NotRead } from '../store/store.ts';
import { type Keys, keysOf } from './keys.ts';

/**
 * What a token says that somebody else signed (RFC 7519); null: it is not good.
 *
 * @throws NotRead where the keys of the issuer cannot be had
 */
export type Verify = (token: string) => Promise<JWTPayload | null>;

/** How far the clock of an issuer may be off, in seconds (RFC 7519 §4.1.4; language §5.2). */
const leewaySeconds = 60;

/** What is wrong with a token, as jose names it; anything else is wrong with the keys. */
const tokenFaults = [
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWS_INVALID',
  'ERR_JWT_INVALID',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
];

/**
 * Null where it is open who issues the tokens, for whom, or how they are signed.
 *
 * @param secrets the keys of an HMAC
 */
export function compileVerifier(
  { credentials: said, openIdConnectUrl, oauth2MetadataUrl }: Scheme,
  secrets: readonly string[],
  milliseconds: () => number,
): Verify | null {
  const credentials = stated(said);
  if (credentials?.kind !== 'foreign') return null;
  const issuer = stated(credentials.issuer);
  const audience = stated(credentials.audience);
  const algorithms = stated(credentials.algorithms);
  if (issuer === undefined || audience === undefined || algorithms === undefined) return null;
  const remote = keysOf(issuer, stated(openIdConnectUrl) ?? stated(oauth2MetadataUrl), milliseconds);
  const hmac = secrets.map((secret) => new TextEncoder().encode(secret));
  const options = {
    issuer,
    audience: [...audience],
    algorithms: [...algorithms],
    clockTolerance: leewaySeconds,
    requiredClaims: ['exp'],
  };
  return async (token) => {
    const { jwtVerify, decodeProtectedHeader } = await import('jose');
    const verified = async (key: Uint8Array | JWTVerifyGetKey): Promise<JWTPayload | null> => {
      const at = { ...options, currentDate: new Date(milliseconds()) };
      // The two forms of a key are two signatures of one function.
      const { payload } = await (key instanceof Uint8Array
        ? jwtVerify(token, key, at)
        : jwtVerify(token, key, at));
      return areFinite(payload) ? payload : null;
    };
    let alg: string;
    try {
      alg = decodeProtectedHeader(token).alg ?? '';
    } catch {
      return null;
    }
    // Which keys a signature is held against hangs on what is stated, and never on the token alone (RFC 8725 §3.1).
    if (!algorithms.some((one) => one === alg)) return null;
    const keys: readonly (Uint8Array | Keys)[] = alg.startsWith('HS') ? hmac : [remote];
    for (const key of keys) {
      try {
        return await (key instanceof Uint8Array ? verified(key) : key.tried(verified));
      } catch (error) {
        if (!isTokenFault(error)) throw new NotRead(`the keys of ${issuer} cannot be had`, { cause: error });
      }
    }
    return null;
  };
}

/** Whether each number among the claims is one: JSON's `1e400` is read as an infinite time (RFC 7519 §2, NumericDate). */
function areFinite(claims: JWTPayload): boolean {
  return Object.values(claims).every((one) => typeof one !== 'number' || Number.isFinite(one));
}

function isTokenFault(error: unknown): boolean {
  return tokenFaults.includes((error as { readonly code?: string }).code ?? '');
}
