import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { identityOf, membersOf } from '../item.ts';
import { heldBy, holderOf, type Item } from '../partly.ts';
import type { Done, Trial } from '../trial.ts';
import type { Persona } from './persona.ts';
import { entrances, learn, schemesOf, verbOf } from './schemes.ts';

/**
 * Notes whose credentials an answer shows: that of the item which it made.
 *
 * @param sentMs when it was asked for: what is issued lives no less long from then on
 */
export function noteEntry(trial: Trial, { operation, json, given, item }: Done, sentMs: number): void {
  if (item === null || verbOf(operation) !== 'create' || trial.of.authentication.kind !== 'stated') return;
  const isHolder = entrances(trial.of).some(({ resource }) => resource === item.resource);
  if (!isHolder) return;
  const credentials = new Map<string, string>();
  const members = membersOf(given) ?? {};
  learn(trial.of, credentials, operation, json, members);
  const goodUntil = sentMs + shortestLife(trial.of);
  const persona: Persona = { item, credentials, given: members, hasLoggedIn: false, goodUntil };
  heldBy(item, persona);
  trial.personas.push(persona);
}

/** Notes what somebody was given since: what one logs in by, or asks with, may be another by now. */
export function noteGiven(trial: Trial, { operation, json, given, item }: Done): void {
  const members = membersOf(given);
  const persona = item && ['update', 'replace'].includes(verbOf(operation) ?? '') && personaOf(trial, item);
  if (!persona || !members) return;
  persona.given = { ...persona.given, ...members };
  for (const [name, { credentials }] of schemesOf(trial.of)) {
    const held = stated(credentials);
    const fields = held?.kind === 'kept' ? (stated(held.kept) ?? []) : [];
    if (fields.some(({ field }) => field !== undefined && Object.hasOwn(members, field)))
      persona.credentials.delete(name);
  }
  learn(trial.of, persona.credentials, operation, json, persona.given);
}

/** Whose item is gone asks for nothing any more. */
export function noteGone(trial: Trial, item: Item): void {
  const persona = personaOf(trial, item);
  for (const asked of [trial.cast, trial.personas]) {
    const index = persona === undefined ? -1 : asked.indexOf(persona);
    if (index !== -1) asked.splice(index, 1);
  }
}

/** Who an item is, of those whom the tester can ask as. */
export function personaOf({ personas }: Trial, item: Item): Persona | undefined {
  const holder = holderOf(item);
  if (holder) return holder as Persona;
  const key = identityOf(item);
  return key === undefined ? undefined : personas.find((one) => one.item && identityOf(one.item) === key);
}

/** How long the first of a new one's credentials to end is good, in milliseconds. */
export function shortestLife(of: Specification): number {
  const lives = [...schemesOf(of).values()].flatMap(({ credentials }) => {
    const held = stated(credentials);
    return held?.kind === 'issued' ? (stated(held.life) ?? []) : [];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...lives);
}

/** One of each kind whom requests can be sent as. */
export function troupe({ persona, cast }: Trial): readonly Persona[] {
  return persona ? [persona, ...cast] : cast;
}
