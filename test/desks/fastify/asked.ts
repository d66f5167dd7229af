import type { IncomingHttpHeaders } from 'node:http';
import type { Actor, Endpoint, Item, Scene } from './kinds.ts';
import type { Failure } from './shape.ts';

/** A request as it was understood, before anything is judged. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
  readonly now: string;
  /** The version's name; or what is wrong with it. */
  readonly version: string;
  readonly versionFault: 'version missing' | 'version unknown' | null;
  /** Of the path and the query; it cannot be read where a coding is broken. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly isMalformed: boolean;
  readonly isOfOtherMedia: boolean;
  /** The body, as an object; empty where there is none. */
  readonly body: Item;
  readonly actor: Actor | null;
  /** A credential came that is not good. */
  readonly isWrong: boolean;
  /** What the path singles out. */
  readonly item: Item | undefined;
  readonly scene: Scene;
}

/** What judging came upon, for the change and the answer. */
export interface Course {
  failures: readonly Failure[];
  /** The query's values by name. */
  values: Record<string, unknown>;
  /** The parcel after the body was merged into it. */
  merged?: Item;
  rate?: { readonly remaining: number; readonly reset: number };
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly content: string | null;
}
