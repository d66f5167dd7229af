import type { IncomingMessage } from 'node:http';
import { type Incoming, Unreceived } from '../message/incoming.ts';

/** The content of a request that has none. */
export const nothing: Incoming['content'] = () => null;

/**
 * How the content of a request is read (RFC 9112 §6).
 *
 * @param goOn tells a client that waits for it to send the content
 */
export function contentOf(
  request: IncomingMessage,
  goOn: () => void,
  hostsLimit: number,
): Incoming['content'] {
  if (!hasContent(request)) return nothing;
  const length = request.headers['content-length'];
  return (limit = hostsLimit) => {
    if (length !== undefined && Number(length) > limit) return Promise.resolve('too large');
    goOn();
    return readAll(request, limit);
  };
}

/** Whether a request has content, be it of no bytes (RFC 9112 §6). */
export function hasContent({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Reads a body. What is past the limit is read too, and not kept: a client reads no answer while it sends. */
function readAll(request: IncomingMessage, limit: number): Promise<Buffer | 'too large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isWhole = false;
    const broken = (): void => {
      if (!isWhole) reject(new Unreceived());
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('too large');
      }
    });
    request.on('end', () => {
      isWhole = true;
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on('close', broken);
    request.on('error', broken);
  });
}
