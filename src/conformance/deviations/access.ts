import type { Credential } from '../../semantics/access/credential.ts';
import { saidBy } from '../../semantics/access/token.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { equal } from '../../semantics/value/compare.ts';
import { isObject, seen, type Value } from '../../semantics/value/value.ts';
import { Ways } from '../../semantics/world/ways.ts';
import type { Issued, Stored, World } from '../../semantics/world/world.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { Credentials } from '../../specification/vocabulary/credentials.ts';
import type { Wanted } from '../../specification/vocabulary/rule.ts';
import { type Deviation, implementing, type Kind, keyOf, operationOf, stating } from './deviation.ts';

/** Credentials, and the schemes of rules, got wrong in ways that are no other value of a statement (language §5). */
export const access: Kind = (said, specification) => {
  if (said.kind !== 'stated') return [];
  if (keyOf(said) === 'by') return formerSecret(said, specification);
  const [, name = ''] = /^authentication\.schemes\.([^.]+)\.credentials\b/.exec(said.address) ?? [];
  if (name === '') return keyOf(said) === 'schemes' ? schemesOfRule(said, specification) : [];
  return (mistakes[keyOf(said)] ?? []).map(({ says, admit }) => ({
    said,
    says,
    operation: null,
    implementation: admitting(specification, name, admit),
  }));
};

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
  { specification }: World,
): Extract<Credentials, { kind: K }> | undefined {
  const said = stated(stated(stated(specification.authentication)?.schemes)?.get(scheme));
  return (said && stated(said.credentials)) as Extract<Credentials, { kind: K }> | undefined;
}

/** Scopes are not checked, or one credential will do where several are wanted together (language §5.5, rule 18). */
function schemesOfRule(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  if (said.kind !== 'stated' || !/^authentication\.(authorization|otherwise)\b/.test(said.address)) return [];
  const lists = said.value as readonly (readonly Wanted[])[];
  const deviation = (says: string, value: typeof lists): Deviation => ({
    said,
    says,
    operation: null,
    implementation: stating(specification, said, { ...said, value }),
  });
  const isScoped = lists.flat().some(({ scopes }) => scopes.length > 0);
  const areTogether = lists.some((list) => list.length > 1);
  return [
    ...(isScoped
      ? [
          deviation(
            'scopes are not checked',
            lists.map((list) => list.map((each) => ({ ...each, scopes: [] }))),
          ),
        ]
      : []),
    ...(areTogether
      ? [
          deviation(
            'one credential will do',
            lists.flatMap((list) => list.map((each) => [each])),
          ),
        ]
      : []),
  ];
}

/** Whoever gives a former value of a field is authenticated (language §H.2, rule 5). */
function formerSecret(said: Said<unknown>, specification: Specification): readonly Deviation[] {
  const operation = operationOf(said, specification);
  const { subject } = operation ?? {};
  const names = said.kind === 'stated' && said.value instanceof Map ? [...said.value.keys()] : [];
  const secret = names.find((name) => stated(subject?.fields.get(name)?.secret) !== undefined);
  if (!operation || !subject || secret === undefined) return [];
  const right = implementing(specification);
  const implementation = (): ReturnType<Deviation['implementation']> => (world, request) =>
    right(world, withPresent(request, subject.name, secret, world));
  return [{ said, says: `a former ${secret} is still good`, operation: operation.address, implementation }];
}

/** The request with what an item holds now, in place of what it held before. */
function withPresent(request: Request, resource: string, field: string, world: World): Request {
  const { content } = request;
  if (content === undefined || !isObject(content)) return request;
  const present = (value: Value): Value => {
    const before = world
      .earlier(resource)
      .find(({ members }) => equal(members.get(field) ?? null, value) === true);
    const now = before && world.items(resource).find(({ handle }) => handle === before.handle);
    return now?.members.get(field) ?? value;
  };
  return {
    ...request,
    content: Object.fromEntries(Object.entries(content).map(([name, value]) => [name, present(value)])),
  };
}
