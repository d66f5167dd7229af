import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import { readPairs } from '../http/pairs.ts';
import { type Incoming, single } from '../message/incoming.ts';

/** Where the credential of a scheme stands in a request, and how it is found there (language §5.1). */
export interface Presenting {
  /** The same for schemes whose credential stands in the same place. */
  readonly place: string;
  /** The credential as it came; null: none of this scheme. */
  readonly find: (incoming: Incoming) => string | null;
  /** Whether a credential stands there under another word. */
  readonly isForeign?: (incoming: Incoming) => boolean;
}

/** Null where it is open where the credential stands, or where that is no part of the request (`mutualTLS`). */
export function compilePresenting(scheme: Scheme): Presenting | null {
  switch (stated(scheme.type)) {
    case 'http': {
      const registered = stated(scheme.scheme);
      return registered === undefined
        ? null
        : inField('authorization', stated(scheme.prefix) ?? [registered]);
    }
    case 'oauth2':
    case 'openIdConnect':
      return inField('authorization', ['Bearer']);
    case 'apiKey':
      return ofKey(stated(scheme.in), stated(scheme.name), stated(scheme.prefix) ?? []);
    default:
      return null;
  }
}

/** The parameters of a query in which credentials stand. */
export function credentialsInQuery({ authentication }: Specification): ReadonlySet<string> {
  const schemes = [...(stated(stated(authentication)?.schemes)?.values() ?? [])].map(stated);
  return new Set(
    schemes.flatMap((scheme) => (scheme && stated(scheme.in) === 'query' ? (stated(scheme.name) ?? []) : [])),
  );
}

function ofKey(
  where: 'header' | 'query' | 'cookie' | undefined,
  name: string | undefined,
  words: readonly string[],
): Presenting | null {
  if (name === undefined) return null;
  switch (where) {
    case 'header':
      return inField(name.toLowerCase(), words);
    case 'query':
      return { place: `query ${name}`, find: ({ query }) => inQuery(query, name) };
    case 'cookie':
      return { place: `cookie ${name}`, find: ({ headers }) => cookieOf(single(headers['cookie']), name) };
    default:
      return null;
  }
}

/** In a header field, after any of these words, whatever their case (RFC 9110 §11.1); without words: all of it. */
function inField(name: string, words: readonly string[]): Presenting {
  const wanted = words.map((word) => word.toLowerCase());
  const valueIn = ({ headers }: Incoming): string | undefined => single(headers[name])?.trim();
  const find = (incoming: Incoming): string | null => {
    const value = valueIn(incoming);
    if (value === undefined) return null;
    if (wanted.length === 0) return value;
    const end = value.search(/[ \t]|$/);
    return wanted.includes(value.slice(0, end).toLowerCase()) ? value.slice(end).trim() : null;
  };
  const isForeign = (incoming: Incoming): boolean =>
    (valueIn(incoming) ?? '') !== '' && find(incoming) === null;
  return { place: `header ${name}`, find, isForeign };
}

function inQuery(query: string | null, name: string): string | null {
  return readPairs(query ?? '')?.find((pair) => pair.name === name)?.value ?? null;
}

/** The value of a cookie (RFC 6265 §4.2); of several of one name the first. */
function cookieOf(field: string | undefined, name: string): string | null {
  for (const pair of field?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name)
      return pair
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
  }
  return null;
}
