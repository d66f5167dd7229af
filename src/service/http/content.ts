import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Incoming, Unreceived } from '../incoming.ts';

/** The content of a request that has none. */
export const nothing: Incoming['content'] = () => null;

/**
 * How the content of a request is read (RFC 9112 §6).
 *
 * @param waiting the answer to a request whose client waits to be told to go on; null where it does not
 */
export function contentOf(
  request: IncomingMessage,
  waiting: ServerResponse | null,
  hostsLimit: number,
): Incoming['content'] {
  const { headers } = request;
  const length = headers['content-length'];
  if (length === undefined && headers['transfer-encoding'] === undefined) return nothing;
  return (limit = hostsLimit) => {
    if (length !== undefined && Number(length) > limit) return Promise.resolve('too large');
    waiting?.writeContinue();
    return readAll(request, limit);
  };
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
