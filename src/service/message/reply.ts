import type { Operation } from '../../specification/model/operation.ts';
import type { Hold } from '../../specification/openness/holds.ts';
import type { Address } from '../../specification/reading/address.ts';
import type { HostLimitName } from './host-limits.ts';

/** An answer, ready to be sent. `body` null: no content (RFC 9110 §6.4). */
export interface Reply {
  readonly status: number;
  /** Field names and values, flat: `[name, value, name, value]`. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | null | Stream;
  /** The header fields that its own statement is about, in lower case: `endpoints.headers` adds none of these. */
  readonly own?: readonly string[];
  /** For a 501: the operation, and what it takes to go on; for the log, and never sent. */
  readonly heldUp?: HeldUp;
  /** What went wrong: the cause of `internal`, and what is not sent ({@link Unsent}); for the log, and never sent. */
  readonly faults?: readonly unknown[];
  /** The host limit that refuses the request; for the log, and never sent. */
  readonly hostLimit?: HostLimitName;
  /** Why it is as it is; for the log, and never sent. */
  readonly because?: Because;
  /** Tells which items the request wrote; for the log, and never sent. Left out where nobody wants to know. */
  readonly wrote?: () => readonly WroteItem[];
}

/** An item that a request wrote: names alone, and no value but its key. */
export interface WroteItem {
  readonly resource: string;
  /** The values of its key, as JSON. */
  readonly key: string;
  readonly how: 'created' | 'changed' | 'deleted';
  /** The names of the members that are others than before. */
  readonly fields: readonly string[];
}

/** What an answer rests on, besides what its operation does. */
export interface Because {
  /** The statements that say how it is answered, by their addresses. */
  readonly statements: readonly Address[];
  /** For a refusal: the condition, and what it is about, such as `Parcel.weight.maximum` (language §H.4). */
  readonly condition?: string;
  readonly about?: readonly string[];
  /** For a refusal that a row of part 7 answers: its code. */
  readonly code?: string;
  /** For a refusal of the host's, which no condition names: why. */
  readonly reason?: string;
}

/** An operation that cannot be carried out for this request, and the points that it takes to go on. */
export interface HeldUp {
  readonly operation: Operation;
  readonly points: readonly Hold[];
}

/** A part of an answer, or an event, that is not sent, since an expression cannot be evaluated: its cause. */
export class Unsent extends Error {
  constructor(what: string, cause: unknown) {
    super(what, { cause });
  }
}

/** A body that is made while it is sent. A failure cuts the connection, so that no part passes for the whole. */
export interface Stream {
  readonly chunks: () => AsyncIterable<string>;
  /** To be called where none of it is sent. */
  readonly unsent?: () => void;
}

/** The host has too much to do, whatever the service states: 503 (RFC 9110 §15.6.4). */
export class HostBusy extends Error {
  /** The host limit that is reached. */
  readonly limit: HostLimitName;

  constructor(limit: HostLimitName) {
    super(`the host limit ${limit} is reached`);
    this.limit = limit;
  }
}

/** When a client may try again, in seconds (RFC 9110 §10.2.3): as long as a full queue takes, or nearly. */
const retryAfter = '1';

/** The answer of a host that has too much to do. */
export function busy(limit: HostLimitName): Reply {
  return { status: 503, headers: ['Retry-After', retryAfter], body: null, hostLimit: limit };
}

export function bare(status: number): Reply {
  return { status, headers: [], body: null };
}

export function isStream(body: Reply['body']): body is Stream {
  return typeof body === 'object' && body !== null && 'chunks' in body;
}
