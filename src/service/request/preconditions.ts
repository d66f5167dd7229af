import { type Said, stated } from '../../specification/reading/said.ts';
import type { Conditional } from '../../specification/vocabulary/parts/endpoints.ts';
import { entityTags, httpDate, names, secondOf } from '../http/validators.ts';
import type { Incoming } from '../message/incoming.ts';
import { type Held, type Refusal, refuse } from '../message/refusal.ts';
import type { Reply } from '../message/reply.ts';

/** What the preconditions of a request are compared with (RFC 9110 §8.8). */
export interface Current {
  /** The payload that the tag is of; null where it has no content. */
  readonly payload: string | Uint8Array | null;
  /** As it stands in `ETag`; null where none is stated. */
  readonly etag: string | null;
  /** Seconds since 1970; null where that is not known. */
  readonly modified: number | null;
}

/** What a request's preconditions say: of the fields that are stated, those that came and can be read. */
export interface Given {
  readonly match: ReturnType<typeof entityTags> | null;
  readonly noneMatch: ReturnType<typeof entityTags> | null;
  readonly modifiedSince: number | null;
  readonly unmodifiedSince: number | null;
}

export function given(conditional: Conditional, { headers }: Incoming, now: string): Given {
  const field = (said: Said<unknown>, name: string): string | null => {
    const value = headers[name];
    return (said.kind === 'stated' || said.kind === 'any') && typeof value === 'string' ? value : null;
  };
  const tags = (value: string | null) => (value === null ? null : entityTags(value));
  // A field that is no HTTP-date is ignored (RFC 9110 §13.1.3, §13.1.4).
  const second = (value: string | null) => (value === null ? null : secondOf(value, Date.parse(now)));
  return {
    match: tags(field(conditional.ifMatch, 'if-match')),
    noneMatch: tags(field(conditional.ifNoneMatch, 'if-none-match')),
    modifiedSince: second(field(conditional.ifModifiedSince, 'if-modified-since')),
    unmodifiedSince: second(field(conditional.ifUnmodifiedSince, 'if-unmodified-since')),
  };
}

/**
 * Whether a field that is required is not there; a date that cannot be read is as good as none. Where `If-None-Match`
 * is stated beside `If-Match`, either meets it (language §4.3).
 */
export function lacks(conditional: Conditional, incoming: Incoming): boolean {
  const { match, noneMatch, unmodifiedSince } = given(conditional, incoming, new Date(0).toISOString());
  return (
    (stated(conditional.ifMatch) === 'required' && match === null && noneMatch === null) ||
    (stated(conditional.ifUnmodifiedSince) === 'required' && unmodifiedSince === null)
  );
}

/** Judges the preconditions in the order of RFC 9110 §13.2.2; what only GET answers with 304 is `isKnown`'s. */
export function judge(
  { etag, lastModified, compare }: Conditional,
  { match, noneMatch, unmodifiedSince, modifiedSince }: Given,
  isGet: boolean,
  found: () => Current | null,
): Refusal | Held | null {
  const isOfTags = [match, noneMatch].some((tags) => tags !== null && tags !== '*');
  if (etag.kind === 'open' && isOfTags) return { held: [etag.address] };
  const isOfTimes = unmodifiedSince !== null || (isGet && modifiedSince !== null);
  if (lastModified.kind === 'open' && isOfTimes) return { held: [lastModified.address] };
  const failed = refuse('precondition failed');
  if (match !== null) {
    if (!isMatched(match, found(), stated(compare) ?? 'strong')) return failed;
  } else if (unmodifiedSince !== null) {
    const modified = found()?.modified ?? null;
    if (modified !== null && modified > unmodifiedSince) return failed;
  }
  return !isGet && noneMatch !== null && isMatched(noneMatch, found(), 'weak') ? failed : null;
}

function isMatched(
  tags: ReturnType<typeof entityTags>,
  found: Current | null,
  comparison: 'strong' | 'weak',
): boolean {
  if (found === null) return false;
  return tags === '*' || (found.etag !== null && names(tags, found.etag, comparison));
}

/** Whether a client that asks by GET has what it would be sent; by times only where it does not ask by tags. */
export function isKnown({ noneMatch, modifiedSince }: Given, found: Current): boolean {
  if (noneMatch !== null) return isMatched(noneMatch, found, 'weak');
  return modifiedSince !== null && found.modified !== null && found.modified <= modifiedSince;
}

export function fields({ etag, modified }: Current): string[] {
  return [
    ...(etag === null ? [] : ['ETag', etag]),
    ...(modified === null ? [] : ['Last-Modified', httpDate(modified)]),
  ];
}

/** What a 304 repeats of the fields of the answer that it stands for (RFC 9110 §15.4.5). */
const repeated = ['cache-control', 'content-location', 'expires', 'vary'];

export function notModified({ headers }: Reply, { etag, modified }: Current): Reply {
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && repeated.includes(name.toLowerCase()) ? [name, headers[index + 1] as string] : [],
  );
  const validators = fields({ payload: null, etag, modified: etag === null ? modified : null });
  return { status: 304, headers: [...kept, ...validators], body: null };
}
