import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listening } from '../../listening.ts';

/** A message that was posted to a receiver. */
export interface Posted {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came. */
  readonly raw: readonly string[];
  readonly content: string;
}

/** A receiver of webhooks. */
export interface Receiver {
  readonly url: string;
  readonly posted: readonly Posted[];
  /** Resolved once so many were posted. */
  readonly count: (wanted: number) => Promise<readonly Posted[]>;
}

/** @param answer answers a message; by default with 204 */
export async function receiver(
  answer: (posted: Posted, response: ServerResponse, index: number) => void = (_, response) =>
    void response.writeHead(204).end(),
): Promise<Receiver> {
  const posted: Posted[] = [];
  let woken = (): void => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders: raw } = request;
      const one = { method, url, headers, raw, content: Buffer.concat(chunks).toString() };
      posted.push(one);
      answer(one, response, posted.length - 1);
      woken();
    });
  });
  const { url, close } = await listening(server);
  onTestFinished(close);
  return {
    url: `${url}/`,
    posted,
    count: async (wanted) => {
      while (posted.length < wanted)
        await new Promise<void>((resolve) => {
          woken = resolve;
        });
      return posted;
    },
  };
}
