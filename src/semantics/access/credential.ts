import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { equal } from '../value/compare.ts';
import { type Truth, truthOf } from '../value/truth.ts';
import { type Item, seen, unknown, type Value } from '../value/value.ts';
import type { Moment } from '../world/moment.ts';
import { itemOf, type World } from '../world/world.ts';

/** A credential as a request brings it. */
export interface Credential {
  readonly scheme: string;
  /** The token or key; for `basic`, the user name. */
  readonly value: Value;
  /** For `basic`. */
  readonly password?: Value;
}

/** Who sends a request (language §5.3). */
export interface Sender {
  /** `wrong`: a credential came that is not good. */
  readonly credential: 'none' | 'good' | 'wrong';
  /** What `actor` is; null, if nobody is known. */
  readonly actor: Value;
  /** The name of part 1 that the scheme gives the sender. */
  readonly kind: string | null;
  readonly scheme: Scheme | null;
  /** The name of the scheme; empty: none. */
  readonly name: string;
}

/** A credential that is valid for so many milliseconds does not end while the tester uses it. */
const shortestLife = 3_600_000;

const nobody: Sender = { credential: 'none', actor: null, kind: null, scheme: null, name: '' };

/** Checks the credentials of a request (language §5.2). Several credentials, and tokens of somebody else, are unknown. */
export function senderOf(credentials: readonly Credential[], moment: Moment): Sender {
  const authentication = stated(moment.world.specification.authentication);
  const [credential, ...others] = credentials;
  const scheme = credential && stated(stated(authentication?.schemes)?.get(credential.scheme));
  if (!credential || !scheme) return nobody;
  if (others.length > 0) return moment.world.leave(unknown([]));
  if (stated(scheme.credentials)?.kind === 'operator') return operatorAs(credential, scheme, moment);
  const holder = holderOf(credential, scheme, moment.world);
  if (holder === null) return { ...nobody, credential: 'wrong', scheme, name: credential.scheme };
  return { ...knownAs(scheme, holder, moment), name: credential.scheme };
}

/** The item that holds the credential, or for which it was issued; null: the credential is not good. */
function holderOf(credential: Credential, scheme: Scheme, world: World): Item | null {
  const said = stated(scheme.credentials);
  if (said?.kind === 'issued') {
    // How long ago it was issued, this does not know.
    if ((stated(said.life) ?? shortestLife) < shortestLife) world.leave(unknown([]));
    return world.holderOf(credential.scheme, credential.value);
  }
  if (said?.kind !== 'kept') return world.leave(unknown([]));
  const [name, password] = stated(said.kept) ?? [];
  const resource = name && world.specification.resourcesByName.get(name.resource);
  if (!name || !resource) return world.leave(unknown([]));
  const holder = world.find(name.resource, new Map([[name.field, credential.value]]));
  const secret = holder && password ? (holder.members.get(password.field) ?? null) : null;
  const isRight = !password || world.decide(equal(secret, credential.password ?? null));
  return holder && isRight ? itemOf(holder, resource) : null;
}

/** Whoever has a credential of the operator. Nobody knows a secret that the operator did not give. */
function operatorAs(credential: Credential, scheme: Scheme, moment: Moment): Sender {
  const { world } = moment;
  const isBasic = stated(scheme.scheme)?.toLowerCase() === 'basic';
  const found = world.operators.find(
    ({ scheme: of, name, secret }) =>
      of === credential.scheme &&
      (isBasic
        ? name === seen(credential.value) && secret === seen(credential.password ?? null)
        : secret === seen(credential.value)),
  );
  const wrong: Sender = { ...nobody, credential: 'wrong', scheme, name: credential.scheme };
  if (found === undefined) return wrong;
  const known: Sender = { ...wrong, credential: 'good' };
  const actor = stated(scheme.actor);
  if (actor?.kind === 'actor') return { ...known, actor: { kind: actor.actor.text }, kind: actor.actor.text };
  const resource = actor?.kind === 'field' && world.specification.resourcesByName.get(actor.resource);
  if (actor?.kind !== 'field' || !resource) return world.leave(unknown([]));
  const stored = world.find(actor.resource, new Map([[actor.field, found.name]]));
  return stored ? { ...known, actor: itemOf(stored, resource) } : wrong;
}

function knownAs(scheme: Scheme, holder: Item, moment: Moment): Omit<Sender, 'name'> {
  const actor = stated(scheme.actor);
  switch (actor?.kind) {
    case 'resource':
      return { credential: 'good', actor: holder, kind: null, scheme };
    case 'actor':
      return { credential: 'good', actor: { kind: actor.actor.text }, kind: actor.actor.text, scheme };
    case 'expression': {
      const value = moment.value(actor.expression, { this: holder, claims: unknown([]) });
      return { credential: 'good', actor: value, kind: null, scheme };
    }
    default:
      return moment.world.leave(unknown([]));
  }
}

/** Whether the sender is this actor of part 1 (language §5.4). */
export function isActor(name: string, { kind, actor }: Sender, moment: Moment): Truth {
  const { authentication }: Specification = moment.world.specification;
  const binding = stated(stated(stated(authentication)?.actors)?.get(name));
  if (binding) return truthOf(moment.value(binding, { actor }));
  const isBound = [...(stated(stated(authentication)?.schemes)?.values() ?? [])].some((said) => {
    const bound = stated(stated(said)?.actor);
    return bound?.kind === 'actor' && bound.actor.text === name;
  });
  return isBound ? kind === name : unknown([]);
}
