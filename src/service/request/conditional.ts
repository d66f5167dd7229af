import { hash } from 'node:crypto';
import { Bytes } from '../../expression/bytes.ts';
import { compileTemplate, type Frame, type Item } from '../../expression/compile.ts';
import { equal } from '../../expression/functions.ts';
import { worked } from '../../expression/values.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Outcome } from '../../specification/vocabulary/answer.ts';
import type { Conditional } from '../../specification/vocabulary/parts/endpoints.ts';
import { withoutNames } from '../../specification/vocabulary/paths.ts';
import { compileAnswers } from '../content/answers.ts';
import { environmentOf, type Writers } from '../content/render.ts';
import { isTag } from '../http/validators.ts';
import type { Judge } from '../judge/judge.ts';
import type { RequestView } from '../message/frame.ts';
import type { HostLimits } from '../message/host-limits.ts';
import type { Incoming } from '../message/incoming.ts';
import { type Held, isHeld, type Refusal, refuse } from '../message/refusal.ts';
import { isStream, type Reply } from '../message/reply.ts';
import { compileParameters, isReadable } from '../parameters/parameters.ts';
import type { KeptResource } from '../resource/kept.ts';
import type { Store } from '../store/store.ts';
import { type Doing, itemOf, naming } from '../transaction/doing.ts';
import { canonical } from '../value/canonical.ts';
import { type Current, fields, given, isKnown, judge, lacks, notModified } from './preconditions.ts';
import { asksForRange, inRange, refusesRange } from './ranges.ts';
import type { Request, Within } from './request.ts';

/** An operation's preconditions, compiled (language §4.3). */
export interface CompiledConditional {
  readonly judges: readonly Judge<Request>[];
  /** A success with its validators, if there are any; or 304 in its place, where GET finds what the client has. */
  readonly answered: (reply: Reply, asked: Asked) => Reply;
  /** The same for a list, which is made whole first; or what stands against it. */
  readonly listed: (reply: Reply, asked: Asked) => Promise<Reply | Refusal | Held>;
}

/** A request that was carried out, and the names that its answer found. */
export interface Asked {
  readonly incoming: Incoming;
  /** `request.body`. */
  readonly body: unknown;
  readonly doing: Doing;
  readonly names: Readonly<Record<string, unknown>>;
  readonly outcome: Outcome | null;
}

/** What is needed of the service around it. */
interface Means {
  readonly writers: Writers;
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly store: Pick<Store, 'read'>;
  readonly limits: HostLimits;
}

/** Compiles `conditional` (language §4.3; RFC 9110 §13); null where it is not stated. */
export function compileConditional(
  specification: Specification,
  operation: Operation,
  { writers, resources, store, limits }: Means,
): CompiledConditional | null {
  const conditional = stated(operation.endpoint.conditional);
  if (conditional === undefined) return null;
  const isGet = operation.method === 'GET';
  const isList = stated(operation.does)?.verb === 'list';
  const current = compileCurrent(conditional, writers);
  const payloadOf = compilePayload(specification, operation, { writers, limits });
  const ofItem: CurrentOf = (item, incoming, { frame: frameOf }) => {
    const frame = frameOf({ this: item, old: item, outcome: null });
    return current(payloadOf(item, incoming, frame), frame);
  };
  const of: Of = { conditional, isGet, isList, present: compilePresent(operation, resources), ofItem };
  const hasRanges = isGet && !isList && stated(conditional.ranges) !== undefined;
  const answered = compileAnswered(operation, conditional, hasRanges);
  const ofReply = ({ body }: Reply, { doing, names }: Asked): Current =>
    current(isStream(body) ? null : body, doing.frame(names));
  return {
    judges: [missing(of), ...(isList ? [] : [failed(of)]), ...(hasRanges ? [unsatisfiable(of)] : [])],
    answered: (reply, asked) => {
      if (isGet) return answered(reply, ofReply(reply, asked), asked);
      const { incoming, doing, names: known, outcome } = asked;
      const item = outcome === 'deleted' ? null : ((known['this'] ?? null) as Item | null);
      return answered(reply, item && ofItem(item, incoming, naming(doing, known)), asked);
    },
    listed: async (reply, asked) => {
      const made = await whole(reply);
      return store.read(() => {
        const found = ofReply(made, asked);
        const conditions = given(conditional, asked.incoming, asked.doing.now);
        return judge(conditional, conditions, isGet, () => found) ?? answered(made, found, asked);
      });
    },
  };
}

/** What the judges of preconditions look at. */
interface Of {
  readonly conditional: Conditional;
  readonly isGet: boolean;
  readonly isList: boolean;
  /** The item that the preconditions are about; null: there is none. */
  readonly present: (request: Request, within: Within) => Item | null;
  readonly ofItem: CurrentOf;
}

type CurrentOf = (item: Item, incoming: Incoming, doing: Doing) => Current;

/** `precondition missing`. It is asked of an item that is there (language §4.3, rule 6). */
function missing({ conditional, isList, present }: Of): Judge<Request> {
  return {
    ...plain,
    condition: 'precondition missing',
    kept: !isList,
    refuses: (request) => {
      const { incoming, within } = request;
      const isAsked = isList || (within !== null && present(request, within) !== null);
      return isAsked && lacks(conditional, incoming) ? [refuse('precondition missing')] : [];
    },
  };
}

function failed({ conditional, isGet, present, ofItem }: Of): Judge<Request> {
  return {
    ...plain,
    condition: 'precondition failed',
    kept: true,
    refuses: (request) => {
      const { incoming, within } = request;
      if (within === null) return [];
      const doing = naming(within.doing, within.found().bound);
      const item = present(request, within);
      const found = (): Current | null => item && ofItem(item, incoming, doing);
      const against = judge(conditional, given(conditional, incoming, doing.now), isGet, found);
      return against === null ? [] : isHeld(against) ? against : [against];
    },
  };
}

function unsatisfiable({ conditional, present, ofItem }: Of): Judge<Request> {
  return {
    ...plain,
    condition: 'range not satisfiable',
    kept: true,
    refuses: (request) => {
      const { incoming, within } = request;
      if (within === null || !asksForRange(incoming)) return [];
      const doing = naming(within.doing, within.found().bound);
      const item = present(request, within);
      const found = item && ofItem(item, incoming, doing);
      if (found === null || isKnown(given(conditional, incoming, doing.now), found)) return [];
      return refusesRange(incoming, found);
    },
  };
}

/** The validators of a payload. */
function compileCurrent(
  { etag, lastModified }: Conditional,
  writers: Writers,
): (payload: Payload | null, frame: Frame) => Current {
  const tag = compileTag(etag, writers);
  const expression = stated(lastModified);
  const time = expression && compileTemplate(expression.template, environmentOf(writers));
  const secondIn = (frame: Frame): number | null => {
    const written = time && worked(() => time(frame));
    const second = typeof written === 'string' ? Math.floor(Date.parse(written) / 1000) : Number.NaN;
    return Number.isNaN(second) ? null : second;
  };
  return (payload, frame) => ({
    payload,
    etag: tag?.(payload ?? '', frame) ?? null,
    modified: secondIn(frame),
  });
}

/** Gives a success its validators, or answers 304 or a range in its place. */
function compileAnswered(
  { method }: Operation,
  conditional: Conditional,
  hasRanges: boolean,
): (reply: Reply, current: Current | null, asked: Asked) => Reply {
  return (reply, current, { incoming, body, doing }) => {
    if (current === null || reply.status < 200 || reply.status > 299) return reply;
    // What was sent to PUT and is shown otherwise has no validator in this answer (RFC 9110 §9.3.4).
    if (method === 'PUT' && !isAsSent(current.payload, body)) return reply;
    if (method === 'GET' && isKnown(given(conditional, incoming, doing.now), current))
      return notModified(reply, current);
    const tagged = { ...reply, headers: [...reply.headers, ...fields(current)] };
    return hasRanges ? inRange(tagged, incoming, current) : tagged;
  };
}

/** A list whose body is there as a whole: its tag goes ahead of it. */
async function whole(reply: Reply): Promise<Reply> {
  if (!isStream(reply.body)) return reply;
  const chunks: string[] = [];
  for await (const chunk of reply.body.chunks()) chunks.push(chunk);
  return { ...reply, body: chunks.join('') };
}

/** A payload: a text, or bytes. */
type Payload = string | Uint8Array;

const plain = { code: null, kept: false, byChange: false } as const;

/** Finds the item that preconditions are about: the one that is changed or read, or that is there before one is made. */
function compilePresent(
  operation: Operation,
  resources: ReadonlyMap<string, KeptResource>,
): (request: Request, within: Within) => Item | null {
  const kept = operation.subject ? resources.get(operation.subject.name) : undefined;
  const isNew = stated(operation.does)?.verb === 'create';
  const fields = new Map<string, string>();
  for (const [parameter, binding] of operation.bindings)
    if (binding.kind === 'subject') fields.set(binding.field, parameter);
  const unique = isNew
    ? kept?.uniques.find((one) => one.fields.every((name) => fields.has(name)))
    : undefined;
  return ({ body }, within) => {
    const { doing } = within;
    const { subject } = within.found();
    if (subject !== null) return itemOf(doing, subject.kept, subject.row);
    if (kept === undefined || !isNew) return null;
    if (body === null) {
      const met = within.meets();
      return met && itemOf(doing, kept, met);
    }
    // Of a body that does not fit, only what the path says identifies an item.
    if (unique === undefined) return null;
    const { path } = doing.frame({}).names['request'] as RequestView;
    const members = Object.fromEntries([...fields].map(([field, parameter]) => [field, path[parameter]]));
    const row = unique.find(doing.tx, members);
    return row && itemOf(doing, kept, row);
  };
}

/**
 * What a tag is a tag of: the payload with which an item is read, so that those of GET and of what changes the item
 * agree (RFC 9110 §3.2, selected representation).
 */
function compilePayload(
  specification: Specification,
  operation: Operation,
  { writers, limits }: { readonly writers: Writers; readonly limits: HostLimits },
): (item: Item, incoming: Incoming, frame: Frame) => Payload | null {
  const reader = readerOf(specification, operation);
  if (reader === null) return (item, _incoming, frame) => writers(item.resource)?.(item, frame) ?? null;
  const answer = compileAnswers(specification, reader, writers);
  const parameters = compileParameters(specification, reader, {
    depth: limits.jsonDepth,
    nodes: limits.jsonNodes,
  });
  return (_item, incoming, frame) => {
    const read = parameters(incoming);
    const { path, query, headers } = isReadable(read) ? read : { path: {}, query: {}, headers: {} };
    const before = frame.names['request'] as object;
    const request = { ...before, path, query, headers, method: 'GET', body: null };
    const reply = answer(null, { ...frame, names: { ...frame.names, request } });
    return 'held' in reply || isStream(reply.body) ? null : reply.body;
  };
}

/** What reads the items that an operation is about: itself, or GET at its path, or else the first that has a tag. */
function readerOf(specification: Specification, operation: Operation): Operation | null {
  const reads = (one: Operation): boolean =>
    one.method === 'GET' && stated(one.does)?.verb === 'read' && one.subject === operation.subject;
  const readers = operation.subject ? specification.operations.filter(reads) : [];
  const tagged = readers.filter((one) => stated(stated(one.endpoint.conditional)?.etag) !== undefined);
  const path = withoutNames(operation.path);
  return readers.find((one) => withoutNames(one.path) === path) ?? tagged[0] ?? readers[0] ?? null;
}

type Tag = (payload: Payload, frame: Frame) => string | null;

/**
 * A strong tag is of the payload's bytes, a weak one of its value (RFC 9110 §8.8.1); the text of an expression is a
 * strong one, where a tag can hold it.
 */
function compileTag(etag: Conditional['etag'], writers: Writers): Tag | null {
  if (etag.kind !== 'stated' && etag.kind !== 'any') return null;
  const digest = (text: Payload): string => `"${hash('sha256', text, 'base64url')}"`;
  const said = stated(etag);
  if (said === 'weak') return (payload) => `W/${digest(canonicalOf(payload))}`;
  if (said === 'strong' || said === undefined) return digest;
  const run = compileTemplate(said.template, environmentOf(writers));
  return (_payload, frame) => {
    const text = worked(() => run(frame));
    return typeof text === 'string' && isTag(text) ? `"${text}"` : null;
  };
}

function canonicalOf(payload: Payload): Payload {
  if (typeof payload !== 'string') return payload;
  const value = parsed(payload);
  return value === undefined ? payload : canonical(value);
}

function isAsSent(payload: Payload | null, body: unknown): boolean {
  if (payload === null || typeof payload === 'string')
    return payload !== null && equal(parsed(payload), body);
  return body instanceof Bytes && equal(Bytes.of(payload), body);
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
