import { acceptedBy } from '../../semantics/access/accepted.ts';
import { type Credential, isBasic, placeOf, schemeNamed } from '../../semantics/access/credential.ts';
import { isAboutItem, letsIn, ruleFor } from '../../semantics/access/rule.ts';
import { isKnown, senderOf } from '../../semantics/access/sender.ts';
import { begun } from '../../semantics/request/begin.ts';
import type { Request } from '../../semantics/request/prediction.ts';
import { type Item, seen, Unknown, unknown, type Value } from '../../semantics/value/value.ts';
import { Moment } from '../../semantics/world/moment.ts';
import type { Stored } from '../../semantics/world/stored.ts';
import { Undetermined, Ways } from '../../semantics/world/ways.ts';
import { type Issued, itemOf, type World } from '../../semantics/world/world.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { memberOf, type Pool } from './pool.ts';

/** The items that a request is about. */
export interface Items {
  readonly subject: Stored | undefined;
  /** Those that the path binds, by the name that they have in expressions. */
  readonly bound: ReadonlyMap<string, Stored>;
}

/** How many senders are looked at for one whom the rule lets in. */
const tries = 20;

/**
 * The credentials of a request: mostly of somebody whom the rule lets in, for the item. Everybody has a turn: accounts, the
 * operator, and whoever has a token of somebody else.
 */
export function usualCredentials(
  operation: Operation,
  { subject, bound }: Items,
  world: World,
  pool: Pool,
): readonly Credential[] {
  const item = subject && operation.subject ? itemOf(subject, operation.subject) : null;
  const names = Object.fromEntries(
    [...bound].flatMap(([name, stored]): [string, Value][] => {
      const resource = world.specification.resourcesByName.get(stored.resource);
      return resource ? [[name, itemOf(stored, resource)]] : [];
    }),
  );
  const isLetIn = (credentials: readonly Credential[]): boolean =>
    mayAsk(operation, credentials, { item, names }, world);
  const lists = acceptedBy(operation, world.specification)
    .map((list) => list.map(({ scheme }) => goodCredentials(scheme, world)))
    .filter((list) => list.length > 0 && list.every((good) => good.length > 0));
  const nobody: readonly Credential[] = [];
  const isNobodyIn = isLetIn(nobody);
  if (lists.length === 0 || pool.often(isNobodyIn ? 30 : 3)) return nobody;
  for (let tried = 0; tried < tries; tried++) {
    const list = pool.random.pick(lists);
    const credentials = list.map((good) => pool.random.pick(pool.often(50) ? good.slice(-4) : good));
    if (isLetIn(credentials)) return credentials;
  }
  return pool.random.pick(lists).map((good) => pool.random.pick(good));
}

/** Whether part 5 may let a request with these credentials through, for an item. */
function mayAsk(
  operation: Operation,
  credentials: readonly Credential[],
  { item, names }: { readonly item: Item | null; readonly names: Readonly<Record<string, Value>> },
  world: World,
): boolean {
  const own = world.fork(new Ways());
  try {
    const moment = new Moment(own, { ...names, now: unknown([]), request: unknown([]) });
    const rule = ruleFor(operation, moment);
    if (rule === null) return true;
    const sender = senderOf(operation, credentials, moment);
    const named = new Moment(own, { ...moment.names, actor: sender.actor });
    const isUnsaid = item === null && isAboutItem(rule) && isKnown(sender);
    const isIn = letsIn(rule, sender, item, named) !== false || isUnsaid;
    return sender.credential !== 'wrong' && sender.grants && isIn;
  } catch (error) {
    if (error instanceof Undetermined) return true;
    throw error;
  }
}

/** The credentials of a scheme that the world holds and that were seen. */
function goodCredentials(name: string, world: World): readonly Credential[] {
  const scheme = schemeNamed(name, world);
  const credentials = scheme && stated(scheme.credentials);
  if (scheme?.credentials.kind === 'any')
    return anybodies.map((value) => ({
      scheme: name,
      value,
      ...(isBasic(scheme) && { password: 'secret' }),
    }));
  switch (credentials?.kind) {
    case 'issued':
      return issuedCredentials(world.issued(name));
    case 'operator':
    case 'foreign':
      return world.operators
        .filter((operator) => operator.scheme === name)
        .map(({ name: user, secret }) =>
          scheme && isBasic(scheme)
            ? { scheme: name, value: user, password: secret }
            : { scheme: name, value: secret },
        );
    case 'kept':
      return keptCredentials(name, world, (resource) => world.items(resource));
    default:
      return [];
  }
}

/** Two clients, where any credential names its client. */
const anybodies = ['anybody', 'somebody'];

/** The credentials of a scheme that were good, and are not any more. */
function endedCredentials(name: string, world: World): readonly Credential[] {
  const good = goodCredentials(name, world);
  const kept = keptCredentials(name, world, (resource) => [
    ...world.earlier(resource),
    ...world.former(resource),
  ]);
  const isGood = (one: Credential): boolean => good.some((other) => isSame(one, other));
  return [...issuedCredentials(world.ended(name)), ...kept.filter((each) => !isGood(each))];
}

/** Whether two credentials give the same, whatever scheme they are for. */
function isSame(one: Credential, other: Credential): boolean {
  return one.value === other.value && one.password === other.password;
}

function issuedCredentials(issued: readonly Issued[]): Credential[] {
  return issued.flatMap(({ scheme, token }) => {
    const value = seen(token);
    return typeof value === 'string' ? [{ scheme, value }] : [];
  });
}

/** What items hold as credentials of a scheme. */
function keptCredentials(
  name: string,
  world: World,
  itemsOf: (resource: string) => readonly Stored[],
): readonly Credential[] {
  const scheme = schemeNamed(name, world);
  const credentials = scheme && stated(scheme.credentials);
  const [field, password] = (credentials?.kind === 'kept' && stated(credentials.kept)) || [];
  if (!scheme || !field) return [];
  return itemsOf(field.resource).flatMap((stored): Credential[] => {
    const value = memberOf(stored, field.field);
    const secret = password && memberOf(stored, password.field);
    if (typeof value !== 'string' || (password && typeof secret !== 'string')) return [];
    // No field holds other characters as they are, nor space around a value (RFC 9110 §5.5).
    if (!isBasic(scheme) && !/^[!-~]([ -~]*[!-~])?$/.test(value)) return [];
    return [{ scheme: name, value, ...(isBasic(scheme) && { password: secret ?? '' }) }];
  });
}

/**
 * Whether a credential was lost between two worlds that an item holds from the beginning: its account was deleted, or has
 * another password. Nobody may be able to make it anew, so what comes later would be refused.
 */
export function isAccessLost(before: World, after: World): boolean {
  if (before === after) return false;
  const left = foundingCredentials(after);
  return foundingCredentials(before).some((each) => !left.some((other) => isSame(each, other)));
}

/** The credentials that items of the beginning still hold. */
function foundingCredentials(world: World): readonly Credential[] {
  const schemes = stated(stated(world.specification.authentication)?.schemes)?.keys() ?? [];
  const ready = begun(world);
  if (ready instanceof Unknown) return [];
  const founding = (resource: string): readonly Stored[] =>
    ready.items(resource).filter(({ handle }) => handle <= ready.founding);
  return [...schemes].flatMap((name) => keptCredentials(name, ready, founding));
}

/**
 * None, credentials that were good and are not any more, another's, a changed one, one that nobody has, one of another scheme,
 * one after another word, or those of several schemes.
 *
 * @param only the scheme. Default: any, mostly one that the rule accepts
 */
export function otherCredentials(
  { operation, credentials }: { readonly operation: Operation; readonly credentials: readonly Credential[] },
  world: World,
  pool: Pool,
  only?: string,
): readonly Credential[] {
  const schemes = [...(stated(stated(world.specification.authentication)?.schemes)?.keys() ?? [])];
  if (schemes.length === 0) return [];
  const accepted = acceptedBy(operation, world.specification).flat();
  const wanted = accepted.length > 0 && pool.often(70) ? accepted.map(({ scheme }) => scheme) : schemes;
  const scheme = only ?? pool.random.pick(wanted);
  const [good, ended] = [goodCredentials(scheme, world), endedCredentials(scheme, world)];
  const one = good.length > 0 ? pool.random.pick(good) : madeUp(scheme, world, pool);
  switch (pool.random.whole(1, 8)) {
    case 1:
      return credentials.slice(1);
    case 2:
      return [madeUp(scheme, world, pool)];
    case 3:
      return [changed(one, pool)];
    case 4: {
      const others = goodCredentials(pool.random.pick(schemes), world);
      return [inPlaceOf(others.length > 0 ? pool.recent(others) : one, scheme, world)];
    }
    case 5:
      return isAfterWord(scheme, world) ? [{ ...one, word: 'Unstated' }] : [one];
    case 6:
      return apart([...credentials, one], world);
    case 7:
      return [one];
    default:
      return ended.length > 0 ? [pool.recent(ended)] : [changed(one, pool)];
  }
}

/** A credential that is not good: one that nobody has, a changed one, or one that was good. */
export function wrongCredentials(
  { operation }: Pick<Request, 'operation'>,
  world: World,
  pool: Pool,
): readonly Credential[] {
  const scheme = acceptedScheme(operation, world, pool);
  if (scheme === undefined) return [];
  const [good, ended] = [goodCredentials(scheme, world), endedCredentials(scheme, world)];
  if (ended.length > 0 && pool.often(30)) return [pool.recent(ended)];
  return [
    good.length > 0 && pool.often(50) ? changed(pool.random.pick(good), pool) : madeUp(scheme, world, pool),
  ];
}

/** A credential that is good, whoever has it. */
export function goodCredentialsOf(
  { operation }: Pick<Request, 'operation'>,
  world: World,
  pool: Pool,
): readonly Credential[] {
  const scheme = acceptedScheme(operation, world, pool);
  const good = scheme === undefined ? [] : goodCredentials(scheme, world);
  return good.length > 0 ? [pool.random.pick(good)] : [];
}

/** Every credential that is good for an operation, whoever has it; where several go together, none. */
export function goodCredentialsFor(operation: Operation, world: World): (readonly Credential[])[] {
  const lists = acceptedBy(operation, world.specification).filter((list) => list.length === 1);
  const schemes = new Set(lists.flat().map(({ scheme }) => scheme));
  return [...schemes].flatMap((scheme) => goodCredentials(scheme, world).map((good) => [good]));
}

function acceptedScheme(operation: Operation, world: World, pool: Pool): string | undefined {
  const accepted = acceptedBy(operation, world.specification).flat();
  return accepted.length > 0 ? pool.random.pick(accepted).scheme : undefined;
}

/** A credential that nobody has. */
function madeUp(scheme: string, world: World, pool: Pool): Credential {
  const said = schemeNamed(scheme, world);
  const isPair = said !== undefined && isBasic(said);
  const value = `nobody-${pool.random.letters(12)}`;
  return { scheme, value, ...(isPair && { password: 'nonsense' }), isMadeUp: true };
}

/** Shorter texts may be somebody else's by chance. */
const guessable = 16;

/** The same with another password, or with another character in its middle or at its end. */
function changed(credential: Credential, pool: Pool): Credential {
  const { value, password = '' } = credential;
  const text = String(seen(password === '' ? value : password));
  const middle = Math.floor(text.length / 2);
  const turned = `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
  const other = pool.often(50) ? `${text}A` : turned;
  if (password !== '') return { ...credential, password: other, isMadeUp: true };
  return { ...credential, value: other, isMadeUp: text.length >= guessable };
}

/** A credential of one scheme in the place of another. */
function inPlaceOf(credential: Credential, scheme: string, world: World): Credential {
  const said = schemeNamed(scheme, world);
  const isPair = said !== undefined && isBasic(said);
  const { value, password = '' } = credential;
  return { scheme, value, ...(isPair && { password }) };
}

/** Whether the credential of a scheme comes after a word. */
function isAfterWord(scheme: string, world: World): boolean {
  const place = placeIn(scheme, world);
  return place !== null && place.words.length > 0;
}

/** The credentials that have a place for themselves. */
function apart(credentials: readonly Credential[], world: World): readonly Credential[] {
  const where = ({ scheme }: Credential): string => placeIn(scheme, world)?.where ?? '';
  return credentials.filter(
    (each, place) => credentials.findIndex((other) => where(other) === where(each)) === place,
  );
}

function placeIn(scheme: string, world: World): ReturnType<typeof placeOf> {
  const said: Scheme | undefined = schemeNamed(scheme, world);
  return said ? placeOf(said) : null;
}
