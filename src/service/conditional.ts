import { hash } from 'node:crypto';
import { compileTemplate, type Frame, type Item } from '../expression/compile.ts';
import { equal } from '../expression/functions.ts';
import type { Operation } from '../specification/operation.ts';
import type { Conditional } from '../specification/parts/endpoints.ts';
import { type Said, stated } from '../specification/said.ts';
import type { Specification } from '../specification/specification.ts';
import { compileAnswers } from './answers.ts';
import { canonical } from './canonical.ts';
import { worked } from './content.ts';
import { entityTags, httpDate, names, secondOf } from './http/validators.ts';
import type { Incoming } from './incoming.ts';
import { compileParameters } from './parameters/parameters.ts';
import { type Held, type Refusal, refuse } from './refusal.ts';
import type { Writers } from './render.ts';
import type { Reply } from './reply.ts';

type FrameOf = (names: Readonly<Record<string, unknown>>) => Frame;

/** What the preconditions of a request are compared with (RFC 9110 §8.8). */
export interface Current {
  /** The payload that the tag is of; null where it has no content. */
  readonly payload: string | null;
  /** As it stands in `ETag`; null where none is stated. */
  readonly etag: string | null;
  /** Seconds since 1970; null where that is not known. */
  readonly modified: number | null;
}

/** An operation's preconditions, compiled (language §4.3). */
export interface CompiledConditional {
  /** `precondition missing`; what is kept is not looked at. */
  readonly missing: (incoming: Incoming) => Refusal | null;
  /** `precondition failed`, beside what there is `now` (RFC 3339); null: there is nothing. */
  readonly failed: (incoming: Incoming, now: string, current: () => Current | null) => Refusal | Held | null;
  /** An item as it is read; `frame` is that of the request. */
  readonly ofItem: (item: Item, incoming: Incoming, frame: FrameOf) => Current;
  /** What GET answers, its body being whole; `frame` is the one that it was worked out in. */
  readonly ofReply: (reply: Reply, frame: Frame) => Current;
  /** A success with its validators, if there are any; or 304 in its place, where GET finds what the client has. */
  readonly answered: (reply: Reply, current: Current | null, request: Asked) => Reply;
}

/** A request, the value of its body, and when it came (RFC 3339). */
interface Asked {
  readonly incoming: Incoming;
  readonly body: unknown;
  readonly now: string;
}

/** Compiles `conditional` (language §4.3; RFC 9110 §13); null where it is not stated. */
export function compileConditional(
  specification: Specification,
  operation: Operation,
  writers: Writers,
): CompiledConditional | null {
  const conditional = stated(operation.endpoint.conditional);
  if (conditional === undefined) return null;
  const isGet = operation.method === 'GET';
  const payloadOf = compilePayload(specification, operation, writers);
  const tag = compileTag(conditional.etag);
  const expression = stated(conditional.lastModified);
  const lastModified = expression && compileTemplate(expression.template, () => undefined);
  const secondIn = (frame: Frame): number | null => {
    const time = lastModified && worked(() => lastModified(frame));
    const second = typeof time === 'string' ? Math.floor(Date.parse(time) / 1000) : Number.NaN;
    return Number.isNaN(second) ? null : second;
  };
  const current = (payload: string | null, frame: Frame): Current => ({
    payload,
    etag: tag?.(payload ?? '') ?? null,
    modified: secondIn(frame),
  });
  return {
    missing: (incoming) => (lacks(conditional, incoming) ? refuse('precondition missing') : null),
    failed: (incoming, now, found) => judge(conditional, given(conditional, incoming, now), isGet, found),
    ofItem: (item, incoming, frameOf) => {
      const frame = frameOf({ this: item, old: item, outcome: null });
      return current(payloadOf(item, incoming, frame), frame);
    },
    ofReply: ({ body }, frame) => current(typeof body === 'string' ? body : null, frame),
    answered: (reply, found, { incoming, body, now }) => {
      if (found === null || reply.status < 200 || reply.status > 299) return reply;
      // What was sent to PUT and is shown otherwise has no validator in this answer (RFC 9110 §9.3.4).
      if (operation.method === 'PUT' && !isAsSent(found.payload, body)) return reply;
      if (isGet && isKnown(given(conditional, incoming, now), found)) return notModified(reply, found);
      return { ...reply, headers: [...reply.headers, ...fields(found)] };
    },
  };
}

/**
 * What a tag is a tag of: the payload with which an item is read, so that those of GET and of what changes the item
 * agree (RFC 9110 §3.2, selected representation).
 */
function compilePayload(
  specification: Specification,
  operation: Operation,
  writers: Writers,
): (item: Item, incoming: Incoming, frame: Frame) => string | null {
  const reader = readerOf(specification, operation);
  if (reader === null) return (item, _incoming, frame) => writers(item.resource)?.(item, frame) ?? null;
  const answer = compileAnswers(reader, writers);
  const parameters = compileParameters(specification, reader);
  return (_item, incoming, frame) => {
    const { path, query, headers } = parameters(incoming) ?? { path: {}, query: {}, headers: {} };
    const before = frame.names['request'] as object;
    const request = { ...before, path, query, headers, method: 'GET', body: null };
    const reply = answer(null, { ...frame, names: { ...frame.names, request } });
    return 'held' in reply || typeof reply.body !== 'string' ? null : reply.body;
  };
}

/** What reads the items that an operation is about: itself, or GET at its path, or else the first that has a tag. */
function readerOf(specification: Specification, operation: Operation): Operation | null {
  const reads = (one: Operation): boolean =>
    one.method === 'GET' && stated(one.does)?.verb === 'read' && one.subject === operation.subject;
  const readers = operation.subject ? specification.operations.filter(reads) : [];
  const tagged = readers.filter((one) => stated(stated(one.endpoint.conditional)?.etag) !== undefined);
  const path = pathOf(operation);
  return readers.find((one) => pathOf(one) === path) ?? tagged[0] ?? readers[0] ?? null;
}

/** A path by its literals alone: what its parameters are called makes no difference. */
function pathOf({ path }: Operation): string {
  return path.map((segment) => ('literal' in segment ? `/${segment.literal}` : '/{}')).join('');
}

/** A strong tag is of the payload's bytes, a weak one of its value (RFC 9110 §8.8.1). */
function compileTag(etag: Conditional['etag']): ((payload: string) => string) | null {
  if (etag.kind !== 'stated' && etag.kind !== 'any') return null;
  const digest = (text: string): string => `"${hash('sha256', text, 'base64url')}"`;
  return stated(etag) === 'weak' ? (payload) => `W/${digest(canonicalOf(payload))}` : digest;
}

function canonicalOf(payload: string): string {
  const value = parsed(payload);
  return value === undefined ? payload : canonical(value);
}

function isAsSent(payload: string | null, body: unknown): boolean {
  return payload !== null && equal(parsed(payload), body);
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** What a request's preconditions say: of the fields that are stated, those that came and can be read. */
interface Given {
  readonly match: ReturnType<typeof entityTags> | null;
  readonly noneMatch: ReturnType<typeof entityTags> | null;
  readonly modifiedSince: number | null;
  readonly unmodifiedSince: number | null;
}

function given(conditional: Conditional, { headers }: Incoming, now: string): Given {
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

/** Whether a field that is required is not there; a date that cannot be read is as good as none. */
function lacks(conditional: Conditional, incoming: Incoming): boolean {
  const { match, unmodifiedSince } = given(conditional, incoming, new Date(0).toISOString());
  return (
    (stated(conditional.ifMatch) === 'required' && match === null) ||
    (stated(conditional.ifUnmodifiedSince) === 'required' && unmodifiedSince === null)
  );
}

/** Judges the preconditions in the order of RFC 9110 §13.2.2; what only GET answers with 304 is `isKnown`'s. */
function judge(
  { etag, lastModified }: Conditional,
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
    if (!isMatched(match, found(), 'strong')) return failed;
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
function isKnown({ noneMatch, modifiedSince }: Given, found: Current): boolean {
  if (noneMatch !== null) return isMatched(noneMatch, found, 'weak');
  return modifiedSince !== null && found.modified !== null && found.modified <= modifiedSince;
}

function fields({ etag, modified }: Current): string[] {
  return [
    ...(etag === null ? [] : ['ETag', etag]),
    ...(modified === null ? [] : ['Last-Modified', httpDate(modified)]),
  ];
}

/** What a 304 repeats of the fields of the answer that it stands for (RFC 9110 §15.4.5). */
const repeated = ['cache-control', 'content-location', 'expires', 'vary'];

function notModified({ headers }: Reply, { etag, modified }: Current): Reply {
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && repeated.includes(name.toLowerCase()) ? [name, headers[index + 1] as string] : [],
  );
  const validators = fields({ payload: null, etag, modified: etag === null ? modified : null });
  return { status: 304, headers: [...kept, ...validators], body: null };
}
