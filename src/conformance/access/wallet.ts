import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { ifReached, Unreached } from '../check.ts';
import { succeeded } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { namesFor } from '../names.ts';
import { create, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import { stocked, targetsOf } from '../stock.ts';
import type { Done, Trial } from '../trial.ts';
import { admits } from './admits.ts';
import { kindsOf } from './kinds.ts';
import type { Persona } from './persona.ts';
import { personaOf, shortestLife, troupe } from './personas.ts';
import { entrances, isWantedWithOthers, learn, logIns, proofFor, schemesOf } from './schemes.ts';

/** Credentials that are given from outside: by scheme, secrets by the names of who has them. */
export type GivenCredentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Whoever requests are usually sent as: somebody new, or else who has the credentials that are given; null: nobody. By
 * then the cast is there: for each scheme whoever has the credential that is given for it, and one of each other kind.
 */
export async function usual(trial: Trial, given: GivenCredentials): Promise<Persona | null> {
  const outside = [...schemesOf(trial.of)].flatMap(([name, scheme]): [string, string][] => {
    const [first] = Object.entries(given[name] ?? {});
    return first ? [[name, asCarried(scheme, ...first)]] : [];
  });
  trial.cast.push(...outside.map((one) => outsider([one])));
  const kinds = entrances(trial.of).flatMap((entrance) =>
    kindsOf(trial.of, entrance.operation).map((kind) => ({ ...entrance, kind })),
  );
  const made: Persona[] = [];
  for (const { resource, operation, kind } of kinds) {
    const one = await ifReached(() => enterBy(trial, resource, operation, kind, made));
    if (one) made.push(one);
  }
  const [own, ...others] = made;
  trial.cast.push(...others);
  if (own === undefined) return outside.length > 0 ? outsider(outside) : null;
  // Credentials of several schemes may be wanted together (language §5.5).
  for (const [name, credential] of outside)
    if (isWantedWithOthers(trial.of, name)) own.credentials.set(name, credential);
  return own;
}

/** Somebody of whom no more is known than credentials from outside. */
export function outsider(credentials: readonly (readonly [string, string])[]): Persona {
  const good = { hasLoggedIn: true, goodUntil: Number.POSITIVE_INFINITY };
  return { item: null, credentials: new Map(credentials), given: {}, ...good };
}

/** What of the credentials that are given stands in requests, by a name that tells nothing of it. */
export function secretsIn(
  of: Specification,
  given: GivenCredentials,
): readonly (readonly [string, string])[] {
  const schemes = schemesOf(of);
  return Object.entries(given).flatMap(([scheme, secrets]) =>
    Object.entries(secrets).flatMap(([name, secret]) => {
      const known = schemes.get(scheme);
      const carried = known ? asCarried(known, name, secret) : secret;
      const called = `credentials.${scheme}.${name}`;
      const coded = carried === secret ? [] : [[`{encoded ${called}}`, carried] as const];
      return [...coded, [`{${called}}`, secret] as const];
    }),
  );
}

/** A secret as it stands in a request: for `basic` with its name. */
export function asCarried({ scheme }: Scheme, name: string, secret: string): string {
  const isBasic = stated(scheme)?.toLowerCase() === 'basic';
  return isBasic ? Buffer.from(`${name}:${secret}`).toString('base64') : secret;
}

/** Somebody new, of the kind of somebody else, or of whoever is usual. Null where nobody can be made. */
export async function enter(trial: Trial, like: Persona | null = trial.persona): Promise<Persona | null> {
  for (const { resource, operation } of entrances(trial.of)) {
    const isAlike = (kind: Members): boolean =>
      like === null || Object.entries(kind).every(([name, value]) => like.given[name] === value);
    const kind = kindsOf(trial.of, operation).find(isAlike);
    const persona = kind && (await ifReached(() => enterBy(trial, resource, operation, kind)));
    if (persona) return persona;
  }
  return null;
}

/** Somebody new who has these members. Throws `Unreached` where nobody can be made so. */
export async function enterAs(trial: Trial, members: Members): Promise<Persona | undefined> {
  for (const { resource, operation } of entrances(trial.of)) {
    const persona = await enterBy(trial, resource, operation, members);
    if (persona) return persona;
  }
  return undefined;
}

async function enterBy(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  kind: Members,
  more: readonly Persona[] = [],
): Promise<Persona | undefined> {
  for (const target of targetsOf(trial, resource)) await ifReached(() => stocked(trial, target.name));
  const body = bodyFor(trial, operation, 'most');
  const given = body === undefined ? body : { ...membersOf(body), ...kind };
  const lets = (as: Persona | null): boolean =>
    admits(trial.of, operation, namesFor(trial, { operation, request: null, given, as })).value !== false;
  let done: Done | undefined;
  for (const as of [null, ...troupe(trial), ...more].filter(lets)) {
    // Whom a rate does not let ask any more for a while, another asks for.
    done = await ifReached(() => create(trial, operation, given, { as }));
    if (done && succeeded(done.exchange, operation).value === true) break;
  }
  if (!done?.item || succeeded(done.exchange, operation).value !== true) return undefined;
  const persona = personaOf(trial, done.item);
  if (persona === undefined) return undefined;
  if (!persona.hasLoggedIn) await logInAgain(trial, persona, resource);
  return persona;
}

/** Comes by the credentials that somebody lacks, by logging in. */
async function logInAgain(trial: Trial, persona: Persona, resource: Resource): Promise<void> {
  const { given } = persona;
  const sentMs = trial.now();
  persona.hasLoggedIn = true;
  for (const logIn of logIns(trial.of, resource)) {
    const body = proofFor(logIn, given);
    if (body === null || [...schemesOf(trial.of).keys()].every((name) => persona.credentials.has(name)))
      continue;
    const entered = await perform(trial, logIn, { as: null, body });
    if (succeeded(entered.exchange, logIn).value === true)
      learn(trial.of, persona.credentials, logIn, entered.json, given);
  }
  persona.goodUntil = sentMs + shortestLife(trial.of);
}

/** How long before it ends a credential is not used any more, in milliseconds. */
const marginMs = 1000;

/** Somebody with credentials that are good for the next request. Throws `Unreached` where nobody is let in so any more. */
export async function renewed(trial: Trial, persona: Persona): Promise<void> {
  if (persona.item === null || (persona.hasLoggedIn && trial.now() < persona.goodUntil - marginMs)) return;
  if (!persona.hasLoggedIn) return await logInAgain(trial, persona, persona.item.resource);
  const ended = [...schemesOf(trial.of)].flatMap(([name, { credentials }]) =>
    stated(credentials)?.kind === 'issued' && persona.credentials.delete(name) ? [name] : [],
  );
  await logInAgain(trial, persona, persona.item.resource);
  if (ended.every((name) => persona.credentials.has(name))) return;
  for (const name of ended) if (!persona.credentials.has(name)) persona.credentials.set(name, '');
  persona.goodUntil = 0;
  throw new Unreached('whoever asks cannot log in any more');
}
