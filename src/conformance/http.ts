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
  /** The version that it names, as it names it; null: none. Left out: that of whoever sends it (language §9.1). */
  readonly version?: string | null;
}

export interface Response {
  readonly status: number;
  /** As they were received: in order, repeated ones apart. */
  readonly headers: readonly Header[];
  readonly body: string;
}

/** A request and what came of it. Without an answer, `response` is null and `failure` says why. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response | null;
  readonly failure: string | null;
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

const timeouts: Timeouts = { usualMs: 10_000, shortMs: 1_000, patience: 3 };

/**
 * An HTTP client that adds and hides nothing. Connections are kept alive. Throws `Unreachable` where even the
 * first request finds no one; later on, a request that gets no answer is an observation like any other.
 */
export function client({ usualMs, shortMs, patience } = timeouts): Client {
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
      const { protocol, hostname, port, pathname } = new URL(request.url);
      const like = likeOf(request.method, pathname);
      const timeout = (late.get(like) ?? 0) < patience ? usualMs : shortMs;
      const secure = protocol === 'https:';
      const outgoing: ClientRequest = (secure ? requestHttps : requestHttp)({
        agent: fresh ? false : agents[secure ? 'https:' : 'http:'],
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (secure ? 443 : 80),
        path: request.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/',
        method: request.method,
        headers: Object.fromEntries(request.headers),
        timeout,
      });
      const fail = (error: Error & { code?: string }): void => {
        // A connection that the server closed while it lay idle says nothing about the request.
        if (outgoing.reusedSocket && !fresh && error.code === 'ECONNRESET') resolve(once(request, true));
        else resolve({ request, response: null, failure: error.message || (error.code ?? 'no answer') });
      };
      outgoing.on('timeout', () => {
        late.set(like, (late.get(like) ?? 0) + 1);
        outgoing.destroy(new Error(`no answer within ${timeout / 1000} s`));
      });
      outgoing.on('error', fail);
      outgoing.on('response', (incoming: IncomingMessage) => {
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
          const body = Buffer.concat(chunks).toString('utf8');
          resolve({
            request,
            response: { status: incoming.statusCode as number, headers, body },
            failure: null,
          });
        };
        if (!isEndless) incoming.on('end', whole);
        else {
          whole();
          incoming.destroy();
        }
      });
      outgoing.end(request.body ?? undefined);
    });
  return {
    send: async (request) => {
      sent += 1;
      const exchange = await once(request, false);
      if (exchange.response === null && !answered)
        throw new Unreachable(`nothing answers at ${request.url}: ${exchange.failure}`);
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
function likeOf(method: string, path: string): string {
  const [, first = '', ...others] = path.split('/');
  return `${method} ${first} ${others.length}`;
}

/** The values of a header field, joined as RFC 9110 §5.3 allows; undefined where it is not there. */
export function header(response: Response | null, name: string): string | undefined {
  const values = (response?.headers ?? []).filter(([key]) => key.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
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

/** How many texts are kept with what they were read as: lists are sent time and again as they were. */
const mostRead = 32;
const lastRead = new Map<string, Json | undefined>();

/** The content read as JSON (RFC 8259), the same value for the same text; undefined where it is none. */
export function jsonOf({ response }: Exchange): Json | undefined {
  const text = response?.body ?? '';
  if (!lastRead.has(text)) {
    if (lastRead.size >= mostRead) lastRead.delete(lastRead.keys().next().value as string);
    lastRead.set(text, parsed(text));
  }
  return lastRead.get(text);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The request as a command line that sends it again; safe to paste into a POSIX shell. */
export function curl({ method, url, headers, body }: Request): string {
  const words = ['curl', '-sS', ...(method === 'HEAD' ? ['--head'] : ['-i', '-X', method]), '--path-as-is'];
  if (/[[\]{}]/.test(url)) words.push('--globoff');
  words.push(quoted(url));
  for (const [name, value] of headers) words.push('-H', quoted(`${name}: ${value}`));
  if (body !== null) {
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type'))
      words.push('-H', quoted('Content-Type:'));
    words.push('--data-raw', quoted(body));
  }
  return words.join(' ');
}

/** One word of a POSIX shell: within single quotes nothing has a meaning but the quote itself. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
