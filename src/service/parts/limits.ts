/**
 * What the process bears, whatever the specification says: the operator's settings, no part of the service
 * (principles, "Host limits are not service limits"). Where part 8 states a limit, the statement governs.
 */
export interface HostLimits {
  /** Bytes of a request's body. */
  readonly bodyBytes: number;
  /** Levels of nesting in a JSON body. */
  readonly jsonDepth: number;
  /** Members and elements in a JSON body. */
  readonly jsonNodes: number;
  /** Header fields of a request. */
  readonly headerCount: number;
  /** Bytes of a request's line and header fields. */
  readonly headerBytes: number;
  /** How long a client may take to send its header fields. */
  readonly headersTimeoutMs: number;
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs: number;
  /** How long a function of the operator's may take. */
  readonly handlerTimeoutMs: number;
  /** How long an idle connection is kept. */
  readonly idleTimeoutMs: number;
  /** Requests at once; one more is answered 503. */
  readonly concurrentRequests: number;
}

export const hostLimits: HostLimits = {
  bodyBytes: 1 << 20,
  jsonDepth: 32,
  jsonNodes: 10_000,
  headerCount: 100,
  headerBytes: 16 << 10,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  handlerTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  concurrentRequests: 10_000,
};
