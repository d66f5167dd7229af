import { stated } from '../../specification/reading/said.ts';
import type { Cors } from '../../specification/vocabulary/parts/endpoints.ts';

/** What a preflight request asks for (Fetch standard §3.3.2). */
interface Preflight {
  readonly origin: string;
  readonly method: string;
  readonly headers: string | undefined;
}

/** The header fields by which pages of other origins may use an endpoint (Fetch standard, CORS protocol). */
export interface CompiledCors {
  /** The fields of an answer to a request from this origin; undefined: the request names none. */
  readonly fields: (origin: string | undefined) => readonly string[];
  readonly preflight: (asked: Preflight) => readonly string[];
}

export function compileCors(cors: Cors): CompiledCors {
  const origins = stated(cors.origins) ?? [];
  const any = origins.includes('any');
  const credentials = stated(cors.credentials) === true;
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && origin !== 'null' && (any || origins.includes(origin));
  // With credentials the wildcard is not read as one (Fetch standard §3.3.5), so what was asked for is named.
  const listed = (words: readonly string[] | undefined, asked?: string): string | undefined => {
    if (!words?.includes('any')) return words?.join(', ');
    return credentials ? asked : '*';
  };
  const allowOrigin = (origin: string | undefined): string[] => {
    if (any && !credentials) return ['Access-Control-Allow-Origin', '*'];
    if (!isAllowed(origin)) return ['Vary', 'Origin'];
    const named = ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin'];
    return credentials ? [...named, 'Access-Control-Allow-Credentials', 'true'] : named;
  };
  const exposes = listed(stated(cors.exposes));
  const methods = stated(cors.methods);
  const headers = stated(cors.headers);
  const maxAge = stated(cors.maxAge);
  const exposed = pair('Access-Control-Expose-Headers', exposes);
  // Where any origin may use it, whoever asks is told the same.
  const always = any && !credentials ? [...allowOrigin(undefined), ...exposed] : null;
  return {
    fields: (origin) => always ?? [...allowOrigin(origin), ...exposed],
    preflight: (asked) => {
      const allowed = allowOrigin(asked.origin);
      if (!allowed.includes('Access-Control-Allow-Origin')) return allowed;
      return [
        ...allowed,
        ...pair('Access-Control-Allow-Methods', listed(methods, asked.method)),
        ...pair('Access-Control-Allow-Headers', listed(headers, asked.headers)),
        ...pair('Access-Control-Max-Age', maxAge?.toString()),
      ];
    },
  };
}

function pair(name: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [name, value];
}
