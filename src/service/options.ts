import type { Makers } from '../expression/functions.ts';
import type { GivenCredentials } from './access/outside.ts';
import type { Answered } from './answered.ts';
import type { Resolve } from './events/names.ts';
import type { Handlers } from './handlers/worked.ts';
import type { KeyPair } from './http/listener.ts';
import type { RequestIds } from './http/request-ids.ts';
import type { HostLimitName, HostLimits } from './message/host-limits.ts';
import type { Arrived } from './message/incoming.ts';
import type { Received } from './message/receiving.ts';
import type { HeldUp } from './message/reply.ts';
import type { Store, Table } from './store/store.ts';
import type { Wake } from './value/clock.ts';

export interface ServiceOptions {
  /** The file of the SQLite database, made if it is not there; or `postgres://USER@HOST/DATABASE`. */
  readonly data: string;
  /** The address of a standby of that database, which is read as well. Default: none. */
  readonly readStore?: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: one that is free. Null: it does not listen, as another server hands it requests by `handle` or `fetch`. */
  readonly port?: number | null;
  /**
   * The address at which the operator makes the service reachable, for `service.url`. Default: where it listens. A service
   * that does not listen needs one.
   */
  readonly url?: string;
  /** Listen beyond loopback although it is open who may ask. Default false. */
  readonly exposeUnauthenticated?: boolean;
  /** How long after entry the transitions happen of which that is the operator's to say: `{ 'Parcel.expire': 'P14D' }`. */
  readonly after?: Readonly<Record<string, string>>;
  /** Where events go whose address is the operator's to say, by the name of the delivery (language §6.3). */
  readonly deliver?: Readonly<Record<string, string>>;
  /** The keys that such deliveries are signed with; several with spaces between, while they are changed. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * What the key is encrypted under that signs credentials in the store: the current secret first, then those that it was
   * encrypted under before. Default: none; the key is kept as it is.
   */
  readonly storeSecrets?: readonly string[];
  /** Addresses of the operator's own network that webhooks may be sent to: `127.0.0.1`, `10.0.0.0/8`. Default: none. */
  readonly allowPrivate?: readonly string[];
  /**
   * The proxies of the operator's, or ranges of them, of which `Forwarded` and `X-Forwarded-For` are believed. Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** The credentials that are the operator's to give (language §5.2): by scheme, secrets by the names of who has them. */
  readonly credentials?: GivenCredentials;
  readonly limits?: Partial<HostLimits>;
  /** How long requests, deliveries and functions that are under way may go on once it is closed, in milliseconds. Default 10000. */
  readonly graceMs?: number;
  /** Where requests are counted, for all processes that name the same: `redis://HOST`, or an address of PostgreSQL's; or `process`.
   * Default: where `data` is such a one, there, else in this process. */
  readonly counter?: string;
  /** Told of each request that an open point holds up. */
  readonly onHeldUp?: (heldUp: HeldUp) => void;
  /** Told of each request, or connection, that a host limit refuses. */
  readonly onHostLimit?: (limit: HostLimitName) => void;
  /** Told of each request that the host refused though no statement asks for that, and why. */
  readonly onRefused?: (request: Pick<Arrived, 'method' | 'url'>, reason: string) => void;
  /** Told of each request that was answered, and why so, by what it is found in other logs, and what it brought if `keepsContent`. */
  readonly onAnswered?: (answered: Answered, ids: RequestIds, received: Received | null) => void;
  /** Whether each request is made part of a trace. Default: those alone that a trusted proxy made so. */
  readonly makesTraces?: boolean;
  /** Whether `onAnswered` is told which items a request wrote. Default false. */
  readonly tellsItems?: boolean;
  /** Whether `onAnswered` is told what each request brought. Small content is kept for that. Default false. */
  readonly keepsContent?: boolean;
  /** Where there is a replica: told of each read of a request that changes nothing, which of both answered it. */
  readonly onRead?: (by: 'primary' | 'replica') => void;
  /** Told why the replica is not read any more; null: it is read again. */
  readonly onReplica?: (why: string | null) => void;
  /** Told of each fault of the service's own: it was answered as `internal` (language §H.4), sent without what cannot be evaluated (`Unsent`), answered by 503 where what is kept cannot be read or written, or it cut its answer short; and by what the request is found, if it is of one. */
  readonly onFault?: (fault: unknown, ids?: RequestIds) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly milliseconds?: () => number;
  /** Wakes by that clock. Default: by the machine's timers, which look at it once a second. */
  readonly wake?: Wake;
  /** Finds the addresses of the names that webhooks are sent to. Default: the system's. */
  readonly resolve?: Resolve;
  readonly makers?: Makers;
  /** The functions that stand as `{ handled: NAME }` (language §I), by name. */
  readonly handlers?: Handlers;
  /** The key and certificate for TLS. Default: none; it speaks plain HTTP. */
  readonly tls?: Tls;
  /** Which of several processes this is that have one file of SQLite's together. Default: no other process has it. */
  readonly sharing?: Sharing;
  /** Opens the store. Default: what `data` names. */
  readonly open?: (file: string, tables: readonly Table[]) => Store | Promise<Store>;
}

/** A key and certificate, and those that take their place while the service runs. */
export interface Tls {
  readonly pair: KeyPair;
  /** To be given what uses others from now on, for new connections. */
  readonly renewed?: (use: (pair: KeyPair) => void) => void;
}

/**
 * A process among several of one machine that serve one file of SQLite's. One writes; the others read, and hand to it
 * each request that may change something, by HTTP over a Unix socket.
 */
export interface Sharing {
  /** The one that writes is started first. */
  readonly role: 'writer' | 'reader';
  /** The path of the socket. */
  readonly socket: string;
  /** Of the one that writes: resolved once no other process hands requests to it any more. Default: at once. */
  readonly alone?: Promise<void>;
}

/** The service cannot be started as asked: the message says why and what to do. */
export class StartRefused extends Error {}
