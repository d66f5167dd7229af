import { compileTemplate, type Environment, type Frame, type Run } from '../../expression/compile.ts';
import { CannotWorkOut } from '../../expression/functions.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Algorithm, Credentials } from '../../specification/vocabulary/credentials.ts';
import { derivedKey, jwkOf, type SigningKey, signedToken, verifiedToken } from './jwt.ts';
import type { Claims } from './token.ts';

/** What a scheme's tokens are made of (language §5.2). */
export interface JwtForm {
  readonly algorithm: Algorithm;
  readonly lifeMs: number | null;
  readonly rotateMs: number | null;
  readonly claims: readonly (readonly [string, Run])[];
}

/** What the keys of all schemes follow from. */
export interface JwtSecret {
  readonly secret: Buffer;
  /** When it was made, in milliseconds: from then on keys take turns. */
  readonly madeMs: number;
}

/** What a good token says. */
export interface Told {
  readonly claims: Claims;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The tokens of a scheme. */
export interface Jwts {
  readonly issue: (claims: Claims, frame: Frame) => string;
  readonly read: (token: string, nowMs: number) => Told | null;
  /** The keys that tokens may be signed with that hold at this time. */
  readonly keys: (nowMs: number) => readonly Readonly<Record<string, unknown>>[];
}

/** Null where it is open how they are signed. */
export function jwtForm(credentials: Credentials, environment: Environment): JwtForm | null {
  if (credentials.kind !== 'issued' || stated(credentials.issued) !== 'jwt') return null;
  const algorithm = stated(credentials.algorithm);
  if (algorithm === undefined) return null;
  const claims = [...(stated(credentials.claims) ?? [])].flatMap(([name, said]) => {
    const placed = stated(said);
    return placed ? [[name, compileTemplate(placed.template, environment)] as const] : [];
  });
  const lifeMs = stated(credentials.life) ?? null;
  return { algorithm, lifeMs, rotateMs: stated(credentials.rotate) ?? null, claims };
}

/** @param secret what is kept, once it was read */
export function compileJwts(scheme: string, form: JwtForm, secret: () => JwtSecret): Jwts {
  const { algorithm, lifeMs, rotateMs, claims: further } = form;
  const known = new Map<number, SigningKey>();
  const keyOfTurn = (turn: number): SigningKey => {
    const key = known.get(turn) ?? derivedKey(secret().secret, algorithm, JSON.stringify([scheme, turn]));
    known.set(turn, key);
    return key;
  };
  const turnAt = (ms: number): number =>
    rotateMs === null ? 0 : Math.max(0, Math.floor((ms - secret().madeMs) / rotateMs));
  /** The turns whose tokens may still hold; times in a token are whole seconds. */
  const turnsAt = (nowMs: number): number[] => {
    const last = turnAt(nowMs);
    const first = lifeMs === null ? 0 : turnAt(nowMs - lifeMs - 1000);
    return Array.from({ length: last - first + 1 }, (_, index) => last - index);
  };
  /** The keys that may have signed a token of this time, in whole seconds: few are derived, however many there were. */
  const keysOf = (iat: number, nowMs: number): SigningKey[] => {
    const [first, last] = [turnAt(iat * 1000), turnAt((iat + 1) * 1000)];
    return turnsAt(nowMs)
      .filter((turn) => turn >= first && turn <= last)
      .map(keyOfTurn);
  };
  return {
    issue: ({ item: [resource, ...at], iat, exp, jti }, frame) => {
      const own = further.map(([name, run]) => [name, run(frame)] as const);
      const payload = {
        ...Object.fromEntries(own.filter(([, value]) => value !== undefined && value !== null)),
        sub: at.length === 1 ? String(at[0]) : JSON.stringify(at),
        iat: Math.floor(iat),
        ...(exp !== undefined && { exp: Math.ceil(exp) }),
        // Whose it is, and its times as exactly as the service keeps times.
        jti: Buffer.from(JSON.stringify([jti, iat, exp ?? null, resource, ...at])).toString('base64url'),
      };
      return signedToken(payload, keyOfTurn(turnAt(iat * 1000)), algorithm);
    },
    read: (token, nowMs) => {
      const payload = verifiedToken(token, algorithm, (kid, { iat }) =>
        keysOf(Number(iat), nowMs).find((one) => one.kid === kid),
      );
      if (payload === null) return null;
      const noted = JSON.parse(Buffer.from(String(payload['jti']), 'base64url').toString());
      const [jti, iat, exp, ...item] = noted as [string, number, number | null, string, ...string[]];
      return { claims: { aud: scheme, item, iat, ...(exp !== null && { exp }), jti }, payload };
    },
    keys: (nowMs) => {
      if (algorithm.startsWith('HS')) throw new CannotWorkOut('a secret key is for nobody else');
      return turnsAt(nowMs).map((turn) => jwkOf(keyOfTurn(turn), algorithm));
    },
  };
}
