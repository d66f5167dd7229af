import type { Address } from '../../specification/reading/address.ts';
import type { Tally } from './tally.ts';

/** A request as the listener hands it on. */
export interface Arrived {
  readonly method: string;
  /** The path and query as they came. */
  readonly url: string;
  /** Where it comes from: Node's socket, or what tells as much. */
  readonly from: {
    readonly remoteAddress?: string | undefined;
    readonly destroyed?: boolean;
    /** Whether a proxy of the operator's has sent it. */
    readonly isProxy?: boolean;
  };
  /** Field values by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * Reads the content, of at most so many bytes, by default as many as the host takes: null where the request has
   * none (RFC 9112 §6). Rejects with `Unreceived`.
   */
  readonly content: (mostBytes?: number) => Promise<Buffer | 'too large'> | null;
}

/** The value of a field that came once. */
export function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The version of a request. */
export interface OfVersion {
  /** Its name; null where that is not known. */
  readonly name: string | null;
  /** The version or versions whose operations it may mean: of one that is not known all of them, the newest first. */
  readonly among: readonly string[];
  /** What is the matter with it: a condition, or the point that is open. */
  readonly wrong: VersionCondition | { readonly held: readonly Address[] } | null;
  /** The request without what its path says of the version, or its Accept field. */
  readonly arrived: Arrived;
  /** Header fields of its answer. */
  readonly fields: readonly string[];
}

export type VersionCondition = 'version missing' | 'version unknown' | 'version retired';

/** A request as an operation is given it. */
export interface Incoming extends Arrived {
  /** Null where there are no versions. */
  readonly version: OfVersion | null;
  /** The query's text, without its question mark; null where there is none. */
  readonly query: string | null;
  /** The path's parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Which segment of the path that was asked each of these is. */
  readonly places: Readonly<Record<string, number>>;
  /** What the limits that count it come to for it; only where some do. */
  readonly tally?: Tally;
}

/** The client went away, before its body was whole or its answer was read: there is nobody to answer. */
export class Unreceived extends Error {}

/** The media type of a request's content, without its parameters. */
export function mediaOf({ headers }: Pick<Incoming, 'headers'>): string | null {
  return single(headers['content-type'])?.split(';')[0]?.trim().toLowerCase() ?? null;
}
