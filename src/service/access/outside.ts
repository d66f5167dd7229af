import { createHash, timingSafeEqual } from 'node:crypto';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { compileVerifier, type Verify } from './verifier.ts';

/** Credentials that the operator gives: by scheme, then by the name of who has it (language §5.2). */
export type GivenCredentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** How credentials are checked that this service neither issues nor keeps. */
export interface Outside {
  /** By scheme: the name for a secret that the operator gave; null: it is none of them. */
  readonly operators: ReadonlyMap<string, (secret: string) => string | null>;
  /** By scheme: what a token of somebody else's says. */
  readonly verifiers: ReadonlyMap<string, Verify>;
}

/** A scheme lacks what the operator has to give, or is given what it has no use for: the message says which. */
export class CredentialsRefused extends Error {}

/** @throws CredentialsRefused */
export function compileOutside(
  of: Specification,
  given: GivenCredentials,
  milliseconds: () => number,
): Outside {
  const operators = new Map<string, (secret: string) => string | null>();
  const verifiers = new Map<string, Verify>();
  const wanted = new Set<string>();
  for (const [name, said] of stated(stated(of.authentication)?.schemes) ?? []) {
    const scheme = stated(said);
    const own = Object.hasOwn(given, name) ? (given[name] ?? {}) : {};
    if (scheme === undefined || !isGiven(scheme)) {
      if (scheme) addVerifier(name, scheme);
      continue;
    }
    wanted.add(name);
    if (Object.keys(own).length === 0)
      throw new CredentialsRefused(
        `the credentials of ${name} are the operator's to give: --credentials FILE, or TACET_CREDENTIALS, with {"${name}": {"NAME": "SECRET"}}`,
      );
    if (stated(scheme.credentials)?.kind === 'operator') operators.set(name, namesOf(own));
    else addVerifier(name, scheme, Object.values(own));
  }
  const idle = Object.keys(given).find((name) => !wanted.has(name));
  if (idle !== undefined)
    throw new CredentialsRefused(`${idle} is no scheme whose credentials are the operator's to give`);
  return { operators, verifiers };

  function addVerifier(name: string, scheme: Scheme, secrets: readonly string[] = []): void {
    const verify = compileVerifier(scheme, secrets, milliseconds);
    if (verify) verifiers.set(name, verify);
  }
}

/** Whether the operator gives what credentials are checked with: themselves, or the key of an HMAC. */
function isGiven(scheme: Scheme): boolean {
  const credentials = stated(scheme.credentials);
  if (credentials?.kind === 'operator') return true;
  const algorithms = (credentials?.kind === 'foreign' && stated(credentials.algorithms)) || [];
  return algorithms.some((one) => one.startsWith('HS'));
}

/** Each is compared with all, in the same time wherever they differ. */
function namesOf(secrets: Readonly<Record<string, string>>): (secret: string) => string | null {
  const digests = Object.entries(secrets).map(([name, secret]) => [name, digestOf(secret)] as const);
  return (secret) => {
    const digest = digestOf(secret);
    let found: string | null = null;
    for (const [name, one] of digests) if (timingSafeEqual(one, digest)) found = name;
    return found;
  };
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
