import { isUtf8 } from 'node:buffer';
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { Json } from '../source/node.ts';

export type Header = readonly [name: string, value: string];

export interface Request {
  readonly method: string;
  /** The whole address, sent as it stands: nothing in its path is resolved or escaped anew. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: string | null;
  /** The content, if `body` does not tell it: see `told`. */
  readonly base64?: string;
  /** The version that it names, as it names it; null: none. Left out: that of whoever sends it (language §9.1). */
  readonly version?: string | null;
}

export interface Response {
  readonly status: number;
  /** As they were received: in order, repeated ones apart. */
  readonly headers: readonly Header[];
  readonly body: string;
  /** The content, if `body` does not tell it: see `told`. */
  readonly base64?: string;
}

/** A request and what came of it. Without an answer, `response` is null and `failure` says why. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response | null;
  readonly failure: string | null;
  /** How long an answer was waited for in vain, in milliseconds; left out where one came, or the connection ended. */
  readonly lateMs?: number;
  /** Nobody listened, so that the request reached nobody. */
  readonly isRefused?: true;
}

/** Content as a text. */
export interface Told {
  readonly body: string;
  readonly base64?: string;
}

/** Content as a text. If it is no text in UTF-8, or has a NUL, which no shell keeps, `base64` tells it. */
export function told(content: Uint8Array): Told {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const body = bytes.toString('utf8');
  return isUtf8(bytes) && !bytes.includes(0) ? { body } : { body, base64: bytes.toString('base64') };
}

/** The content of a request or an answer; undefined: there is none. */
export function contentOf({ body, base64 }: Pick<Request, 'body' | 'base64'>): string | Buffer | undefined {
  return base64 === undefined ? (body ?? undefined) : Buffer.from(base64, 'base64');
}

/** Nothing answers at the address under test. */
export class Unreachable extends Error {}

export interface Client {
  readonly send: (request: Request) => Promise<Exchange>;
  readonly sent: () => number;
  readonly close: () => void;
}

/**
 * How long an answer is waited for, in milliseconds: less for requests like several that had none, one after another, so
 * that a run has an end.
 */
interface Timeouts {
  readonly usualMs: number;
  readonly shortMs: number;
  /** After how many without an answer. */
  readonly patience: number;
}

/** How long an answer is waited for where nothing else is said, in milliseconds. */
export const usualMs = 10_000;

export function waiting(ms = usualMs): Timeouts {
  return { usualMs: ms, shortMs: ms / 10, patience: 3 };
}

/**
 * An HTTP client that adds and hides nothing. Connections are kept alive. Throws `Unreachable` where even the
 * first request finds no one; later on, a request that gets no answer is an observation like any other.
 */
export function client(timeouts: Timeouts = waiting()): Client {
  const agents = {
    'http:': new Agent({ keepAlive: true, maxSockets: 64 }),
    'https:': new SecureAgent({ keepAlive: true, maxSockets: 64 }),
  };
  let sent = 0;
  let answered = false;
  /** How many requests like one had no answer since one had. */
  const late = new Map<string, number>();
  const once = (request: Request, fresh: boolean): Promise<Exchange> =>
    new Promise((resolve) => {
      const [origin = ''] = /^[a-z]+:\/\/[^/?#]*/i.exec(request.url) ?? [];
      const { protocol, hostname, port } = lastOrigins(origin, () => new URL(origin));
      const path = request.url.slice(origin.length) || '/';
      const like = likeOf(request.method, path);
      const isPatient = (late.get(like) ?? 0) < timeouts.patience;
      const timeout = isPatient ? timeouts.usualMs : timeouts.shortMs;
      const secure = protocol === 'https:';
      const outgoing: ClientRequest = (secure ? requestHttps : requestHttp)({
        agent: fresh ? false : agents[secure ? 'https:' : 'http:'],
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (secure ? 443 : 80),
        path,
        method: request.method,
        headers: Object.fromEntries(request.headers),
        timeout,
        // Where there is no TLS no name is looked for, which Node would do anew with each request.
        ...(!secure && { servername: '' }),
      });
      let isLate = false;
      let isBegun = false;
      const fail = (error: Error & { code?: string }): void => {
        const none = { request, response: null };
        if (isLate) resolve({ ...none, failure: `no answer within ${timeout / 1000} s`, lateMs: timeout });
        // A connection that the server closed while it lay idle says nothing about the request.
        else if (outgoing.reusedSocket && !fresh && !isBegun && error.code === 'ECONNRESET')
          resolve(once(request, true));
        else
          resolve({
            ...none,
            failure: error.message || (error.code ?? 'no answer'),
            ...(error.code === 'ECONNREFUSED' && { isRefused: true }),
          });
      };
      outgoing.on('timeout', () => {
        late.set(like, (late.get(like) ?? 0) + 1);
        isLate = true;
        outgoing.destroy(new Error('no answer in time'));
      });
      outgoing.on('error', fail);
      outgoing.on('response', (incoming: IncomingMessage) => {
        isBegun = true;
        late.delete(like);
        const chunks: Buffer[] = [];
        // A stream of events has no end: its head is the answer (WHATWG HTML §9.2).
        const isEndless = /^text\/event-stream\b/i.test(incoming.headers['content-type'] ?? '');
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        const whole = (): void => {
          const headers: Header[] = [];
          for (let i = 0; i < incoming.rawHeaders.length; i += 2)
            headers.push([incoming.rawHeaders[i] as string, incoming.rawHeaders[i + 1] as string]);
          resolve({
            request,
            response: { status: incoming.statusCode as number, headers, ...told(Buffer.concat(chunks)) },
            failure: null,
          });
        };
        if (!isEndless) incoming.on('end', whole);
        else {
          whole();
          incoming.destroy();
        }
      });
      outgoing.end(contentOf(request));
    });
  return {
    send: async (request) => {
      sent += 1;
      const exchange = await once(request, false);
      if (exchange.response === null && !answered)
        throw new Unreachable(`nothing answers at ${new URL('/', request.url).href}: ${exchange.failure}`);
      answered = true;
      return exchange;
    },
    sent: () => sent,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** What requests to one endpoint have in common: the method, and how the path begins and how long it is. */
function likeOf(method: string, target: string): string {
  const [, first = '', ...others] = (target.split('?')[0] ?? '').split('/');
  return `${method} ${first} ${others.length}`;
}

/** The values of a header field, joined as RFC 9110 §5.3 allows; undefined where it is not there. */
export function header(response: Response | null, name: string): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  for (const [key, value] of response?.headers ?? [])
    if (key.toLowerCase() === wanted) found = found === undefined ? value : `${found}, ${value}`;
  return found;
}

/** The members of a header field that is a list (RFC 9110 §5.6.1). */
export function headerList(response: Response | null, name: string): string[] {
  return (header(response, name) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** The media type without its parameters, in lower case (RFC 9110 §8.3.1). */
export function mediaType(response: Response | null): string | undefined {
  return header(response, 'content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** Gives what was made of a text last, as long as no more than so many others were asked for since it was made. */
function remembering<V>(most: number): (text: string, make: () => V) => V {
  const made = new Map<string, V>();
  return (text, make) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    if (made.size >= most) made.delete(made.keys().next().value as string);
    const value = make();
    made.set(text, value);
    return value;
  };
}

const lastOrigins = remembering<URL>(32);

/** Lists are sent time and again as they were, or with most of their elements as they were. */
const lastRead = remembering<{ readonly value: Json | undefined }>(32);
const lastElements = remembering<Json>(4096);

/**
 * The content read as JSON (RFC 8259), the same value for the same text, and within it the same one for the same element
 * of a list; undefined where it is none.
 */
export function jsonOf({ response }: Exchange): Json | undefined {
  const text = response?.body ?? '';
  return lastRead(text, () => ({ value: parsed(text) })).value;
}

/** A number that binary64 has no value for: it is written anew as null is. Within an identifier none stands. */
const beyond = /[[:,\s]-?(?:\d{300}|\d[\d.]*e\+?\d{3})/i;

function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    if (typeof value !== 'object' || value === null || beyond.test(text)) return value;
    for (const list of [value, ...Object.values(value)])
      if (Array.isArray(list))
        for (const [index, one] of list.entries())
          list[index] = lastElements(JSON.stringify(one), () => one as Json);
    return value;
  } catch {
    return undefined;
  }
}

/** How a command line is written. */
interface Written {
  /** A word of a POSIX shell. Default: within single quotes */
  readonly quote?: (word: string) => string;
  /** Whether it shows the status and the header fields of the answer. Default: true */
  readonly isWhole?: boolean;
  /** Whether curl may read brackets in the address as patterns. Default: where there are none */
  readonly isGlob?: boolean;
}

/**
 * The request as a command line that sends it again; safe to paste into a POSIX shell. Content that is no text comes from
 * `printf`.
 */
export function curl(
  { method, url, headers, body, base64 }: Pick<Request, 'method' | 'url' | 'headers' | 'body' | 'base64'>,
  { quote = quoted, isWhole = true, isGlob = !/[[\]{}]/.test(url) }: Written = {},
): string {
  const way = method === 'HEAD' ? ['--head'] : [...(isWhole ? ['-i'] : []), '-X', method];
  const words = ['curl', '-sS', ...way, '--path-as-is'];
  if (!isGlob) words.push('--globoff');
  words.push(quote(url));
  // A field without a value is written so; with a colon, curl would send none.
  for (const [name, value] of headers)
    words.push('-H', quote(value.trim() === '' ? `${name};` : `${name}: ${value}`));
  if (body !== null) {
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type'))
      words.push('-H', quote('Content-Type:'));
    words.push(...(base64 === undefined ? ['--data-raw', quote(body)] : ['--data-binary', '@-']));
  }
  const line = words.join(' ');
  return base64 === undefined ? line : `printf '${octal(Buffer.from(base64, 'base64'))}' | ${line}`;
}

/**
 * One word of a POSIX shell: within single quotes nothing has a meaning but the quote itself. A control character would
 * act on the terminal, or be lost on the way: `printf` makes it.
 */
export function quoted(word: string): string {
  const escaped = word.replaceAll("'", "'\\''");
  return `'${escaped.replace(/[^\P{Cc}\n]+/gu, (controls) => `'"$(printf '${octal(Buffer.from(controls))}')"'`)}'`;
}

function octal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
