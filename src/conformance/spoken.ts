import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { VersionPlace } from '../specification/vocabulary/parts/versioning.ts';
import type { Client, Header, Request } from './http.ts';

/** The name of the newest version; undefined where none is listed. */
export function newestOf(of: Specification): string | undefined {
  return stated(stated(of.versioning)?.versions)?.keys().next().value;
}

/**
 * A client whose requests are of a version: each names it where it is stated that requests do, unless it says itself
 * which it names (language §9.1).
 *
 * @param url where the implementation is
 */
export function speaking(
  client: Client,
  of: Specification,
  url: string,
  version: string | undefined,
): Client {
  const place = stated(stated(of.versioning)?.place);
  if (place === undefined) return client;
  return {
    ...client,
    send: async ({ version: own = version ?? null, ...request }) => {
      const exchange = await client.send(own === null ? request : naming(request, place, own, url));
      // Sent again, it names what it does.
      return { ...exchange, request: { ...exchange.request, version: null } };
    },
  };
}

/** A request as it is sent: it names the newest version, where it is stated that requests name one. */
export function spoken(of: Specification, url: string, request: Request): Request {
  const place = stated(stated(of.versioning)?.place);
  const newest = newestOf(of);
  return place && newest !== undefined ? naming(request, place, newest, url) : request;
}

function naming(request: Request, place: VersionPlace, version: string, url: string): Request {
  const { name } = place;
  switch (place.kind) {
    case 'header':
      return { ...request, headers: [...request.headers, [name, version]] };
    case 'media':
      return { ...request, headers: accepting(request.headers, `;${name}="${version}"`) };
    case 'query': {
      const asked = `${encodeURIComponent(name)}=${encodeURIComponent(version)}`;
      return { ...request, url: `${request.url}${request.url.includes('?') ? '&' : '?'}${asked}` };
    }
    case 'path':
      return {
        ...request,
        url: `${url}${name}${encodeURIComponent(version)}${request.url.slice(url.length)}`,
      };
  }
}

function accepting(headers: readonly Header[], parameter: string): readonly Header[] {
  const isAccept = ([field]: Header): boolean => field.toLowerCase() === 'accept';
  if (!headers.some(isAccept)) return [...headers, ['Accept', `*/*${parameter}`]];
  return headers.map((one): Header => (isAccept(one) ? [one[0], `${one[1]}${parameter}`] : one));
}
