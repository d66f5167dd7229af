import { once } from '../../source/once.ts';
import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Refusal } from '../change/refusal.ts';
import { Malformed, pairsOf, pathValues, queryValues } from '../request/given/parameters.ts';
import type { Request } from '../request/prediction.ts';
import { type Route, type Routed, routed } from '../request/route.ts';
import { Unknown, unknown } from '../value/value.ts';
import { editionsOf, meantVersion, type WrongVersion } from '../version/meant.ts';
import { contentOf } from './content.ts';
import { credentialsIn, isCredential } from './credentials.ts';
import { namedVersion } from './version.ts';

/** A request as it is sent. */
export interface Message {
  readonly method: string;
  /** The path and the query, as they were sent: nothing is decoded. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content as a text; empty: there is none. */
  readonly body: string;
}

/** What a message asks for, or the condition by which it is refused before it is known what. */
export type Received =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly operation: Operation | null }
  | Unknown;

/**
 * Reads a message: finds the operation, the values of its parameters, and its content (language §4.1, §4.2).
 *
 * @param url the address of the service, for `service.url`
 * @returns unknown: this does not carry out how the message is read
 */
export function received(sent: Message, url: string, newest: Specification): Received {
  const { written, message } = namedVersion(sent, newest);
  const version = meantVersion(newest, written);
  if (version instanceof Unknown) return version;
  if (typeof version === 'string') return withoutVersion(message, version, newest);
  const { specification } = version;
  // Which of several media types is sent hangs on `Accept`, which this does not carry out.
  if (message.headers['accept'] !== undefined && isOfSeveral(specification)) return unknown([]);
  const [path = '', query = ''] = message.target.split(/\?(.*)/s);
  const found = routed(specification, message.method, path);
  if (found.kind !== 'routes') return unrouted(found, message.method);
  const route = meant(found.routes);
  if (route instanceof Unknown) return route;
  const result = read(message, route, query, url, specification);
  if (result instanceof Unknown || result.kind === 'refused' || written === undefined) return result;
  return { ...result, request: { ...result.request, version: written } };
}

/** A message that means no version is refused for its path first: one that no version has (language §H.4). */
function withoutVersion(message: Message, condition: WrongVersion, newest: Specification): Received {
  const [path = ''] = message.target.split('?');
  const there = editionsOf(newest).map((edition) => routed(edition, message.method, path));
  const [first] = there;
  const isThere = there.some(({ kind }) => kind === 'routes');
  if (first && !isThere && first.kind !== 'routes') return unrouted(first, message.method);
  return { kind: 'refused', refusal: { condition, subject: '', failures: [] }, operation: null };
}

/** Whether some answer or error has `content` of several media types. */
const isOfSeveral = once(({ operations, errors }: Specification): boolean => {
  const part = stated(errors);
  const rows = [...(stated(part?.codes)?.values() ?? [])].flatMap((said) => stated(said) ?? []);
  const answers = operations.flatMap(({ response }) => stated(response) ?? []);
  return [...answers, ...rows].some(({ content }) => content.kind === 'stated');
});

function unrouted({ kind }: Exclude<Routed, { kind: 'routes' }>, method: string): Received {
  // What HEAD and OPTIONS come to, HTTP and the Fetch standard say.
  if (kind === 'method not allowed' && ['HEAD', 'OPTIONS'].includes(method)) return unknown([]);
  const subject = kind === 'malformed' ? 'path' : '';
  return { kind: 'refused', refusal: { condition: kind, subject, failures: [] }, operation: null };
}

/** The operation that a request means; unknown: `when` tells, which this does not carry out. */
function meant(routes: readonly Route[]): Route | Unknown {
  const [only, ...others] = routes;
  if (only === undefined || others.length > 0) return unknown([]);
  return stated(only.operation.endpoint.when) ? unknown([]) : only;
}

function read(
  { headers, body }: Message,
  { operation, given }: Route,
  queryText: string,
  url: string,
  specification: Specification,
): Received {
  const refused = (condition: Refusal['condition'], subject: string): Received => ({
    kind: 'refused',
    refusal: { condition, subject, failures: [] },
    operation,
  });
  const path = pathValues(operation, given, specification);
  const pairs = pairsOf(queryText);
  if (pairs instanceof Malformed) return path instanceof Unknown ? path : refused('malformed', pairs.place);
  const query = queryValues(
    operation,
    pairs.filter(([name]) => !isCredential(name, specification)),
    specification,
  );
  const credentials = credentialsIn(headers, pairs, specification);
  const content = contentOf(operation, headers['content-type'], body);
  if (path instanceof Unknown) return path;
  if (query instanceof Unknown) return query;
  if (content instanceof Unknown) return content;
  if (credentials instanceof Unknown) return credentials;
  if (content === 'malformed') return refused('malformed', 'body');
  if (content === 'unsupported media') return refused(content, '');
  return {
    kind: 'request',
    request: {
      ...{ operation, path, query, headers, credentials, content: content.value, url },
      leastBytes: Buffer.byteLength(body),
    },
  };
}
