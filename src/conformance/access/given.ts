import type { OperatorCredential } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';

/** Credentials that are given from outside: by scheme, secrets by the names of who has them. */
export type GivenCredentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The same, as a world has them. */
export function operatorsOf(given: GivenCredentials): readonly OperatorCredential[] {
  return Object.entries(given).flatMap(([scheme, secrets]) =>
    Object.entries(secrets).map(([name, secret]) => ({ scheme, name, secret })),
  );
}

/** What of the credentials that are given stands in requests, by a name that tells nothing of it. */
export function secretsIn(
  { authentication }: Specification,
  given: GivenCredentials,
): readonly (readonly [string, string])[] {
  const schemes = stated(stated(authentication)?.schemes);
  return operatorsOf(given).flatMap(({ scheme: by, name, secret }) => {
    const scheme = stated(schemes?.get(by));
    const carried = scheme ? asCarried(scheme, name, secret) : secret;
    const called = `credentials.${by}.${name}`;
    const coded = carried === secret ? [] : [[`{encoded ${called}}`, carried] as const];
    return [...coded, [`{${called}}`, secret] as const];
  });
}

/** A secret as it stands in a request: for `basic` with its name. */
export function asCarried({ scheme }: Scheme, name: string, secret: string): string {
  const isBasic = stated(scheme)?.toLowerCase() === 'basic';
  return isBasic ? Buffer.from(`${name}:${secret}`).toString('base64') : secret;
}
