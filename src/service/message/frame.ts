import type { Frame } from '../../expression/compile.ts';
import type { Makers } from '../../expression/functions.ts';
import type { Patch } from './patch.ts';

/** What every expression of a service may name, whatever the request (language §G.2). */
export interface Surroundings {
  readonly service: { readonly url: string };
  readonly makers: Makers;
  readonly handlers?: Frame['handlers'];
}

/** The credentials that a request came with, by the names of their schemes. */
export type Presented = ReadonlyMap<string, string>;

/** What an expression may name of a request. Members that were not given are not there. */
export interface RequestView {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Of a body in parts: the names of files and the media types, by the names of parts. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** What the body is to what is kept; no expression reads it. */
  readonly patch: Patch | null;
  /** The credential that it came with; of several schemes that of the first. */
  readonly credential: string | null;
  /** All of them, by scheme; no expression reads it. */
  readonly presented: Presented;
  /** The media type that its content came with, without parameters; null where it came with none. */
  readonly media: string | null;
  /** The media types that the client takes, as it says so; no expression reads it. */
  readonly accept: string | undefined;
  readonly method: string;
  readonly url: string;
  /** The name of its version; null where there are none. */
  readonly version: string | null;
}

/** One frame of a request: the names that every expression of it finds, and those given. */
export type FrameOf = (names: Readonly<Record<string, unknown>>) => Frame;

/** The names that an expression finds while a request is answered; `more` adds those of its own situation. */
export function frame(
  around: Surroundings,
  request: RequestView | null,
  more: Readonly<Record<string, unknown>>,
  reads?: Frame['reads'],
): Frame {
  return {
    // Nobody is known, but where `more` says who.
    names: { service: around.service, actor: null, request, ...more },
    makers: around.makers,
    reads,
    handlers: around.handlers,
  };
}
