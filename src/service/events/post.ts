import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Resolve } from './names.ts';
import { hostOf, httpUrl, type IsOutside } from './outside.ts';

/** A message to be posted. */
export interface Posting {
  readonly url: string;
  /** Names and values, flat. */
  readonly headers: readonly string[];
  readonly content: string;
  readonly timeoutMs: number;
  /** Whether it may go to any address, since the operator named it. */
  readonly isOperators: boolean;
  /** Aborted where it is not to be waited for any longer. */
  readonly stop: AbortSignal;
}

/** Nothing is sent to it, whatever happens: it is no address to post to. */
export class NoAddress extends Error {}

export interface Poster {
  /** Posts a message; the status of the answer. Rejects where there was none, or the address is not one to post to. */
  readonly post: (posting: Posting) => Promise<number>;
  /** How many messages wait for whoever they are sent to. */
  readonly awaited: () => number;
  readonly close: () => void;
}

/** Runs something after so many milliseconds, unless it is called off by what is returned. */
export type After = (ms: number, run: () => void) => () => void;

/** How long a connection that nobody uses is kept, in milliseconds, and how many to one address. */
const idle = { timeoutMs: 5000, most: 4 };

/** How much of an answer is read at most, in bytes: nothing of it is used but the status. */
const mostBytes = 64 << 10;

/**
 * Posts over HTTP, one connection for many. An address is looked at when it is connected to, so that a name cannot
 * change what it stands for in between; no redirect is followed, since the first answer is the answer.
 */
export function poster(isOutside: IsOutside, after: After, resolve: Resolve): Poster {
  const http = process.getBuiltinModule('node:http');
  const https = process.getBuiltinModule('node:https');
  const agents = new Map<string, Agent>();
  const awaited = new Set<ClientRequest>();
  const everywhere: IsOutside = () => true;
  const agentOf = (protocol: string, isOperators: boolean): Agent => {
    const name = `${protocol} ${isOperators}`;
    const { Agent } = protocol === 'https:' ? https : http;
    const agent =
      agents.get(name) ?? new Agent({ keepAlive: true, maxFreeSockets: idle.most, timeout: idle.timeoutMs });
    agents.set(name, agent);
    return agent;
  };
  const send = (
    url: URL,
    posting: Posting,
  ): { readonly request: ClientRequest; readonly status: Promise<number> } => {
    const { isOperators, headers, content, timeoutMs, stop } = posting;
    const length = Buffer.byteLength(content);
    const find = lookupBy(resolve, isOperators ? everywhere : isOutside);
    const options: RequestOptions = {
      method: 'POST',
      headers: ['Host', url.host, ...headers, 'Content-Length', String(length)],
      agent: agentOf(url.protocol, isOperators),
      lookup: find.lookup,
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    const status = new Promise<number>((done, failed) => {
      const cut = (why: string): void => {
        request.destroy(new Error(why));
        find.cancel();
      };
      const callOff = after(timeoutMs, () => cut('there was no answer in time'));
      const stopped = (): void => cut('the service ends');
      stop.addEventListener('abort', stopped, { once: true });
      request.on('error', failed);
      awaited.add(request);
      request.on('close', () => {
        awaited.delete(request);
        callOff();
        stop.removeEventListener('abort', stopped);
        find.cancel();
      });
      request.on('response', (response) => {
        awaited.delete(request);
        // A target that fails seldom gets another message soon. Its idle connection would only take memory.
        if ((response.statusCode ?? 0) >= 400) request.shouldKeepAlive = false;
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > mostBytes) response.destroy(new Error('the answer is too long'));
        });
        response.on('error', failed);
        response.on('end', () => done(response.statusCode ?? 0));
      });
    });
    request.end(content);
    return { request, status };
  };
  return {
    post: async (posting) => {
      posting.stop.throwIfAborted();
      const url = httpUrl(posting.url);
      if (url === null) throw new NoAddress('it is no address of HTTP');
      check(url, posting.isOperators, isOutside);
      const first = send(url, posting);
      try {
        return await first.status;
      } catch (error) {
        // A kept connection may have been closed from the other side meanwhile: then nothing of it was read there.
        const isStale = first.request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        if (!isStale) throw error;
        return send(url, posting).status;
      }
    },
    awaited: () => awaited.size,
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Refuses what is no address to post to: only the operator may name a port below 1024 that is not HTTP's, or a user. */
function check(url: URL, isOperators: boolean, isOutside: IsOutside): void {
  const { username, password, port } = url;
  if (isOperators) return;
  if (username !== '' || password !== '') throw new Error('the address names a user');
  if (port !== '' && Number(port) < 1024 && !['80', '443'].includes(port))
    throw new Error(`events are not sent to port ${port}`);
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isOutside(host)) throw new Error(`${host} is not out there`);
}

/** Finds the addresses of a name for one connection. A host that is an address needs no lookup, and allocates nothing. */
interface Lookup {
  readonly lookup: LookupFunction;
  readonly cancel: () => void;
}

/**
 * Finds the addresses that a socket may connect to, and refuses a name of which any is not out there: the socket connects
 * to what was looked at, and asks nobody again.
 */
function lookupBy(resolve: Resolve, isOutside: IsOutside): Lookup {
  let over: AbortController | null = null;
  return {
    lookup: (name, options, found) => {
      over ??= new AbortController();
      const failed = (error: unknown): void => found(error as Error, '', 0);
      resolve(name, over.signal).then((addresses) => {
        const inside = addresses.find(({ address }) => !isOutside(address));
        const fitting = addresses.filter(({ family }) => !options.family || options.family === family);
        const [first] = fitting;
        if (inside) failed(new Error(`${name} is ${inside.address}, which is not out there`));
        else if (first === undefined) failed(new Error(`${name} has no address`));
        else if (options.all) found(null, [...fitting]);
        else found(null, first.address, first.family);
      }, failed);
    },
    cancel: () => over?.abort(),
  };
}
