import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostLimits } from '../message/host-limits.ts';
import { type Arrived, Unreceived } from '../message/incoming.ts';
import { bare, busy, isStream, type Reply, type Stream } from '../message/reply.ts';
import type { Answer } from './answering.ts';
import { nothing } from './content.ts';

/** A service as a part of another server, which has the connections. */
export interface Mounted {
  /** Answers a request of `node:http`, or of a framework on it that did not read the content. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Answers a request of the Fetch standard.
   *
   * @throws TypeError if nobody knows what became of it: a server would close the connection
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers 503 from now on. Resolved once nothing is under way any more. */
  readonly end: (signal: AbortSignal) => Promise<void>;
}

/** Statuses that have no content (Fetch standard, null body status). */
const bodiless = new Set([204, 205, 304]);

/** @param listen hands a request of `node:http` to the listener */
export function mounted(
  answer: Answer,
  listen: (request: IncomingMessage, response: ServerResponse) => void,
  limits: HostLimits,
): Mounted {
  let running = 0;
  let isEnded = false;
  let idle = (): void => undefined;
  const done = (): void => {
    running -= 1;
    if (running === 0) idle();
  };
  return {
    handle: (request, response) => {
      if (isEnded) {
        response.writeHead(503).end();
        return;
      }
      running += 1;
      response.once('close', done);
      listen(request, response);
    },
    fetch: async (request) => {
      if (isEnded) return responseOf(bare(503), request);
      if (running >= limits.concurrentRequests) return responseOf(busy('concurrentRequests'), request);
      running += 1;
      try {
        const reply = await answer(arrivedAs(request, limits.bodyBytes));
        if (reply === null) throw new TypeError('nobody knows what became of the request');
        return responseOf(reply, request);
      } finally {
        done();
      }
    },
    end: async (signal) => {
      isEnded = true;
      if (running === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    },
  };
}

function arrivedAs(request: Request, mostBytes: number): Arrived {
  const { host, pathname, search } = new URL(request.url);
  const { method, headers, body, signal } = request;
  return {
    method,
    url: `${pathname}${search}`,
    from: {
      get destroyed() {
        return signal.aborted;
      },
    },
    headers: { host, ...Object.fromEntries(headers) },
    content: body === null ? nothing : (most = mostBytes) => readAll(body, most),
  };
}

async function readAll(body: ReadableStream<Uint8Array>, most: number): Promise<Buffer | 'too large'> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.byteLength;
      if (length > most) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    throw new Unreceived();
  }
  return Buffer.concat(chunks);
}

function responseOf({ status, headers, body }: Reply, { method }: Request): Response {
  const fields = new Headers();
  for (let i = 0; i < headers.length; i += 2) fields.append(headers[i] as string, headers[i + 1] as string);
  const isEmpty = method === 'HEAD' || bodiless.has(status);
  if (isStream(body)) {
    if (isEmpty) body.unsent?.();
    return new Response(isEmpty ? null : streamOf(body), { status, headers: fields });
  }
  if (!bodiless.has(status)) fields.set('Content-Length', String(Buffer.byteLength(body ?? '')));
  return new Response(isEmpty ? null : (body as string | Uint8Array<ArrayBuffer> | null), {
    status,
    headers: fields,
  });
}

function streamOf({ chunks }: Stream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = chunks()[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await pieces.return?.()),
  });
}
