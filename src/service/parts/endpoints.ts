import type { Cors } from '../../specification/parts/endpoints.ts';
import { stated } from '../../specification/said.ts';

/** The header fields by which pages of other origins may use an endpoint (Fetch standard, CORS protocol). */
export interface CompiledCors {
  /** The fields of an answer to a request from this origin; undefined: the request names none. */
  readonly fields: (origin: string | undefined) => readonly string[];
  /** The fields of the answer to a preflight request. */
  readonly preflight: (origin: string) => readonly string[];
}

export function compileCors(cors: Cors): CompiledCors {
  const origins = stated(cors.origins) ?? [];
  const any = origins.includes('any');
  const credentials = stated(cors.credentials) === true;
  // With credentials the wildcard is not read as one (Fetch standard §3.2.5), so the origin itself is named.
  const wild = any && !credentials;
  const named = (words: readonly string[] | undefined): string | undefined =>
    words === undefined
      ? undefined
      : words.includes('any') && !credentials
        ? '*'
        : words.filter((w) => w !== 'any').join(', ');
  const exposes = named(stated(cors.exposes));
  const methods = named(stated(cors.methods));
  const headers = named(stated(cors.headers));
  const maxAge = stated(cors.maxAge);
  const fields = (origin: string | undefined): string[] => {
    if (wild) return ['Access-Control-Allow-Origin', '*'];
    const allowed = origin !== undefined && origin !== 'null' && (any || origins.includes(origin));
    return allowed
      ? [
          'Access-Control-Allow-Origin',
          origin,
          'Vary',
          'Origin',
          ...(credentials ? ['Access-Control-Allow-Credentials', 'true'] : []),
        ]
      : ['Vary', 'Origin'];
  };
  return {
    fields: (origin) => [...fields(origin), ...pair('Access-Control-Expose-Headers', exposes)],
    preflight: (origin) => [
      ...fields(origin),
      ...pair('Access-Control-Allow-Methods', methods),
      ...pair('Access-Control-Allow-Headers', headers),
      ...pair('Access-Control-Max-Age', maxAge === undefined ? undefined : String(maxAge)),
    ],
  };
}

function pair(name: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [name, value];
}
