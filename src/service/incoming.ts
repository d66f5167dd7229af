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
  readonly body: () => Promise<Buffer | null>;
}

/** A request that never came whole: there is nobody to answer, or nothing but a host limit to answer with. */
export class Unreceived extends Error {}

/** The body is larger than the host takes. */
export class BodyTooLarge extends Unreceived {}

/** The client went away before its body was whole. */
export class BodyCut extends Unreceived {}
