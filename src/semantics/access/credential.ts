import { once } from '../../source/once.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { type Made, seen, Text, textOf, unknown, type Value } from '../value/value.ts';
import type { World } from '../world/world.ts';

/** A credential as a request brings it. */
export interface Credential {
  /** A scheme that reads it. Other schemes may read the same place (language §5.1). */
  readonly scheme: string;
  /** The token or key; for `basic`, the user name. */
  readonly value: Value;
  /** For `basic`. */
  readonly password?: Value;
  /** The word before it. Default: the first that the scheme accepts. */
  readonly word?: string;
  /** Whoever sends it made it up, or changed a good one: nobody has it. Default: false */
  readonly isMadeUp?: boolean;
}

/** Where the credential of a scheme is in a request (language §5.1). */
export interface Place {
  /** `header authorization`, `query key`, `cookie session`: the same text for the same place. */
  readonly where: string;
  /** The words of which each is accepted before a credential; none: the whole field is the credential. */
  readonly words: readonly string[];
}

/** Null: that is open, or the credential is no part of the request (`mutualTLS`). */
export const placeOf = once((scheme: Scheme): Place | null => {
  const type = stated(scheme.type);
  const words = stated(scheme.prefix);
  if (type === 'oauth2' || type === 'openIdConnect')
    return { where: 'header authorization', words: ['Bearer'] };
  if (type === 'http') {
    const registered = stated(scheme.scheme);
    return registered === undefined ? null : { where: 'header authorization', words: words ?? [registered] };
  }
  const [where, name] = [stated(scheme.in), stated(scheme.name)];
  if (type !== 'apiKey' || where === undefined || name === undefined) return null;
  if (where !== 'header') return { where: `${where} ${name}`, words: [] };
  return { where: `header ${name.toLowerCase()}`, words: words ?? [] };
});

/** Whether the credential of a scheme is a user name and a password (RFC 7617). */
export function isBasic(scheme: Scheme): boolean {
  return stated(scheme.type) === 'http' && stated(scheme.scheme)?.toLowerCase() === 'basic';
}

/** What stands in the place of a scheme. */
export type Presented = Credential | 'another word';

/** What a scheme reads of the credentials of a request; null: nothing is in its place. */
export function presentedTo(
  name: string,
  credentials: readonly Credential[],
  world: World,
): Presented | null {
  const scheme = schemeNamed(name, world);
  const place = scheme && placeOf(scheme);
  if (!scheme || !place) return null;
  const there = credentials.filter((credential) => whereIs(credential, world) === place.where);
  const [credential, ...others] = there;
  // There is room for one: which of several is read, is not stated.
  if (others.length > 0) return world.leave(unknown([]));
  return credential ? readBy(name, scheme, place, credential, world) : null;
}

function readBy(
  name: string,
  scheme: Scheme,
  { words }: Place,
  credential: Credential,
  world: World,
): Presented {
  const sentBy = schemeNamed(credential.scheme, world);
  const word = credential.word ?? (sentBy && placeOf(sentBy)?.words[0]);
  const isPair = credential.password !== undefined;
  if (words.length === 0) {
    if (word === undefined) return { ...credential, scheme: name };
    return isPair
      ? world.leave(unknown([]))
      : { ...credential, scheme: name, value: after(word, credential.value) };
  }
  if (word === undefined) {
    const [, first = '', rest = ''] = /^(\S+) +(.*)$/s.exec(String(seen(credential.value))) ?? [];
    return isAmong(words, first) ? { ...credential, scheme: name, value: rest } : 'another word';
  }
  if (!isAmong(words, word)) return 'another word';
  return isPair === isBasic(scheme) ? { ...credential, scheme: name } : world.leave(unknown([]));
}

/** A text with a word before it. */
function after(word: string, value: Value): Value {
  const text = seen(value);
  if (text instanceof Text) return textOf([`${word} `, ...text.pieces]);
  return textOf([`${word} `, typeof text === 'string' ? text : (text as Made)]);
}

/** In any case (RFC 9110 §11.1). */
function isAmong(words: readonly string[], word: string): boolean {
  return words.some((each) => each.toLowerCase() === word.toLowerCase());
}

function whereIs({ scheme }: Credential, world: World): string | undefined {
  const said = schemeNamed(scheme, world);
  return said && placeOf(said)?.where;
}

/** A scheme of part 5; undefined: none has this name. */
export function schemeNamed(name: string, { specification }: World): Scheme | undefined {
  return stated(stated(stated(specification.authentication)?.schemes)?.get(name));
}
