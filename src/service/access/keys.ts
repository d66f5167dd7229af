import type { JWTVerifyGetKey } from 'jose';
import { isLoopback } from './exposable.ts';

/** The keys that an issuer signs with. */
export interface Keys {
  /** Tries them; where a token does not name its key, each that fits it. */
  readonly tried: <T>(use: (key: JWTVerifyGetKey) => Promise<T>) => Promise<T>;
}

/** How keys are fetched: seldom, and never much, whatever tokens ask for. */
const bounds = { bytes: 256 * 1024, timeoutMs: 5000, cooldownMs: 30_000, keptMs: 600_000 } as const;

/**
 * Keys are found by the issuer's metadata (OpenID Connect Discovery 1.0 §4, RFC 8414 §3), kept, and fetched anew for a
 * key that is not among them, though not more often than twice a minute.
 *
 * @param stated where the metadata is, where that is stated
 */
export function keysOf(issuer: string, stated: string | undefined, milliseconds: () => number): Keys {
  let known: Promise<JWTVerifyGetKey> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  const find = async (): Promise<JWTVerifyGetKey> => {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const uri = await jwksUri(issuer, stated === undefined ? placesOf(issuer) : [stated]);
    return createRemoteJWKSet(allowed(uri), {
      timeoutDuration: bounds.timeoutMs,
      cooldownDuration: bounds.cooldownMs,
      cacheMaxAge: bounds.keptMs,
      [customFetch]: (url: string) => fetched(url),
    });
  };
  const keys = async (): Promise<JWTVerifyGetKey> => {
    if (milliseconds() - failedAt < bounds.cooldownMs) throw failure;
    known ??= find();
    try {
      return await known;
    } catch (error) {
      known = null;
      failedAt = milliseconds();
      failure = error;
      throw error;
    }
  };
  return {
    tried: async (use) => {
      const { errors } = await import('jose');
      try {
        return await use(await keys());
      } catch (error) {
        if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
        for await (const key of error)
          try {
            return await use(() => Promise.resolve(key));
          } catch (other) {
            if (!(other instanceof errors.JWSSignatureVerificationFailed)) throw other;
          }
        throw new errors.JWSSignatureVerificationFailed();
      }
    },
  };
}

/** Where an issuer's metadata may be: beneath its address, or with the well-known part before its path. */
function placesOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

async function jwksUri(issuer: string, places: readonly string[]): Promise<string> {
  let response: Response | undefined;
  for (const place of places) {
    response = await fetched(allowed(place).href);
    if (response.status === 200) break;
  }
  if (response?.status !== 200) throw new Error(`the metadata of ${issuer} is not to be had`);
  const metadata = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  // It is the issuer's own where it says so (RFC 8414 §3.3).
  if (metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string')
    throw new Error(`the metadata that was found is not that of ${issuer}`);
  return metadata.jwks_uri;
}

/** Keys come over TLS, but from this machine itself. */
function allowed(address: string): URL {
  const url = new URL(address);
  if (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
  )
    return url;
  throw new Error(`${url.origin} is not reached over TLS`);
}

/** What is found at an address, whole; redirections are not followed. */
async function fetched(url: string): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(bounds.timeoutMs),
  });
  let size = 0;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bounds.bytes) throw new Error(`${url} holds more than ${bounds.bytes} bytes`);
    chunks.push(chunk);
  }
  const isBare = [101, 204, 205, 304].includes(response.status);
  return new Response(isBare ? null : Buffer.concat(chunks), {
    status: response.status,
    headers: response.headers,
  });
}
