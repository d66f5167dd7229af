import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Authentication } from '../../specification/vocabulary/parts/authentication.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { equal } from '../value/compare.ts';
import { attempt, every, some, type Truth, truthOf } from '../value/truth.ts';
import { isList, Unknown, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { itemOf } from '../world/world.ts';
import { type Accepted, acceptedBy } from './accepted.ts';
import { type Credential, type Presented, placeOf, presentedTo, schemeNamed } from './credential.ts';
import { type Holder, holderOf, withValue } from './holder.ts';

/** Who sends a request (language §5.3). */
export interface Sender {
  /** `wrong`: a credential came that is not good. */
  readonly credential: 'none' | 'good' | 'wrong';
  /** What `actor` is; null, if nobody is known. */
  readonly actor: Value;
  /** The name of part 1 that the scheme gives the sender. */
  readonly kind: string | null;
  /** Whether the credentials grant all scopes that the rule requires. */
  readonly grants: boolean;
  /** What happens to a wrong credential where none is needed; undefined: a choice (language §F.1). */
  readonly wrong: 'refuse' | 'ignore' | undefined;
}

const nobody: Sender = { credential: 'none', actor: null, kind: null, grants: true, wrong: undefined };

/** Credentials that a rule accepts together, as a request brings them. */
interface Together {
  readonly accepted: readonly Accepted[];
  /** The places in which they are. */
  readonly places: ReadonlySet<string>;
}

/** Reads and checks the credentials of a request to an operation (language §5.1 to §5.3). */
export function senderOf(operation: Operation, credentials: readonly Credential[], moment: Moment): Sender {
  const { world } = moment;
  const part = stated(world.specification.authentication);
  if (part === undefined || credentials.length === 0) return nobody;
  const lists = acceptedBy(operation, world.specification);
  const presented = allPresented(lists, credentials, moment);
  const whole = lists
    .filter((list) => list.every(({ scheme }) => presented.has(scheme)))
    .map((accepted) => ({
      accepted,
      places: placesOf(
        accepted.map(({ scheme }) => scheme),
        moment,
      ),
    }));
  if (whole.length === 0) return nobody;
  const used = usedOf(whole, [...presented.keys()], part, moment);
  return used.length === 0 ? refusedSeveral(presented, moment) : senderBy(used, presented, moment);
}

/** The schemes of these lists. */
const schemesOf = once((lists: readonly (readonly Accepted[])[]): readonly string[] => [
  ...new Set(lists.flat().map(({ scheme }) => scheme)),
]);

/** By scheme. What comes after another word is a wrong credential, or none (language §5.1, `foreign`). */
function allPresented(
  lists: readonly (readonly Accepted[])[],
  credentials: readonly Credential[],
  moment: Moment,
): ReadonlyMap<string, Presented> {
  const { world } = moment;
  const all = schemesOf(lists).flatMap((name) => {
    const found = presentedTo(name, credentials, world);
    return found ? [[name, found] as const] : [];
  });
  const read = all.filter(([, found]) => found !== 'another word');
  const taken = new Set(read.map(([name]) => whereOf(name, moment)));
  const foreign = all.filter(([name, found]) => {
    if (found !== 'another word' || taken.has(whereOf(name, moment))) return false;
    const word = stated(schemeNamed(name, world)?.foreign) ?? ['missing', 'wrong'][world.ways.choose(2)];
    return word === 'wrong';
  });
  return new Map([...read, ...foreign]);
}

function whereOf(name: string, { world }: Moment): string {
  const scheme = schemeNamed(name, world);
  return (scheme && placeOf(scheme)?.where) ?? '';
}

function placesOf(schemes: readonly string[], moment: Moment): ReadonlySet<string> {
  return new Set(schemes.map((name) => whereOf(name, moment)));
}

/**
 * The credentials that are used, if the request has those of several schemes: any of these lists (language §5, `several`).
 * Empty: the request is refused.
 */
function usedOf(
  whole: readonly Together[],
  presented: readonly string[],
  { several, schemes }: Authentication,
  moment: Moment,
): readonly Together[] {
  const word = stated(several);
  const { size } = placesOf(presented, moment);
  const exact = whole.filter(({ places }) => places.size === size);
  if (exact.length > 0 && (size === 1 || word === 'refuse')) return exact;
  if (word === 'refuse') return [];
  const first = [...(stated(schemes)?.keys() ?? [])].find((name) => presented.includes(name));
  const withFirst = whole.filter(({ accepted }) => accepted.some(({ scheme }) => scheme === first));
  const may = word === 'first' && withFirst.length > 0 ? new Set([...exact, ...withFirst]) : whole;
  const groups = [...Map.groupBy(may, ({ places }) => [...places].sort().join()).values()];
  const isRefusable = word === undefined && exact.length === 0;
  return groups[moment.world.ways.choose(groups.length + (isRefusable ? 1 : 0))] ?? [];
}

function refusedSeveral(presented: ReadonlyMap<string, Presented>, { world }: Moment): Sender {
  const isRefused = [...presented.keys()].every(
    (name) => stated(schemeNamed(name, world)?.wrong) === 'refuse',
  );
  return { ...nobody, credential: 'wrong', wrong: isRefused ? 'refuse' : undefined };
}

/** The sender by the first of these lists that is good and grants what is required; else by the first that is good. */
function senderBy(
  all: readonly Together[],
  presented: ReadonlyMap<string, Presented>,
  moment: Moment,
): Sender {
  const found = all.map(({ accepted }) => senderByAll(accepted, presented, moment));
  const good = found.filter(({ credential }) => credential === 'good');
  return good.find(({ grants }) => grants) ?? good[0] ?? (found[0] as Sender);
}

function senderByAll(
  accepted: readonly Accepted[],
  presented: ReadonlyMap<string, Presented>,
  moment: Moment,
): Sender {
  const { world } = moment;
  const checked = accepted.map(({ scheme: name, scopes }) => {
    const scheme = schemeNamed(name, world) as Scheme;
    const credential = presented.get(name) as Presented;
    const holder = credential === 'another word' ? null : holderOf(credential, scheme, world);
    return { scheme, holder, actor: holder && actorBy(scheme, holder, moment), scopes };
  });
  const wrong = checked.filter(({ actor }) => actor === null || actor === undefined);
  if (wrong.length > 0) {
    const words = new Set(wrong.map(({ scheme }) => stated(scheme.wrong)));
    return { ...nobody, credential: 'wrong', wrong: words.size === 1 ? [...words][0] : undefined };
  }
  const grants = every(checked, ({ scheme, holder, scopes }) =>
    every(scopes, (scope) => isGranted(scope, scheme, holder as Holder, moment)),
  );
  // Whose request it is that comes with credentials of two people, is not said.
  const actors = distinct(checked.map(({ actor }) => actor as Actor));
  const chosen = actors[world.ways.choose(actors.length)] as Actor;
  return { ...nobody, credential: 'good', ...chosen, grants: world.decide(grants) };
}

interface Actor {
  readonly actor: Value;
  readonly kind: string | null;
}

/** Those that differ. An actor that is null is nobody, if another is known. */
function distinct(actors: readonly Actor[]): readonly Actor[] {
  const known = actors.filter(({ actor }) => actor !== null);
  const found: Actor[] = [];
  for (const each of known)
    if (!found.some((other) => other.kind === each.kind && equal(other.actor, each.actor) === true))
      found.push(each);
  return found.length > 0 ? found : actors.slice(0, 1);
}

/** What `actor` is by a credential of a scheme (language §5.3); undefined: the credential is wrong. */
function actorBy(scheme: Scheme, { item, subject, claims }: Holder, moment: Moment): Actor | undefined {
  const { world } = moment;
  const said = stated(scheme.actor);
  switch (said?.kind) {
    case undefined:
      return { actor: new Unknown(new Set([scheme.actor.address])), kind: null };
    case 'resource':
      if (item === null) return world.leave(unknown([]));
      return item.resource === said.resource.text ? { actor: item, kind: null } : undefined;
    case 'actor':
      return { actor: { kind: said.actor.text }, kind: said.actor.text };
    case 'expression': {
      const names = { this: item, claims: claims ?? unknown([]) };
      const actor = attempt(() => moment.value(said.expression, names));
      return actor instanceof Unknown && actor.mayFail ? world.leave(actor) : { actor, kind: null };
    }
    case 'field': {
      // The language says so of tokens of others, and of the operator's names.
      if (item !== null) return world.leave(unknown([]));
      const resource = world.specification.resourcesByName.get(said.resource);
      const field = resource?.fields.get(said.field);
      if (!resource || !field) return world.leave(unknown([]));
      const [stored] = typeof subject === 'string' ? withValue(field, subject, world) : [];
      return stored && { actor: itemOf(stored, resource), kind: null };
    }
  }
}

/** Whether a credential grants a scope (language §5.1, `scopes`). */
function isGranted(scope: string, { scopes }: Scheme, { item, claims }: Holder, moment: Moment): Truth {
  const said = stated(scopes);
  if (said === undefined) return moment.world.leave(new Unknown(new Set([scopes.address])));
  const granted = attempt(() => moment.value(said, { this: item, claims: claims ?? unknown([]) }));
  if (granted instanceof Unknown && granted.mayFail) return moment.world.leave(granted);
  return isList(granted) ? some(granted, (each) => equal(each, scope)) : unknown([granted]);
}

/** Whether the sender is known: whoever has a good credential by which somebody is the actor (language §5.5). */
export function isKnown({ credential, actor }: Sender): boolean {
  return credential === 'good' && actor !== null;
}

/** Whether the sender is this actor of part 1 (language §5.4). */
export function isActor(name: string, { kind, actor }: Sender, moment: Moment): Truth {
  const part = stated(moment.world.specification.authentication);
  const binding = stated((part && stated(part.actors))?.get(name));
  if (binding) return truthOf(moment.value(binding, { actor }));
  const isBound = [...((part && stated(part.schemes)?.values()) ?? [])].some((said) => {
    const bound = stated(stated(said)?.actor);
    return bound?.kind === 'actor' && bound.actor.text === name;
  });
  return isBound ? kind === name : unknown([]);
}
