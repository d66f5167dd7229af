/** A request as the listener hands it to an operation. */
export interface Incoming {
  readonly method: string;
  /** The path and query as they came. */
  readonly url: string;
  /** The query's text, without its question mark; null where there is none. */
  readonly query: string | null;
  /** The path's parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Field values by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reads the body: null where the request has none (RFC 9112 §6). Rejects with `Unreceived`. */
  readonly body: () => Promise<Buffer | 'too large' | null>;
}

/** The client went away, before its body was whole or its answer was read: there is nobody to answer. */
export class Unreceived extends Error {}
