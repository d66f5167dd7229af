import type { Credential } from '../../../semantics/access/credential.ts';
import { saidBy } from '../../../semantics/access/token.ts';
import { equal } from '../../../semantics/value/compare.ts';
import { seen, type Value } from '../../../semantics/value/value.ts';
import type { Stored } from '../../../semantics/world/stored.ts';
import { Ways } from '../../../semantics/world/ways.ts';
import type { Issued, World } from '../../../semantics/world/world.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { stated } from '../../../specification/reading/said.ts';
import type { Credentials } from '../../../specification/vocabulary/credentials.ts';
import { type Deviation, type Implementation, implementing, type Kind, wrapping } from '../deviation.ts';

/** Credentials got wrong in ways that are no other value of a statement (language §5.1 to §5.3). */
export const access: Kind = (said, specification) => {
  if (said.kind !== 'stated') return [];
  const [, name = '', key = ''] =
    /^authentication\.schemes\.([^.]+)(?:\..*?)?([^.]*)$/.exec(said.address) ?? [];
  if (name === '') return [];
  if (key === '' || places.includes(key))
    return [
      wrapping(said, specification, 'credentials are not looked for there', (right) => (world, request) => {
        const credentials = request.credentials.filter(({ scheme }) => scheme !== name);
        return right(world, { ...request, credentials });
      }),
    ];
  if (key === 'life') {
    // A token that can be read says itself when it ends.
    const issued = credentialsOf<'issued'>(name, { specification })?.issued;
    if (!issued || stated(issued) !== 'opaque') return [];
    return [wrapping(said, specification, 'each use makes it begin again', (right) => renewed(right, name))];
  }
  const schemes = stated(stated(specification.authentication)?.schemes)?.size ?? 0;
  const known = (mistakes[key] ?? []).filter(({ admit }) => admit !== ofAnother || schemes > 1);
  return known.map(({ says, admit }) => ({
    said,
    says,
    operation: null,
    implementation: admitting(specification, name, admit),
  }));
};

/** Keys that say where a credential is, and how it is written there. */
const places: readonly string[] = ['in', 'name', 'scheme', 'prefix'];

/** The life of a credential that was issued begins again with each request that is let in by it. */
function renewed(right: Implementation, scheme: string): Implementation {
  return (world, request) =>
    right(world, request).map((step) => {
      const { status } = step.prediction;
      const isLetIn = Array.isArray(status) && !status.includes(401);
      if (!isLetIn || !step.world) return step;
      const used = step.world
        .issued(scheme)
        .filter((issued) => request.credentials.some((credential) => isToken(issued, credential)));
      if (used.length === 0) return step;
      const next = step.world.fork(new Ways());
      for (const issued of used) {
        next.revoke(scheme, issued.token);
        next.issue({ ...issued, at: next.now() });
      }
      return { ...step, world: next };
    });
}

/** The credential that is good in place of one that came; null: none. It may change the world, which is a copy. */
type Admit = (credential: Credential, world: World) => Credential | null;

interface Mistake {
  readonly says: string;
  readonly admit: Admit;
}

/** An implementation that takes one credential of a scheme for another. */
function admitting(specification: Specification, scheme: string, admit: Admit): Deviation['implementation'] {
  return () => {
    const right = implementing(specification);
    return (world, request) => {
      const own = world.fork(new Ways());
      let isAdmitted = false;
      const credentials = request.credentials.map((credential) => {
        const good = credential.scheme === scheme ? admit(credential, own) : null;
        isAdmitted ||= good !== null;
        return good ?? credential;
      });
      return isAdmitted ? right(own, { ...request, credentials }) : right(world, request);
    };
  };
}

/** The credentials of a scheme that are good, those of the oldest items first. */
function goodOnes(scheme: string, world: World): readonly Credential[] {
  const kept = credentialsOf<'kept'>(scheme, world)?.kept;
  const [name, secret] = (kept && stated(kept)) ?? [];
  const held = (name ? world.items(name.resource) : []).flatMap(({ members }): Credential[] => {
    const [value, password] = [name, secret].map((at) => (at ? members.get(at.field) : undefined));
    if (value === undefined || (secret && password === undefined)) return [];
    return [{ scheme, value, ...(password !== undefined && { password }) }];
  });
  return [...held, ...world.issued(scheme).map(({ token }) => ({ scheme, value: token }))];
}

function isGood({ value }: Credential, good: readonly Credential[]): boolean {
  return good.some((each) => equal(each.value, value) === true);
}

/** Any credential is good, and is taken for that of the first account. */
const unchecked: Admit = (credential, world) => {
  const good = goodOnes(credential.scheme, world);
  if (isGood(credential, good)) return null;
  const [own] = world.operators.filter(({ scheme }) => scheme === credential.scheme);
  return good[0] ?? (own ? { ...credential, value: own.secret, isMadeUp: false } : null);
};

/** Whoever has a good credential is taken for the first account. */
const ofTheFirst: Admit = (credential, world) => {
  const good = goodOnes(credential.scheme, world);
  return isGood(credential, good) ? (good[0] ?? null) : null;
};

/** A value that an item held before is still good. */
const former: Admit = ({ scheme, value, password, ...others }, world) => {
  const kept = credentialsOf<'kept'>(scheme, world)?.kept;
  const [name, secret] = (kept && stated(kept)) ?? [];
  if (name === undefined) return null;
  const held = ({ members }: Stored, field: string): Value => members.get(field) ?? null;
  const is = (stored: Stored): boolean =>
    equal(held(stored, name.field), value) === true &&
    (!secret || equal(held(stored, secret.field), password ?? null) === true);
  const before = world.earlier(name.resource).find(is);
  const now = before && world.items(name.resource).find(({ handle }) => handle === before.handle);
  if (!now || is(now)) return null;
  const good = { ...others, scheme, value: held(now, name.field), isMadeUp: false };
  return secret ? { ...good, password: held(now, secret.field) } : good;
};

/** A credential that was revoked is still good. */
const revoked: Admit = (credential, world) => {
  const found = world.ended(credential.scheme).find((issued) => isToken(issued, credential));
  if (found === undefined || !world.stored(found.item)) return null;
  world.issue(found);
  return credential;
};

/** One that was issued for another scheme is good. */
const ofAnother: Admit = (credential, world) => {
  const schemes = [...(stated(stated(world.specification.authentication)?.schemes)?.keys() ?? [])];
  const others = schemes.filter((name) => name !== credential.scheme);
  const found = others.flatMap((name) => world.issued(name)).find((issued) => isToken(issued, credential));
  if (found === undefined) return null;
  world.issue({ ...found, scheme: credential.scheme });
  return credential;
};

/** A token that was changed behind its claims is good: nobody looks at its signature. */
const unsigned: Admit = (credential, world) => {
  const text = String(seen(credential.value));
  const tokens = [
    ...world.issued(credential.scheme).map(({ token }) => seen(token)),
    ...world.operators.filter(({ scheme }) => scheme === credential.scheme).map(({ secret }) => secret),
  ];
  const said = (token: Value): string => String(token).split('.').slice(0, 2).join('.');
  const found = tokens.find((token) => token !== text && saidBy(text) && said(token) === said(text));
  return found === undefined ? null : { ...credential, value: found, isMadeUp: false };
};

/** A token of somebody else is good, whatever it says in a claim. */
function claiming(claim: 'aud' | 'iss', point: 'audience' | 'issuer'): Admit {
  return (credential, world) => {
    const own = world.operators.find(
      ({ scheme, secret }) => scheme === credential.scheme && secret === seen(credential.value),
    );
    const token = own && saidBy(own.secret);
    const said = credentialsOf<'foreign'>(credential.scheme, world);
    const [value] = [said ? stated<string | readonly string[]>(said[point]) : undefined].flat();
    if (!own || !token || value === undefined) return null;
    const claims = Buffer.from(JSON.stringify({ ...token.claims, [claim]: value })).toString('base64url');
    const secret = own.secret.replace(/\.[^.]*\./, `.${claims}.`);
    world.operators = [...world.operators, { ...own, secret }];
    return { ...credential, value: secret };
  };
}

/** By the key of the statement. */
const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  credentials: [{ says: 'credentials are not checked', admit: unchecked }],
  actor: [{ says: 'whoever is authenticated is taken for the first account', admit: ofTheFirst }],
  kept: [{ says: 'a former value is still good', admit: former }],
  issued: [
    { says: 'a credential is still good after it is revoked', admit: revoked },
    { says: 'a credential of another scheme is good', admit: ofAnother },
  ],
  algorithm: [{ says: 'the signature is not checked', admit: unsigned }],
  algorithms: [{ says: 'the signature is not checked', admit: unsigned }],
  audience: [{ says: 'a token for another is good', admit: claiming('aud', 'audience') }],
  issuer: [{ says: 'a token of another issuer is good', admit: claiming('iss', 'issuer') }],
};

function isToken({ token }: Issued, { value }: Credential): boolean {
  return equal(token, value) === true;
}

function credentialsOf<K extends Credentials['kind']>(
  scheme: string,
  { specification }: Pick<World, 'specification'>,
): Extract<Credentials, { kind: K }> | undefined {
  const said = stated(stated(stated(specification.authentication)?.schemes)?.get(scheme));
  return (said && stated(said.credentials)) as Extract<Credentials, { kind: K }> | undefined;
}
