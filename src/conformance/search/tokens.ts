import { acceptedBy } from '../../semantics/access/accepted.ts';
import type { OperatorCredential } from '../../semantics/world/world.ts';
import type { Json } from '../../source/node.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Credentials } from '../../specification/vocabulary/credentials.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';

type Claims = Readonly<Record<string, Json>>;

/**
 * Tokens of a simulated issuer: a good one with all scopes, one without scopes, one for another, and one of another issuer
 * (language §5.2, rule 10). Nobody signed them.
 */
export function tokensOf(
  scheme: string,
  of: Scheme,
  credentials: Extract<Credentials, { kind: 'foreign' }>,
  specification: Specification,
): OperatorCredential[] {
  const [iss, [aud] = [], [alg] = []] = [
    stated(credentials.issuer),
    stated(credentials.audience),
    stated(credentials.algorithms),
  ];
  if (iss === undefined || aud === undefined || alg === undefined) return [];
  const scopes = scopesOf(scheme, specification);
  // As authorization servers write them: a text (RFC 8693 §4.2), or a list.
  const granting = { scope: scopes.join(' '), scopes };
  const good = { iss, aud, sub: subjectOf(of, specification), exp: endless, ...granting };
  const all: readonly Claims[] = [
    good,
    { ...good, scope: '', scopes: [] },
    { ...good, aud: `other-than-${aud}` },
    { ...good, iss: `${iss}/other` },
  ];
  return all.map((claims, place) => ({
    scheme,
    name: `${place}`,
    secret: written({ alg, typ: 'JWT' }, claims),
  }));
}

/** In the year 2128. */
const endless = 5_000_000_000;

function written(head: Claims, claims: Claims): string {
  const [one, other] = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${one}.${other}.unsigned`;
}

function scopesOf(scheme: string, specification: Specification): string[] {
  const all = specification.operations.flatMap((operation) => acceptedBy(operation, specification).flat());
  return [...new Set(all.filter((each) => each.scheme === scheme).flatMap(({ scopes }) => scopes))];
}

/** The key of an item that is there from the start, if the scheme knows its senders by a field. */
function subjectOf({ actor }: Scheme, { resourcesByName }: Specification): Json {
  const said = stated(actor);
  const resource = said?.kind === 'field' ? resourcesByName.get(said.resource) : undefined;
  const [first] = (resource && stated(resource.items)) ?? [];
  const value = said?.kind === 'field' ? first?.members.get(said.field)?.value : undefined;
  return typeof value === 'string' ? value : 'somebody';
}
