import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Pool } from './pool.ts';

/** A page's origin, where any may come. */
const page = 'https://page.example';

/** The origin of a page that may use an operation, or sometimes of one that may not; undefined: nothing is stated of pages. */
export function originFor({ cors }: Operation, pool: Pool): string | undefined {
  if (cors.kind !== 'stated' && cors.kind !== 'none') return undefined;
  const origins = (stated(stated(cors)?.origins) ?? []).map((origin) => (origin === 'any' ? page : origin));
  return origins.length > 0 && pool.often(70) ? pool.random.pick(origins) : 'https://elsewhere.example';
}

/** What a page asks before it sends a request: the method, and header fields that are stated, or one that is not. */
export function preflightFields(
  operation: Operation,
  pool: Pool,
): Readonly<Record<string, string>> | undefined {
  const cors = stated(operation.cors);
  const origin = originFor(operation, pool);
  if (cors === undefined || origin === undefined) return undefined;
  const known = (stated(cors.headers) ?? []).filter((name) => name !== 'any');
  const names = [...known.filter(() => pool.often(50)), ...(pool.often(40) ? ['x-unstated'] : [])];
  return {
    origin,
    'access-control-request-method': operation.method,
    ...(names.length > 0 && { 'access-control-request-headers': names.join(', ').toLowerCase() }),
  };
}
