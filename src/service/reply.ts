import type { Address } from '../specification/address.ts';
import type { Hold } from '../specification/holds.ts';
import type { Operation } from '../specification/operation.ts';

/** An answer, ready to be sent. `body` null: no content (RFC 9110 §6.4). */
export interface Reply {
  readonly status: number;
  /** Field names and values, flat: `[name, value, name, value]`. */
  readonly headers: readonly string[];
  readonly body: string | null | Stream;
  /** For a 501: the operation, and what it takes to go on; for the log, and never sent. */
  readonly heldUp?: HeldUp;
  /** For `internal`: what went wrong; for the log, and never sent. */
  readonly fault?: unknown;
  /** Why it is as it is; for the log, and never sent. */
  readonly because?: Because;
}

/** What an answer rests on, besides what its operation does. */
export interface Because {
  /** The statements that say how it is answered, by their addresses. */
  readonly statements: readonly Address[];
  /** For a refusal: the condition, and what it is about, such as `Parcel.weight.maximum` (language §H.4). */
  readonly condition?: string;
  readonly about?: readonly string[];
}

/** An operation that cannot be carried out for this request, and the points that it takes to go on. */
export interface HeldUp {
  readonly operation: Operation;
  readonly points: readonly Hold[];
}

/** A body that is made while it is sent. A failure cuts the connection, so that no part passes for the whole. */
export interface Stream {
  readonly chunks: () => AsyncIterable<string>;
  /** To be called where none of it is sent. */
  readonly unsent?: () => void;
}

export function bare(status: number): Reply {
  return { status, headers: [], body: null };
}

export function isStream(body: Reply['body']): body is Stream {
  return typeof body === 'object' && body !== null;
}
