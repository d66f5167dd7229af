import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { hostOf, type IsOutside } from './outside.ts';

/** A message to be posted. */
export interface Posting {
  readonly url: string;
  /** Names and values, flat. */
  readonly headers: readonly string[];
  readonly content: string;
  readonly timeoutMs: number;
  /** Whether it may go to any address, since the operator named it. */
  readonly isOperators: boolean;
}

export interface Poster {
  /** Posts a message; the status of the answer. Rejects where there was none, or the address is not one to post to. */
  readonly post: (posting: Posting) => Promise<number>;
  /** How many messages wait for whoever they are sent to. */
  readonly awaited: () => number;
  readonly close: () => void;
}

/** Runs something after so many milliseconds, unless it is called off by what is returned. */
export type After = (ms: number, run: () => void) => () => void;

/** Finds the addresses of a name, as `lookup` of `node:dns` does. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How much of an answer is read at most, in bytes: nothing of it is used but the status. */
const mostBytes = 64 << 10;

/**
 * Posts over HTTP, one connection for many. An address is looked at when it is connected to, so that a name cannot
 * change what it stands for in between; no redirect is followed, since the first answer is the answer.
 */
export function poster(isOutside: IsOutside, after: After, resolve?: Resolve): Poster {
  const http = process.getBuiltinModule('node:http');
  const https = process.getBuiltinModule('node:https');
  const agents = new Map<string, Agent>();
  const awaited = new Set<ClientRequest>();
  const guarded = guardedBy(isOutside, resolve ?? process.getBuiltinModule('node:dns').lookup);
  const agentOf = (protocol: string, isOperators: boolean): Agent => {
    const name = `${protocol} ${isOperators}`;
    const { Agent } = protocol === 'https:' ? https : http;
    const agent = agents.get(name) ?? new Agent({ keepAlive: true });
    agents.set(name, agent);
    return agent;
  };
  const send = (
    url: URL,
    posting: Posting,
  ): { readonly request: ClientRequest; readonly status: Promise<number> } => {
    const { isOperators, headers, content, timeoutMs } = posting;
    const length = Buffer.byteLength(content);
    const options: RequestOptions = {
      method: 'POST',
      headers: ['Host', url.host, ...headers, 'Content-Length', String(length)],
      agent: agentOf(url.protocol, isOperators),
      ...(!isOperators && { lookup: guarded }),
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    const status = new Promise<number>((done, failed) => {
      const late = (): unknown => request.destroy(new Error('there was no answer in time'));
      const callOff = after(timeoutMs, late);
      request.on('error', failed);
      awaited.add(request);
      request.on('close', () => {
        awaited.delete(request);
        callOff();
      });
      request.on('response', (response) => {
        awaited.delete(request);
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
      const url = new URL(posting.url);
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
  const { protocol, username, password, port } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`events are not sent by ${protocol}`);
  if (isOperators) return;
  if (username !== '' || password !== '') throw new Error('the address names a user');
  if (port !== '' && Number(port) < 1024 && !['80', '443'].includes(port))
    throw new Error(`events are not sent to port ${port}`);
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isOutside(host)) throw new Error(`${host} is not out there`);
}

/** Finds addresses and refuses a name of which any is not out there. */
function guardedBy(isOutside: IsOutside, resolve: Resolve): LookupFunction {
  return (name, options, found) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const inside = error ? undefined : addresses.find(({ address }) => !isOutside(address));
      const problem =
        error ?? (inside ? new Error(`${name} is ${inside.address}, which is not out there`) : null);
      const [first] = addresses ?? [];
      if (problem || first === undefined) found(problem ?? new Error(`${name} has no address`), '', 0);
      else if (options.all) found(null, addresses);
      else found(null, first.address, first.family);
    });
  };
}
