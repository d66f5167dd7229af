import { stated } from '../../specification/reading/said.ts';
import type { Scheme } from '../../specification/vocabulary/scheme.ts';
import type { Header } from '../http.ts';

/** What a request carries to say who sends it. */
export interface Carried {
  readonly headers: readonly Header[];
  /** Pairs of the query. */
  readonly query: readonly string[];
}

/** Puts a credential where its scheme wants it (language §5.1); null where it is open where that is. */
export function carry(scheme: Scheme, credential: string): Carried | null {
  const word = stated(scheme.prefix)?.[0];
  const after = (name: string, wanted: string | undefined): Carried => ({
    headers: [[name, wanted === undefined ? credential : `${wanted} ${credential}`]],
    query: [],
  });
  switch (stated(scheme.type)) {
    case 'http': {
      const registered = stated(scheme.scheme);
      const isBasic = registered?.toLowerCase() === 'basic';
      const name = isBasic ? 'Basic' : registered?.toLowerCase() === 'bearer' ? 'Bearer' : registered;
      return registered === undefined ? null : after('Authorization', word ?? name);
    }
    case 'oauth2':
    case 'openIdConnect':
      return after('Authorization', 'Bearer');
    case 'apiKey': {
      const name = stated(scheme.name);
      if (name === undefined) return null;
      switch (stated(scheme.in)) {
        case 'header':
          return after(name, word);
        case 'query':
          return { headers: [], query: [`${encodeURIComponent(name)}=${encodeURIComponent(credential)}`] };
        case 'cookie':
          return { headers: [['Cookie', `${name}=${credential}`]], query: [] };
        default:
          return null;
      }
    }
    default:
      return null;
  }
}

/** Several credentials at once. */
export function together(all: readonly Carried[]): Carried {
  const cookies = all.flatMap(({ headers }) => headers.filter(([name]) => name === 'Cookie'));
  const others = all.flatMap(({ headers }) => headers.filter(([name]) => name !== 'Cookie'));
  const cookie = cookies.map(([, value]) => value).join('; ');
  return {
    headers: cookie === '' ? others : [...others, ['Cookie', cookie]],
    query: all.flatMap(({ query }) => query),
  };
}
