import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listening } from '../listening.ts';

/** What was posted to a receiver. */
export interface Posted {
  /** The value of the JSON; a text if it is none. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly content: string;
}

/** A receiver of webhooks on loopback. */
export interface Receiver {
  readonly url: string;
  /** The next delivery that no call has had; null if none comes within so many milliseconds. */
  readonly next: (withinMs: number) => Promise<Posted | null>;
  readonly close: () => Promise<void>;
}

/** @param answers the statuses of the first answers, in order; all others are 204 */
export async function listen(answers: readonly number[]): Promise<Receiver> {
  const posted: Posted[] = [];
  let [count, read] = [0, 0];
  let woken = (): void => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const content = Buffer.concat(chunks).toString();
      posted.push({ body: jsonOf(content), headers: request.headers, content });
      response.writeHead(answers[count] ?? 204).end();
      count += 1;
      woken();
    });
  });
  const { url, close } = await listening(server);
  return {
    url: `${url}/`,
    close,
    next: async (withinMs) => {
      if (read === posted.length)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          woken = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const found = posted[read] ?? null;
      if (found !== null) read += 1;
      return found;
    },
  };
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** How far the time of a delivery may be from the clock, in seconds (Standard Webhooks 1.0). */
const toleranceSeconds = 300;

/**
 * Why a delivery is not signed with a key as Standard Webhooks 1.0 have it; null if it is.
 *
 * @param sent when it was sent at the earliest and at the latest, in milliseconds since 1970
 */
export function unsigned(
  { headers, content }: Posted,
  key: string,
  sent: { readonly from: number; readonly to: number },
): string | null {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers;
  const seconds = Number(time);
  const isTimely =
    seconds >= sent.from / 1000 - toleranceSeconds && seconds <= sent.to / 1000 + toleranceSeconds;
  if (!Number.isInteger(seconds) || !isTimely) return `webhook-timestamp is ${time} at ${sent.to / 1000}`;
  const bytes = Buffer.from(key.replace(/^whsec_/, ''), 'base64');
  const wanted = `v1,${createHmac('sha256', bytes).update(`${id}.${time}.${content}`).digest('base64')}`;
  const isSigned = String(signatures).split(' ').includes(wanted);
  return isSigned ? null : `webhook-signature is ${signatures} in place of ${wanted}`;
}
