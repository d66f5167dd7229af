import type { Operation } from '../../specification/model/operation.ts';
import type { Address } from '../../specification/reading/address.ts';
import type { Credential } from '../access/credential.ts';
import type { absent } from '../value/evaluate.ts';
import type { Unknown, Value } from '../value/value.ts';

/** A request to an operation: parameters and content as values, each of its type. */
export interface Request {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, Value>>;
  /** Those that are given. */
  readonly query: Readonly<Record<string, Value>>;
  /** Header fields that are given, by name in lower case. Those of credentials are not among them. */
  readonly headers: Readonly<Record<string, Value>>;
  readonly credentials: readonly Credential[];
  /** The JSON content; undefined: there is none. */
  readonly content: Value | undefined;
  /** The name or alias of a version; null: the request names none (language §9.1). Default: the newest version. */
  readonly version?: string | null;
  /** The address of the service, for `service.url`. */
  readonly url: string;
}

/** What the document says of the answer. */
export interface Prediction {
  /** The statuses of which each may be sent; unknown: nothing is said. */
  readonly status: readonly number[] | Unknown;
  readonly headers: Readonly<Record<string, Value>>;
  /** `absent`: no content. */
  readonly body: Value | typeof absent;
  /** The address of the answer, or of the row, that is sent. */
  readonly by: Address;
  /** The `error.code` of a refusal. */
  readonly code?: string;
}

/** Nothing is said of the answer. */
export function unsaid(because: Unknown, by: Address): Prediction {
  return { status: because, headers: {}, body: because, by };
}
