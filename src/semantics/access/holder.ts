import { fold } from '../../expression/fold.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Credentials } from '../../specification/vocabulary/credentials.ts';
import type { Field } from '../../specification/vocabulary/parts/resources.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { uniqueSets } from '../change/unique.ts';
import { equal } from '../value/compare.ts';
import type { Truth } from '../value/truth.ts';
import { type Item, type Members, seen, Token, Unknown, unknown, type Value } from '../value/value.ts';
import { shownAt, sometime } from '../world/received.ts';
import type { Stored } from '../world/stored.ts';
import { itemOf, type World } from '../world/world.ts';
import { type Credential, isBasic } from './credential.ts';
import { isAsStated, type Said, saidBy } from './token.ts';

/** Whose a credential is (language §5.2). */
export interface Holder {
  /** The item that holds it, or for which it was issued; null: it belongs to no item. */
  readonly item: Item | null;
  /** The operator's name for it, or the `sub` of a token; null: it has none. */
  readonly subject: Value;
  /** What a token says; null: it is no token. */
  readonly claims: Members | null;
}

type Kind<K extends Credentials['kind']> = Extract<Credentials, { kind: K }>;

/** Null: the credential is not good. */
export function holderOf(credential: Credential, scheme: Scheme, world: World): Holder | null {
  const said = stated(scheme.credentials);
  switch (said?.kind) {
    case 'operator':
      return ofOperator(credential, scheme, world);
    case 'kept':
      return ofKept(credential, said, scheme, world);
    case 'issued':
      return ofIssued(credential, said, world);
    case 'foreign':
      return ofForeign(credential, said, world);
    case undefined:
      // Any credential names its client (language §5.2).
      if (scheme.credentials.kind === 'any') return { item: null, subject: credential.value, claims: null };
      return world.leave(new Unknown(new Set([scheme.credentials.address])));
  }
}

/** Nobody knows a secret of the operator but those that were given. */
function ofOperator(credential: Credential, scheme: Scheme, world: World): Holder | null {
  const found = world.operators.find(({ scheme: of, name, secret }) => {
    if (of !== credential.scheme) return false;
    if (!isBasic(scheme)) return secret === seen(credential.value);
    return name === seen(credential.value) && secret === seen(credential.password ?? null);
  });
  if (found === undefined) return credential.isMadeUp ? null : world.leave(unknown([]));
  return { item: null, subject: found.name, claims: null };
}

/** A token of somebody else. Nobody but its issuer can sign one, so only those that were given are known to be signed. */
function ofForeign(credential: Credential, said: Kind<'foreign'>, world: World): Holder | null {
  const open = [said.issuer, said.audience, said.algorithms].find(
    (point) => stated(point as never) === undefined,
  );
  if (open) return world.leave(new Unknown(new Set([open.address])));
  const text = seen(credential.value);
  const token = typeof text === 'string' ? saidBy(text) : null;
  if (token === null || credential.isMadeUp || !isAsStated(token, said)) return null;
  const isGiven = world.operators.some(
    ({ scheme, secret }) => scheme === credential.scheme && secret === text,
  );
  if (!isGiven && isInTime(token, world) !== false) return world.leave(unknown([]));
  if (!world.decide(isInTime(token, world))) return null;
  return { item: null, subject: token.claims['sub'] ?? null, claims: token.claims };
}

/** How far the clock of an issuer may be off (language §5.2, rule 10). */
const toleranceMs = 60_000;

/** Whether a token holds by its times. What the operator gives holds, as long as nobody knows the time. */
function isInTime({ claims: { exp, nbf } }: Said, { received }: World): Truth {
  if (received === sometime) return true;
  const { taken } = shownAt(received.at, received);
  const endMs = Number(exp) * 1000 + toleranceMs;
  const beginMs = nbf === undefined ? Number.NEGATIVE_INFINITY : Number(nbf) * 1000 - toleranceMs;
  if (taken.least > endMs || taken.most < beginMs) return false;
  return taken.most < endMs - toleranceMs && taken.least > beginMs + toleranceMs ? true : unknown([]);
}

function ofIssued(
  { scheme, value, isMadeUp = false }: Credential,
  { issued, algorithm, life }: Kind<'issued'>,
  world: World,
): Holder | null {
  const kind = stated(issued);
  const open =
    kind === undefined ? issued : kind === 'jwt' && stated(algorithm) === undefined ? algorithm : null;
  if (open) return world.leave(new Unknown(new Set([open.address])));
  const all = world.issued(scheme, value);
  const found = all.find(({ token }) => world.decide(equal(token, value)));
  if (found === undefined) {
    const mayBeGood = world.isShared || all.some(({ token }) => token.bound === undefined);
    return mayBeGood && !isMadeUp && !world.isOurs(value) ? world.leave(unknown([])) : null;
  }
  // It ends with its item.
  world.finds(found.item);
  const lifeMs = stated(life);
  if (lifeMs !== undefined && world.decide(world.hasPassed(found.at, lifeMs))) return null;
  const claims = found.token instanceof Token ? found.token.claims : null;
  return { item: found.item, subject: claims?.['sub'] ?? null, claims };
}

/** The item whose field is the credential, if no other item has it; for `basic`, with the password. */
function ofKept(credential: Credential, { kept }: Kind<'kept'>, scheme: Scheme, world: World): Holder | null {
  const [name, password] = stated(kept) ?? [];
  const resource = name && world.specification.resourcesByName.get(name.resource);
  const field = resource?.fields.get(name?.field ?? '');
  if (!name || !resource || !field || (password && !isBasic(scheme))) return world.leave(unknown([]));
  const found = withValue(field, credential.value, world, credential.isMadeUp);
  if (found.length > 1) return password ? world.leave(unknown([])) : null;
  const [stored] = found;
  if (stored === undefined) return null;
  // What several items have is nobody's, and others may give it to one of theirs.
  const isUnique = uniqueSets(resource).some(
    ({ fields: [first, ...more] }) => first === name.field && !more.length,
  );
  if (!isUnique && world.decide(world.mayBeTheirs([credential.value])))
    return password ? world.leave(unknown([])) : null;
  const isRight = password
    ? equal(stored.members.get(password.field) ?? null, credential.password ?? null)
    : // There is no password, so it is not said what comes of one (rule 7).
      (credential.password ?? '') === '' || unknown([]);
  return world.decide(isRight) ? { item: itemOf(stored, resource), subject: null, claims: null } : null;
}

/** The items with this text in a field. Others' items are unknown, unless nobody else can know the text. */
export function withValue(field: Field, value: Value, world: World, isMadeUp = false): readonly Stored[] {
  const held = ({ members }: Stored): Value => members.get(field.name) ?? null;
  const items = world.items(field.resource).filter((stored) => held(stored) !== null);
  const sure = items.filter((stored) => equal(held(stored), value) === true);
  if (sure.length > 0) return sure;
  const maybe = items.find((stored) => world.decide(equal(held(stored), value)));
  if (maybe) return [maybe];
  // Whether a name is read in any case, or a number as its text, is not said.
  const isUnsure = items.some((stored) => isNearly(held(stored), value));
  const isTheirs = !isMadeUp && world.mayBeTheirs([value]) !== false;
  return isUnsure || isTheirs ? world.leave(unknown([])) : [];
}

function isNearly(held: Value, given: Value): boolean {
  const [one, other] = [seen(held), seen(given)];
  const isText = ['string', 'number'].includes(typeof one) && typeof other === 'string';
  return isText && fold(String(one)) === fold(other);
}
