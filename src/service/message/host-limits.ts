import { availableParallelism } from 'node:os';

/**
 * What the process bears, whatever the specification says: the operator's settings, no part of the service
 * (principles, "Host limits are not service limits"). Where part 8 states a limit, the statement governs. This table is
 * the source of the options of `tacet serve`, of their help, and of the table in `docs/host-limits.md`.
 */
export const hostLimitTable = {
  bodyBytes: {
    option: 'max-body',
    unit: 'bytes',
    usual: 1 << 20,
    bounds: 'the content of a request',
    answer: '413',
  },
  jsonDepth: {
    option: 'max-json-depth',
    unit: 'levels',
    usual: 32,
    bounds: 'how deep a JSON body nests',
    answer: '413',
  },
  jsonNodes: {
    option: 'max-json-nodes',
    unit: 'nodes',
    usual: 10_000,
    bounds: 'the members and elements of a JSON body or form',
    answer: '413',
  },
  headerCount: {
    option: 'max-headers',
    unit: 'fields',
    usual: 100,
    bounds: 'the header fields of a request',
    answer: '431',
  },
  headerBytes: {
    option: 'max-header-bytes',
    unit: 'bytes',
    usual: 16 << 10,
    bounds: 'the request line and header fields',
    answer: '431',
  },
  headersTimeoutMs: {
    option: 'headers-timeout',
    unit: 'ms',
    usual: 10_000,
    bounds: 'the time until the header fields are there',
    answer: '408',
  },
  requestTimeoutMs: {
    option: 'request-timeout',
    unit: 'ms',
    usual: 30_000,
    bounds: 'the time until the whole request is there',
    answer: '408',
  },
  handlerTimeoutMs: {
    option: 'handler-timeout',
    unit: 'ms',
    usual: 30_000,
    bounds: 'the time of a handler',
    answer: 'timed out',
  },
  idleTimeoutMs: {
    option: 'idle-timeout',
    unit: 'ms',
    usual: 60_000,
    bounds: 'the time a connection may be idle',
    answer: 'closed',
  },
  concurrentConnections: {
    option: 'max-connections',
    unit: 'connections',
    usual: 10_000,
    bounds: 'the connections at once',
    answer: 'closed',
  },
  concurrentRequests: {
    option: 'max-requests',
    unit: 'requests',
    usual: 10_000,
    bounds: 'the requests under way at once',
    answer: '503',
  },
  logBytes: {
    option: 'max-log',
    unit: 'bytes',
    usual: 256 << 20,
    bounds: 'the write-ahead log of SQLite',
    answer: 'lists are cut',
  },
  passwordChecks: {
    option: 'max-password-checks',
    unit: 'passwords',
    usual: 32 * passwordsAtOnce(),
    bounds: 'the passwords hashed or compared, or waiting for it',
    answer: '503',
  },
} as const satisfies Readonly<Record<string, HostLimit>>;

interface HostLimit {
  readonly option: string;
  readonly unit: string;
  readonly usual: number;
  /** What it is a limit of. */
  readonly bounds: string;
  /** What becomes of a request that reaches it. */
  readonly answer: string;
}

export type HostLimitName = keyof typeof hostLimitTable;

/** How much of each the process bears. */
export type HostLimits = Readonly<Record<HostLimitName, number>>;

export const hostLimits = Object.fromEntries(
  Object.entries(hostLimitTable).map(([name, { usual }]) => [name, usual]),
) as HostLimits;

/**
 * How many passwords are worked out at once: one a processor, and one thread fewer than Node has beside its own
 * (libuv's pool, `UV_THREADPOOL_SIZE`, by default 4), so that files and names of hosts do not wait for passwords.
 */
export function passwordsAtOnce(processors = availableParallelism(), threads = poolSize()): number {
  return Math.max(1, Math.min(processors, threads - 1));
}

function poolSize(): number {
  return Number(process.env['UV_THREADPOOL_SIZE']) || 4;
}
