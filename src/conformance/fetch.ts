import { stated } from '../specification/reading/said.ts';
import type { Cors } from '../specification/vocabulary/parts/endpoints.ts';
import { header, headerList, type Response } from './http.ts';

/** A page's origin, where any may come. */
export const page = 'https://page.example';

/** Methods that the Fetch standard lets any page use (Fetch §2.2.1). */
export const safelisted = ['GET', 'HEAD', 'POST'];

export const isAny = (list: readonly string[] | null): boolean => list?.includes('any') ?? false;

/** The origin that a page of one of these is from. */
export const originOf = ({ origins }: Cors): string => {
  const list = stated(origins);
  return list === undefined || isAny(list) ? page : (list[0] ?? page);
};

/** Whether a page of an origin may read an answer (Fetch §4.10, CORS check). */
export function mayRead(response: Response | null, origin: string, credentials: boolean): boolean {
  const allowed = header(response, 'access-control-allow-origin');
  if (allowed === '*' && !credentials) return true;
  return (
    allowed === origin && (!credentials || header(response, 'access-control-allow-credentials') === 'true')
  );
}

export function mayUse(
  response: Response | null,
  field: string,
  name: string,
  credentials: boolean,
): boolean {
  const allowed = headerList(response, field).map((one) => one.toLowerCase());
  return (
    allowed.includes(name.toLowerCase()) ||
    (allowed.includes('*') && !credentials && name !== 'authorization')
  );
}
