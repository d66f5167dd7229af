import type { Answer } from '../../semantics/judge/answer.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { GivenCredentials } from '../access/given.ts';
import type { Listening } from '../events/listening.ts';
import type { Client, Exchange } from '../http.ts';
import type { Message } from '../requests/message.ts';
import { answerOf } from '../traffic/message.ts';

/** The service that walks are played on. */
export interface Target {
  readonly specification: Specification;
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly send: (message: Message) => Promise<Exchange>;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly credentials: GivenCredentials;
  /** Lets time pass, in milliseconds: no longer than until it is met. */
  readonly wait: (ms: number, met?: AbortSignal) => Promise<void>;
  /** How long one wait may be, in milliseconds. */
  readonly patienceMs: number;
  /** Whether `wait` sets a clock forward, so that time passes at once. Default: false */
  readonly isClockSet?: boolean;
  /** How events of it are heard; left out: they are not. */
  readonly listening?: Listening;
  /** How long is waited for what is to come, and of which no time is stated, in milliseconds. Default: `patienceMs` */
  readonly graceMs?: number;
}

/** Sends a message to the service at this address, without a slash at the end. */
export function sent(client: Client, url: string, message: Message): Promise<Exchange> {
  const { method, path, headers, body, base64 } = message;
  return client.send({
    method,
    url: `${url}${path}`,
    headers: Object.entries(headers),
    body: body ?? null,
    ...(base64 !== undefined && { base64 }),
  });
}

/** An answer as the semantics reads it; null: none came. */
export function answerTo(exchange: Exchange): Answer | null {
  return answerOf({ exchange });
}
