import type { Sharing } from '../request/prediction.ts';
import { namesIn } from './fields.ts';

type Headers = Readonly<Record<string, string>>;

/** Whether a page may read an answer (Fetch standard §4.10, CORS check). */
export function mayRead(headers: Headers, { origin, hasCredentials }: Sharing): boolean {
  const allowed = headers['access-control-allow-origin'];
  if (allowed === '*' && !hasCredentials) return true;
  const isGiven = !hasCredentials || headers['access-control-allow-credentials'] === 'true';
  return allowed === origin && isGiven;
}

/** Whether a field lists what a page may use. With credentials, `*` stands for itself. */
export function mayUse(headers: Headers, field: string, name: string, hasCredentials: boolean): boolean {
  const allowed = namesIn(headers[field]);
  const isAny = allowed.includes('*') && !hasCredentials && name.toLowerCase() !== 'authorization';
  return isAny || allowed.includes(name.toLowerCase());
}
