import type { IncomingMessage } from 'node:http';

/**
 * The protocol floor: what HTTP obliges any server to do, whatever it serves, and no more. Every answer here
 * has no content, since none was stated. Host limits (408, 413, 431, 503) are the process's own protection.
 */
export const floor = {
  /** RFC 9112 §3.2: not one Host; RFC 9110 §5.3: of a field that is no list, several values. */
  badRequest: 400,
  /** RFC 9110 §15.5.5: nothing stands at this path. */
  unknownPath: 404,
  /** RFC 9110 §15.5.6: the path is there and not for this method; Allow lists those that are. */
  methodNotAllowed: 405,
  /** RFC 9110 §15.6.2: what it takes to carry the request out is not there. */
  notImplemented: 501,
  /** RFC 9112 §9.6, RFC 9110 §15.5.9: the request did not come in time. */
  timeout: 408,
  /** RFC 9110 §15.5.18: an expectation other than 100-continue. */
  expectationFailed: 417,
  /** RFC 6585 §5: the header fields are more than the host takes. */
  headerTooLarge: 431,
  /** RFC 9110 §15.5.14: the content is more than the host takes. */
  contentTooLarge: 413,
  /** RFC 9110 §15.6.4: the host has too much to do. */
  unavailable: 503,
} as const;

/** Fields that hold one value (RFC 9110): twice, they contradict themselves. */
const single = new Set([
  'authorization',
  'content-length',
  'content-type',
  'expect',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'proxy-authorization',
  'range',
  'referer',
  'user-agent',
]);

/** A host and a port (RFC 9110 §7.2, RFC 3986 §3.2.2); both may be empty. */
const host = /^(\[[\dA-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/;

/**
 * What is wrong with the head of a request that Node's parser let pass: it drops fields past a number and
 * keeps the first of two. Undefined where nothing is.
 */
export function headProblem(request: IncomingMessage, headerCount: number): number | undefined {
  const { rawHeaders } = request;
  if (request.httpVersionMajor !== 1) return floor.badRequest;
  if (rawHeaders.length > headerCount * 2) return floor.headerTooLarge;
  if (comesTwice(request)) return floor.badRequest;
  const named = request.headers.host;
  if (named === undefined) return request.httpVersion === '1.0' ? undefined : floor.badRequest;
  return host.test(named) ? undefined : floor.badRequest;
}

/** Whether a field that holds one value came twice: only then there are fewer names than lines. */
function comesTwice({ headers, rawHeaders }: IncomingMessage): boolean {
  let names = 0;
  for (const _name in headers) names += 1;
  if (names * 2 === rawHeaders.length) return false;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

/** The path and query of a request's target, in origin or absolute form (RFC 9112 §3.2); null for other forms. */
export function targetOf(url: string): { readonly path: string; readonly query: string | null } | null {
  const absolute = url.startsWith('/') ? null : /^https?:\/\/[^/?#]*/i.exec(url);
  const origin = absolute ? url.slice(absolute[0].length) : url;
  const question = origin.indexOf('?');
  const path = (question === -1 ? origin : origin.slice(0, question)) || (absolute ? '/' : '');
  if (!path.startsWith('/')) return null;
  return { path, query: question === -1 ? null : origin.slice(question + 1) };
}

/** The methods of a path for Allow: GET brings HEAD (RFC 9110 §9.3.2). */
export function allowed(methods: Iterable<string>): string {
  const list = [...methods];
  const get = list.indexOf('GET');
  if (get !== -1 && !list.includes('HEAD')) list.splice(get + 1, 0, 'HEAD');
  return list.join(', ');
}
