import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { listening } from '../listening.ts';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** The keys by name and algorithm, each made once for all issuers: one of RSA takes long. */
const made = new Map<string, Promise<Pair>>();

function pairOf(kid: string, alg: string): Promise<Pair> {
  const name = `${kid} ${alg}`;
  const pair = made.get(name) ?? generateKeyPair(alg, { extractable: true });
  made.set(name, pair);
  return pair;
}

/** An issuer of tokens on this machine. */
export interface Issuing {
  readonly url: string;
  /** Signs with the key of this name, and publishes it. */
  readonly key: (kid: string, alg?: string) => Promise<Pair>;
  /** Takes a key back. */
  readonly drop: (kid: string) => void;
  /** How often the keys were asked for. */
  readonly asked: () => number;
  /** Answers the next requests so; null: as ever. */
  fault: ((response: ServerResponse, path: string) => void) | null;
}

/** OpenID Connect Discovery 1.0 §4; RFC 8414 §3. */
const metadata = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];

export async function issuer(): Promise<Issuing> {
  const published = new Map<string, object>();
  let asked = 0;
  const server = createServer((request, response) => {
    if (issuing.fault && request.url !== '/keys') return issuing.fault(response, request.url ?? '');
    const json = (value: object): void =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/keys') {
      asked += 1;
      return json({ keys: [...published.values()] });
    }
    if (metadata.includes(request.url ?? ''))
      return json({ issuer: issuing.url, jwks_uri: `${issuing.url}/keys` });
    response.writeHead(404).end();
  });
  const { url, close } = await listening(server);
  onTestFinished(close);
  const issuing: Issuing = {
    url,
    fault: null,
    asked: () => asked,
    drop: (kid) => void published.delete(kid),
    key: async (kid, alg = 'RS256') => {
      const pair = await pairOf(kid, alg);
      published.set(kid, { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' });
      return pair;
    },
  };
  return issuing;
}

/** A token as it should be, but for what is given. */
export function token(
  pair: Pick<Pair, 'privateKey'> | { readonly privateKey: Uint8Array },
  header: { readonly alg?: string; readonly kid?: string; readonly [name: string]: unknown },
  claims: JWTPayload,
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', ...header })
    .sign(pair.privateKey as Pair['privateKey'], { crit: { odd: true } } as object);
}
