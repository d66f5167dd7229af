import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Unreceived } from '../message/incoming.ts';
import { isStream, type Reply, type Stream } from '../message/reply.ts';
import { STATUS_CODES } from './node.ts';

/** How long a connection whose last answer is sent stays open for its client to read it. */
const lingerMs = 1000;

/** Statuses that have no content and no length (RFC 9110 §8.6). */
const lengthless = new Set([204, 304]);

/** Sends an answer; the promise is that of one which is made while it is sent. */
export function send(
  response: ServerResponse,
  { status, headers, body }: Reply,
  close: boolean,
  idleTimeoutMs: number,
): Promise<void> | undefined {
  if (response.destroyed) {
    if (isStream(body)) body.unsent?.();
    return undefined;
  }
  const fields = headers.slice();
  const isText = typeof body === 'string';
  const length = isText ? Buffer.byteLength(body) : body instanceof Uint8Array ? body.byteLength : 0;
  if (!isStream(body) && !lengthless.has(status)) fields.push('Content-Length', String(length));
  fields.push(...connectionFields(response, close, isStream(body)));
  response.writeHead(status, fields);
  if (isStream(body)) return sendPieces(response, body, idleTimeoutMs);
  // A text of ASCII alone is written without being coded.
  if (isText) response.end(body, length === body.length ? 'latin1' : 'utf8');
  else if (body === null) response.end();
  else response.end(body);
  return undefined;
}

const closing = ['Connection', 'close'];
const keeping = ['Connection', 'keep-alive'];
const unsaid: readonly string[] = [];

/** HTTP/1.1 keeps a connection without saying so (RFC 9112 §9.3), HTTP/1.0 does not; closing is said (§9.6). */
export function connectionFields(
  response: ServerResponse,
  close: boolean,
  isStream: boolean,
): readonly string[] {
  if (close) return closing;
  if (!response.shouldKeepAlive) return unsaid;
  if (response.req.httpVersion === '1.0') return isStream ? unsaid : keeping;
  response.removeHeader('Connection');
  return unsaid;
}

async function sendPieces(
  response: ServerResponse,
  { chunks }: Stream,
  idleTimeoutMs: number,
): Promise<void> {
  if (response.req.method !== 'HEAD')
    for await (const chunk of chunks()) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response, idleTimeoutMs);
    }
  response.end();
}

/** Waits for the client to read on; one that reads nothing for too long is cut, since its list is held for it. */
function drained(response: ServerResponse, idleTimeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unreceived()), idleTimeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/**
 * Answers on a connection that has no request, and closes it.
 *
 * @param mayBeHead if so, the answer ends with its header fields. A length would be wrong of HEAD or of GET.
 */
export function sendAlone(socket: Duplex, reply: Reply, mayBeHead = false): void {
  const content = typeof reply.body === 'string' ? reply.body : '';
  const isLeftOut = mayBeHead && content !== '';
  const lines = [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
  ];
  for (let i = 0; i < reply.headers.length; i += 2)
    lines.push(`${reply.headers[i]}: ${reply.headers[i + 1]}`);
  if (!isLeftOut) lines.push(`Content-Length: ${Buffer.byteLength(content)}`);
  lines.push('Connection: close', '', isLeftOut ? '' : content);
  socket.write(lines.join('\r\n'));
  endSoon(socket);
}

/** Cuts a connection amid an answer. Over TLS its end is told from a whole answer by what is missing: no reset is needed. */
export function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/**
 * Ends a connection in stages (RFC 9112 §9.6): this side sends no more, and drops what comes until the client ends, too.
 * Closed at once, a client that still sends would be reset, and might lose the answer.
 */
export function endSoon(socket: Duplex): void {
  if (socket.writableEnded) return;
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(timer));
}
