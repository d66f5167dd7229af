import { type ByteRange, byteRange } from '../http/range.ts';
import { entityTags, names } from '../http/validators.ts';
import { type Incoming, single } from '../message/incoming.ts';
import { type Refusal, refuse } from '../message/refusal.ts';
import { isStream, type Reply } from '../message/reply.ts';
import type { Current } from './preconditions.ts';

/** Whether a request asks for a range: only GET can (RFC 9110 §14.2). */
export function asksForRange({ method, headers }: Incoming): boolean {
  return method === 'GET' && headers['range'] !== undefined;
}

/** What stands against a range that is asked for (language §4.3). */
export function refusesRange(incoming: Incoming, current: Current): readonly Refusal[] {
  if (current.payload === null) return [];
  const length = Buffer.byteLength(current.payload);
  if (rangeIn(incoming, current, length) !== 'past the end') return [];
  return [{ ...refuse('range not satisfiable'), fields: ['Content-Range', `bytes */${length}`] }];
}

/** The answer, or the range of it that is asked for. */
export function inRange(reply: Reply, incoming: Incoming, current: Current): Reply {
  const { body, headers } = reply;
  if (reply.status !== 200 || body === null || isStream(body)) return reply;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const range = asksForRange(incoming) ? rangeIn(incoming, current, bytes.byteLength) : null;
  if (range === null || range === 'past the end')
    return { ...reply, headers: [...headers, 'Accept-Ranges', 'bytes'] };
  const { first, last } = range;
  const part = ['Content-Range', `bytes ${first}-${last}/${bytes.byteLength}`];
  return { ...reply, status: 206, headers: [...headers, ...part], body: bytes.subarray(first, last + 1) };
}

function rangeIn(incoming: Incoming, current: Current, length: number): ByteRange | 'past the end' | null {
  const field = single(incoming.headers['range']);
  return field === undefined || !isSame(incoming, current) ? null : byteRange(field, length);
}

/**
 * Whether the client has other parts of the same content, as `If-Range` says (RFC 9110 §13.1.5). Tags compare strongly. A
 * time never holds, since content may change twice within a second.
 */
function isSame({ headers }: Incoming, { etag }: Current): boolean {
  const field = single(headers['if-range']);
  if (field === undefined) return headers['if-range'] === undefined;
  const tags = entityTags(field);
  return tags !== '*' && tags.length === 1 && etag !== null && names(tags, etag, 'strong');
}
