import type { Operation } from '../../specification/operation.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Scheme } from '../../specification/scheme.ts';
import { ifReached } from '../check.ts';
import { succeeded } from '../guards.ts';
import { create, perform } from '../perform.ts';
import { bodyFor } from '../request.ts';
import type { Trial } from '../trial.ts';
import type { Persona } from './persona.ts';
import { personaOf, shortestLife } from './personas.ts';
import { entrances, learn, logIns, proofFor, schemesOf } from './schemes.ts';

/** Credentials that are given from outside: by scheme, secrets by the names of who has them. */
export type GivenCredentials = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Whoever requests are usually sent as: somebody new, with what credentials are given besides; null: nobody. */
export async function usual(trial: Trial, given: GivenCredentials): Promise<Persona | null> {
  const own = await enter(trial);
  const credentials = new Map(own?.credentials);
  for (const [name, scheme] of schemesOf(trial.of)) {
    const [first] = Object.entries(given[name] ?? {});
    if (first) credentials.set(name, asCarried(scheme, ...first));
  }
  if (credentials.size === 0) return own;
  if (own === null)
    return { item: null, credentials, given: {}, hasLoggedIn: true, goodUntil: Number.POSITIVE_INFINITY };
  for (const [name, credential] of credentials) own.credentials.set(name, credential);
  return own;
}

/** A secret as it stands in a request: for `basic` with its name. */
function asCarried({ scheme }: Scheme, name: string, secret: string): string {
  const isBasic = stated(scheme)?.toLowerCase() === 'basic';
  return isBasic ? Buffer.from(`${name}:${secret}`).toString('base64') : secret;
}

/** Somebody new. Null where nobody can be made. */
export async function enter(trial: Trial): Promise<Persona | null> {
  for (const { resource, operation } of entrances(trial.of)) {
    const persona = await ifReached(() => enterBy(trial, resource, operation));
    if (persona) return persona;
  }
  return null;
}

async function enterBy(trial: Trial, resource: Resource, operation: Operation): Promise<Persona | undefined> {
  const done = await create(trial, operation, bodyFor(trial, operation, 'most'), { as: null });
  if (succeeded(done.exchange, operation).value !== true || done.item === null) return undefined;
  const persona = personaOf(trial, done.item);
  if (persona === undefined) return undefined;
  if (!persona.hasLoggedIn) await logInAgain(trial, persona, resource);
  return persona;
}

/** Comes by the credentials that somebody lacks, by logging in. */
async function logInAgain(trial: Trial, persona: Persona, resource: Resource): Promise<void> {
  const { given } = persona;
  persona.hasLoggedIn = true;
  for (const logIn of logIns(trial.of, resource)) {
    const body = proofFor(logIn, given);
    if (body === null || [...schemesOf(trial.of).keys()].every((name) => persona.credentials.has(name)))
      continue;
    const entered = await perform(trial, logIn, { as: null, body });
    if (succeeded(entered.exchange, logIn).value === true)
      learn(trial.of, persona.credentials, logIn, entered.json, given);
  }
  persona.goodUntil = trial.now() + shortestLife(trial.of);
}

/** How long before it ends a credential is not used any more, in milliseconds. */
const marginMs = 1000;

/** Somebody with credentials that are good for the next request. */
export async function renewed(trial: Trial, persona: Persona): Promise<void> {
  if (persona.item === null || (persona.hasLoggedIn && trial.now() < persona.goodUntil - marginMs)) return;
  if (!persona.hasLoggedIn) return await logInAgain(trial, persona, persona.item.resource);
  for (const [name, { credentials }] of schemesOf(trial.of))
    if (stated(credentials)?.kind === 'issued') persona.credentials.delete(name);
  await logInAgain(trial, persona, persona.item.resource);
}
